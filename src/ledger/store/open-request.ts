import { newId } from '../runtime.ts';
import { chainStart, toEntry } from './chain.ts';
import { isUniqueViolation } from './failures.ts';
import type { Prisma, Request as RequestRecord } from './generated/sqlite/client.ts';
import type { Moves, Tx } from './moves.ts';
import { fromOptions, storable, toRequest } from './rows.ts';
import { type LedgerStore, type OpenedRequest, type OpenRequest, StoreUnavailable } from './store.ts';

/** Each lost race means that somebody else's request came or went meanwhile. */
const attempts = 10;
/** How long an answer that nobody fetched is kept at least. */
const keptMs = 3_600_000;

export function createOpenRequest({ read, move }: Moves): LedgerStore['openRequest'] {
  return async (input) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const joined = await read((client) => findJoined(client, input));
      if (joined !== null) return joined;
      try {
        return { joined: 'new', request: toRequest(await move((tx) => insert(tx, input))) };
      } catch (error) {
        // The same id or the same asking was recorded since we looked: join it.
        if (!isUniqueViolation(error)) throw error;
      }
    }
    throw new StoreUnavailable('the same request is being opened and closed too fast');
  };
}

/** Joining is for the key that asked: another key's request is not told apart from none. */
function joinKeyOf({ caller, digest }: OpenRequest): string {
  return `${caller.keyId}:${digest}`;
}

async function findJoined(client: Pick<Tx, 'request'>, input: OpenRequest): Promise<OpenedRequest | null> {
  const sameId = await client.request.findUnique({ where: { id: input.id } });
  if (sameId !== null) {
    const isSame = sameId.digest === input.digest && sameId.keyId === input.caller.keyId;
    return isSame ? { joined: 'same_id', request: toRequest(sameId) } : { joined: 'id_taken' };
  }
  const sameAsking = await client.request.findUnique({ where: { joinKey: joinKeyOf(input) } });
  if (sameAsking === null || isStale(sameAsking, input.at)) return null;
  return { joined: sameAsking.status === 'pending' ? 'same_digest' : 'kept_answer', request: toRequest(sameAsking) };
}

/**
 * An answer that nobody fetched is kept for whoever asks the same again until the request's own time is over, and for an hour
 * at least; then the question is a new one. A yes is not for ever.
 */
function isStale({ status, expiresAt, settledAt }: RequestRecord, at: Date): boolean {
  if (status === 'pending' || settledAt === null) return false;
  return Math.max(expiresAt.getTime(), settledAt.getTime() + keptMs) <= at.getTime();
}

async function insert(tx: Tx, input: OpenRequest): Promise<RequestRecord> {
  const entry = toEntry({
    chain: input.id,
    seq: 1,
    previousHash: chainStart,
    at: input.at,
    kind: 'request.opened',
    body: openedBody(input),
  });
  await tx.request.updateMany({
    where: {
      joinKey: joinKeyOf(input),
      settledAt: { lte: new Date(input.at.getTime() - keptMs) },
      expiresAt: { lte: input.at },
    },
    data: { joinKey: null },
  });
  const row = await tx.request.create({ data: { ...columnsOf(input), chainSeq: 1, chainHash: entry.hash } });
  await tx.entry.createMany({ data: [entry] });
  const addresses = await tx.address.findMany({ where: { disabledReason: null }, select: { id: true } });
  if (addresses.length > 0) await tx.page.createMany({ data: addresses.map(({ id }) => pageOf(input, id)) });
  return row;
}

function columnsOf(input: OpenRequest): Omit<Prisma.RequestCreateInput, 'chainSeq' | 'chainHash'> {
  const { id, digest, ask, instance, caller, at, expiresAt } = input;
  const { kind, title, gist, extended, dangerLevel, options } = ask;
  return {
    id,
    digest,
    joinKey: joinKeyOf(input),
    kind,
    title,
    gist,
    extended,
    dangerLevel,
    options: fromOptions(options),
    instanceId: instance.id,
    instanceLabel: storable(instance.label),
    keyId: caller.keyId,
    createdAt: at,
    expiresAt,
  };
}

function pageOf({ id, at, newToken }: OpenRequest, addressId: string): Prisma.PageCreateManyInput {
  return { id: newId(), token: newToken(), requestId: id, addressId, dueAt: at, rank: 1, createdAt: at };
}

function openedBody({ digest, ask, instance, caller, expiresAt }: OpenRequest): unknown {
  return { digest, ask, instance, keyId: caller.keyId, expiresAt: expiresAt.toISOString() };
}
