import { createClaimPages, noLease } from './claim-pages.ts';
import type { Moves } from './moves.ts';
import { fromReceipt, storable, toPageRow, toRequest } from './rows.ts';
import type { LedgerStore } from './store.ts';

type Pages = Pick<
  LedgerStore,
  | 'claimPages'
  | 'recordShown'
  | 'recordFailure'
  | 'nextPageDue'
  | 'refreshPages'
  | 'refreshPage'
  | 'pagesOf'
  | 'findPageByToken'
  | 'findPageByMessage'
>;

/** A page's `dueAt` and `rank` are set exactly while it shows less than its request's revision and is not forgotten. */
export function createPages(moves: Moves): Pages {
  const { read, move } = moves;
  return {
    claimPages: createClaimPages(moves),

    recordShown: ({ pageId, revision, receipt }) =>
      move(async (tx) => {
        // Locks the page first: a move of its request either waits for us, or is seen by the next statement.
        await tx.page.updateMany({
          where: { id: pageId },
          data: { ...fromReceipt(receipt), shownRevision: revision, attempts: 0, lastError: null },
        });
        await tx.page.updateMany({
          where: { id: pageId, request: { revision: { lte: revision } } },
          data: { dueAt: null, rank: null },
        });
        await tx.address.updateMany({ where: { leasedPageId: pageId }, data: noLease });
      }),

    recordFailure: ({ pageId, error, retryAt, dropReceipt }) =>
      move(async (tx) => {
        await tx.page.updateMany({
          where: { id: pageId },
          data: {
            attempts: { increment: 1 },
            lastError: storable(error),
            dueAt: retryAt,
            ...(retryAt === null ? { forgotten: true, rank: null } : {}),
            ...(dropReceipt ? { receipt: null, messageChatId: null, messageId: null, shownRevision: 0 } : {}),
          },
        });
        await tx.address.updateMany({ where: { leasedPageId: pageId }, data: noLease });
      }),

    nextPageDue: () =>
      read(async (client) => {
        const addresses = await client.address.findMany({
          where: { disabledReason: null },
          select: { id: true, leaseUntil: true },
        });
        const times = await Promise.all(
          addresses.map(async ({ id, leaseUntil }) => {
            const where = { addressId: id, dueAt: { not: null } };
            const page = await client.page.findFirst({ where, orderBy: { dueAt: 'asc' }, select: { dueAt: true } });
            return page?.dueAt ? [Math.max(page.dueAt.getTime(), leaseUntil?.getTime() ?? 0)] : [];
          }),
        );
        return times.flat().length === 0 ? null : new Date(Math.min(...times.flat()));
      }),

    refreshPages: (now, owner) =>
      move(async (tx) => {
        await tx.address.updateMany({ where: { leaseOwner: owner }, data: noLease });
        await tx.page.updateMany({
          where: { forgotten: false, request: { status: 'pending' } },
          data: { dueAt: now, rank: 1, shownRevision: 0 },
        });
        await tx.$executeRaw`UPDATE "pages" SET "dueAt" = ${now}, "rank" = COALESCE("rank", 0) WHERE NOT "forgotten"
          AND "shownRevision" < (SELECT "revision" FROM "requests" WHERE "requests"."id" = "pages"."requestId")`;
      }),

    refreshPage: (pageId, now) =>
      move(async (tx) => {
        const page = await tx.page.findFirst({
          where: { id: pageId, receipt: { not: null } },
          include: { request: true },
        });
        if (page === null) return;
        const rank = page.request.status === 'pending' ? 1 : 0;
        await tx.page.updateMany({
          where: { id: pageId },
          data: { dueAt: now, rank, shownRevision: 0, forgotten: false },
        });
      }),

    async pagesOf(requestId) {
      const rows = await read((client) =>
        client.page.findMany({ where: { requestId }, include: { address: true }, orderBy: { id: 'asc' } }),
      );
      return rows.map(toPageRow);
    },

    async findPageByToken(token) {
      const row = await read((client) =>
        client.page.findUnique({ where: { token }, include: { address: true, request: true } }),
      );
      return row === null ? null : { page: toPageRow(row), request: toRequest(row.request) };
    },

    async findPageByMessage({ channel, chatId, messageId }) {
      const row = await read((client) =>
        client.page.findFirst({
          where: { messageChatId: chatId, messageId, address: { channel } },
          include: { address: true },
        }),
      );
      return row === null ? null : toPageRow(row);
    },
  };
}
