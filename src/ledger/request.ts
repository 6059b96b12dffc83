/** A request and everything that hangs on it, as plain values. See docs/architecture.md for its life. */

export type RequestKind = 'permission' | 'plan_check' | 'steering' | 'access';
export type DangerLevel = 'low' | 'medium' | 'high';
export type RequestStatus = 'pending' | 'approved' | 'denied' | 'answered' | 'expired' | 'cancelled';
export type SettledStatus = Exclude<RequestStatus, 'pending'>;

/** Where a decision came from. `policy` and `terminal` come with later kinds. */
export type Via = 'slack' | 'discord' | 'telegram' | 'dashboard' | 'api' | 'policy' | 'terminal';

export interface RequestOption {
  readonly label: string;
  readonly recommended: boolean;
}

/** What an agent asks, checked and complete: see `parseAsk`. */
export interface Ask {
  readonly kind: RequestKind;
  readonly title: string;
  readonly gist: string;
  readonly extended: string | null;
  readonly dangerLevel: DangerLevel | null;
  readonly options: readonly RequestOption[];
}

export interface Request extends Ask {
  /** UUIDv7 made by whoever asks. */
  readonly id: string;
  /** See `digestOf`. */
  readonly digest: string;
  readonly status: RequestStatus;
  /** Grows with every change that people can see; a page is up to date when its `shownRevision` equals it. Starts at 1. */
  readonly revision: number;
  readonly instanceId: string;
  readonly instanceLabel: string;
  /** The key behind the call. */
  readonly keyId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly settledAt: Date | null;
  readonly outcome: Outcome | null;
  /** When the result was first handed to an agent. */
  readonly deliveredAt: Date | null;
}

/** How a request ended. */
export interface Outcome {
  readonly status: SettledStatus;
  /** Free text of an answer, reason of a denial or of a withdrawal. */
  readonly words: string | null;
  readonly chosenOption: { readonly label: string; readonly index: number } | null;
  readonly via: Via | null;
  /** Display name of the person; null where nobody decided. */
  readonly by: string | null;
  /** `slack:U123`: the account that answered; null where nobody did. */
  readonly account: string | null;
}

/** An instance: one running agent's MCP server, or a plain caller of the API. */
export interface Instance {
  readonly id: string;
  /** `folder · branch`, up to 100 code points. */
  readonly label: string;
}

/** The authenticated key behind a call. */
export interface Caller {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** An append-only record of one move; the hash covers it and everything before it in its chain. */
export interface Entry {
  /** A request id, or `workspace`. */
  readonly chain: string;
  /** From 1. */
  readonly seq: number;
  readonly at: Date;
  readonly kind: string;
  /** Canonical JSON text, as hashed. */
  readonly body: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** One showing of a request at one address, as far as the ledger knows. */
export interface PageRow {
  readonly id: string;
  readonly token: string;
  readonly requestId: string;
  readonly address: Address;
  /** JSON of the channel's receipt; null until first posted. */
  readonly receipt: string | null;
  readonly shownRevision: number;
  /** Failed attempts since the last success. */
  readonly attempts: number;
  readonly lastError: string | null;
}

export interface Address {
  readonly id: string;
  readonly channel: string;
  readonly chatId: string;
  readonly threadId: string | null;
  /** Why pages no longer go here; null while they do. */
  readonly disabledReason: string | null;
}
