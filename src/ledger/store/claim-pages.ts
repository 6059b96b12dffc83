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
  const groups = await client.page.groupBy({
    by: ['addressId'],
    where: { dueAt: { lte: now }, forgotten: false, address: isFree(now) },
    _min: { rank: true, createdAt: true },
    orderBy: [{ _min: { rank: 'asc' } }, { _min: { createdAt: 'asc' } }],
  });
  return groups.map(({ addressId }) => addressId);
}

async function claimOne(tx: Tx, addressId: string, { now, owner, leaseMs }: Claim): Promise<ClaimedPage | null> {
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const taken = await tx.address.updateMany({
    where: { id: addressId, ...isFree(now) },
    data: { leaseUntil, leaseOwner: owner },
  });
  if (taken.count === 0) return null;
  const page = await tx.page.findFirst({
    where: { addressId, dueAt: { lte: now }, forgotten: false },
    orderBy: [{ rank: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
    include: { address: true, request: true },
  });
  // Shown by somebody else since we looked: the lease goes back at once.
  await tx.address.updateMany({ where: { id: addressId }, data: page === null ? noLease : { leasedPageId: page.id } });
  return page === null ? null : { page: toPageRow(page), request: toRequest(page.request) };
}

function isFree(now: Date): Prisma.AddressWhereInput {
  return { disabledReason: null, OR: [{ leaseUntil: null }, { leaseUntil: { lte: now } }] };
}

export const noLease = { leaseUntil: null, leaseOwner: null, leasedPageId: null };
