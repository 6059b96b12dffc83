import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DeskError } from '../ledger/index.ts';
import { waitForLock } from './process-lock.ts';
import { readCapped } from './read-capped.ts';
import type { Log } from './tool-deps.ts';

/** The server of this machine, shared by all its agents. */
export interface LocalServer {
  readonly baseUrl: string;
  /**
   * Finds it, or starts it: once, however many agents do so together. It runs on when the agents end; its process id is in
   * `server.pid` and what it says in `server.log` in the data folder.
   * @throws DeskError `unreachable` saying why it did not come up within `forMs`
   */
  reach(forMs: number): Promise<void>;
}

export interface LocalServerDeps {
  readonly dataDir: string;
  readonly port: number;
  /** The program and arguments that run a server in the foreground. */
  readonly command: readonly [string, ...string[]];
  /** The environment it gets; the data folder and the port are added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

export function createLocalServer(deps: LocalServerDeps): LocalServer {
  const { dataDir, port } = deps;
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    async reach(forMs) {
      const endsAt = performance.now() + forMs;
      if ((await look(baseUrl)) === 'up') return;
      makeFolder(dataDir);
      while (performance.now() < endsAt) {
        // Short turns, so that who waits for another's start sees the server as soon as it is up.
        const turn = await waitForLock(dataDir, 'start', { forMs: Math.min(300, endsAt - performance.now()) });
        try {
          const found = await look(baseUrl);
          if (found === 'up') return;
          if (found === 'starting') await sleep(50);
          else if (turn !== null) return await start(deps, baseUrl, endsAt);
        } finally {
          turn?.release();
        }
      }
      throw notUp(dataDir, 'somebody is starting it and it is not ready yet');
    },
  };
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    throw notUp(dataDir, error instanceof Error ? error.message : String(error));
  }
}

/** Starts a server as a process of its own and waits until it answers. Called under the start lock only. */
async function start(deps: LocalServerDeps, baseUrl: string, endsAt: number): Promise<void> {
  const { dataDir, port, log } = deps;
  const [program, ...args] = deps.command;
  const output = openSync(join(dataDir, 'server.log'), 'a', 0o600);
  const child = spawn(program, args, {
    // Its own group and no pipes to us: it must outlive the agent and whatever ends the agent's group.
    detached: true,
    stdio: ['ignore', output, output],
    cwd: dataDir,
    env: { ...deps.env, BECKON_DATA_DIR: dataDir, BECKON_PORT: String(port) },
    windowsHide: true,
  });
  closeSync(output);
  child.unref();
  let ended: string | null = null;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `it ended at once (${signal ?? `exit code ${code}`})`;
  });
  if (child.pid !== undefined) writeFileSync(join(dataDir, 'server.pid'), `${child.pid}\n`, { mode: 0o600 });
  log.info({ pid: child.pid, baseUrl }, 'starting the local server');
  while (performance.now() < endsAt) {
    const found = await look(baseUrl);
    if (found === 'up') return;
    // Somebody else's may have been faster at the port; then ours ended and theirs is coming up.
    if (found === 'nobody' && ended !== null) throw notUp(dataDir, ended);
    await sleep(50);
  }
  throw notUp(dataDir, 'it is not ready yet');
}

const healthSchema = z.object({ name: z.literal('beckon') });

/** Who answers there: a server of Beckon, one that is starting (it answers 503), or nobody. @throws DeskError for another program */
async function look(baseUrl: string): Promise<'up' | 'starting' | 'nobody'> {
  let text: string | null;
  let isUp: boolean;
  try {
    const response = await fetch(`${baseUrl}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(2_000) });
    text = await readCapped(response, 64_000);
    isUp = response.ok;
  } catch {
    return 'nobody';
  }
  if (text !== null && isHealth(text)) return isUp ? 'up' : 'starting';
  throw new DeskError(
    'unreachable',
    `Another program answers at ${baseUrl}, so Beckon's server cannot run there. Nobody was paged and nothing was approved. Set BECKON_PORT to a free port for the agent and the server alike, or BECKON_URL to a server that runs.`,
  );
}

function isHealth(text: string): boolean {
  try {
    return healthSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

function notUp(dataDir: string, why: string): DeskError {
  return new DeskError(
    'unreachable',
    `Beckon's server on this machine could not be started: ${why}. Nobody was paged and nothing was approved. Its own words are in ${join(dataDir, 'server.log')}; start it by hand with \`beckon serve\` to see them.`,
  );
}
