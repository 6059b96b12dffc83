import type { Prisma, PrismaClient } from './generated/sqlite/client.ts';
import type { Moves, Tx } from './moves.ts';
import { toPageRow, toRequest } from './rows.ts';
import type { ClaimedPage, LedgerStore } from './store.ts';

type Claim = Parameters<LedgerStore['claimPages']>[0];

/**
 * The lease is the address's, not the page's: one guarded update of one row then says both that nobody else has the page and
 * that the address has no other page on its way, on every database.
 */
export function createClaimPages({ read, move }: Moves): LedgerStore['claimPages'] {
  return async (claim) => {
    const claimed: ClaimedPage[] = [];
    for (const addressId of await read((client) => addressesWithWork(client, claim))) {
      if (claimed.length === claim.limit) break;
      const page = await move((tx) => claimOne(tx, addressId, claim));
      if (page !== null) claimed.push(page);
    }
    return claimed;
  };
}

/** Free addresses with due pages, those of settled requests first, then the oldest. May be out of date: `claimOne` decides. */
async function addressesWithWork(client: PrismaClient, { now }: Claim): Promise<string[]> {
  const free = await client.address.findMany({ where: isFree(now), select: { id: true } });
  const pages = await Promise.all(free.map(({ id }) => client.page.findFirst(firstDue(id, now))));
  return pages
    .filter((page) => page !== null)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.createdAt.getTime() - b.createdAt.getTime())
    .map(({ addressId }) => addressId);
}

async function claimOne(tx: Tx, addressId: string, { now, owner, leaseMs }: Claim): Promise<ClaimedPage | null> {
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const lease = { leaseUntil, leaseOwner: owner, leasedPageId: null };
  const taken = await tx.address.updateMany({ where: { id: addressId, ...isFree(now) }, data: lease });
  if (taken.count === 0) return null;
  const page = await tx.page.findFirst({ ...firstDue(addressId, now), include: { address: true, request: true } });
  // Shown by somebody else since we looked: the lease goes back at once.
  await tx.address.updateMany({ where: { id: addressId }, data: page === null ? noLease : { leasedPageId: page.id } });
  return page === null ? null : { page: toPageRow(page), request: toRequest(page.request) };
}

/** Walks an index over the pages that are behind, so that neither a long history nor a long queue makes it slow. */
function firstDue(addressId: string, now: Date) {
  return {
    where: { addressId, rank: { not: null }, dueAt: { lte: now } },
    orderBy: [{ rank: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
  } satisfies Prisma.PageFindFirstArgs;
}

function isFree(now: Date): Prisma.AddressWhereInput {
  return { disabledReason: null, OR: [{ leaseUntil: null }, { leaseUntil: { lte: now } }] };
}

export const noLease = { leaseUntil: null, leaseOwner: null, leasedPageId: null };
