import { describe, expect, it } from 'vitest';
import { createWorld, fetchMethod, refusalOf, type World } from './world.ts';

const button = (parts: object) => ({ reply_markup: { inline_keyboard: [[{ text: 'Go', ...parts }]] } });

describe("Telegram's limits, in its own words", () => {
  it.each([
    ['4,097 letters', { text: 'x'.repeat(4_097) }, 'message is too long'],
    ['4,098 UTF-16 units of rockets', { text: '🚀'.repeat(2_049) }, 'message is too long'],
    ['no text', { text: '' }, 'message text is empty'],
    ['white space', { text: ' \n ' }, 'text must be non-empty'],
    [
      'a tag of no kind',
      { text: 'é<x>', parse_mode: 'HTML' },
      'can\'t parse entities: Unsupported start tag "x" at byte offset 2',
    ],
    [
      'MarkdownV2, which is real but not emulated',
      { text: '*a*', parse_mode: 'MarkdownV2' },
      "can't parse entities: markdownv2 is not emulated",
    ],
    ['a parse mode of no kind', { text: 'a', parse_mode: 'BB' }, 'unsupported parse_mode'],
    [
      'an entity outside',
      { text: 'ab', entities: [{ type: 'bold', offset: 1, length: 2 }] },
      'entity of length 2 at offset 1 is outside of the text',
    ],
    ['65 bytes of data', button({ callback_data: `${'é'.repeat(32)}x` }), 'BUTTON_DATA_INVALID'],
    ['empty data', button({ callback_data: '' }), 'BUTTON_DATA_INVALID'],
    [
      'a link to this machine',
      button({ url: 'http://localhost:3000/1' }),
      "inline keyboard button URL 'http://localhost:3000/1' is invalid: Wrong HTTP URL",
    ],
    [
      'a link to 127.0.0.1',
      button({ url: 'http://127.0.0.1/1' }),
      "inline keyboard button URL 'http://127.0.0.1/1' is invalid: Wrong HTTP URL",
    ],
    [
      'a link to a host without a dot',
      button({ url: 'https://beckon/1' }),
      "inline keyboard button URL 'https://beckon/1' is invalid: Wrong HTTP URL",
    ],
    [
      'a button of no kind',
      button({}),
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ],
    [
      'a long placeholder',
      { reply_markup: { force_reply: true, input_field_placeholder: 'x'.repeat(65) } },
      'REPLY_MARKUP_INVALID',
    ],
  ])('refuses %s', async (_name, parts, description) => {
    const { chat, telegram, chatId } = await createWorld();
    const payload = { chat_id: chatId, text: 'Deploy?', ...parts };
    expect(await refusalOf(telegram.callApi('sendMessage', payload as never))).toEqual({
      ok: false,
      error_code: 400,
      description: `Bad Request: ${description}`,
    });
    expect(chat.messages()).toEqual([]);
    expect(chat.violations()).toEqual([`sendMessage: Bad Request: ${description}`]);
  });

  it('counts the text after parsing, and data in bytes', async () => {
    const { chat, telegram, chatId } = await createWorld();
    const text = `<b>${'&amp;'.repeat(4_096)}</b>`;
    await telegram.sendMessage(chatId, text, {
      parse_mode: 'HTML',
      ...button({ callback_data: 'é'.repeat(32) }),
    } as never);
    expect(chat.messages()[0]?.text).toBe('&'.repeat(4_096));
    expect(chat.violations()).toEqual([]);
  });

  it('says of an edit what is wrong with it, and takes the keyboard when none is given', async () => {
    const { chat, telegram, chatId } = await createWorld();
    const { message_id: id } = await telegram.sendMessage(chatId, 'a', button({ callback_data: 'go' }) as never);
    const said = async (call: Promise<unknown>) => (await refusalOf(call)).description;
    const edit = (message: number, text: string, more = {}) =>
      telegram.editMessageText(chatId, message, undefined, text, more as never);
    const notModified =
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';
    expect(await said(edit(id, 'a', button({ callback_data: 'go' })))).toBe(notModified);
    await edit(id, 'a');
    expect(chat.messages()).toMatchObject([{ text: 'a', buttons: [], edited: true }]);
    expect(await said(edit(id, 'a'))).toBe(notModified);
    await telegram.editMessageReplyMarkup(chatId, id, undefined, button({ callback_data: 'x' }).reply_markup as never);
    expect(chat.messages()[0]?.buttons).toMatchObject([{ id: 'x' }]);
    expect(await said(edit(id + 50, 'b'))).toBe('Bad Request: message to edit not found');
    expect(await said(telegram.deleteMessage(chatId, id + 50))).toBe('Bad Request: message to delete not found');
    await chat.write('501000001', 'hello');
    expect(await said(edit(id + 1, 'b'))).toBe("Bad Request: message can't be edited");
    expect(await said(telegram.sendMessage(chatId, 'b', { reply_parameters: { message_id: 5 } }))).toBe(
      'Bad Request: message to be replied not found',
    );
    await telegram.sendMessage(chatId, 'b', { reply_parameters: { message_id: 5, allow_sending_without_reply: true } });
    chat.deleteMessage(String(id));
    expect(await said(edit(id, 'b'))).toBe('Bad Request: message to edit not found');
    expect(chat.violations()).toEqual([]);
  });

  it('takes 200 characters to answer a press with', async () => {
    const { chat, telegram, chatId } = await createWorld();
    const { message_id: id } = await telegram.sendMessage(chatId, 'a', button({ callback_data: 'go' }) as never);
    const pressing = chat.press('501000001', String(id), 'go');
    const query = queryId({ chat });
    expect((await refusalOf(telegram.answerCbQuery(query, 'x'.repeat(201)))).description).toContain('MESSAGE_TOO_LONG');
    await telegram.answerCbQuery(query, 'x'.repeat(200), { show_alert: true });
    await pressing;
    expect(chat.privateNotes('501000001')).toEqual(['x'.repeat(200)]);
  });

  it.each([
    ['an unknown chat', () => {}, 400, 'Bad Request: chat not found', '-100999'],
    [
      'a person who never wrote to it',
      () => {},
      403,
      "Forbidden: bot can't initiate conversation with a user",
      '501000001',
    ],
    [
      'a chat it was blocked from',
      (chat: World['chat']) => chat.block(),
      403,
      'Forbidden: bot was blocked by the user',
    ],
    [
      'a chat it was removed from',
      (chat: World['chat']) => chat.kick(),
      403,
      'Forbidden: bot was kicked from the supergroup chat',
    ],
    ['a token that was revoked', (chat: World['chat']) => chat.setToken(false), 401, 'Unauthorized'],
  ])('refuses %s', async (_name, act, code, description, to = '') => {
    const { chat, telegram, chatId } = await createWorld();
    act(chat);
    const refusal = await refusalOf(telegram.sendMessage(to === '' ? chatId : to, 'Deploy?'));
    expect(refusal).toEqual({ ok: false, error_code: code, description });
    expect(chat.violations()).toEqual([]);
    chat.admit();
    chat.setToken(true);
    await telegram.sendMessage(chatId, 'Deploy?');
  });

  it('says where a group went, and knows it under the new id', async () => {
    const { chat, telegram, chatId } = await createWorld();
    chat.migrate(-1_002_000_000_777);
    expect(await refusalOf(telegram.sendMessage(chatId, 'Deploy?'))).toEqual({
      ok: false,
      error_code: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: -1_002_000_000_777 },
    });
    await telegram.sendMessage(-1_002_000_000_777, 'Deploy?');
    expect(chat.pendingUpdates()).toMatchObject([{ message: { migrate_to_chat_id: -1_002_000_000_777 } }]);
  });

  it('posts into topics it knows', async () => {
    const { chat, telegram, chatId } = await createWorld();
    const send = () => telegram.sendMessage(chatId, 'Deploy?', { message_thread_id: 7 });
    expect((await refusalOf(send())).description).toBe('Bad Request: message thread not found');
    chat.addTopic(7);
    expect(await send()).toMatchObject({ message_thread_id: 7, is_topic_message: true });
  });

  it('limits what is sent to a chat, edits too, and to a group', async () => {
    const { telegram, chatId, chat } = await createWorld({ rates: { burst: 2 } });
    const { message_id: id } = await telegram.sendMessage(chatId, 'a');
    await telegram.editMessageText(chatId, id, undefined, 'b');
    expect(await refusalOf(telegram.sendMessage(chatId, 'c'))).toEqual({
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 1',
      parameters: { retry_after: 1 },
    });
    expect(chat.messages()).toMatchObject([{ text: 'b' }]);
    const group = await createWorld({ rates: { groupBurst: 1 } });
    await group.telegram.sendMessage(chatId, 'a');
    expect((await refusalOf(group.telegram.sendMessage(chatId, 'b'))).parameters).toEqual({ retry_after: 3 });
  });
});

