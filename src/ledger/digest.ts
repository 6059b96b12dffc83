import { createHash } from 'node:crypto';
import type { Ask } from './request.ts';

/** JSON with sorted keys and no spaces: the text that hashes are taken over, the same on every database. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

/** Who asks what: the same instance asking the same in every field has the same digest. 64 hex digits. */
export function digestOf(instanceId: string, ask: Ask): string {
  const { kind, title, gist, extended, dangerLevel, options } = ask;
  return sha256(canonicalText({ instanceId, kind, title, gist, extended, dangerLevel, options }));
}

/** The hash of an entry: over the hash before it, its place, its time, its kind and its canonical body. */
export function entryHash(entry: {
  readonly previousHash: string;
  readonly chain: string;
  readonly seq: number;
  readonly at: Date;
  readonly kind: string;
  readonly body: string;
}): string {
  return sha256(
    [entry.previousHash, entry.chain, entry.seq, entry.at.toISOString(), entry.kind, entry.body].join('\n'),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
