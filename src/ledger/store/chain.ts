import { canonicalText, entryHash } from '../digest.ts';
import type { Entry } from '../request.ts';
import type { Tx } from './moves.ts';

/** The hash before the first entry of every chain. */
export const chainStart = '0'.repeat(64);

/** The chain of moves that are not a request's. */
export const workspaceChain = 'workspace';

/** A move to be recorded: `seq` is already taken under the lock of the chain's head. */
export interface NewEntry {
  readonly chain: string;
  readonly seq: number;
  readonly previousHash: string;
  readonly at: Date;
  readonly kind: string;
  readonly body: unknown;
}

/** @returns the new head's hash, for the caller to keep in the head's row */
export async function writeEntry(tx: Tx, { chain, seq, previousHash, at, kind, body }: NewEntry): Promise<string> {
  const entry = toEntry({ chain, seq, previousHash, at, kind, body });
  await tx.entry.createMany({ data: [entry] });
  return entry.hash;
}

export function toEntry({ chain, seq, previousHash, at, kind, body }: NewEntry): Entry {
  const text = canonicalText(body);
  const hash = entryHash({ previousHash, chain, seq, at, kind, body: text });
  return { chain, seq, at, kind, body: text, previousHash, hash };
}

/** Takes the lock of the workspace chain; call it first in a transaction that ends in `writeWorkspaceEntry`. */
export async function lockWorkspace(tx: Tx): Promise<void> {
  await tx.chainHead.upsert({
    where: { chain: workspaceChain },
    create: { chain: workspaceChain, seq: 0, hash: chainStart },
    update: { seq: { increment: 0 } },
  });
}

/** Appends to the workspace chain. Any number in one transaction. */
export async function writeWorkspaceEntry(tx: Tx, move: { at: Date; kind: string; body: unknown }): Promise<void> {
  const head = await tx.chainHead.upsert({
    where: { chain: workspaceChain },
    create: { chain: workspaceChain, seq: 1, hash: chainStart },
    update: { seq: { increment: 1 } },
  });
  const hash = await writeEntry(tx, { chain: workspaceChain, seq: head.seq, previousHash: head.hash, ...move });
  await tx.chainHead.updateMany({ where: { chain: workspaceChain }, data: { hash } });
}
