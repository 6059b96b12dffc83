import { openLedgerStore } from '../../src/ledger/store/open-ledger-store.ts';
import { ledgerStoreContract } from '../contracts/ledger-store.ts';
import { startPostgres } from '../support/postgres.ts';

ledgerStoreContract('Postgres', {
  isShared: true,
  async start() {
    const postgres = await startPostgres();
    return {
      async create() {
        const url = await postgres.createDatabase();
        return { open: () => openLedgerStore({ url }) };
      },
      stop: () => postgres.stop(),
    };
  },
});
