import { newId } from '../runtime.ts';
import { lockWorkspace, writeWorkspaceEntry } from './chain.ts';
import type { Prisma } from './generated/sqlite/client.ts';
import type { Moves, Tx } from './moves.ts';
import { planAddresses } from './plan-addresses.ts';
import { storable, toAddress } from './rows.ts';
import type { LedgerStore } from './store.ts';

type Addresses = Pick<LedgerStore, 'replaceAddresses' | 'listAddresses' | 'disableAddress' | 'moveAddress'>;

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
        }
        for (const id of plan.enable) await enable(tx, id, at);
        for (const id of plan.disable) await disable(tx, id, 'no longer configured', at);
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

async function enable(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.address.updateMany({ where: { id }, data: { disabledReason: null } });
  await writeWorkspaceEntry(tx, { at, kind: 'address.enabled', body: { id } });
}

async function disable(tx: Tx, id: string, reason: string, at: Date): Promise<void> {
  const disabled = await tx.address.updateMany({
    where: { id, disabledReason: null },
    data: { disabledReason: reason },
  });
  if (disabled.count > 0) await writeWorkspaceEntry(tx, { at, kind: 'address.disabled', body: { id, reason } });
}
