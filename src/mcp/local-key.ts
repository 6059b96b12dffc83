import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../ledger/index.ts';

/** The key that the server of this machine keeps for its agents, read anew for each call: a new database brings a new key. */
export function localKey(dataDir: string): { readonly key: () => Promise<string>; readonly keyName: string } {
  const path = join(dataDir, 'local-key');
  return {
    keyName: `the local key in ${path}`,
    async key() {
      try {
        return readFileSync(path, 'utf8').trim();
      } catch (error) {
        throw new DeskError(
          'unauthorized',
          `The local key ${path} cannot be read (${error instanceof Error ? error.message : String(error)}). Nobody was paged and nothing was approved. Set BECKON_DATA_DIR to the server's data folder, or BECKON_KEY to a key of it.`,
          { cause: error },
        );
      }
    },
  };
}
