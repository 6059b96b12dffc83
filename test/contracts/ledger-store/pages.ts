import { describe, expect, test } from 'vitest';
import type { ClaimedPage, LedgerStore } from '../../../src/ledger/store/store.ts';
import type { Subject } from '../ledger-store.ts';
import { at, opened, settling, twentyTimes, withAddresses, withdrawal } from './given.ts';

export function pagesContract({ stores }: Subject): void {
  const claim = (store: LedgerStore, seconds: number, limit = 10, owner = 'one') =>
    store.claimPages({ now: at(seconds), owner, limit, leaseMs: 30_000 });
  const receiptOf = ({ page }: ClaimedPage, messageId = `M-${page.id}`) =>
    JSON.stringify({ chatId: page.address.chatId, messageId });
  const show = (store: LedgerStore, claimed: ClaimedPage, messageId?: string) =>
    store.recordShown({
      pageId: claimed.page.id,
      revision: claimed.request.revision,
      receipt: receiptOf(claimed, messageId),
      at: at(1),
    });

  describe('pages', () => {
    test('a new request has one unsent page an active address, each with its own token', async () => {
      const [store] = await stores();
      await withAddresses(store, 3);
      const [, second] = await store.listAddresses();
      await store.disableAddress(second?.id ?? '', 'gone', at(0));
      const { id } = await opened(store);
      const pages = await store.pagesOf(id);
      expect(pages.map(({ address }) => address.chatId).sort()).toEqual(['C0', 'C2']);
      expect(new Set(pages.map(({ token }) => token)).size).toBe(2);
      expect(pages[0]).toMatchObject({ requestId: id, receipt: null, shownRevision: 0, attempts: 0, lastError: null });
      const token = pages[0]?.token ?? '';
      expect(await store.findPageByToken(token)).toMatchObject({ page: { token }, request: { id } });
      expect(await store.findPageByToken('no such token')).toBeNull();
    });

    test('twenty claimers at once: no page twice, no address twice', async () => {
      const both = await stores();
      await withAddresses(both[0], 5);
      for (let index = 0; index < 4; index += 1) await opened(both[0], { title: `Q${index}` });
      for (let round = 0; round < 4; round += 1) {
        const claims = (await twentyTimes(both, (store, index) => claim(store, 1, 3, `claimer ${index}`))).flat();
        expect(new Set(claims.map(({ page }) => page.id)).size).toBe(claims.length);
        expect(claims.map(({ page }) => page.address.chatId).sort()).toEqual(['C0', 'C1', 'C2', 'C3', 'C4']);
        await Promise.all(claims.map((claimed, index) => show(both[index % 2 === 0 ? 0 : 1], claimed)));
      }
      expect(await claim(both[0], 1)).toEqual([]);
      expect(await both[0].nextPageDue()).toBeNull();
    });

    test('claimers and a settling at once: in the end every page shows the last revision, and none was on its way twice', async () => {
      const both = await stores();
      await withAddresses(both[0], 3);
      const requests = await Promise.all(
        Array.from({ length: 5 }, (_, index) => opened(both[0], { title: `Q${index}` })),
      );
      const busy = new Set<string>();
      const deliver = async (store: LedgerStore, owner: string) => {
        for (const claimed of await claim(store, 2, 2, owner)) {
          expect(busy.has(claimed.page.address.id)).toBe(false);
          busy.add(claimed.page.address.id);
          await new Promise(setImmediate);
          busy.delete(claimed.page.address.id);
          await show(store, claimed);
        }
      };
      await twentyTimes(both, async (store, index) => {
        const request = requests[index];
        if (request !== undefined) await store.settleRequest(settling(request.id, { at: at(1) }));
        else await deliver(store, `claimer ${index}`);
      });
      while ((await both[0].nextPageDue()) !== null)
        await twentyTimes(both, (store, index) => deliver(store, `again ${index}`));
      for (const { id } of requests) {
        for (const page of await both[1].pagesOf(id)) expect(page.shownRevision).toBe(2);
      }
    });

    test('settled requests go first, then the oldest', async () => {
      const [store] = await stores();
      await withAddresses(store, 1);
      const old = await opened(store, { title: 'old', at: at(0) });
      const young = await opened(store, { title: 'young', at: at(10) });
      const settled = await opened(store, { title: 'settled', at: at(20) });
      await store.settleRequest(settling(settled.id, { at: at(21) }));
      const order: string[] = [];
      for (let index = 0; index < 3; index += 1) {
        const [claimed] = await claim(store, 30);
        order.push(claimed?.request.id ?? 'none');
        if (claimed !== undefined) await show(store, claimed);
      }
      expect(order).toEqual([settled.id, old.id, young.id]);
    });

    test('with a limit, addresses of settled requests are served before others', async () => {
      const [store] = await stores();
      await store.replaceAddresses([{ channel: 'discord', chatId: 'D', threadId: null }], at(0));
      await opened(store, { title: 'waits' });
      await store.replaceAddresses(
        [
          { channel: 'discord', chatId: 'D', threadId: null },
          { channel: 'slack', chatId: 'S', threadId: 'T' },
        ],
        at(0),
      );
      const settled = await opened(store, { title: 'settled', at: at(5) });
      await store.settleRequest(settling(settled.id, { at: at(6) }));
      const claims = await claim(store, 10, 2);
      expect(claims.map(({ request }) => request.id)).toEqual([settled.id, settled.id]);
    });

    test('a page that was shown is due again once its request moves, also when it moved meanwhile', async () => {
      const [store] = await stores();
      await withAddresses(store, 1);
      const { id } = await opened(store);
      const [first] = await claim(store, 1);
      await store.settleRequest(settling(id, { at: at(2) }));
      if (first === undefined) throw new Error('nothing was claimed');
      await show(store, first);
      expect(await store.nextPageDue()).not.toBeNull();
      const [second] = await claim(store, 2);
      expect(second).toMatchObject({
        page: { shownRevision: 1, receipt: receiptOf(first) },
        request: { revision: 2, status: 'answered' },
      });
      if (second !== undefined) await show(store, second);
      expect(await store.nextPageDue()).toBeNull();
    });

    test('a lease that runs out makes the page due again, at its end', async () => {
      const [store] = await stores();
      await withAddresses(store, 1);
      await opened(store);
      expect(await store.nextPageDue()).toEqual(at(0));
      const [first] = await claim(store, 1);
      expect(await store.nextPageDue()).toEqual(at(31));
      expect(await claim(store, 30.999)).toEqual([]);
      expect((await claim(store, 31))[0]?.page.id).toBe(first?.page.id);
    });

    test('a failure is tried again at its time, counted, and forgotten by the next success', async () => {
      const [store] = await stores();
      await withAddresses(store, 1);
      const { id } = await opened(store);
      const [first] = await claim(store, 1);
      const pageId = first?.page.id ?? '';
      await store.recordFailure({ pageId, error: 'rate limited\0', retryAt: at(40), dropReceipt: false });
      expect(await store.nextPageDue()).toEqual(at(40));
      expect(await claim(store, 39)).toEqual([]);
      const [second] = await claim(store, 40);
      expect(second?.page).toMatchObject({ attempts: 1, lastError: 'rate limited\ufffd' });
      if (second !== undefined) await show(store, second);
      expect((await store.pagesOf(id))[0]).toMatchObject({ attempts: 0, lastError: null, shownRevision: 1 });
    });

    test('a settling does not wait for the backoff of a failure', async () => {
      const [store] = await stores();
      await withAddresses(store, 1);
      const { id } = await opened(store);
      const [first] = await claim(store, 1);
      await store.recordFailure({ pageId: first?.page.id ?? '', error: 'down', retryAt: at(500), dropReceipt: false });
      await store.settleRequest(settling(id, { at: at(5) }));
      expect(await store.nextPageDue()).toEqual(at(5));
      expect(await claim(store, 5)).toHaveLength(1);
    });

    test('a message that is gone is posted anew, or forgotten for good', async () => {
      const [store] = await stores();
      await withAddresses(store, 1);
      const { id } = await opened(store);
      const [first] = await claim(store, 1);
      if (first === undefined) throw new Error('nothing was claimed');
      await show(store, first, 'M1');
      await store.refreshPages(at(2), 'another server');
      const [again] = await claim(store, 2);
      await store.recordFailure({
        pageId: again?.page.id ?? '',
        error: 'message deleted',
        retryAt: at(2),
        dropReceipt: true,
      });
      const [anew] = await claim(store, 2);
      expect(anew?.page).toMatchObject({ id: first.page.id, receipt: null });
      expect(await store.findPageByMessage({ channel: 'slack', chatId: 'C0', messageId: 'M1' })).toBeNull();
      await store.recordFailure({ pageId: first.page.id, error: 'message deleted', retryAt: null, dropReceipt: true });
      await store.settleRequest(settling(id, { outcome: withdrawal, at: at(3), when: 'any' }));
      await store.refreshPages(at(4), 'another server');
      expect(await store.nextPageDue()).toBeNull();
      expect(await claim(store, 100)).toEqual([]);
    });

    test('a start makes open pages and pages that are behind due, and leaves the rest alone', async () => {
      const [store] = await stores();
      await withAddresses(store, 1);
      const open = await opened(store, { title: 'open' });
      const behind = await opened(store, { title: 'behind' });
      const done = await opened(store, { title: 'done' });
      const showAll = async () => {
        for (let claims = await claim(store, 5); claims.length > 0; claims = await claim(store, 5))
          for (const one of claims) await show(store, one);
      };
      await store.settleRequest(settling(done.id));
      await showAll();
      await store.settleRequest(settling(behind.id));
      const [failing] = await claim(store, 5);
      await store.recordFailure({
        pageId: failing?.page.id ?? '',
        error: 'down',
        retryAt: at(1_000),
        dropReceipt: false,
      });
      await store.refreshPages(at(10), 'another server');
      expect(await store.nextPageDue()).toEqual(at(10));
      const shown: string[] = [];
      for (let claims = await claim(store, 10); claims.length > 0; claims = await claim(store, 10)) {
        for (const one of claims) {
          shown.push(one.request.id);
          await show(store, one);
        }
      }
      expect(shown).toEqual([behind.id, open.id]);
    });

    test('a server that comes back takes up what it had on the way when it died, and nobody else does', async () => {
      const [store] = await stores();
      await withAddresses(store, 2);
      await opened(store);
      const mine = await store.claimPages({ now: at(1), owner: 'me', limit: 1, leaseMs: 30_000 });
      const theirs = await store.claimPages({ now: at(1), owner: 'them', limit: 1, leaseMs: 30_000 });
      expect([mine.length, theirs.length]).toEqual([1, 1]);
      await store.refreshPages(at(2), 'me');
      const again = await store.claimPages({ now: at(2), owner: 'me', limit: 5, leaseMs: 30_000 });
      expect(again.map(({ page }) => page.id)).toEqual(mine.map(({ page }) => page.id));
    });

    test('a page is found by its message, on its own channel only', async () => {
      const [store] = await stores();
      await store.replaceAddresses(
        [
          { channel: 'slack', chatId: '1', threadId: null },
          { channel: 'telegram', chatId: '1', threadId: null },
        ],
        at(0),
      );
      await opened(store);
      for (const one of await claim(store, 1))
        await store.recordShown({
          pageId: one.page.id,
          revision: 1,
          receipt: '{"chatId":"1","messageId":"77"}',
          at: at(1),
        });
      const found = await store.findPageByMessage({ channel: 'telegram', chatId: '1', messageId: '77' });
      expect(found?.address.channel).toBe('telegram');
      expect(await store.findPageByMessage({ channel: 'discord', chatId: '1', messageId: '77' })).toBeNull();
      expect(await store.findPageByMessage({ channel: 'telegram', chatId: '1', messageId: '78' })).toBeNull();
    });
  });
}
