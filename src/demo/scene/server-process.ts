import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { limitTime } from './time-limit.ts';

/** The real server, in a process of its own. */
export interface ServerProcess {
  readonly url: URL;
  /** Works once. */
  readonly signInLink: string;
  readonly pid: number;
  /** Resolves when the process has ended, for whatever reason. */
  readonly gone: Promise<void>;
  /** Ends it: SIGTERM, and SIGKILL when it has not gone after 3 s. Safe to call twice. */
  stop(): Promise<void>;
}

const readyWithinMs = 20_000;
const goneWithinMs = 3_000;

/**
 * Starts `beckon serve` and waits until it is ready.
 * @param env the server's whole environment
 * @throws Error with the server's own last words when it does not come up, or when `signal` aborts
 */
export async function startServerProcess(deps: {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** Removed when the demo dies without ending its server first; null: it stays. */
  readonly removeFolder: string | null;
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal;
}): Promise<ServerProcess> {
  const { script, env, onLine, signal } = deps;
  signal.throwIfAborted();
  const child = spawn(process.execPath, ['--import', guardOf(deps.removeFolder), script, 'serve'], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Out of the terminal's process group: Ctrl-C reaches the demo, and the demo ends its server once.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  // A server that is just ending may close the pipe before we do.
  child.stdin.on('error', () => {});
  const stop = () => end(child, gone);
  const limit = limitTime(signal, readyWithinMs);
  try {
    const greeting = await readGreeting(child, onLine, limit.signal);
    await untilReady(greeting.url, limit.signal);
    return { ...greeting, pid: child.pid ?? 0, gone, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    limit.lift();
  }
}

function guardOf(removeFolder: string | null): string {
  const guard = new URL('./die-with-parent.js', import.meta.url);
  if (removeFolder !== null) guard.searchParams.set('remove', removeFolder);
  return guard.href;
}

function readGreeting(
  child: ChildProcess,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<{ readonly url: URL; readonly signInLink: string }> {
  const { stdout, stderr } = child;
  return new Promise((resolve, reject) => {
    let lastWords = '';
    let url: URL | null = null;
    const fail = (why: string) => reject(new Error(why));
    signal.addEventListener(
      'abort',
      () => fail(`the server did not come up${lastWords === '' ? '' : `: ${lastWords}`}`),
      {
        once: true,
      },
    );
    child.once('error', (error) => fail(`the server could not be started: ${error.message}`));
    child.once('exit', (code) => {
      // Its last line may still be in the pipe.
      setImmediate(() => fail(lastWords === '' ? `the server ended with code ${code}` : lastWords));
    });
    if (stdout === null || stderr === null) return fail('the server has no output');
    createInterface({ input: stderr }).on('line', (line) => {
      lastWords = toWords(line) ?? lastWords;
      onLine(line);
    });
    createInterface({ input: stdout }).on('line', (line) => {
      const runsOn = /^Beckon runs on (\S+)/.exec(line)?.[1];
      if (runsOn !== undefined) url = new URL(runsOn);
      const link = /^Dashboard:\s+(\S+)/.exec(line)?.[1];
      if (link !== undefined && url !== null) resolve({ url, signInLink: link });
    });
  });
}

/** What a line says of a failure: the server's own sentence, else the name of an error; not the frames below it. */
function toWords(line: string): string | null {
  if (line.startsWith('beckon: ')) return line.slice('beckon: '.length);
  return /^\w*Error\b/.test(line) ? line : null;
}

async function untilReady(url: URL, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const ready = await fetch(new URL('/readyz', url), { signal }).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function end(child: ChildProcess, gone: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), goneWithinMs);
  await gone;
  clearTimeout(timer);
  child.stdin?.destroy();
}
