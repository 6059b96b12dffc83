import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../src/ledger/store/migrate.ts';
import { createMoves } from '../../src/ledger/store/moves.ts';
import { type Database, openDatabase } from '../../src/ledger/store/open-database.ts';
import { openLedgerStore } from '../../src/ledger/store/open-ledger-store.ts';
import { createRequests } from '../../src/ledger/store/requests.ts';
import { StoreUnavailable } from '../../src/ledger/store/store.ts';
import { expectWhole } from '../contracts/ledger-store/chains.ts';
import { asking, at, opened, settling } from '../contracts/ledger-store/given.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

describe('a full disk under SQLite', () => {
  let folder: string;
  let database: Database;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-full-'));
    database = await openDatabase({ url: join(folder, 'x.db') });
    await migrate(database);
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is told in words, leaves nothing half-done, and passes', async () => {
    const store = createRequests(createMoves(database.client));
    const limitPages = (pages: number) => database.client.$queryRawUnsafe(`PRAGMA max_page_count = ${pages}`);
    const [size] = await database.client.$queryRaw<{ page_count: number }[]>`PRAGMA page_count`;
    await limitPages(Number(size?.page_count) + 8);
    const kept: string[] = [];
    const lost: string[] = [];
    for (let index = 0; lost.length < 3; index += 1) {
      const input = asking({ title: `Q${index}`, ask: { ...asking().ask, extended: 'x'.repeat(3_000) } });
      try {
        await store.openRequest(input);
        kept.push(input.id);
      } catch (error) {
        expect(error).toEqual(new StoreUnavailable('the disk is full'));
        lost.push(input.id);
      }
    }
    expect(kept.length).toBeGreaterThan(0);
    for (const id of lost) {
      expect(await store.findRequest(id)).toBeNull();
      expect(await store.entriesOf(id)).toEqual([]);
    }
    await limitPages(100_000);
    await store.settleRequest(settling(kept[0] ?? ''));
    expect(await store.openRequest(asking({ title: 'after' }))).toMatchObject({ joined: 'new' });
    expectWhole(await store.entriesOf(kept[0] ?? ''));
  });
});

describe('Postgres in trouble', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  test('connections that are cut cost what was running at most, and nothing that was committed', async () => {
    const url = await postgres.createDatabase();
    const store = await openLedgerStore({ url });
    const inputs = Array.from({ length: 60 }, (_, index) => asking({ title: `Q${index}` }));
    const asked = Promise.allSettled(inputs.map((input) => store.openRequest(input)));
    for (let cut = 0; cut < 10; cut += 1) await postgres.cutConnections(url);
    const results = await asked;
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreUnavailable);
    for (const [index, input] of inputs.entries()) {
      // Asking again after a failure is safe, whatever became of the first try.
      const again = await store.openRequest(input);
      const possible = results[index]?.status === 'fulfilled' ? ['same_id'] : ['new', 'same_id'];
      expect(possible).toContain(again.joined);
      expectWhole(await store.entriesOf(input.id));
    }
    expect(await store.listRequests({ limit: 100 })).toHaveLength(60);
    await store.close();
  });

  test('a row that somebody holds too long is a sentence, and nothing happened', async () => {
    const url = await postgres.createDatabase();
    const store = await openLedgerStore({ url });
    const { id } = await opened(store);
    const other = new pg.Client({ connectionString: url });
    other.on('error', () => {});
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM requests FOR UPDATE');
    const settled = store.settleRequest(settling(id)).catch((error: unknown) => error);
    await waitUntilBlocked(url);
    await postgres.cutConnections(url);
    expect(await settled).toEqual(new StoreUnavailable('the connection to the database is lost'));
    await other.end().catch(() => {});
    expect(await store.findRequest(id)).toMatchObject({ status: 'pending' });
    expect(await store.settleRequest(settling(id, { at: at(2) }))).toMatchObject({ settled: true });
    await store.close();
  });

  test('a database of a newer Beckon is refused', async () => {
    const url = await postgres.createDatabase();
    await (await openLedgerStore({ url })).close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('n', 'c', '0099_members', now())`,
    );
    await client.end();
    await expect(openLedgerStore({ url })).rejects.toMatchObject({ code: 'database_too_new', name: 'DatabaseTooNew' });
  });

  test('a database of another program is left alone', async () => {
    const url = await postgres.createDatabase();
    await query(url, 'CREATE TABLE recipes (cake int)');
    await expect(openLedgerStore({ url })).rejects.toThrow(/holds things that are not Beckon's/);
    expect(await relationsOf(url)).toEqual(['recipes']);
  });

  test('a migration that fails leaves nothing behind, and runs once its cause is gone', async () => {
    const url = await postgres.createDatabase();
    await query(url, refuseTable('sessions'));
    await expect(openLedgerStore({ url })).rejects.toThrow(/no sessions here/);
    expect(await relationsOf(url)).toEqual([]);
    await query(url, 'DROP EVENT TRIGGER refuse_table');
    await (await openLedgerStore({ url })).close();
    expect(await relationsOf(url)).toContain('sessions');
  });

  test('a database that does not exist is named', async () => {
    const url = new URL(await postgres.createDatabase());
    url.pathname = '/none_such';
    await expect(openLedgerStore({ url: url.href })).rejects.toThrow(
      /none_such does not exist on that server\. Create it first\.$/,
    );
  });
});

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function relationsOf(url: string): Promise<unknown[]> {
  const rows = await query(url, `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`);
  return rows.map(({ relname }) => relname);
}

/** Breaks a migration half-way: everything before this table works. */
function refuseTable(name: string): string {
  return `CREATE SCHEMA guard;
    CREATE FUNCTION guard.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT 1 FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.${name}')
      THEN RAISE EXCEPTION 'no ${name} here'; END IF;
    END $$;
    CREATE EVENT TRIGGER refuse_table ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION guard.refuse()`;
}

async function waitUntilBlocked(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const deadline = Date.now() + 5_000;
  for (;;) {
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rowCount !== null && rowCount > 0) break;
    if (Date.now() > deadline) throw new Error('nothing was blocked');
  }
  await client.end();
}
