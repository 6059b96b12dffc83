import { lockWorkspace, writeWorkspaceEntry } from './chain.ts';
import type { Moves } from './moves.ts';
import type { LedgerStore } from './store.ts';

type Settings = Pick<LedgerStore, 'readSettings' | 'changeSetting'>;

export function createSettings({ read, move }: Moves): Settings {
  return {
    async readSettings() {
      const rows = await read((client) => client.setting.findMany());
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    },
    changeSetting: ({ name, value, by, at }) =>
      move(async (tx) => {
        await lockWorkspace(tx);
        const before = await tx.setting.findUnique({ where: { name } });
        await tx.setting.upsert({ where: { name }, create: { name, value }, update: { value } });
        await writeWorkspaceEntry(tx, {
          at,
          kind: 'setting.changed',
          body: { name, value, before: before?.value ?? null, by },
        });
      }),
  };
}
