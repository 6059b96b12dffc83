import { Markup } from 'telegraf';
import { describe, expect, it } from 'vitest';
import { createWorld, fetchMethod, launch, refusalOf, until, type World } from './world.ts';

const ada = '501000001';
const buttons = Markup.inlineKeyboard([Markup.button.callback('Approve', 'yes')]);
const conflict = 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';

describe('long polling', () => {
  it('waits for an update, then returns at once; the offset confirms', async () => {
    const world = await createWorld();
    const { chat } = world;
    const polling = poll(world, { timeout: 50 });
    await until(() => chat.polling());
    await chat.write(ada, '/one');
    const [first] = await polling;
    expect(first).toMatchObject({ message: { text: '/one' } });
    expect(await poll(world, {})).toEqual([first]);
    await chat.write(ada, '/two');
    await chat.write(ada, '/three');
    const second = await poll(world, { offset: id(first) + 1, limit: 1 });
    expect(second).toMatchObject([{ update_id: id(first) + 1, message: { text: '/two' } }]);
    expect(await poll(world, { offset: -1 })).toMatchObject([{ message: { text: '/three' } }]);
    expect(chat.pendingUpdates()).toHaveLength(1);
    expect(await poll(world, { offset: id(first) + 3 })).toEqual([]);
  });

  it('returns nothing when its time is over', async () => {
    const world = await createWorld();
    const from = performance.now();
    expect(await poll(world, { timeout: 1 })).toEqual([]);
    expect(performance.now() - from).toBeGreaterThanOrEqual(950);
  });

  it('forgets a poll whose caller hung up', async () => {
    const { chat } = await createWorld();
    const hangUp = new AbortController();
    const polling = fetchMethod(chat, 'getUpdates?timeout=50', { signal: hangUp.signal }).catch(() => 'hung up');
    await until(() => chat.polling());
    hangUp.abort();
    expect(await polling).toBe('hung up');
    await until(() => !chat.polling());
  });

  it('keeps only the kinds that were asked for, from then on', async () => {
    const world = await createWorld();
    const { chat, telegram, chatId } = world;
    const { message_id } = await telegram.sendMessage(chatId, 'Deploy?', buttons);
    await poll(world, { allowed_updates: ['callback_query'] });
    await chat.write(ada, '/start');
    void chat.press(ada, String(message_id), 'yes');
    expect(await poll(world, {})).toMatchObject([{ callback_query: { data: 'yes' } }]);
  });

  it('ends the older of two polls with 409; telegraf then gives up', async () => {
    const world = await createWorld();
    const { ended } = await launch(world);
    const stop = world.chat.startSecondPoller();
    expect(await ended).toMatchObject({ response: { error_code: 409, description: conflict } });
    stop();
  });

  it("ends another process's poll the same way, and it comes back", async () => {
    const world = await createWorld();
    world.chat.startSecondPoller();
    const older = refusalOf(world.telegram.callApi('getUpdates', { timeout: 50 } as never));
    expect(await older).toMatchObject({ error_code: 409, description: conflict });
  });

  it('is refused while a webhook is set', async () => {
    const world = await createWorld();
    const { chat, telegram } = world;
    const waiting = refusalOf(telegram.callApi('getUpdates', { timeout: 50 } as never));
    await until(() => chat.polling());
    chat.setWebhook('https://hooks.example.com/x');
    expect((await waiting).description).toBe('Conflict: terminated by setWebhook request');
    expect(await telegram.getWebhookInfo()).toMatchObject({ url: 'https://hooks.example.com/x' });
    expect((await refusalOf(telegram.callApi('getUpdates', {} as never))).description).toMatch(
      /while webhook is active/,
    );
    await telegram.deleteWebhook();
    expect(await poll(world, {})).toEqual([]);
    expect((await refusalOf(telegram.setWebhook('http://hooks.example.com'))).description).toMatch(/HTTPS URL/);
  });

  it('answers 401 once the token is revoked, the waiting poll too', async () => {
    const { chat, telegram } = await createWorld();
    const waiting = refusalOf(telegram.callApi('getUpdates', { timeout: 50 } as never));
    await until(() => chat.polling());
    chat.setToken(false);
    expect(await waiting).toEqual({ ok: false, error_code: 401, description: 'Unauthorized' });
    expect((await refusalOf(telegram.getMe())).error_code).toBe(401);
  });
});

describe('what an absent bot misses', () => {
  it('loses presses after 150 s and messages after a day', async () => {
    const { chat, telegram, chatId, pass } = await createWorld();
    const { message_id } = await telegram.sendMessage(chatId, 'Deploy?', buttons);
    void chat.press(ada, String(message_id), 'yes');
    await chat.write(ada, 'Yes', String(message_id));
    pass(149_000);
    expect(chat.pendingUpdates()).toHaveLength(2);
    pass(1_001);
    expect(chat.pendingUpdates()).toMatchObject([{ message: { text: 'Yes' } }]);
    pass(86_400_000);
    expect(chat.pendingUpdates()).toEqual([]);
  });

  it('can answer a press for 15 s only', async () => {
    const { chat, telegram, chatId, pass } = await createWorld();
    const { message_id } = await telegram.sendMessage(chatId, 'Deploy?', buttons);
    void chat.press(ada, String(message_id), 'yes');
    const [update] = chat.pendingUpdates() as { callback_query: { id: string } }[];
    const query = update?.callback_query.id ?? '';
    expect(await telegram.answerCbQuery(query, 'First')).toBe(true);
    expect(await telegram.answerCbQuery(query, 'Second')).toBe(true);
    expect(chat.privateNotes(ada)).toEqual(['First']);
    pass(15_000);
    expect((await refusalOf(telegram.answerCbQuery(query))).description).toBe(
      'Bad Request: query is too old and response timeout expired or query ID is invalid',
    );
  });

  it('shows who pressed that nobody answered', async () => {
    const { chat, telegram, chatId } = await createWorld();
    const { message_id } = await telegram.sendMessage(chatId, 'Deploy?', buttons);
    await chat.press(ada, String(message_id), 'yes');
    expect(chat.privateNotes(ada)).toEqual(['⏳ (no answer from the bot)']);
  }, 18_000);
});

interface Polled {
  readonly update_id: number;
}

async function poll({ telegram }: World, args: object): Promise<Polled[]> {
  return (await telegram.callApi('getUpdates', args as never)) as unknown as Polled[];
}

function id(update: Polled | undefined): number {
  return update?.update_id ?? 0;
}
