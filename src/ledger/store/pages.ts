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
  | 'pagesOf'
  | 'findPageByToken'
  | 'findPageByMessage'
>;

/** A page's `dueAt` is set exactly while it shows less than its request's revision and is not forgotten. */
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
          data: { dueAt: null },
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
            forgotten: retryAt === null,
            ...(dropReceipt ? { receipt: null, messageChatId: null, messageId: null, shownRevision: 0 } : {}),
          },
        });
        await tx.address.updateMany({ where: { leasedPageId: pageId }, data: noLease });
      }),

    nextPageDue: () =>
      read(async (client) => {
        const groups = await client.page.groupBy({
          by: ['addressId'],
          where: { dueAt: { not: null }, forgotten: false, address: { disabledReason: null } },
          _min: { dueAt: true },
        });
        const addresses = await client.address.findMany({
          where: { id: { in: groups.map(({ addressId }) => addressId) } },
          select: { id: true, leaseUntil: true },
        });
        const leases = new Map(addresses.map(({ id, leaseUntil }) => [id, leaseUntil?.getTime() ?? 0]));
        const times = groups.map(({ addressId, _min }) =>
          Math.max(_min.dueAt?.getTime() ?? 0, leases.get(addressId) ?? 0),
        );
        return times.length === 0 ? null : new Date(Math.min(...times));
      }),

    refreshPages: (now) =>
      move(async (tx) => {
        await tx.page.updateMany({
          where: { forgotten: false, request: { status: 'pending' } },
          data: { dueAt: now, shownRevision: 0 },
        });
        await tx.$executeRaw`UPDATE "pages" SET "dueAt" = ${now} WHERE NOT "forgotten" AND "shownRevision" <
          (SELECT "revision" FROM "requests" WHERE "requests"."id" = "pages"."requestId")`;
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
