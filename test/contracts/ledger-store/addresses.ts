import { describe, expect, test } from 'vitest';
import type { Subject } from '../ledger-store.ts';
import { at, opened, settling, twentyTimes, withAddresses } from './given.ts';

const ops = { channel: 'slack', chatId: 'C1', threadId: null };
const topic = { channel: 'telegram', chatId: '-100', threadId: '7' };

export function addressesContract({ stores }: Subject): void {
  describe('addresses', () => {
    test('become exactly the wanted ones; others are disabled and come back', async () => {
      const [store] = await stores();
      const first = await store.replaceAddresses([ops, topic, ops], at(0));
      expect(first).toMatchObject([
        { ...ops, disabledReason: null },
        { ...topic, disabledReason: null },
      ]);
      expect(await store.replaceAddresses([topic], at(1))).toMatchObject([topic]);
      expect(await store.listAddresses()).toMatchObject([
        { ...ops, disabledReason: 'no longer configured' },
        { ...topic, disabledReason: null },
      ]);
      expect(await store.replaceAddresses([ops, topic], at(2))).toEqual(first);
      const kinds = (await store.entriesOf('workspace')).map(({ kind }) => kind);
      expect(kinds).toEqual(['address.added', 'address.added', 'address.disabled', 'address.enabled']);
    });

    test('twenty starts at once make one row each', async () => {
      const both = await stores();
      await twentyTimes(both, (store) => store.replaceAddresses([ops, topic], at(0)));
      expect(await both[0].listAddresses()).toHaveLength(2);
    });

    test('a disabled address gets no pages; its waiting ones wait', async () => {
      const [store] = await stores();
      const [address] = await store.replaceAddresses([ops], at(0));
      await opened(store);
      await store.disableAddress(address?.id ?? '', 'the bot was removed', at(1));
      await store.disableAddress(address?.id ?? '', 'again', at(1));
      expect(await store.listAddresses()).toMatchObject([{ disabledReason: 'the bot was removed' }]);
      expect(await store.claimPages({ now: at(2), owner: 'one', limit: 5, leaseMs: 1_000 })).toEqual([]);
      expect(await store.nextPageDue()).toBeNull();
      await store.replaceAddresses([ops], at(3));
      expect(await store.claimPages({ now: at(4), owner: 'one', limit: 5, leaseMs: 1_000 })).toHaveLength(1);
    });

    test('an address that works again gets what was asked meanwhile, and a new address what is pending', async () => {
      const [store] = await stores();
      const [address] = await store.replaceAddresses([ops], at(0));
      await store.disableAddress(address?.id ?? '', 'the bot was removed', at(1));
      const { id } = await opened(store);
      expect(await store.pagesOf(id)).toEqual([]);
      expect(await store.enableAddress(address?.id ?? '', at(2))).toBe(true);
      expect(await store.enableAddress(address?.id ?? '', at(2))).toBe(false);
      expect(await store.claimPages({ now: at(2), owner: 'one', limit: 5, leaseMs: 1_000 })).toMatchObject([
        { request: { id } },
      ]);
      await store.replaceAddresses([ops, topic], at(3));
      expect(await store.pagesOf(id)).toHaveLength(2);
      await store.replaceAddresses([ops, topic], at(3));
      expect(await store.pagesOf(id)).toHaveLength(2);
    });

    test('a chat that moved is followed by addresses and receipts, and stays known by its configured id', async () => {
      const [store] = await stores();
      const [address] = await store.replaceAddresses([topic], at(0));
      const { id } = await opened(store);
      const [claimed] = await store.claimPages({ now: at(1), owner: 'one', limit: 5, leaseMs: 1_000 });
      const receipt = '{"chatId":"-100","messageId":"5","threadId":"7"}';
      await store.recordShown({ pageId: claimed?.page.id ?? '', revision: 1, receipt, at: at(1) });
      await store.moveAddress(address?.id ?? '', '-200', at(2));
      await store.moveAddress(address?.id ?? '', '-200', at(2));
      const [page] = await store.pagesOf(id);
      expect(page?.address.chatId).toBe('-200');
      expect(JSON.parse(page?.receipt ?? '')).toEqual({ chatId: '-200', messageId: '5', threadId: '7' });
      expect(await store.findPageByMessage({ channel: 'telegram', chatId: '-200', messageId: '5' })).not.toBeNull();
      expect(await store.findPageByMessage({ channel: 'telegram', chatId: '-100', messageId: '5' })).toBeNull();
      for (const wanted of [topic, { ...topic, chatId: '-200' }]) {
        expect(await store.replaceAddresses([wanted], at(3))).toMatchObject([{ id: address?.id, chatId: '-200' }]);
      }
      expect(await store.listAddresses()).toHaveLength(1);
    });
  });

  describe('instances, settings and keys', () => {
    test('an instance is registered once and seen often', async () => {
      const both = await stores();
      await twentyTimes(both, (store, index) =>
        store.touchInstance({ id: 'i', label: 'shop · main' }, 'key-1', at(index)),
      );
      await both[0].touchInstance({ id: 'i', label: 'shop · fix' }, 'key-2', at(30));
      await both[0].touchInstance({ id: 'j', label: 'other' }, 'key-1', at(10));
      const seen = { id: 'i', label: 'shop · fix', keyId: 'key-2', lastSeenAt: at(30) };
      expect(await both[1].findInstance('i')).toEqual(seen);
      expect(await both[1].findInstance('k')).toBeNull();
      expect((await both[1].listInstances()).map(({ id }) => id)).toEqual(['i', 'j']);
    });

    test('settings are read as written', async () => {
      const [store] = await stores();
      expect(await store.readSettings()).toEqual({});
      await store.changeSetting({ name: 'ttl_seconds', value: '60', by: 'Ada', at: at(0) });
      await store.changeSetting({ name: 'ttl_seconds', value: '90', by: 'Bob', at: at(1) });
      expect(await store.readSettings()).toEqual({ ttl_seconds: '90' });
      const [, entry] = await store.entriesOf('workspace');
      expect(JSON.parse(entry?.body ?? '')).toEqual({ name: 'ttl_seconds', value: '90', before: '60', by: 'Bob' });
    });

    test('a key is found by its hash until it is revoked, once', async () => {
      const both = await stores();
      const [store] = both;
      await store.createKey({
        id: 'k1',
        name: 'local',
        prefix: 'bk_live_abcd',
        hash: 'h1',
        scopes: ['view_requests'],
        at: at(0),
      });
      const caller = { keyId: 'k1', name: 'local', scopes: ['view_requests'] };
      expect(await store.findKeyByHash('h1', at(1))).toEqual(caller);
      expect(await store.findKeyByHash('h2', at(1))).toBeNull();
      await store.touchKey('k1', at(5));
      expect(await store.listKeys()).toEqual([
        { ...caller, prefix: 'bk_live_abcd', createdAt: at(0), lastUsedAt: at(5), revokedAt: null },
      ]);
      expect((await twentyTimes(both, (one) => one.revokeKey('k1', at(6)))).filter(Boolean)).toHaveLength(1);
      expect(await store.findKeyByHash('h1', at(7))).toBeNull();
      expect(await store.revokeKey('none', at(6))).toBe(false);
    });

    test('says whether it can write', async () => {
      const [store] = await stores();
      await withAddresses(store, 1);
      await store.settleRequest(settling((await opened(store)).id));
      expect(await store.isWritable()).toBe(true);
    });
  });
}
