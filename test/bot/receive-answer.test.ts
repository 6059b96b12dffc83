import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChanges } from '../../src/bot/changes.ts';
import { createLog } from '../../src/bot/log.ts';
import { createReceiveAnswer, type ReceivedAnswer } from '../../src/bot/receive-answer.ts';
import type { BoardChange } from '../../src/ledger/index.ts';
import { createTestClock, openRequest, openTemporaryStore } from '../support/temporary-store.ts';

let ledger: Awaited<ReturnType<typeof openTemporaryStore>>;
let clock: ReturnType<typeof createTestClock>;
let published: BoardChange[];
let receive: ReturnType<typeof createReceiveAnswer>;

beforeEach(async () => {
  ledger = await openTemporaryStore();
  clock = createTestClock();
  published = [];
  const changes = createChanges({ onListenerError: () => {} });
  changes.subscribe((change) => published.push(change));
  receive = createReceiveAnswer({ store: ledger.store, clock, changes, log: createLog('silent') });
});
afterEach(() => ledger.close());

const ada = { via: 'slack', account: 'slack:U1', displayName: 'Ada', mayAnswer: true } as const;
const bo = { via: 'telegram', account: 'telegram:7', displayName: 'Bo', mayAnswer: true } as const;
const approve = { kind: 'approve' } as const;

function answerOf(requestId: string, more: Partial<ReceivedAnswer> = {}): ReceivedAnswer {
  return { requestId, ...ada, choice: approve, ...more };
}

describe('an answer is judged by the row', () => {
  it('the first settles, the second is told who, where and when', async () => {
    const { id } = await openRequest(ledger.store, clock.now());
    expect(await receive(answerOf(id))).toEqual({ fate: 'accepted', text: 'Approved. The agent goes on.' });
    expect(await receive(answerOf(id, { ...bo, choice: { kind: 'deny' } }))).toEqual({
      fate: 'late',
      text: 'Too late: Ada approved this on Slack at 10:00 UTC.',
    });
    expect(published.filter((change) => change.status !== undefined)).toEqual([
      { kind: 'request', requestId: id, status: 'approved' },
    ]);
  });

  it('twenty at once make one decision and nineteen polite losers', async () => {
    const { id } = await openRequest(ledger.store, clock.now());
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        receive(
          answerOf(id, {
            account: `slack:U${index}`,
            displayName: `P${index}`,
            choice: index % 2 ? approve : { kind: 'deny' },
          }),
        ),
      ),
    );
    expect(replies.filter((reply) => reply.fate === 'accepted')).toHaveLength(1);
    expect(replies.filter((reply) => reply.fate === 'late')).toHaveLength(19);
    const entries = await ledger.store.entriesOf(id);
    expect(entries.filter((entry) => entry.kind.startsWith('request.') && entry.seq > 1)).toHaveLength(1);
  });

  it('the same person pressing twice is told that they have answered', async () => {
    const { id } = await openRequest(ledger.store, clock.now());
    await receive(answerOf(id, { eventId: 'e1' }));
    expect((await receive(answerOf(id, { eventId: 'e1' }))).text).toBe(
      'You have already answered this: approved at 10:00 UTC.',
    );
  });

  it('who is not on the list is refused, the attempt is on record, the request stays pending', async () => {
    const { id } = await openRequest(ledger.store, clock.now());
    expect((await receive(answerOf(id, { mayAnswer: false }))).fate).toBe('refused');
    expect((await ledger.store.findRequest(id))?.status).toBe('pending');
    const refused = (await ledger.store.entriesOf(id)).find((entry) => entry.kind === 'answer.refused');
    expect(JSON.parse(refused?.body ?? '{}')).toMatchObject({ account: 'slack:U1', choice: 'approve' });
  });

  it('a press after the end is late even before anybody noticed the end', async () => {
    const { id } = await openRequest(ledger.store, clock.now(), {}, 5_000);
    clock.advance(5_001);
    expect(await receive(answerOf(id))).toEqual({
      fate: 'late',
      text: 'Too late: this expired at 10:00 UTC and was counted as a no.',
    });
    expect((await ledger.store.findRequest(id))?.status).toBe('pending');
  });

  it.each([
    ['words on a permission', { kind: 'permission' }, { kind: 'text' }, 'yes', 'press Approve or Deny'],
    ['an option on a permission', { kind: 'permission' }, { kind: 'option', index: 0 }, undefined, 'no such option'],
    ['approve on a steering question', { kind: 'steering' }, approve, undefined, 'pick an option'],
    ['an option that is not there', { kind: 'steering' }, { kind: 'option', index: 2 }, undefined, 'no such option'],
    ['a negative option', { kind: 'steering' }, { kind: 'option', index: -1 }, undefined, 'no such option'],
    ['2,001 characters', { kind: 'steering' }, { kind: 'text' }, '🚀'.repeat(2_001), 'at most 2000 characters'],
    ['nothing', { kind: 'steering' }, { kind: 'text' }, '  ', 'is empty'],
  ] as const)('%s decides nothing and says why', async (_name, ask, choice, text, words) => {
    const { id } = await openRequest(ledger.store, clock.now(), {
      ...ask,
      options: ask.kind === 'steering' ? [{ label: 'a', recommended: false }] : [],
    });
    const reply = await receive(answerOf(id, { choice, ...(text === undefined ? {} : { text }) }));
    expect(reply.fate).toBe('invalid');
    expect(reply.text).toContain(words);
    expect((await ledger.store.findRequest(id))?.status).toBe('pending');
  });

  it('keeps the words of a denial and of an answer', async () => {
    const denied = await openRequest(ledger.store, clock.now());
    await receive(answerOf(denied.id, { choice: { kind: 'deny' }, text: ' not on a Friday ' }));
    expect((await ledger.store.findRequest(denied.id))?.outcome).toMatchObject({
      status: 'denied',
      words: 'not on a Friday',
      by: 'Ada',
      via: 'slack',
    });
    const steered = await openRequest(ledger.store, clock.now(), { kind: 'steering', title: 'How?' });
    await receive(answerOf(steered.id, { choice: { kind: 'text' }, text: '🚀'.repeat(2_000) }));
    expect((await ledger.store.findRequest(steered.id))?.outcome).toMatchObject({
      status: 'answered',
      words: '🚀'.repeat(2_000),
    });
  });

  it('knows nothing of a request that is not there', async () => {
    expect((await receive(answerOf('00000000-0000-7000-8000-000000000000'))).fate).toBe('unknown');
  });

  it('says that nothing was decided when the database does not answer', async () => {
    const { id } = await openRequest(ledger.store, clock.now());
    await ledger.store.close();
    expect((await receive(answerOf(id))).fate).toBe('failed');
  });
});
