import { writeEntry } from './chain.ts';
import type { Prisma } from './generated/sqlite/client.ts';
import type { Moves } from './moves.ts';
import { createOpenRequest } from './open-request.ts';
import { toRequest } from './rows.ts';
import { createSettleRequest } from './settle-request.ts';
import type { LedgerStore, RequestFilter } from './store.ts';

type Requests = Pick<
  LedgerStore,
  | 'openRequest'
  | 'findRequest'
  | 'listRequests'
  | 'settleRequest'
  | 'markDelivered'
  | 'appendEntry'
  | 'entriesOf'
  | 'listOverdue'
  | 'nextExpiry'
>;

export function createRequests(moves: Moves): Requests {
  const { read, move } = moves;
  return {
    openRequest: createOpenRequest(moves),
    settleRequest: createSettleRequest(moves),

    async findRequest(id) {
      const row = await read((client) => client.request.findUnique({ where: { id } }));
      return row === null ? null : toRequest(row);
    },

    async listRequests(filter) {
      const rows = await read((client) =>
        client.request.findMany({
          where: whereOf(filter),
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          take: filter.limit,
        }),
      );
      return rows.map(toRequest);
    },

    markDelivered: (requestId, at) =>
      move(async (tx) => {
        const [row] = await tx.request.updateManyAndReturn({
          where: { id: requestId, deliveredAt: null, status: { not: 'pending' } },
          data: { deliveredAt: at, joinKey: null, chainSeq: { increment: 1 } },
        });
        if (row === undefined) return false;
        const { chainSeq: seq, chainHash: previousHash } = row;
        const chainHash = await writeEntry(tx, {
          chain: requestId,
          seq,
          previousHash,
          at,
          kind: 'request.delivered',
          body: {},
        });
        await tx.request.updateMany({ where: { id: requestId }, data: { chainHash } });
        return true;
      }),

    appendEntry: ({ requestId, kind, body, at }) =>
      move(async (tx) => {
        // Taking the next place locks the head, so that appends queue up rather than race.
        const [row] = await tx.request.updateManyAndReturn({
          where: { id: requestId },
          data: { chainSeq: { increment: 1 } },
        });
        if (row === undefined) throw new Error(`There is no request ${requestId} to append to.`);
        const { chainSeq: seq, chainHash: previousHash } = row;
        const chainHash = await writeEntry(tx, { chain: requestId, seq, previousHash, at, kind, body });
        await tx.request.updateMany({ where: { id: requestId }, data: { chainHash } });
      }),

    entriesOf: (chain) => read((client) => client.entry.findMany({ where: { chain }, orderBy: { seq: 'asc' } })),

    async listOverdue(now, limit) {
      const rows = await read((client) =>
        client.request.findMany({
          where: { status: 'pending', expiresAt: { lte: now } },
          orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
          take: limit,
        }),
      );
      return rows.map(toRequest);
    },

    async nextExpiry() {
      const row = await read((client) =>
        client.request.findFirst({
          where: { status: 'pending' },
          orderBy: { expiresAt: 'asc' },
          select: { expiresAt: true },
        }),
      );
      return row?.expiresAt ?? null;
    },
  };
}

function whereOf({ status, instanceId, keyId, undeliveredOnly, ids }: RequestFilter): Prisma.RequestWhereInput {
  return {
    ...(status === undefined ? {} : { status: status === 'pending' ? 'pending' : { not: 'pending' } }),
    ...(instanceId === undefined ? {} : { instanceId }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(undeliveredOnly === undefined ? {} : { deliveredAt: null }),
    ...(ids === undefined ? {} : { id: { in: [...ids] } }),
  };
}
