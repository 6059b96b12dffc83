import { describe, expect, test } from 'vitest';
import type { Subject } from '../ledger-store.ts';
import { at, twentyTimes } from './given.ts';

export function signInContract({ stores }: Subject): void {
  describe('sign-in', () => {
    test('a link is used up once, however many try, and looking burns nothing', async () => {
      const both = await stores();
      await both[0].createSignIn({ hash: 'h', displayName: 'Ada', expiresAt: at(900) });
      expect(await both[1].findSignIn('h', at(1))).toEqual({ displayName: 'Ada' });
      const redeemed = await twentyTimes(both, (store) => store.redeemSignIn('h', at(2)));
      expect(redeemed.filter((one) => one !== null)).toEqual([{ displayName: 'Ada' }]);
      expect(await both[0].findSignIn('h', at(3))).toBeNull();
    });

    test('an expired or unknown link opens nothing', async () => {
      const [store] = await stores();
      await store.createSignIn({ hash: 'h', displayName: 'Ada', expiresAt: at(900) });
      expect(await store.findSignIn('h', at(900))).toBeNull();
      expect(await store.redeemSignIn('h', at(900))).toBeNull();
      expect(await store.redeemSignIn('other', at(1))).toBeNull();
    });

    test('a session lives until it is deleted', async () => {
      const [store] = await stores();
      await store.createSession({ hash: 's', id: 'id-1', displayName: 'Ada', formToken: 'form', at: at(0) });
      await store.touchSession('s', at(5));
      const session = { id: 'id-1', displayName: 'Ada', formToken: 'form', createdAt: at(0), lastSeenAt: at(5) };
      expect(await store.findSession('s')).toEqual(session);
      expect(await store.findSession('t')).toBeNull();
      await store.deleteSession('s');
      await store.deleteSession('s');
      expect(await store.findSession('s')).toBeNull();
    });
  });
}
