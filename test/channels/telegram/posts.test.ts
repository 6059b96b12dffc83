import { describe, expect, it } from 'vitest';
import { type SendError, SendError as SendErrorClass } from '../../../src/channels/contract.ts';
import { defaultTiming } from '../../../src/channels/telegram/timing.ts';
import { createRig, permission, steering, until } from './rig.ts';

async function failureOf(call: Promise<unknown>): Promise<SendError> {
  const error = await call.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(SendErrorClass);
  return error as SendError;
}

describe('what a failed send means', () => {
  it.each([
    ['a flood limit', { kind: 'rate_limited', retryAfterSeconds: 7 }, { kind: 'retry', afterMs: 7_000 }],
    ['a page of HTML', { kind: 'status', status: 502 }, { kind: 'retry', afterMs: null }],
    ['a reset connection', { kind: 'drop_before' }, { kind: 'retry', afterMs: null }],
    ['a reset after the server took it', { kind: 'drop_after' }, { kind: 'retry', afterMs: null }],
    [
      'no right to write',
      { kind: 'error', code: 400, description: 'Bad Request: not enough rights to send text messages to the chat' },
      { kind: 'misconfigured' },
    ],
    [
      'a server in trouble',
      { kind: 'error', code: 500, description: 'Internal Server Error' },
      { kind: 'retry', afterMs: null },
    ],
  ] as const)('%s', async (_name, fault, fate) => {
    const { chat, channel, address } = await createRig();
    chat.faults.next('sendMessage', 1, fault);
    const error = await failureOf(channel.send(permission(), address));
    expect(error.fate).toEqual(fate);
    expect(error.message).not.toContain(chat.environment.BECKON_TELEGRAM_TOKEN);
    await channel.send(permission(), address);
  });

  it('blocked, removed, unknown: dead', async () => {
    const { chat, channel, address } = await createRig();
    chat.kick();
    expect((await failureOf(channel.send(permission(), address))).fate).toEqual({ kind: 'dead' });
    chat.block();
    expect((await failureOf(channel.send(permission(), address))).fate).toEqual({ kind: 'dead' });
    chat.admit();
    expect((await failureOf(channel.send(permission(), { chatId: '-100999' }))).fate).toEqual({ kind: 'dead' });
  });

  it('a group that became another one: moved, with the new id', async () => {
    const { chat, channel, address } = await createRig();
    const receipt = await channel.send(permission(), address);
    chat.migrate(-1_002_000_000_777);
    const moved = { kind: 'moved', chatId: '-1002000000777' };
    expect((await failureOf(channel.send(permission(), address))).fate).toEqual(moved);
    expect((await failureOf(channel.update(receipt, permission()))).fate).toEqual(moved);
    expect(await channel.send(permission(), { chatId: '-1002000000777' })).toMatchObject({ chatId: '-1002000000777' });
  });

  it('the limits of the chat are handed on, for edits too', async () => {
    const { channel, address } = await createRig({ rates: { burst: 1 } });
    const receipt = await channel.send(permission(), address);
    const fate = (await failureOf(channel.update(receipt, permission({ title: 'Another?' })))).fate;
    expect(fate).toEqual({ kind: 'retry', afterMs: 1_000 });
  });

  it('a call that is never answered ends at our own deadline', async () => {
    expect(defaultTiming.sendMs).toBe(10_000);
    const { chat, channel, address } = await createRig({ timing: { sendMs: 300 } });
    chat.faults.next('sendMessage', 1, { kind: 'black_hole' });
    const from = performance.now();
    const error = await failureOf(channel.send(permission(), address));
    expect(performance.now() - from).toBeLessThan(1_500);
    expect(error.fate).toEqual({ kind: 'retry', afterMs: null });
    expect(error.message).toMatch(/did not answer sendMessage within 0.3 s/);
  });
});

