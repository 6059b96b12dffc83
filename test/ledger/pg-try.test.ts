import { expect, test } from 'vitest';
import { startPostgres } from '../support/postgres.ts';
import { openLedgerStore } from '../../src/ledger/store/open-ledger-store.ts';
test('pg', async () => {
  const t0 = performance.now();
  const p = await startPostgres();
  console.log('start', performance.now() - t0);
  const url = await p.createDatabase();
  const [a, b] = await Promise.all([openLedgerStore({ url }), openLedgerStore({ url })]);
  console.log('open', performance.now() - t0);
  expect(await a.isWritable()).toBe(true);
  await p.cutConnections(url);
  console.log(await a.isWritable(), await b.isWritable());
  await a.close(); await b.close();
  await p.stop();
});