describe('faults', () => {
  it('come as often as asked for, of the method asked for', async () => {
    const { chat, telegram, chatId } = await createWorld();
    chat.faults.next('sendMessage', 1, { kind: 'rate_limited', retryAfterSeconds: 7 });
    chat.faults.next('sendMessage', 1, { kind: 'error', code: 400, description: 'Bad Request: chat not found' });
    await telegram.getMe();
    expect((await refusalOf(telegram.sendMessage(chatId, 'a'))).parameters).toEqual({ retry_after: 7 });
    expect((await refusalOf(telegram.sendMessage(chatId, 'a'))).description).toBe('Bad Request: chat not found');
    await telegram.sendMessage(chatId, 'a');
    expect(chat.messages()).toHaveLength(1);
  });

  it('break the connection before or after the deed, or answer with a page of HTML', async () => {
    const { chat, telegram, chatId } = await createWorld();
    chat.faults.next('sendMessage', 1, { kind: 'drop_before' });
    await expect(telegram.sendMessage(chatId, 'a')).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(chat.messages()).toHaveLength(0);
    chat.faults.next('sendMessage', 1, { kind: 'drop_after' });
    await expect(telegram.sendMessage(chatId, 'a')).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(chat.messages()).toHaveLength(1);
    chat.faults.next('*', 1, { kind: 'status', status: 502 });
    await expect(telegram.sendMessage(chatId, 'a')).rejects.toThrow();
    chat.faults.next('getMe', 2, { kind: 'status', status: 502 });
    chat.faults.clear();
    await telegram.getMe();
  });

  it('hold a call back, or for ever', async () => {
    const { chat } = await createWorld();
    const from = performance.now();
    chat.faults.next('getMe', 1, { kind: 'delay', ms: 150 });
    await fetchMethod(chat, 'getMe');
    expect(performance.now() - from).toBeGreaterThanOrEqual(145);
    chat.faults.next('getMe', 1, { kind: 'black_hole' });
    const signal = AbortSignal.timeout(200);
    await expect(fetchMethod(chat, 'getMe', { signal })).rejects.toThrow(/timeout/);
    expect(chat.calls().map((call) => call.method)).toEqual(['getMe', 'getMe']);
  });
});

function queryId({ chat }: Pick<World, 'chat'>): string {
  const [update] = chat.pendingUpdates() as { callback_query: { id: string } }[];
  return update?.callback_query.id ?? '';
}
