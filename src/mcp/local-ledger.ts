import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Ask, RequestResult } from '../ledger/index.ts';
import type { Journal } from './tool-deps.ts';

/**
 * An instance's own record of what it asked: one JSON object a line, only ever appended, each line on the disk (fsync) before
 * the call that wrote it goes on. A crash can tear the last line only; opening repairs that.
 */
export interface LocalLedger extends Journal {
  /** Which of the agents in this folder it belongs to, from 1. */
  readonly place: number;
  known(): Promise<readonly string[]>;
  /** Unfinished ids that an earlier run asked. */
  adopted(): readonly string[];
  /** Drops ids that the server does not know: nobody was paged for them. */
  forget(ids: readonly string[]): void;
  close(): void;
}

const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('instance'), place: z.int().min(1) }),
  z.object({ kind: z.literal('asked'), id: z.string() }),
  z.object({ kind: z.literal('settled'), id: z.string() }),
  z.object({ kind: z.literal('forgotten'), id: z.string() }),
]);

/** More finished lines than this and opening rewrites the file without them. */
const compactAbove = 200;

/** What a ledger file says, read without changing it; a missing or empty file says nothing. */
export function readLedger(path: string): { readonly place: number | null; readonly unfinished: readonly string[] } {
  const { place, unfinished } = stateOf(readText(path).split('\n'));
  return { place, unfinished: [...unfinished.keys()] };
}

/**
 * Opens or makes an instance's ledger; only the holder of its lock may. `place` is written into a new one and ignored where the
 * file knows its own.
 * @throws Error of the file system
 */
export function openLedger(deps: {
  readonly path: string;
  readonly place: number;
  readonly clock: { now(): Date };
}): LocalLedger {
  const { path, clock } = deps;
  repairTail(path);
  compact(path);
  const { place, unfinished } = stateOf(readText(path).split('\n'));
  const file = openSync(path, 'a', 0o600);
  const adopted = new Set(unfinished.keys());

  const append = (line: object) => {
    const size = fstatSync(file).size;
    try {
      const text = `${JSON.stringify({ ...line, at: clock.now() })}\n`;
      // A full disk may take half of it and say so only by the count.
      if (writeSync(file, text) !== Buffer.byteLength(text)) throw new Error('the disk took only a part of a line');
      fsyncSync(file);
    } catch (error) {
      ftruncateSync(file, size);
      throw error;
    }
  };
  const finish = (line: { readonly kind: 'settled' | 'forgotten'; readonly id: string; readonly status?: string }) => {
    if (!unfinished.has(line.id)) return;
    append(line);
    unfinished.delete(line.id);
    adopted.delete(line.id);
  };
  if (place === null) {
    append({ kind: 'instance', place: deps.place });
    syncFolder(dirname(path));
  }
  return {
    place: place ?? deps.place,
    async known() {
      return [...unfinished.keys()];
    },
    async asked(id: string, ask: Ask) {
      adopted.delete(id);
      if (unfinished.has(id)) return;
      const line = { kind: 'asked', id, asks: ask.kind, title: ask.title };
      append(line);
      unfinished.set(id, JSON.stringify(line));
    },
    async settled(id: string, result: RequestResult) {
      finish({ kind: 'settled', id, status: result.status });
    },
    adopted: () => [...adopted],
    forget(ids) {
      for (const id of ids) finish({ kind: 'forgotten', id });
    },
    close: () => closeSync(file),
  };
}

/** Lines that cannot be read are passed over: one bad line must not cost the others. */
function stateOf(lines: readonly string[]) {
  let place: number | null = null;
  let finished = 0;
  const unfinished = new Map<string, string>();
  for (const text of lines) {
    const line = parseLine(text);
    if (line?.kind === 'instance') place ??= line.place;
    if (line?.kind === 'asked') unfinished.set(line.id, text);
    if ((line?.kind === 'settled' || line?.kind === 'forgotten') && unfinished.delete(line.id)) finished += 1;
  }
  return { place, unfinished, finished };
}

function parseLine(text: string): z.infer<typeof lineSchema> | null {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Ends a torn last line: keeps it when only the line break is missing, cuts it off when it is a fragment. */
function repairTail(path: string): void {
  const text = readText(path);
  if (text === '' || text.endsWith('\n')) return;
  const start = text.lastIndexOf('\n') + 1;
  const file = openSync(path, 'r+');
  try {
    if (parseLine(text.slice(start)) === null) ftruncateSync(file, Buffer.byteLength(text.slice(0, start)));
    else writeSync(file, '\n', Buffer.byteLength(text));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function compact(path: string): void {
  const { place, unfinished, finished } = stateOf(readText(path).split('\n'));
  if (finished <= compactAbove || place === null) return;
  const fresh = `${path}.new`;
  const file = openSync(fresh, 'w', 0o600);
  writeSync(file, [JSON.stringify({ kind: 'instance', place }), ...unfinished.values(), ''].join('\n'));
  fsyncSync(file);
  closeSync(file);
  renameSync(fresh, path);
  syncFolder(dirname(path));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** A new name is only safe once its folder is written, too; Windows cannot open folders and need not. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
