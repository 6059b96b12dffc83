import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedgerStore } from '../../src/ledger/store/open-ledger-store.ts';
import { ledgerStoreContract } from '../contracts/ledger-store.ts';

ledgerStoreContract('a SQLite file', {
  isShared: true,
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'beckon-store-'));
    let count = 0;
    return {
      async create() {
        count += 1;
        const url = `file:${join(folder, String(count), 'beckon.db')}`;
        return { open: () => openLedgerStore({ url }) };
      },
      stop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
});

ledgerStoreContract('SQLite in memory', {
  isShared: false,
  start: async () => ({
    create: async () => ({ open: () => openLedgerStore({ url: ':memory:' }) }),
    stop: async () => {},
  }),
});
