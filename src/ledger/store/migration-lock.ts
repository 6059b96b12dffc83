import { setTimeout as pause } from 'node:timers/promises';
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

/** Held by a transaction of its own: a session's lock could be taken on one connection of the pool and released on another. */
function withAdvisoryLock({ client }: Database, work: () => Promise<void>): Promise<void> {
  return client.$transaction(
    async (tx) => {
      await untilTaken('the lock of the database', async () => {
        const [row] = await tx.$queryRaw<
          { taken: boolean }[]
        >`SELECT pg_try_advisory_xact_lock(${advisoryLock}) AS taken`;
        return row?.taken === true;
      });
      await work();
    },
    { timeout: 10 * waitMs, maxWait: waitMs },
  );
}

/** An exclusive transaction on a file beside the database: on the database itself it would lock out the engine's connection. */
async function withFileLock(path: string, work: () => Promise<void>): Promise<void> {
  const lock = await createLockConnection(path);
  try {
    await untilTaken(path, async () => {
      try {
        await lock.executeScript('BEGIN EXCLUSIVE');
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        throw error;
      }
    });
    await work();
  } finally {
    await lock.dispose();
  }
}

async function untilTaken(what: string, take: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await take()); waited += pauseMs) {
    if (waited >= waitMs) {
      throw new DatabaseUnusable(
        `Another process holds ${what} to bring the schema up to date and does not finish. End it and start again.`,
      );
    }
    await pause(pauseMs);
  }
}
