import { describe, expect, test } from 'vitest';
import { ada, address, createSlackWorld, pageOf } from './slack-world.ts';

describe('posting a page', () => {
  test('works while the inbound side is not started, and carries the page token as metadata', async () => {
    const world = await createSlackWorld();
    const receipt = await world.channel.send(pageOf(), address);
    expect(receipt).toEqual({ chatId: address.chatId, messageId: world.only().id });
    expect(world.slack.metadataOf(receipt.messageId)).toEqual({
      event_type: 'beckon_page',
      event_payload: { token: pageOf().token },
    });
  });

  test('goes into the thread of the address', async () => {
    const world = await createSlackWorld();
    await world.slack.write(ada, 'deploys');
    const thread = world.only().id;
    const receipt = await world.channel.send(pageOf(), { ...address, threadId: thread });
    expect(receipt.threadId).toBe(thread);
    expect(world.slack.messages().at(-1)).toMatchObject({ id: receipt.messageId, replyTo: thread });
  });

  test('to a person lands in their direct messages, and the receipt says where', async () => {
    const world = await createSlackWorld();
    const receipt = await world.channel.send(pageOf(), { chatId: ada });
    expect(receipt.chatId).toMatch(/^D/);
    await world.channel.update(receipt, pageOf({ title: 'Run it?' }));
    expect(world.slack.messagesIn(receipt.chatId)[0]?.text).toContain('Run it?');
  });

  test('rate limited is a retry with the time that Slack asked for, and nothing waits behind it', async () => {
    const world = await createSlackWorld();
    world.slack.faults.next('chat.postMessage', 1, { kind: 'rate_limited', retryAfterSeconds: 30 });
    await expect(world.channel.send(pageOf(), address)).rejects.toMatchObject({
      fate: { kind: 'retry', afterMs: 30_000 },
    });
    await world.channel.send(pageOf(), address);
    expect(world.slack.messages()).toHaveLength(1);
  });

  test('at more than one a second meets the limit of the channel', async () => {
    const world = await createSlackWorld({ rates: { postBurst: 3 } });
    const sends = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => world.channel.send(pageOf({ token: `t${index}` }), address)),
    );
    const refused = sends.filter((send) => send.status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused[0]?.reason).toMatchObject({ fate: { kind: 'retry', afterMs: 1_000 } });
  });

  test.each([
    ['channel_not_found', 'dead'],
    ['is_archived', 'dead'],
    ['not_in_channel', 'dead'],
    ['account_inactive', 'misconfigured'],
    ['token_revoked', 'misconfigured'],
    ['missing_scope', 'misconfigured'],
    ['fatal_error', 'retry'],
    ['an_error_of_tomorrow', 'retry'],
  ])('answered with %s is %s', async (error, kind) => {
    const world = await createSlackWorld();
    world.slack.faults.next('chat.postMessage', 1, { kind: 'error', error });
    await expect(world.channel.send(pageOf(), address)).rejects.toMatchObject({ fate: { kind } });
  });

  test('to a channel that is not there or archived is dead', async () => {
    const world = await createSlackWorld();
    await expect(world.channel.send(pageOf(), { chatId: 'C0NOWHERE' })).rejects.toMatchObject({
      fate: { kind: 'dead' },
    });
    world.slack.archive(true);
    await expect(world.channel.send(pageOf(), address)).rejects.toThrow(/archived/);
  });

  test('a server error is a retry, tried once only', async () => {
    const world = await createSlackWorld();
    world.slack.faults.next('chat.postMessage', 1, { kind: 'status', status: 503 });
    await expect(world.channel.send(pageOf(), address)).rejects.toMatchObject({
      fate: { kind: 'retry', afterMs: null },
    });
    expect(world.slack.calls().map(({ method }) => method)).toEqual(['chat.postMessage']);
  });

  test('whose connection broke after Slack took it is found again instead of posted twice', async () => {
    const world = await createSlackWorld();
    world.slack.faults.next('chat.postMessage', 1, { kind: 'drop_after' });
    await expect(world.channel.send(pageOf(), address)).rejects.toMatchObject({ fate: { kind: 'retry' } });
    const receipt = await world.channel.send(pageOf({ title: 'Run it now?' }), address);
    expect(receipt.messageId).toBe(world.only().id);
    expect(world.only().text).toContain('Run it now?');
  });

  test('of a request asked before this process began is looked for first, and posted when it is not there', async () => {
    const world = await createSlackWorld();
    const page = pageOf({ askedAt: new Date(Date.now() - 60_000) });
    const first = await world.channel.send(page, address);
    const again = await world.channel.send(page, address);
    expect(again).toEqual(first);
    world.slack.faults.next('conversations.history', 1, { kind: 'error', error: 'missing_scope' });
    await world.channel.send({ ...page, token: 'another' }, address);
    expect(world.slack.messages()).toHaveLength(2);
  });

  test('has a deadline of its own', async () => {
    const world = await createSlackWorld({ timing: { sendMs: 300 } });
    world.slack.faults.next('chat.postMessage', 1, { kind: 'black_hole' });
    const sentAt = performance.now();
    await expect(world.channel.send(pageOf(), address)).rejects.toMatchObject({ fate: { kind: 'retry' } });
    expect(performance.now() - sentAt).toBeLessThan(1_500);
  });
});

describe('editing a page', () => {
  test('shows the outcome without buttons, and twice is harmless', async () => {
    const world = await createSlackWorld();
    const receipt = await world.channel.send(pageOf(), address);
    const settled = pageOf({
      outcome: { status: 'approved', by: 'Ada Lovelace', via: 'telegram', at: new Date('2026-12-01T12:00:00Z') },
    });
    expect(await world.channel.update(receipt, settled)).toEqual(receipt);
    expect(await world.channel.update(receipt, settled)).toEqual(receipt);
    expect(world.only().text).toContain('✅ Approved by Ada Lovelace on Telegram');
    expect(world.only().text).toContain('2026-12-01 12:00 UTC');
    expect(world.only().buttons).toEqual([]);
    expect(world.slack.metadataOf(receipt.messageId)).not.toBeNull();
    expect(world.slack.violations()).toEqual([]);
  });

  test('of a deleted message is gone', async () => {
    const world = await createSlackWorld();
    const receipt = await world.channel.send(pageOf(), address);
    world.slack.deleteMessage(receipt.messageId);
    await expect(world.channel.update(receipt, pageOf())).rejects.toMatchObject({ fate: { kind: 'gone' } });
  });

  test('that the workspace no longer allows is gone too: nobody can bring that message up to date', async () => {
    const world = await createSlackWorld();
    const receipt = await world.channel.send(pageOf(), address);
    world.slack.faults.next('chat.update', 1, { kind: 'error', error: 'edit_window_closed' });
    await expect(world.channel.update(receipt, pageOf())).rejects.toMatchObject({ fate: { kind: 'gone' } });
  });
});

describe('check', () => {
  test('says who the bot is and where', async () => {
    const world = await createSlackWorld();
    expect(await world.channel.check(address)).toEqual({ ok: true, detail: '@beckon in #agents' });
  });

  test('says what is wrong and what to do', async () => {
    const world = await createSlackWorld();
    world.slack.archive(true);
    expect(await world.channel.check(address)).toMatchObject({ ok: false, detail: expect.stringMatching(/archived/) });
    expect((await world.channel.check({ chatId: 'C0NOWHERE' })).detail).toMatch(/invite the bot/);
    const wrong = await createSlackWorld({ config: { botToken: 'xoxb-wrong' } });
    expect((await wrong.channel.check(address)).detail).toMatch(/does not accept the token/);
  });
});
