import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/ledger/runtime.ts';
import type { Subject } from '../ledger-store.ts';
import {
  answerBy,
  asking,
  at,
  expiry,
  opened,
  settling,
  steering,
  twentyTimes,
  withAddresses,
  withdrawal,
} from './given.ts';

export function requestsContract({ stores }: Subject): void {
  describe('asking', () => {
    test('a request comes back as it was asked', async () => {
      const [store] = await stores();
      const input = asking({
        ask: { ...steering, kind: 'permission', options: [], dangerLevel: 'high', extended: 'a\tb' },
      });
      const result = await store.openRequest(input);
      expect(result).toMatchObject({ joined: 'new' });
      expect(await store.findRequest(input.id)).toEqual({
        ...input.ask,
        id: input.id,
        digest: input.digest,
        status: 'pending',
        revision: 1,
        instanceId: 'instance-1',
        instanceLabel: 'shop · main',
        keyId: 'key-1',
        createdAt: at(0),
        expiresAt: input.expiresAt,
        settledAt: null,
        outcome: null,
        deliveredAt: null,
      });
      expect(await store.findRequest(newId())).toBeNull();
    });

    test('twenty agents ask the same at once: one request, one page an address', async () => {
      const both = await stores();
      await withAddresses(both[0], 3);
      const results = await twentyTimes(both, (store) => store.openRequest(asking()));
      const ids = results.map((result) => (result.joined === 'id_taken' ? null : result.request.id));
      expect(new Set(ids).size).toBe(1);
      expect(results.filter(({ joined }) => joined === 'new')).toHaveLength(1);
      expect(results.filter(({ joined }) => joined === 'same_digest')).toHaveLength(19);
      expect(await both[0].listRequests({ limit: 50 })).toHaveLength(1);
      expect(await both[1].pagesOf(ids[0] ?? '')).toHaveLength(3);
    });

    test('twenty retries of one ask at once: one request', async () => {
      const both = await stores();
      const input = asking();
      const results = await twentyTimes(both, (store) => store.openRequest(input));
      expect(results.filter(({ joined }) => joined === 'new')).toHaveLength(1);
      expect(results.filter(({ joined }) => joined === 'same_id' || joined === 'same_digest')).toHaveLength(19);
    });

    test('an id that was used for something else is taken, also for another key', async () => {
      const [store] = await stores();
      const first = asking();
      await store.openRequest(first);
      expect(await store.openRequest(asking({ id: first.id, title: 'Another' }))).toEqual({ joined: 'id_taken' });
      const otherKey = { ...first, caller: { ...first.caller, keyId: 'key-2' } };
      expect(await store.openRequest(otherKey)).toEqual({ joined: 'id_taken' });
    });

    test('another key that asks the same does not join', async () => {
      const [store] = await stores();
      const first = await opened(store);
      const second = await opened(store, { caller: { keyId: 'key-2', name: 'other', scopes: [] } });
      expect(second.id).not.toBe(first.id);
    });

    test('an answer that was never delivered is kept for the same asking, once', async () => {
      const [store] = await stores();
      const request = await opened(store);
      await store.settleRequest(settling(request.id));
      expect(await store.openRequest(asking())).toMatchObject({
        joined: 'kept_answer',
        request: { id: request.id, status: 'answered' },
      });
      expect(await store.markDelivered(request.id, at(2))).toBe(true);
      const next = await store.openRequest(asking());
      expect(next).toMatchObject({ joined: 'new' });
    });

    test('an answer that nobody fetched is not kept for ever', async () => {
      const [store] = await stores();
      const request = await opened(store);
      await store.settleRequest(settling(request.id));
      const later = { at: at(3_700), expiresAt: at(4_300) };
      const again = await store.openRequest(asking(later));
      expect(again).toMatchObject({ joined: 'new' });
      expect(await store.openRequest(asking(later))).toMatchObject({ joined: 'same_digest' });
      expect(await store.findRequest(request.id)).toMatchObject({ status: 'answered', deliveredAt: null });
    });

    test('an expiry is handed over once too; a withdrawn question asked again is a new one', async () => {
      const [store] = await stores();
      const expired = await opened(store);
      await store.settleRequest(settling(expired.id, { outcome: expiry, at: at(601), when: 'overdue' }));
      expect(await store.openRequest(asking())).toMatchObject({ joined: 'kept_answer', request: { id: expired.id } });
      const withdrawn = await opened(store, { title: 'Other' });
      await store.settleRequest(settling(withdrawn.id, { outcome: withdrawal, when: 'any' }));
      expect(await store.openRequest(asking({ title: 'Other' }))).toMatchObject({ joined: 'new' });
    });

    test('the same id is joined in any state', async () => {
      const [store] = await stores();
      const input = asking();
      await store.openRequest(input);
      await store.settleRequest(settling(input.id));
      await store.markDelivered(input.id, at(2));
      expect(await store.openRequest(input)).toMatchObject({ joined: 'same_id', request: { status: 'answered' } });
    });
  });

  describe('settling', () => {
    test('twenty people answer at once: one wins, everybody is told who', async () => {
      const both = await stores();
      const { id } = await opened(both[0]);
      const results = await twentyTimes(both, (store, index) =>
        store.settleRequest(settling(id, { outcome: answerBy(`P${index}`) })),
      );
      const winners = results.filter(({ settled }) => settled);
      expect(winners).toHaveLength(1);
      const outcome = winners[0]?.request?.outcome;
      expect(results.map(({ request }) => request?.outcome)).toEqual(Array.from({ length: 20 }, () => outcome));
      expect(await both[1].findRequest(id)).toMatchObject({
        status: 'answered',
        revision: 2,
        settledAt: at(1),
        outcome,
      });
      const entries = await both[0].entriesOf(id);
      expect(entries.map(({ kind }) => kind)).toEqual(['request.opened', 'request.settled']);
      expect(JSON.parse(entries[1]?.body ?? '')).toMatchObject({
        outcome: { by: outcome?.by },
        decision: { text: outcome?.words },
      });
    });

    test('answers and the expiry meet at the deadline: exactly one of them counts', async () => {
      const both = await stores();
      const { id } = await opened(both[0]);
      const results = await twentyTimes(both, (store, index) =>
        store.settleRequest(
          index % 3 === 0
            ? settling(id, { outcome: expiry, at: at(600), when: 'overdue' })
            : settling(id, { outcome: answerBy(`P${index}`), at: at(599 + (index % 2)), when: 'in_time' }),
        ),
      );
      expect(results.filter(({ settled }) => settled)).toHaveLength(1);
      expect((await both[0].entriesOf(id)).filter(({ kind }) => kind === 'request.settled')).toHaveLength(1);
    });

    test('the deadline itself is too late to answer and late enough to expire', async () => {
      const [store] = await stores();
      const { id } = await opened(store);
      expect(await store.settleRequest(settling(id, { at: at(600) }))).toMatchObject({
        settled: false,
        request: { status: 'pending' },
      });
      const early = settling(id, { outcome: expiry, at: at(599.999), when: 'overdue' });
      expect(await store.settleRequest(early)).toMatchObject({ settled: false, request: { status: 'pending' } });
      expect(await store.settleRequest({ ...early, at: at(600) })).toMatchObject({
        settled: true,
        request: { status: 'expired' },
      });
      expect(await store.settleRequest(settling(id, { when: 'any' }))).toMatchObject({
        settled: false,
        request: { status: 'expired' },
      });
    });

    test('what was chosen is kept; an unknown request settles nothing', async () => {
      const [store] = await stores();
      const { id } = await opened(store);
      const outcome = { ...answerBy('Ada'), words: null, chosenOption: { label: 'Blue', index: 1 } };
      const settled = await store.settleRequest(settling(id, { outcome }));
      expect(settled).toMatchObject({ settled: true, request: { outcome } });
      expect(await store.settleRequest(settling(newId()))).toEqual({ settled: false, request: null });
    });

    test("people's words survive whatever they hold", async () => {
      const [store] = await stores();
      const { id } = await opened(store);
      const hostile = `'; DROP TABLE requests; -- "x" \\u0000 \u202e 🧨`;
      await store.settleRequest(settling(id, { outcome: { ...answerBy('O\u0000\ud800'), words: hostile } }));
      expect(await store.findRequest(id)).toMatchObject({ outcome: { words: hostile, by: 'O\ufffd\ufffd' } });
    });

    test('a result is delivered once, and not before there is one', async () => {
      const both = await stores();
      const { id } = await opened(both[0]);
      expect(await both[0].markDelivered(id, at(1))).toBe(false);
      await both[0].settleRequest(settling(id));
      const delivered = await twentyTimes(both, (store, index) => store.markDelivered(id, at(2 + index)));
      expect(delivered.filter(Boolean)).toHaveLength(1);
      const winner = delivered.indexOf(true);
      expect(await both[1].findRequest(id)).toMatchObject({ deliveredAt: at(2 + winner) });
    });
  });

  describe('looking', () => {
    test('lists by every filter, newest first', async () => {
      const [store] = await stores();
      const a = await opened(store, { title: 'A', at: at(0) });
      const b = await opened(store, { title: 'B', at: at(10), instance: { id: 'instance-2', label: 'x' } });
      const c = await opened(store, { title: 'C', at: at(5), caller: { keyId: 'key-2', name: 'k', scopes: [] } });
      await store.settleRequest(settling(a.id));
      const ids = async (filter: Omit<Parameters<typeof store.listRequests>[0], 'limit'>, limit = 10) =>
        (await store.listRequests({ ...filter, limit })).map(({ id }) => id);
      expect(await ids({})).toEqual([b.id, c.id, a.id]);
      expect(await ids({}, 2)).toEqual([b.id, c.id]);
      expect(await ids({ status: 'pending' })).toEqual([b.id, c.id]);
      expect(await ids({ status: 'settled' })).toEqual([a.id]);
      expect(await ids({ instanceId: 'instance-2' })).toEqual([b.id]);
      expect(await ids({ keyId: 'key-2' })).toEqual([c.id]);
      expect(await ids({ ids: [a.id, c.id, newId()] })).toEqual([c.id, a.id]);
      expect(await ids({ ids: [] })).toEqual([]);
      expect(await ids({ status: 'settled', undeliveredOnly: true })).toEqual([a.id]);
      await store.markDelivered(a.id, at(20));
      expect(await ids({ status: 'settled', undeliveredOnly: true })).toEqual([]);
    });

    test('knows what is overdue and what is due next, across years and milliseconds', async () => {
      const [store] = await stores();
      expect(await store.nextExpiry()).toBeNull();
      const late = await opened(store, { title: 'late', expiresAt: new Date('2027-01-01T00:00:00.000Z') });
      const soon = await opened(store, { title: 'soon', expiresAt: at(60.002) });
      const sooner = await opened(store, { title: 'sooner', expiresAt: at(60.001) });
      expect(await store.nextExpiry()).toEqual(at(60.001));
      expect(await store.listOverdue(at(60), 10)).toEqual([]);
      expect((await store.listOverdue(at(61), 10)).map(({ id }) => id)).toEqual([sooner.id, soon.id]);
      expect((await store.listOverdue(at(61), 1)).map(({ id }) => id)).toEqual([sooner.id]);
      await store.settleRequest(settling(soon.id, { outcome: expiry, at: at(61), when: 'overdue' }));
      await store.settleRequest(settling(sooner.id, { outcome: expiry, at: at(61), when: 'overdue' }));
      expect(await store.nextExpiry()).toEqual(late.expiresAt);
      expect(await store.listOverdue(at(61), 10)).toEqual([]);
    });
  });
}
