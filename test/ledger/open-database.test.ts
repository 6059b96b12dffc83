import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseUnusable } from '../../src/ledger/store/failures.ts';
import { DatabaseTooNew } from '../../src/ledger/store/migrate.ts';
import { openLedgerStore } from '../../src/ledger/store/open-ledger-store.ts';
import { StoreUnavailable } from '../../src/ledger/store/store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-open-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function failure(input: Parameters<typeof openLedgerStore>[0]): Promise<Error> {
  const outcome = await openLedgerStore(input).catch((error: unknown) => error);
  if (!(outcome instanceof Error)) throw new Error('it opened');
  // One line for the operator: no stack, no secret.
  expect(outcome.message).not.toMatch(/\n| at |secret/);
  expect(outcome).toBeInstanceOf(DatabaseUnusable);
  return outcome;
}

describe('opening a SQLite file', () => {
  test('makes the folder, and puts relative paths into the data folder', async () => {
    const store = await openLedgerStore({ url: 'file:a/b.db', dataDir: join(folder, 'new') });
    expect(await store.isWritable()).toBe(true);
    await store.close();
    const again = await openLedgerStore({ url: join(folder, 'new/a/b.db') });
    await again.close();
  });

  test('writes through to the disk, in WAL mode', async () => {
    const path = join(folder, 'x.db');
    await (await openLedgerStore({ url: path })).close();
    const file = new Database(path, { readonly: true });
    expect(file.pragma('journal_mode', { simple: true })).toBe('wal');
    file.close();
  });

  test('after closing, every verb says that it is closed', async () => {
    const store = await openLedgerStore({ url: join(folder, 'x.db') });
    await store.close();
    await expect(store.nextExpiry()).rejects.toThrow(new StoreUnavailable('the database is closed'));
    expect(await store.isWritable()).toBe(false);
  });

  test('a folder that cannot be made is named, with what to do', async () => {
    writeFileSync(join(folder, 'file'), '');
    const error = await failure({ url: join(folder, 'file/below/x.db') });
    expect(error.message).toContain(`The data folder ${join(folder, 'file/below')} cannot be written`);
    expect(error.message).toContain('BECKON_DATA_DIR');
  });

  test('something that is not a database is left alone', async () => {
    const path = join(folder, 'notes.txt');
    writeFileSync(path, 'Dear diary, '.repeat(1_000));
    expect((await failure({ url: path })).message).toContain(`${path} is not a database that Beckon can read`);
    expect((await failure({ url: folder })).message).toContain('cannot be opened');
  });

  test('a file that another process keeps locked is named as locked', async () => {
    const path = join(folder, 'x.db');
    const other = new Database(path);
    other.exec('CREATE TABLE t (a); BEGIN EXCLUSIVE');
    try {
      expect((await failure({ url: path })).message).toContain('is locked by another process');
    } finally {
      other.close();
    }
  });

  test('a short lock by another process is waited for without blocking this one', async () => {
    const path = join(folder, 'x.db');
    const store = await openLedgerStore({ url: path });
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const release = setTimeout(() => other.exec('COMMIT'), 100);
    expect(await store.isWritable()).toBe(true);
    clearTimeout(release);
    expect(other.inTransaction).toBe(false);
    other.close();
    await store.close();
  });

  test('a database of a newer Beckon is refused and not touched', async () => {
    const path = join(folder, 'x.db');
    await (await openLedgerStore({ url: path })).close();
    const file = new Database(path);
    const insert = file.prepare(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('n', 'c', ?, ?)`,
    );
    insert.run('0099_members', 1);
    file.close();
    const error = await failure({ url: path });
    expect(error).toBeInstanceOf(DatabaseTooNew);
    expect(error.message).toContain('newer Beckon (it has the migration 0099_members');
  });

  test('a database of another program is left alone', async () => {
    const path = join(folder, 'x.db');
    const file = new Database(path);
    file.exec('CREATE TABLE recipes (cake)');
    expect((await failure({ url: path })).message).toBe(
      `The database ${path} holds things that are not Beckon's. Give Beckon a database of its own.`,
    );
    expect(file.prepare('SELECT name FROM sqlite_master').pluck().all()).toEqual(['recipes']);
    file.close();
  });

  test('a migration that fails leaves nothing behind, and runs once its cause is gone', async () => {
    const path = join(folder, 'x.db');
    const file = new Database(path);
    file.exec('CREATE VIEW sessions AS SELECT 1');
    expect((await failure({ url: path })).message).toContain('sessions');
    expect(file.prepare('SELECT name FROM sqlite_master').pluck().all()).toEqual(['sessions']);
    file.exec('DROP VIEW sessions');
    file.close();
    await (await openLedgerStore({ url: path })).close();
  });

  test('a migration that broke off is named', async () => {
    const path = join(folder, 'x.db');
    await (await openLedgerStore({ url: path })).close();
    const file = new Database(path);
    file.exec('UPDATE _prisma_migrations SET finished_at = NULL');
    file.close();
    expect((await failure({ url: path })).message).toContain('0001_ledger of the database was not finished');
  });
});

describe('opening Postgres', () => {
  test('a server that does not answer is named without its password', async () => {
    const error = await failure({ url: 'postgres://beckon:secret@127.0.0.1:1/beckon' });
    expect(error.message).toBe(
      'The database postgres://127.0.0.1:1/beckon cannot be reached. Check the address and that the server runs.',
    );
  });

  test('something else on that port is named', async () => {
    const server = createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect((await failure({ url: `postgres://beckon:secret@127.0.0.1:${port}/beckon` })).message).toContain(
      `127.0.0.1:${port}`,
    );
    await new Promise((resolve) => server.close(resolve));
  });

  test('other addresses are refused', async () => {
    expect((await failure({ url: 'mysql://beckon:secret@localhost/beckon' })).message).toContain('"mysql://…"');
    expect((await failure({ url: 'postgres://beckon:secret@:x' })).message).toContain('not a valid URL');
  });
});
