import { createAddresses } from './addresses.ts';
import { createInstances } from './instances.ts';
import { createKeys } from './keys.ts';
import { migrate } from './migrate.ts';
import { createMoves } from './moves.ts';
import { type Database, openDatabase } from './open-database.ts';
import { createPages } from './pages.ts';
import { createRequests } from './requests.ts';
import { createSettings } from './settings.ts';
import { createSignIn } from './sign-in.ts';
import type { LedgerStore } from './store.ts';

/**
 * Opens the database, brings its schema up to date and returns the store over it. Any number of processes may do so at once.
 * `url` as of `openDatabase`.
 * @throws DatabaseUnusable, DatabaseTooNew: one sentence for the operator
 */
export async function openLedgerStore(input: { url: string; dataDir?: string }): Promise<LedgerStore> {
  const database = await openDatabase(input);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return createLedgerStore(database);
}

function createLedgerStore(database: Database): LedgerStore {
  const moves = createMoves(database.client);
  return {
    ...createRequests(moves),
    ...createPages(moves),
    ...createAddresses(moves),
    ...createInstances(moves),
    ...createSettings(moves),
    ...createKeys(moves),
    ...createSignIn(moves),
    async isWritable() {
      try {
        const touched = { id: 1, touches: 1 };
        await moves.read((client) =>
          client.probe.upsert({ where: { id: 1 }, create: touched, update: { touches: { increment: 1 } } }),
        );
        return true;
      } catch {
        return false;
      }
    },
    close() {
      moves.shut();
      return database.close();
    },
  };
}