describe('where pages go', () => {
  it('a topic is kept in the receipt, and prompts and what is told stay in it', async () => {
    const { chat, channel, connect, address, button, stranger, page } = await createRig();
    chat.addTopic(42);
    const receipt = await channel.send(steering(), { ...address, threadId: '42' });
    expect(receipt).toMatchObject({ threadId: '42' });
    await connect();
    await button('Write…');
    const topics = () =>
      chat
        .calls()
        .filter((call) => call.method === 'sendMessage')
        .map((call) => call.args.message_thread_id);
    await until(() => topics().length === 2);
    await chat.write(stranger, 'Me too', page().id);
    await until(() => topics().length === 3);
    expect(topics()).toEqual([42, 42, 42]);
    await channel.update(receipt, steering({ title: 'Still open?' }));
    expect(page().text).toContain('Still open?');
    expect(chat.violations()).toEqual([]);
  });

  it('an edit to what is there already is a success', async () => {
    const { chat, channel, address, page } = await createRig();
    const receipt = await channel.send(permission(), address);
    await channel.update(receipt, permission());
    await channel.update(receipt, permission());
    expect(page().edited).toBe(false);
    expect(chat.violations()).toEqual([]);
  });

  it('a page that is too long for one message goes on below it, once', async () => {
    const { chat, channel, address } = await createRig();
    const gist = '🚀'.repeat(1_500);
    const options = [0, 1, 2, 3].map((index) => ({ label: '🚀'.repeat(199) + index, recommended: false }));
    const page = steering({ gist, options });
    const receipt = await channel.send(page, address);
    const [first, second, ...more] = chat.messages();
    expect(more).toEqual([]);
    expect(first?.text).toContain('(continues below)');
    expect(second?.replyTo).toBe(first?.id);
    const shown = `${first?.text}${second?.text}`.split('🚀').length - 1;
    expect(shown).toBe(1_500 + 4 * 199);
    await channel.update(receipt, { ...page, outcome: { status: 'expired', at: new Date() } });
    expect(chat.messages()).toHaveLength(2);
    expect(chat.messages()[0]?.buttons).toEqual([]);
  });
});

describe('links', () => {
  it.each([
    ['http://localhost:4747/requests/1'],
    ['http://127.0.0.1:4747/requests/1'],
    ['http://beckon/requests/1'],
    ['http://192.168.1.7:4747/requests/1'],
  ])('%s stands in the text: Telegram takes no such button', async (detailUrl) => {
    const { chat, channel, address, page } = await createRig();
    await channel.send(permission({ detailUrl }), address);
    expect(page().text).toContain(detailUrl);
    expect(page().buttons.some((button) => button.look === 'link')).toBe(false);
    expect(chat.violations()).toEqual([]);
  });

  it('only http and https are shown at all', async () => {
    const { channel, address, page } = await createRig();
    await channel.send(permission({ detailUrl: 'javascript:alert(1)' }), address);
    expect(page().text).not.toContain('javascript');
    expect(page().buttons).toHaveLength(3);
  });
});

describe('text of agents', () => {
  it('notifies nobody by name, few names or many, on send and on edit', async () => {
    const { chat, channel, address, page } = await createRig();
    const [one, two] = ['@ada_lovelace and @grace_hopper', '@ada_lovelace '.repeat(90)];
    const hostile = steering({
      instanceLabel: '@ada_lovelace',
      title: one,
      gist: two,
      notes: [one],
      options: [0, 1, 2, 3].map((index) => ({ label: `${one} ${index}`, recommended: index === 0 })),
    });
    const receipt = await channel.send(hostile, address);
    expect(page().text).toContain(two.trim());
    const outcome = {
      status: 'answered',
      words: `${one} ${two}`,
      by: '@ada_lovelace',
      via: 'slack',
      at: new Date(),
    } as const;
    await channel.update(receipt, { ...hostile, outcome });
    expect(page().text).toContain(`${one} ${two}`.trim());
    expect(chat.pings()).toEqual([]);
    expect(chat.violations()).toEqual([]);
  });

  it('cannot pass for a prompt', async () => {
    const { chat, channel, connect, address, ada, answers, page } = await createRig();
    await connect({ findToken: async () => 'the-page-token' });
    const forged = '✍️ reply to this message with your answer.\n\nref w:another-token';
    await channel.send(steering({ title: '✍️', gist: forged, instanceLabel: '✍️' }), address);
    await chat.write(ada, 'My answer', page().id);
    await expect.poll(() => answers.length).toBe(1);
    expect(answers[0]?.pageToken).toBe('the-page-token');
  });
});
