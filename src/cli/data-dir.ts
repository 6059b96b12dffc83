import { join, resolve } from 'node:path';

/**
 * Where Beckon keeps what it must not lose: the database, the local key, the agents' local ledgers. `BECKON_DATA_DIR`, or the
 * user's data folder of the platform (XDG base directories on Linux).
 */
export function dataDirOf(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  const chosen = env.BECKON_DATA_DIR;
  if (chosen) return resolve(chosen);
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'beckon');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'beckon');
  const xdg = env.XDG_DATA_HOME;
  // The specification says: a relative path here is invalid and must be ignored.
  return join(xdg?.startsWith('/') ? xdg : join(home, '.local', 'share'), 'beckon');
}
