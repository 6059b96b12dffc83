import { canonicalText } from '../digest.ts';
import type { Caller } from '../request.ts';
import { lockWorkspace, writeWorkspaceEntry } from './chain.ts';
import type { Key as KeyRecord } from './generated/sqlite/client.ts';
import type { Moves } from './moves.ts';
import type { KeyRow, LedgerStore } from './store.ts';

type Keys = Pick<LedgerStore, 'createKey' | 'findKeyByHash' | 'listKeys' | 'revokeKey' | 'touchKey'>;

export function createKeys({ read, move }: Moves): Keys {
  return {
    createKey: ({ id, name, prefix, hash, scopes, at }) =>
      move(async (tx) => {
        await lockWorkspace(tx);
        await tx.key.create({ data: { id, name, prefix, hash, scopes: canonicalText(scopes), createdAt: at } });
        await writeWorkspaceEntry(tx, { at, kind: 'key.created', body: { id, name, prefix, scopes } });
      }),

    async findKeyByHash(hash, now) {
      const row = await read((client) => client.key.findUnique({ where: { hash } }));
      if (row === null || row.revokedAt !== null) return null;
      return row.expiresAt !== null && row.expiresAt <= now ? null : toCaller(row);
    },

    async listKeys() {
      const rows = await read((client) => client.key.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }));
      return rows.map(toKeyRow);
    },

    revokeKey: (id, at) =>
      move(async (tx) => {
        await lockWorkspace(tx);
        const revoked = await tx.key.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } });
        if (revoked.count === 0) return false;
        await writeWorkspaceEntry(tx, { at, kind: 'key.revoked', body: { id } });
        return true;
      }),

    async touchKey(id, at) {
      await read((client) => client.key.updateMany({ where: { id }, data: { lastUsedAt: at } }));
    },
  };
}

function toCaller(row: KeyRecord): Caller {
  return { keyId: row.id, name: row.name, scopes: JSON.parse(row.scopes) as string[] };
}

function toKeyRow(row: KeyRecord): KeyRow {
  const { prefix, createdAt, lastUsedAt, revokedAt } = row;
  return { ...toCaller(row), prefix, createdAt, lastUsedAt, revokedAt };
}
