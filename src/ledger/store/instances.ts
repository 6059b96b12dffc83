import type { Moves } from './moves.ts';
import { storable } from './rows.ts';
import type { LedgerStore } from './store.ts';

type Instances = Pick<LedgerStore, 'touchInstance' | 'findInstance' | 'listInstances'>;

export function createInstances({ read }: Moves): Instances {
  return {
    async touchInstance({ id, label }, keyId, at) {
      const seen = { label: storable(label), keyId, lastSeenAt: at };
      await read((client) => client.instance.upsert({ where: { id }, create: { id, ...seen }, update: seen }));
    },
    findInstance: (id) => read((client) => client.instance.findUnique({ where: { id } })),
    listInstances: () =>
      read((client) => client.instance.findMany({ orderBy: [{ lastSeenAt: 'desc' }, { id: 'asc' }] })),
  };
}
