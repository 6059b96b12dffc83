import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChanges } from '../../src/bot/changes.ts';
import { createDeliverer, type Deliverer } from '../../src/bot/deliver.ts';
import { createLog } from '../../src/bot/log.ts';
import { pageOf } from '../../src/bot/page-of.ts';
import { type Channel, type ChannelName, type Receipt, SendError, type SendFate } from '../../src/channels/contract.ts';
import type { Page } from '../../src/channels/page.ts';
import type { Outcome, Request } from '../../src/ledger/index.ts';
import { createTestClock, openRequest, openTemporaryStore } from '../support/temporary-store.ts';

let ledger: Awaited<ReturnType<typeof openTemporaryStore>>;
let clock: ReturnType<typeof createTestClock>;
let slack: Wire;
let telegram: Wire;
let deliverer: Deliverer;
let faults: Map<string, string | null>;

beforeEach(async () => {
  ledger = await openTemporaryStore();
  clock = createTestClock();
  faults = new Map();
  slack = createWire('slack');
  telegram = createWire('telegram');
  await ledger.store.replaceAddresses(
    ['slack', 'telegram'].map((channel) => ({ channel, chatId: `${channel}-1`, threadId: null })),
    clock.now(),
  );
  deliverer = createDeliverer({
    store: ledger.store,
    channels: new Map([
      ['slack', slack.channel],
      ['telegram', telegram.channel],
    ]),
    pageOf: (request, token) => pageOf(request, token, new URL('http://127.0.0.1:4747')),
    changes: createChanges({ onListenerError: () => {} }),
    onSent: (channel, fault) => faults.set(channel, fault),
    clock,
    owner: 'test',
    log: createLog('silent'),
  });
});
afterEach(async () => {
  await deliverer.stop();
  await ledger.close();
});

describe('pages converge on the request as it is now', () => {
  it('a new request is posted once at every address, and nothing is sent again', async () => {
    await openRequest(ledger.store, clock.now(), { title: 'One' });
    await deliverer.tick();
    await deliverer.tick();
    expect(slack.calls).toEqual(['send One pending']);
    expect(telegram.calls).toEqual(['send One pending']);
  });

  it('a decision edits every copy', async () => {
    const request = await openRequest(ledger.store, clock.now(), { title: 'One' });
    await deliverer.tick();
    await approve(request);
    await deliverer.tick();
    expect(slack.calls).toEqual(['send One pending', 'update slack-1/m1 One approved']);
    expect(telegram.calls).toEqual(['send One pending', 'update telegram-1/m1 One approved']);
  });

  it('a decision that falls between the render and the receipt is edited in afterwards', async () => {
    const request = await openRequest(ledger.store, clock.now(), { title: 'One' });
    slack.beforeNext(() => approve(request));
    await deliverer.tick();
    expect(slack.calls).toEqual(['send One pending', 'update slack-1/m1 One approved']);
  });

  it('a request that settled before it was shown is not posted', async () => {
    const request = await openRequest(ledger.store, clock.now(), { title: 'One' });
    await approve(request);
    await deliverer.tick();
    expect(slack.calls).toEqual([]);
    expect(await ledger.store.nextPageDue()).toBeNull();
  });

  it('one address keeps the order of asking, and edits that settle go before new posts', async () => {
    const first = await openRequest(ledger.store, clock.now(), { title: 'One' });
    await deliverer.tick();
    clock.advance(1_000);
    await openRequest(ledger.store, clock.now(), { title: 'Two' });
    clock.advance(1_000);
    await openRequest(ledger.store, clock.now(), { title: 'Three' });
    await approve(first);
    await deliverer.tick();
    expect(slack.calls).toEqual([
      'send One pending',
      'update slack-1/m1 One approved',
      'send Two pending',
      'send Three pending',
    ]);
  });
});

