import { Markup } from 'telegraf';
import { describe, expect, it } from 'vitest';
import { createWorld, fetchMethod, launch, refusalOf, until } from './world.ts';

const ada = '501000001';
const grace = '501000002';
const mallory = '501000003';

const yesNo = Markup.inlineKeyboard([
  [Markup.button.callback('Approve', 'yes'), Markup.button.callback('Deny', 'no')],
  [Markup.button.url('Details', 'https://beckon.example.com/1')],
]);

describe('telegraf against the emulated group', () => {
  it('posts with buttons, takes a press, answers it and edits the buttons away', async () => {
    const world = await createWorld();
    const { chat, bot, telegram, chatId } = world;
    const presses: unknown[] = [];
    bot.action('yes', async (context) => {
      presses.push(context.callbackQuery);
      await context.answerCbQuery('Approved.');
      await context.editMessageText('✅ <b>Approved</b>', { parse_mode: 'HTML' });
    });
    await launch(world);
    const sent = await telegram.sendMessage(chatId, '<b>Deploy?</b>\n\nTo <i>production</i> &amp; back', {
      parse_mode: 'HTML',
      ...yesNo,
    });
    expect(chat.messages()).toMatchObject([
      {
        id: String(sent.message_id),
        author: 'Beckon',
        edited: false,
        text: 'Deploy?\n\nTo production & back',
        parts: [
          { style: 'strong', text: 'Deploy?' },
          { style: 'text', text: 'To production & back' },
        ],
        buttons: [
          { id: 'yes', label: 'Approve', look: 'plain' },
          { id: 'no', label: 'Deny', look: 'plain' },
          { label: 'Details', look: 'link', url: 'https://beckon.example.com/1' },
        ],
      },
    ]);

    await chat.press(ada, String(sent.message_id), 'yes');
    expect(chat.privateNotes(ada)).toEqual(['Approved.']);
    expect(chat.privateNotes(grace)).toEqual([]);
    await until(() => chat.messages()[0]?.edited === true);
    expect(chat.messages()).toMatchObject([{ text: '✅ Approved', buttons: [] }]);
    expect(presses).toMatchObject([
      {
        data: 'yes',
        from: { id: Number(ada), first_name: 'Ada', last_name: 'Lovelace' },
        message: { message_id: sent.message_id, chat: { id: Number(chatId), type: 'supergroup' } },
      },
    ]);
    expect(presses[0]).toHaveProperty('message.reply_markup.inline_keyboard.0.1.callback_data', 'no');
    expect(chat.violations()).toEqual([]);
  });

  it('passes a press on a button that an edit took away: the app had not drawn it yet', async () => {
    const world = await createWorld();
    const { chat, telegram, chatId } = world;
    const { message_id: id } = await telegram.sendMessage(chatId, 'Deploy?', yesNo);
    await telegram.editMessageText(chatId, id, undefined, 'Denied');
    void chat.press(ada, String(id), 'no');
    expect(chat.pendingUpdates()).toMatchObject([{ callback_query: { data: 'no', message: { text: 'Denied' } } }]);
    await expect(chat.press(ada, String(id), 'never')).rejects.toThrow('never a button');
  });

  it('hands a group of its own only commands and replies to it (privacy mode)', async () => {
    const { chat, telegram, chatId } = await createWorld();
    const { message_id: id } = await telegram.sendMessage(chatId, 'Deploy?', yesNo);
    await chat.write(ada, 'What do you think of it?');
    await chat.write(grace, 'Nothing', String(Number(id) + 1));
    await chat.write(grace, '/start@other_bot');
    expect(chat.pendingUpdates()).toEqual([]);
    await chat.write(grace, '/start');
    await chat.write(ada, 'Yes', String(id));
    expect(chat.pendingUpdates()).toMatchObject([
      { message: { text: '/start', entities: [{ type: 'bot_command', offset: 0, length: 6 }] } },
      { message: { text: 'Yes', from: { id: Number(ada) }, reply_to_message: { message_id: id, text: 'Deploy?' } } },
    ]);
    await chat.write(mallory, 'No', String(id));
    expect(chat.pendingUpdates()[2]).not.toHaveProperty('message.reply_to_message.reply_to_message');
    expect(chat.messages().at(-1)).toMatchObject({ author: 'Mallory Stranger', replyTo: String(id) });
  });

  it('opens a forced reply for whom it is addressed to, until they write', async () => {
    const { chat, telegram, chatId } = await createWorld();
    const { message_id: id } = await telegram.sendMessage(chatId, `<a href="tg://user?id=${ada}">Ada</a>, why not?`, {
      parse_mode: 'HTML',
      reply_markup: { force_reply: true, selective: true, input_field_placeholder: 'Your reason' },
    });
    expect(chat.openForm(ada)).toEqual({ title: 'Ada, why not?', label: 'Your reason', maxLength: 4_096 });
    expect(chat.openForm(grace)).toBeNull();
    expect(chat.pings()).toEqual([{ who: ada, chatId: Number(chatId), messageId: id }]);
    const edit = await refusalOf(telegram.editMessageText(chatId, id, undefined, 'x'));
    expect(edit.description).toBe("Bad Request: message can't be edited");

    await chat.submitForm(ada, 'Not on a Friday.');
    expect(chat.openForm(ada)).toBeNull();
    expect(chat.pendingUpdates()).toMatchObject([
      { message: { text: 'Not on a Friday.', reply_to_message: { message_id: id, from: { is_bot: true } } } },
    ]);
    await expect(chat.submitForm(ada, 'Again')).rejects.toThrow('no form open');
    expect(await telegram.deleteMessage(chatId, id)).toBe(true);
  });

  it('opens one that is a reply for the person replied to', async () => {
    const { chat, telegram, chatId } = await createWorld();
    await chat.write(grace, '/deny');
    await telegram.sendMessage(chatId, 'Why not?', {
      reply_parameters: { message_id: Number(chat.messages()[0]?.id) },
      reply_markup: { force_reply: true, selective: true },
    });
    expect(chat.openForm(grace)).toMatchObject({ title: 'Why not?', label: 'Reply' });
    expect(chat.openForm(ada)).toBeNull();
  });

  it('draws quotes, code and small print by the line', async () => {
    const { chat, telegram, chatId } = await createWorld();
    await telegram.sendMessage(
      chatId,
      '✅ <b>Approved</b>\n<blockquote>one\ntwo</blockquote>\n<pre>ls -l</pre>\n<i>since noon</i>\nhalf <b>bold</b>',
      { parse_mode: 'HTML' },
    );
    expect(chat.messages()[0]?.parts).toEqual([
      { style: 'strong', text: '✅ Approved' },
      { style: 'quote', text: 'one\ntwo' },
      { style: 'code', text: 'ls -l' },
      { style: 'small', text: 'since noon' },
      { style: 'text', text: 'half bold' },
    ]);
  });

  it('takes forms and GET, and methods in any case', async () => {
    const { chat, chatId } = await createWorld();
    const form = new URLSearchParams({
      chat_id: chatId,
      text: 'Deploy?',
      reply_markup: JSON.stringify({ inline_keyboard: [[{ text: 'Yes', callback_data: 'y', hide: false }]] }),
    });
    expect(await fetchMethod(chat, 'sendmessage', { method: 'POST', body: form })).toMatchObject({ status: 200 });
    expect(chat.messages()[0]?.buttons).toMatchObject([{ id: 'y' }]);
    expect((await fetchMethod(chat, `getChat?chat_id=${chatId}`)).body).toMatchObject({
      ok: true,
      result: { id: Number(chatId), title: 'Agents', type: 'supergroup' },
    });
    expect(await fetchMethod(chat, 'sendPigeon')).toEqual({
      status: 404,
      body: { ok: false, error_code: 404, description: 'Not Found: method not found' },
    });
    const astray = await fetch(`${chat.apiUrl}//bot${chat.environment.BECKON_TELEGRAM_TOKEN}/getMe`);
    expect(astray.status).toBe(404);
    expect(chat.violations()).toEqual(['unknown method: sendPigeon', 'GET //bot…/getMe']);
  });

  it('stops at once, with a poll waiting and a press unanswered', async () => {
    const world = await createWorld();
    const { chat, telegram, chatId } = world;
    const { message_id: id } = await telegram.sendMessage(chatId, 'Deploy?', yesNo);
    const pressing = chat.press(ada, String(id), 'yes');
    const polling = fetchMethod(chat, 'getUpdates?timeout=50&offset=999999999999').catch((error: unknown) => error);
    await until(() => chat.polling());
    const from = performance.now();
    await chat.stop();
    await pressing;
    expect(await polling).toBeInstanceOf(Error);
    expect(performance.now() - from).toBeLessThan(1_000);
  });
});
