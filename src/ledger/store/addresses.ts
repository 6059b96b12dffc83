import { newId, newToken } from '../runtime.ts';
import { lockWorkspace, writeWorkspaceEntry } from './chain.ts';
import type { Prisma } from './generated/sqlite/client.ts';
import type { Moves, Tx } from './moves.ts';
import { planAddresses } from './plan-addresses.ts';
import { storable, toAddress } from './rows.ts';
import { type LedgerStore, notConfigured } from './store.ts';

type Addresses = Pick<
  LedgerStore,
  'replaceAddresses' | 'listAddresses' | 'disableAddress' | 'enableAddress' | 'moveAddress'
>;

const inOrder: Prisma.AddressOrderByWithRelationInput[] = [
  { channel: 'asc' },
  { configuredChatId: 'asc' },
  { threadId: 'asc' },
];

export function createAddresses({ read, move }: Moves): Addresses {
  return {
    replaceAddresses: (wanted, at) =>
      move(async (tx) => {
        await lockWorkspace(tx);
        const plan = planAddresses(await tx.address.findMany(), wanted);
        for (const { channel, chatId, threadId } of plan.create) {
          const id = newId();
          await tx.address.create({
            data: { id, channel, configuredChatId: chatId, chatId, threadId: threadId ?? '' },
          });
          await writeWorkspaceEntry(tx, { at, kind: 'address.added', body: { id, channel, chatId, threadId } });
          await pageWhatIsPending(tx, id, at);
        }
        for (const id of plan.enable) await enable(tx, id, at);
        for (const id of plan.disable) await disable(tx, id, notConfigured, at);
        const rows = await tx.address.findMany({ where: { disabledReason: null }, orderBy: inOrder });
        return rows.map(toAddress);
      }),

    async listAddresses() {
      const rows = await read((client) => client.address.findMany({ orderBy: inOrder }));
      return rows.map(toAddress);
    },

    disableAddress: (addressId, reason, at) =>
      move(async (tx) => {
        await lockWorkspace(tx);
        await disable(tx, addressId, storable(reason), at);
      }),

    enableAddress: (addressId, at) =>
      move(async (tx) => {
        await lockWorkspace(tx);
        return enable(tx, addressId, at);
      }),

    moveAddress: (addressId, chatId, at) =>
      move(async (tx) => {
        await lockWorkspace(tx);
        const moved = await tx.address.updateMany({
          where: { id: addressId, chatId: { not: chatId } },
          data: { chatId },
        });
        if (moved.count === 0) return;
        await tx.page.updateMany({
          where: { addressId, messageChatId: { not: null } },
          data: { messageChatId: chatId },
        });
        await writeWorkspaceEntry(tx, { at, kind: 'address.moved', body: { id: addressId, chatId } });
      }),
  };
}

async function enable(tx: Tx, id: string, at: Date): Promise<boolean> {
  const enabled = await tx.address.updateMany({
    where: { id, disabledReason: { not: null } },
    data: { disabledReason: null },
  });
  if (enabled.count === 0) return false;
  await writeWorkspaceEntry(tx, { at, kind: 'address.enabled', body: { id } });
  // A rank says that the page is behind: what settled meanwhile is edited, what is pending is posted.
  await tx.page.updateMany({ where: { addressId: id, forgotten: false, rank: { not: null } }, data: { dueAt: at } });
  await pageWhatIsPending(tx, id, at);
  return true;
}

/** Requests that were asked while this address could not be paged get their page. */
async function pageWhatIsPending(tx: Tx, addressId: string, at: Date): Promise<void> {
  const unpaged = await tx.request.findMany({
    where: { status: 'pending', pages: { none: { addressId } } },
    orderBy: { createdAt: 'asc' },
    select: { id: true, createdAt: true },
  });
  if (unpaged.length === 0) return;
  const pages = unpaged.map(({ id: requestId, createdAt }) => {
    return { id: newId(), token: newToken(), requestId, addressId, dueAt: at, rank: 1, createdAt };
  });
  await tx.page.createMany({ data: pages });
}

async function disable(tx: Tx, id: string, reason: string, at: Date): Promise<void> {
  const disabled = await tx.address.updateMany({
    where: { id, disabledReason: null },
    data: { disabledReason: reason },
  });
  if (disabled.count > 0) await writeWorkspaceEntry(tx, { at, kind: 'address.disabled', body: { id, reason } });
}
