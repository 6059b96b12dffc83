import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ask, digestOf, type Request } from '../../src/ledger/index.ts';
import { newId, newToken } from '../../src/ledger/runtime.ts';
import { openLedgerStore } from '../../src/ledger/store/open-ledger-store.ts';
import type { LedgerStore } from '../../src/ledger/store/store.ts';

/** A real SQLite ledger in a folder of its own, gone after `close`. */
export async function openTemporaryStore(): Promise<{ store: LedgerStore; close(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'beckon-store-'));
  const store = await openLedgerStore({ url: `file:${join(dir, 'beckon.db')}` });
  return {
    store,
    async close() {
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export const caller = { keyId: 'key-1', name: 'test', scopes: ['request_decisions', 'view_requests'] };
export const instance = { id: 'instance-1', label: 'beckon · main' };

/** A movable clock. */
export function createTestClock(start = new Date('2026-12-01T10:00:00.000Z')) {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance(ms: number) {
      now += ms;
    },
  };
}

/** Opens a request straight in the store. */
export async function openRequest(
  store: LedgerStore,
  at: Date,
  ask: Partial<Ask> = {},
  ttlMs = 3_600_000,
): Promise<Request> {
  const whole: Ask = {
    kind: 'permission',
    title: 'May I?',
    gist: 'Because.',
    extended: null,
    dangerLevel: null,
    options: [],
    ...ask,
  };
  const id = newId();
  const opened = await store.openRequest({
    id,
    digest: digestOf(`${instance.id}-${id}`, whole),
    ask: whole,
    instance,
    caller,
    at,
    expiresAt: new Date(at.getTime() + ttlMs),
    newToken,
  });
  if (opened.joined !== 'new') throw new Error(`expected a new request, got ${opened.joined}`);
  return opened.request;
}
