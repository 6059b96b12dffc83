import { setTimeout as pause } from 'node:timers/promises';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { DatabaseUnusable } from './failures.ts';
import type { Database } from './open-database.ts';
import { createLockConnection, isBusy } from './sqlite-connection.ts';

const waitMs = 30_000;
const pauseMs = 25;
/** "beckon" on a telephone's keys: the advisory lock's number, any but one that others of the database use. */
const advisoryLock = 232_566;

/** Runs the work while no other process migrates the same database; the lock goes with the process that holds it. */
export async function withMigrationLock(database: Database, work: () => Promise<void>): Promise<void> {
  if (database.kind === 'postgres') return withAdvisoryLock(database, work);
  return database.path === null ? work() : withFileLock(`${database.path}-migrating`, work);
}

/** Held by a transaction of its own, on one connection, as a session's lock could be taken on one and released on another. */
async function withAdvisoryLock({ client }: Database, work: () => Promise<void>): Promise<void> {
  await client.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${advisoryLock})`;
      await work();
    },
    { timeout: 2 * waitMs, maxWait: waitMs },
  );
}

/** An exclusive transaction on a database beside the database: the engine uses connections of its own, which must not wait for us. */
async function withFileLock(path: string, work: () => Promise<void>): Promise<void> {
  const lock = await createLockConnection(path);
  try {
    await take(lock, path);
    await work();
  } finally {
    await lock.dispose();
  }
}

async function take(lock: { executeScript(script: string): Promise<void> }, path: string): Promise<void> {
  for (let waited = 0; ; waited += pauseMs) {
    try {
      return await lock.executeScript('BEGIN EXCLUSIVE');
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (waited >= waitMs)
        throw new DatabaseUnusable(`Another process holds ${path} and does not finish. End it and start again.`);
    }
    await pause(pauseMs);
  }
}

/**
 * The engine makes its SQLite connection exclusive, which fails while any process has the file open (in WAL mode each holds a
 * shared lock). Our own lock does that work, so the statement is left out.
 */
export function withoutEngineLock(
  factory: SqlMigrationAwareDriverAdapterFactory,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    ...factory,
    async connect() {
      const connection = await factory.connect();
      return {
        ...connection,
        executeRaw: async (query) => (query.sql.includes('locking_mode') ? 0 : connection.executeRaw(query)),
      };
    },
  };
}
