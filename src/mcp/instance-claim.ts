import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError, type Instance } from '../ledger/index.ts';
import { labelOf } from './instance-label.ts';
import { type LocalLedger, openLedger, readLedger } from './local-ledger.ts';
import { type ProcessLock, tryLock, waitForLock } from './process-lock.ts';
import type { Log } from './tool-deps.ts';

/** An identity that this process alone has, until it releases it or dies. */
export interface ClaimedInstance {
  readonly ledger: LocalLedger;
  /** The id stays; the label follows the branch that is checked out. */
  current(): Instance;
  /** Leaves the ledger for the next start. Twice is safe. */
  release(): void;
}

export interface ClaimDeps {
  readonly dataDir: string;
  /** Where the agent works. */
  readonly folder: string;
  readonly sessionName: string | null;
  /** Agents and scripts that work in one folder do not adopt each other's ledgers. */
  readonly role: 'agent' | 'script';
  readonly newId: () => string;
  readonly clock: { now(): Date };
  readonly log: Log;
}

/**
 * Takes an identity for an agent in a folder: that of a dead one, first one that left questions open; otherwise a new one.
 * However many start together, no two get the same.
 * @throws DeskError `unavailable` when the data folder does not let it
 */
export async function claimInstance(deps: ClaimDeps): Promise<ClaimedInstance> {
  try {
    return await claim(deps);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DeskError(
      'unavailable',
      `The local ledger in ${deps.dataDir} cannot be written (${why}), and nobody is asked without it. Nobody was paged. Make the folder writable or set BECKON_DATA_DIR to one that is.`,
      { cause: error },
    );
  }
}

async function claim(deps: ClaimDeps): Promise<ClaimedInstance> {
  const { dataDir, sessionName, role, log } = deps;
  const folder = realpathSync(deps.folder);
  const home = join(dataDir, 'instances', hashOf(JSON.stringify([folder, sessionName, role])));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const turn = await waitForLock(home, 'claim', { forMs: 10_000 });
  // Ids are unique without the turn; only two labels might be the same.
  if (turn === null) log.warn({ home }, 'another agent holds up the identities of this folder');
  try {
    const { id, place, lock } = adopt(home) ?? create(home, deps.newId());
    const ledger = openOrRelease(() => openLedger({ path: pathOf(home, id), place, clock: deps.clock }), lock);
    log.debug({ instanceId: id, place: ledger.place }, 'identity claimed');
    let held = true;
    return {
      ledger,
      current: () => ({ id, label: labelOf({ folder, sessionName, place: ledger.place }) }),
      release() {
        if (held) ledger.close();
        held = false;
        lock.release();
      },
    };
  } finally {
    turn?.release();
  }
}

interface Place {
  readonly id: string;
  readonly place: number;
  readonly lock: ProcessLock;
}

function adopt(home: string): Place | null {
  const ledgers = idsIn(home).map((id) => ({ id, ...readLedger(pathOf(home, id)) }));
  const last = Math.max(0, ...ledgers.map(({ place }) => place ?? 0));
  const free = ledgers
    .map((ledger) => ({ ...ledger, place: ledger.place ?? last + 1 }))
    .sort((a, b) => Number(b.unfinished.length > 0) - Number(a.unfinished.length > 0) || a.place - b.place);
  for (const { id, place } of free) {
    const lock = tryLock(home, id);
    if (lock !== null) return { id, place, lock };
  }
  return null;
}

function create(home: string, id: string): Place {
  const last = Math.max(0, ...idsIn(home).map((other) => readLedger(pathOf(home, other)).place ?? 0));
  const lock = tryLock(home, id);
  if (lock === null) throw new Error(`the new identity ${id} is taken already`);
  return { id, place: last + 1, lock };
}

function openOrRelease(open: () => LocalLedger, lock: ProcessLock): LocalLedger {
  try {
    return open();
  } catch (error) {
    lock.release();
    throw error;
  }
}

const suffix = '.jsonl';

function idsIn(home: string): readonly string[] {
  return readdirSync(home)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length));
}

function pathOf(home: string, id: string): string {
  return join(home, id + suffix);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