describe('what a failure means', () => {
  it('a rate limit pauses that address alone for as long as the platform says', async () => {
    await openRequest(ledger.store, clock.now(), { title: 'One' });
    slack.failNext({ kind: 'retry', afterMs: 30_000 });
    await deliverer.tick();
    clock.advance(1_000);
    await openRequest(ledger.store, clock.now(), { title: 'Two' });
    await deliverer.tick();
    clock.advance(28_000);
    await deliverer.tick();
    expect(slack.calls).toEqual(['send One pending']);
    expect(telegram.calls).toEqual(['send One pending', 'send Two pending']);
    clock.advance(2_000);
    await deliverer.tick();
    expect(slack.calls).toEqual(['send One pending', 'send One pending', 'send Two pending']);
  });

  it('an error of any other sort is tried again with growing pauses', async () => {
    await openRequest(ledger.store, clock.now(), { title: 'One' });
    slack.failNext({ kind: 'retry', afterMs: null });
    slack.failNext(new TypeError('a bug'));
    await deliverer.tick();
    clock.advance(1_000);
    await deliverer.tick();
    clock.advance(2_000);
    await deliverer.tick();
    expect(slack.calls).toHaveLength(3);
  });

  it('a deleted message is posted again while pending, and forgotten when settled', async () => {
    const request = await openRequest(ledger.store, clock.now(), { title: 'One' });
    await deliverer.tick();
    await approve(request);
    slack.failNext({ kind: 'gone' });
    await deliverer.tick();
    expect(slack.calls).toEqual(['send One pending', 'update slack-1/m1 One approved']);
    expect(await ledger.store.nextPageDue()).toBeNull();
  });

  it('a chat that moved is followed', async () => {
    await openRequest(ledger.store, clock.now(), { title: 'One' });
    telegram.failNext({ kind: 'moved', chatId: '-1009' });
    await deliverer.tick();
    expect(telegram.addresses).toEqual(['telegram-1', '-1009']);
  });

  it('a dead address is disabled with the reason, and the other still gets its page', async () => {
    await openRequest(ledger.store, clock.now(), { title: 'One' });
    telegram.failNext({ kind: 'dead' });
    await deliverer.tick();
    clock.advance(3_600_000);
    await openRequest(ledger.store, clock.now(), { title: 'Two' });
    await deliverer.tick();
    expect(telegram.calls).toEqual(['send One pending']);
    expect(slack.calls).toEqual(['send One pending', 'send Two pending']);
    const disabled = (await ledger.store.listAddresses()).find((address) => address.channel === 'telegram');
    expect(disabled?.disabledReason).toBe('told to fail: dead');
  });

  it('an address that works again is brought up to date: what settled meanwhile, and what was asked', async () => {
    const settled = await openRequest(ledger.store, clock.now(), { title: 'One' });
    await deliverer.tick();
    await approve(settled);
    telegram.failNext({ kind: 'dead' });
    await deliverer.tick();
    expect(faults.get('telegram')).toBe('told to fail: dead');
    await openRequest(ledger.store, clock.now(), { title: 'Two' });
    await deliverer.tick();
    const address = (await ledger.store.listAddresses()).find(({ channel }) => channel === 'telegram');
    clock.advance(1_000);
    expect(await ledger.store.enableAddress(address?.id ?? '', clock.now())).toBe(true);
    expect(await ledger.store.enableAddress(address?.id ?? '', clock.now())).toBe(false);
    await deliverer.tick();
    expect(telegram.calls).toEqual([
      'send One pending',
      'update telegram-1/m1 One approved',
      'update telegram-1/m1 One approved',
      'send Two pending',
    ]);
    expect(faults.get('telegram')).toBeNull();
  });

  it('a copy that was seen to be old is edited again, once', async () => {
    const request = await openRequest(ledger.store, clock.now(), { title: 'One' });
    await deliverer.tick();
    await approve(request);
    await deliverer.tick();
    const page = (await ledger.store.pagesOf(request.id)).find(({ address }) => address.channel === 'slack');
    await ledger.store.refreshPage(page?.id ?? '', clock.now());
    await deliverer.tick();
    await deliverer.tick();
    expect(slack.calls.filter((call) => call.startsWith('update'))).toHaveLength(2);
  });

  it('a slow chat does not hold up the others', async () => {
    await openRequest(ledger.store, clock.now(), { title: 'One' });
    let release = () => {};
    slack.beforeNext(() => new Promise((resolve) => (release = resolve)));
    deliverer.kick();
    await telegram.called(1);
    await openRequest(ledger.store, clock.now(), { title: 'Two' });
    deliverer.kick();
    await telegram.called(2);
    expect(slack.calls).toEqual(['send One pending']);
    release();
    await slack.called(2);
  });
});

async function approve(request: Request): Promise<void> {
  const outcome: Outcome = {
    status: 'approved',
    words: null,
    chosenOption: null,
    via: 'slack',
    by: 'Ada',
    account: 'slack:U1',
  };
  const decision = { choice: 'approve', optionIndex: null, text: null, eventId: null };
  const settled = await ledger.store.settleRequest({
    requestId: request.id,
    outcome,
    at: clock.now(),
    decision,
    when: 'in_time',
  });
  expect(settled.settled).toBe(true);
}

type Wire = ReturnType<typeof createWire>;

/** A chat platform reduced to a wire: notes what is sent and fails when told to. */
function createWire(name: ChannelName) {
  const calls: string[] = [];
  const addresses: string[] = [];
  const failures: (SendFate | Error)[] = [];
  const before: (() => Promise<void>)[] = [];
  const listeners = new Set<() => void>();
  let messages = 0;

  const take = async (call: string): Promise<void> => {
    calls.push(call);
    for (const listener of listeners) listener();
    await before.shift()?.();
    const failure = failures.shift();
    if (failure instanceof Error) throw failure;
    if (failure !== undefined) throw new SendError(failure, `told to fail: ${failure.kind}`);
  };
  const describePage = (page: Page) => `${page.title} ${page.outcome?.status ?? 'pending'}`;
  const channel: Channel = {
    info: { name, title: name, idempotentSend: false, messagesPerMinute: 60 },
    start() {},
    stop: async () => {},
    async send(page, address): Promise<Receipt> {
      addresses.push(address.chatId);
      await take(`send ${describePage(page)}`);
      messages += 1;
      return { chatId: address.chatId, messageId: `m${messages}` };
    },
    async update(receipt, page) {
      await take(`update ${receipt.chatId}/${receipt.messageId} ${describePage(page)}`);
      return receipt;
    },
    check: async () => ({ ok: true, detail: '' }),
  };
  return {
    channel,
    calls,
    addresses,
    failNext: (failure: SendFate | Error) => failures.push(failure),
    beforeNext: (work: () => Promise<void>) => before.push(work),
    called: (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (calls.length < count) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
  };
}
