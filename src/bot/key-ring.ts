import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError, type KeyRing, keyScopes } from '../ledger/index.ts';
import { type LedgerStore, StoreUnavailable } from '../ledger/store/store.ts';

const form = /^bk_live_[A-Za-z0-9_-]{22,64}$/;
const touchEveryMs = 60_000;

export function createKeyRing(deps: { readonly store: LedgerStore; readonly clock: { now(): Date } }): KeyRing {
  const { store, clock } = deps;
  const touched = new Map<string, number>();
  return {
    async authenticate(token) {
      const now = clock.now();
      // A malformed key is looked up like any other: the answer and the time are the same for all wrong keys.
      const caller = await store.findKeyByHash(hashOfKey(token), now).catch(notNow);
      if (caller === null || !form.test(token)) return null;
      if (now.getTime() - (touched.get(caller.keyId) ?? 0) > touchEveryMs) {
        touched.set(caller.keyId, now.getTime());
        await store.touchKey(caller.keyId, now);
      }
      return caller;
    },
  };
}

function notNow(error: unknown): never {
  if (!(error instanceof StoreUnavailable)) throw error;
  const text = `Beckon's database cannot be asked for the key (${error.message}). Nobody was paged and nothing was changed; try again in a moment.`;
  throw new DeskError('unavailable', text, { cause: error });
}

/**
 * The key of agents on this machine: made at first start, kept in the data folder with mode 0600. Made anew when the file is
 * missing, unreadable or names a key that the database does not know. Twice is safe.
 */
export async function ensureLocalKey(deps: {
  readonly store: LedgerStore;
  readonly clock: { now(): Date };
  readonly newId: () => string;
  readonly newSecret: () => string;
  readonly dataDir: string;
}): Promise<string> {
  const { store, clock, newId, newSecret, dataDir } = deps;
  const path = join(dataDir, 'local-key');
  const kept = readKey(path);
  if (kept !== null && (await store.findKeyByHash(hashOfKey(kept), clock.now())) !== null) return kept;
  const key = `bk_live_${newSecret()}`;
  writeKey(path, key);
  await store.createKey({
    id: newId(),
    name: 'local',
    prefix: key.slice(0, 12),
    hash: hashOfKey(key),
    scopes: keyScopes,
    at: clock.now(),
  });
  return key;
}

/** @throws Error with a sentence */
function writeKey(path: string, key: string): void {
  try {
    writeFileSync(path, `${key}\n`, { mode: 0o600 });
    chmodSync(path, 0o600);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the local key cannot be kept in ${path} (${why}): remove what is in its place, or set BECKON_DATA_DIR to another folder`,
    );
  }
}

function readKey(path: string): string | null {
  try {
    const key = readFileSync(path, 'utf8').trim();
    return form.test(key) ? key : null;
  } catch {
    return null;
  }
}

/** SHA-256 is enough: keys hold 128 random bits or more, so there is nothing to guess. */
function hashOfKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}
