import { describe, expect, test } from 'vitest';
import { canonicalText, entryHash } from '../../../src/ledger/digest.ts';
import type { Entry } from '../../../src/ledger/request.ts';
import { newId } from '../../../src/ledger/runtime.ts';
import type { Subject } from '../ledger-store.ts';
import { answerBy, at, opened, settling, twentyTimes } from './given.ts';

export function chainsContract({ stores }: Subject): void {
  describe('chains', () => {
    test('a storm of refused presses, answers and deliveries leaves a chain that verifies', async () => {
      const both = await stores();
      const { id } = await opened(both[0]);
      await twentyTimes(both, async (store, index) => {
        const refused = {
          requestId: id,
          kind: 'answer.refused',
          body: { z: 1, account: `slack:U${index}`, nested: { b: [2], a: 'ä' } },
          at: at(index / 10),
        };
        await store.appendEntry(refused);
        await store.settleRequest(settling(id, { outcome: answerBy(`P${index}`) }));
        await store.markDelivered(id, at(3));
        await store.appendEntry(refused);
      });
      const entries = await both[1].entriesOf(id);
      expectWhole(entries);
      expect(count(entries)).toEqual({
        'request.opened': 1,
        'answer.refused': 40,
        'request.settled': 1,
        'request.delivered': 1,
      });
    });

    test('refused presses change nothing that people see', async () => {
      const [store] = await stores();
      const request = await opened(store);
      await store.appendEntry({ requestId: request.id, kind: 'answer.refused', body: {}, at: at(1) });
      expect(await store.findRequest(request.id)).toEqual(request);
    });

    test('nothing is appended to a request that does not exist', async () => {
      const [store] = await stores();
      const id = newId();
      await expect(store.appendEntry({ requestId: id, kind: 'answer.refused', body: {}, at: at(1) })).rejects.toThrow(
        id,
      );
      expect(await store.entriesOf(id)).toEqual([]);
    });

    test("the workspace's chain verifies after twenty changes at once", async () => {
      const both = await stores();
      await twentyTimes(both, async (store, index) => {
        await store.changeSetting({ name: 'ttl_seconds', value: String(index), by: 'Ada', at: at(index) });
        const id = newId();
        await store.createKey({
          id,
          name: `key ${index}`,
          prefix: 'bk_live_ab',
          hash: `hash ${index}`,
          scopes: ['view_requests'],
          at: at(index),
        });
        await store.revokeKey(id, at(index));
      });
      const entries = await both[0].entriesOf('workspace');
      expectWhole(entries);
      expect(count(entries)).toEqual({ 'setting.changed': 20, 'key.created': 20, 'key.revoked': 20 });
      const last = entries.filter(({ kind }) => kind === 'setting.changed').at(-1);
      expect(await both[1].readSettings()).toEqual({ ttl_seconds: JSON.parse(last?.body ?? '').value });
    });
  });
}

/** Every entry in its place, each hash over the one before, all recomputed from what the database gave back. */
export function expectWhole(entries: readonly Entry[]): void {
  let previousHash = '0'.repeat(64);
  for (const [index, entry] of entries.entries()) {
    expect(entry.seq).toBe(index + 1);
    expect(entry.previousHash).toBe(previousHash);
    expect(entry.hash).toBe(entryHash(entry));
    expect(canonicalText(JSON.parse(entry.body))).toBe(entry.body);
    previousHash = entry.hash;
  }
}

function count(entries: readonly Entry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of entries) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
