import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock that one process of this machine holds. */
export interface ProcessLock {
  /** Twice is safe. */
  release(): void;
}

/**
 * Takes a lock in a folder, or returns null while a living process holds it or is taking it. A dead holder's lock counts for
 * nothing, even when its process id was given to somebody else since.
 *
 * How it excludes: everybody first makes a file of their own, with their process id and start time in its *name* (so it is never
 * seen half-written), and then looks for others. Of two who try at once at least one sees the other and steps back; a dead
 * process's file can be deleted at any time because its name is never used again. So no stale lock is ever *taken over*, which
 * is where lock files race.
 */
export function tryLock(folder: string, name: string): ProcessLock | null {
  const own = `${name}.lock.${process.pid}.${startOf(process.pid)}.${randomBytes(6).toString('hex')}`;
  const path = join(folder, own);
  writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  const release = () => rmSync(path, { force: true });
  try {
    const others = readdirSync(folder).filter((file) => file.startsWith(`${name}.lock.`) && file !== own);
    if (!others.some((file) => isLive(folder, file))) return { release };
  } catch (error) {
    release();
    throw error;
  }
  release();
  return null;
}

/** Takes a lock, waiting up to `forMs` for others; null when they hold it that long or the signal aborts. */
export async function waitForLock(
  folder: string,
  name: string,
  options: { readonly forMs: number; readonly signal?: AbortSignal },
): Promise<ProcessLock | null> {
  const deadline = performance.now() + options.forMs;
  for (let attempt = 1; options.signal?.aborted !== true; attempt += 1) {
    const lock = tryLock(folder, name);
    if (lock !== null) return lock;
    if (performance.now() > deadline) return null;
    // At random, so that those who stepped back from each other do not meet again.
    await sleep(2 + Math.random() * Math.min(150, 15 * attempt));
  }
  return null;
}

function isLive(folder: string, file: string): boolean {
  const [pidText = '', start = ''] = file.slice(file.lastIndexOf('.lock.') + '.lock.'.length).split('.');
  const pid = Number(pidText);
  const live = pid === process.pid ? start === startOf(process.pid) : isRunning(pid) && sameStart(start, startOf(pid));
  if (!live) rmSync(join(folder, file), { force: true });
  return live;
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Where a start time cannot be learnt, the process id alone decides, on the safe side. */
function sameStart(a: string, b: string): boolean {
  return a === 'x' || b === 'x' || a === b;
}

/**
 * A word that differs between two processes that had the same id one after the other; `x` where it is unknown, `dead` for one
 * that only waits to be reaped.
 */
function startOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      // proc(5): field 22 of stat, counted after the command's name in brackets, which may hold anything.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? 'dead' : `${fields[19] ?? 'x'}-${boot}`;
    }
    if (process.platform === 'win32') return 'x';
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 2_000 });
    return String(Date.parse(started.trim()) || 'x');
  } catch {
    return 'x';
  }
}
