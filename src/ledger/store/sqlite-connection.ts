import { setTimeout as pause } from 'node:timers/promises';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import {
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import { createTurns, type Turns } from './turns.ts';

/** How long a statement waits for another process that writes. */
const busyMs = 5_000;
const busyPauseMs = 15;

/**
 * Prisma's adapter for better-sqlite3 with what it lacks on one shared connection:
 * - a statement outside a transaction waits for the transaction that runs, instead of becoming part of it;
 * - transactions begin IMMEDIATE, so that they never turn out to be stale at their first write;
 * - waiting for another process does not block this one's event loop;
 * - a commit that fails is rolled back, and the connection stays usable.
 */
export function createSqliteFactory(path: string): SqlMigrationAwareDriverAdapterFactory {
  // Milliseconds as integers compare as times do, whatever wrote them.
  const inner = new PrismaBetterSqlite3({ url: path, timeout: 0 }, { timestampFormat: 'unixepoch-ms' });
  const connect = async (): Promise<SqlDriverAdapter> => {
    const connection = await inner.connect();
    try {
      await patiently(() => connection.executeScript(pragmas));
    } catch (error) {
      await connection.dispose();
      throw error;
    }
    return createSerialAdapter(connection, createTurns());
  };
  return {
    provider: 'sqlite',
    adapterName: inner.adapterName,
    connect,
    connectToShadowDb: () => inner.connectToShadowDb(),
  };
}

/** A database in memory lives as long as its one connection: every `connect` gets the same, and only `close` ends it. */
export function createMemoryFactory(): { factory: SqlMigrationAwareDriverAdapterFactory; close(): Promise<void> } {
  const single = createSqliteFactory(':memory:');
  let shared: Promise<SqlDriverAdapter> | null = null;
  const connect = async (): Promise<SqlDriverAdapter> => {
    shared ??= single.connect();
    return { ...(await shared), dispose: async () => {} };
  };
  return {
    factory: { ...single, connect },
    async close() {
      await (await shared)?.dispose();
    },
  };
}

const pragmas = [
  'PRAGMA journal_mode = WAL',
  // A decision that was told to somebody must survive a power cut.
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
].join(';');

function createSerialAdapter(connection: SqlDriverAdapter, turns: Turns): SqlDriverAdapter {
  const alone = <T>(work: () => Promise<T>): Promise<T> => turns.run(() => patiently(work));
  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    queryRaw: (query) => alone(() => connection.queryRaw(query)),
    executeRaw: (query) => alone(() => connection.executeRaw(query)),
    executeScript: (script) => alone(() => connection.executeScript(script)),
    async startTransaction() {
      const release = await turns.take();
      try {
        await patiently(() => connection.executeScript('BEGIN IMMEDIATE'));
      } catch (error) {
        release();
        throw error;
      }
      return createTransaction(connection, release);
    },
    dispose: () => turns.run(() => connection.dispose()),
  };
}

/** Prisma sends COMMIT and ROLLBACK as statements and then calls `commit` or `rollback`, which only end the turn. */
function createTransaction(connection: SqlDriverAdapter, release: () => void): Transaction {
  const end = async () => {
    try {
      await connection.executeScript('ROLLBACK');
    } catch {
      // "No transaction is active", as it should be: it is still open only where the COMMIT failed.
    } finally {
      release();
    }
  };
  const savepoint = (sql: string) => connection.executeScript(sql);
  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    options: { usePhantomQuery: false },
    queryRaw: (query: SqlQuery): Promise<SqlResultSet> => connection.queryRaw(query),
    executeRaw: (query: SqlQuery): Promise<number> =>
      query.sql === 'COMMIT' ? patiently(() => connection.executeRaw(query)) : connection.executeRaw(query),
    commit: end,
    rollback: end,
    createSavepoint: (name) => savepoint(`SAVEPOINT ${name}`),
    rollbackToSavepoint: (name) => savepoint(`ROLLBACK TO ${name}`),
    releaseSavepoint: (name) => savepoint(`RELEASE SAVEPOINT ${name}`),
  };
}

/** Tries again while another process holds the database; a busy statement has done nothing. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += busyPauseMs) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || waited >= busyMs) throw error;
    }
    await pause(busyPauseMs);
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && isDriverAdapterError(error) && error.cause.kind === 'SocketTimeout';
}

/** A plain connection that answers at once when the file is locked. */
export function createLockConnection(path: string): Promise<SqlDriverAdapter> {
  return new PrismaBetterSqlite3({ url: path, timeout: 0 }).connect();
}
