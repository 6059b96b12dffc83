import { canonicalText } from '../digest.ts';
import type {
  Address,
  DangerLevel,
  Outcome,
  PageRow,
  Request,
  RequestKind,
  RequestOption,
  RequestStatus,
  Via,
} from '../request.ts';
import type {
  Address as AddressRecord,
  Page as PageRecord,
  Request as RequestRecord,
} from './generated/sqlite/client.ts';

/** Rows of the database as the ledger's values. What the store wrote it may read back as it wrote it: hence the assertions. */
export function toRequest(row: RequestRecord): Request {
  const status = row.status as RequestStatus;
  return {
    id: row.id,
    digest: row.digest,
    kind: row.kind as RequestKind,
    title: row.title,
    gist: row.gist,
    extended: row.extended,
    dangerLevel: row.dangerLevel as DangerLevel | null,
    options: JSON.parse(row.options) as RequestOption[],
    status,
    revision: row.revision,
    instanceId: row.instanceId,
    instanceLabel: row.instanceLabel,
    keyId: row.keyId,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    settledAt: row.settledAt,
    outcome: status === 'pending' ? null : toOutcome(row, status),
    deliveredAt: row.deliveredAt,
  };
}

function toOutcome(row: RequestRecord, status: Outcome['status']): Outcome {
  const { chosenIndex, chosenLabel } = row;
  return {
    status,
    words: row.words,
    chosenOption: chosenIndex === null || chosenLabel === null ? null : { label: chosenLabel, index: chosenIndex },
    via: row.via as Via | null,
    by: row.by,
    account: row.account,
  };
}

export function toAddress(row: AddressRecord): Address {
  return {
    id: row.id,
    channel: row.channel,
    chatId: row.chatId,
    threadId: row.threadId === '' ? null : row.threadId,
    disabledReason: row.disabledReason,
  };
}

export function toPageRow(row: PageRecord & { readonly address: AddressRecord }): PageRow {
  return {
    id: row.id,
    token: row.token,
    requestId: row.requestId,
    address: toAddress(row.address),
    receipt: toReceipt(row),
    shownRevision: row.shownRevision,
    attempts: row.attempts,
    lastError: row.lastError,
  };
}

/** The receipt with the chat as it is now: a chat may have moved since. */
function toReceipt({ receipt, messageChatId }: PageRecord): string | null {
  if (receipt === null || messageChatId === null) return receipt;
  const fields = JSON.parse(receipt) as Record<string, unknown>;
  return fields.chatId === messageChatId ? receipt : JSON.stringify({ ...fields, chatId: messageChatId });
}

/** The columns of a receipt: the text, and what `findPageByMessage` compares. */
export function fromReceipt(receipt: string): {
  receipt: string;
  messageChatId: string | null;
  messageId: string | null;
} {
  const fields = JSON.parse(receipt) as Record<string, unknown>;
  const text = (value: unknown) => (value === undefined || value === null ? null : String(value));
  return { receipt, messageChatId: text(fields.chatId), messageId: text(fields.messageId) };
}

export function fromOptions(options: readonly RequestOption[]): string {
  return canonicalText(options);
}

/** Names and words of people as a database can keep them: Postgres takes no NUL, UTF-8 no half of a surrogate pair. */
export function storable(text: string): string;
export function storable(text: string | null): string | null;
export function storable(text: string | null): string | null {
  return text === null ? null : text.toWellFormed().replaceAll('\0', '\ufffd');
}
