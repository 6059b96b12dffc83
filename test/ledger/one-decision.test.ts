import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLedgerStore } from '../../src/ledger/store/open-ledger-store.ts';
import type { LedgerStore, SettleRequest } from '../../src/ledger/store/store.ts';
import { expectWhole } from '../contracts/ledger-store/chains.ts';
import { answerBy, asking, at, expiry, settling, ttlSeconds, withdrawal } from '../contracts/ledger-store/given.ts';

let store: LedgerStore;
beforeAll(async () => {
  store = await openLedgerStore({ url: ':memory:' });
});
afterAll(() => store.close());

type Step =
  | { readonly kind: 'answer' | 'expire'; readonly second: number }
  | { readonly kind: 'withdraw' | 'refuse' | 'deliver' | 'ask' };

/** Seconds around the deadline, so that answers and the expiry meet. */
const second = fc.integer({ min: ttlSeconds - 2, max: ttlSeconds + 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('answer' as const, 'expire' as const), second }),
  fc.record({ kind: fc.constantFrom('withdraw' as const, 'refuse' as const, 'deliver' as const, 'ask' as const) }),
);

test('any interleaving of answers, expiry, withdrawal and asking again ends in one decision at most', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 5 }), async (waves) => {
      run += 1;
      const title = `Run ${run}`;
      const first = asking({ title });
      await store.openRequest(first);
      const won: SettleRequest[] = [];
      const settle = async (input: SettleRequest) => {
        if ((await store.settleRequest(input)).settled) won.push(input);
      };
      const take = async (one: Step): Promise<void> => {
        switch (one.kind) {
          case 'answer':
            return settle(settling(first.id, { outcome: answerBy('Ada'), at: at(one.second) }));
          case 'expire':
            return settle(settling(first.id, { outcome: expiry, at: at(one.second), when: 'overdue' }));
          case 'withdraw':
            return settle(settling(first.id, { outcome: withdrawal, when: 'any' }));
          case 'refuse':
            return store.appendEntry({ requestId: first.id, kind: 'answer.refused', body: {}, at: at(1) });
          case 'deliver':
            return void (await store.markDelivered(first.id, at(5)));
          case 'ask':
            return void (await store.openRequest(asking({ title })));
        }
      };
      for (const wave of waves) await Promise.all(wave.map(take));

      const request = await store.findRequest(first.id);
      const entries = await store.entriesOf(first.id);
      expectWhole(entries);
      expect(won.length).toBe(request?.status === 'pending' ? 0 : 1);
      expect(request?.outcome).toEqual(won[0]?.outcome ?? null);
      expect(entries.filter(({ kind }) => kind === 'request.settled')).toHaveLength(won.length);
      for (const { at: when, when: guard } of won) {
        if (guard === 'in_time') expect(when < first.expiresAt).toBe(true);
        if (guard === 'overdue') expect(when >= first.expiresAt).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});
