import { describe, expect, it } from 'vitest';
import type { AnswerReply } from '../../../src/channels/contract.ts';
import { createRig, permission, type Rig, steering, token, until } from './rig.ts';

const late: AnswerReply = { fate: 'late', text: 'Too late: Grace denied this on Slack at 14:02 UTC.' };

/** A message of the bot with whatever data on its button, as an older version of Beckon may have left. */
async function postForeign({ chat, address }: Rig, data: string): Promise<void> {
  const body = {
    chat_id: address.chatId,
    text: 'Old page',
    reply_markup: { inline_keyboard: [[{ text: 'Go', callback_data: data }]] },
  };
  const url = new URL(`/bot${chat.environment.BECKON_TELEGRAM_TOKEN}/sendMessage`, chat.apiUrl);
  await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

describe('presses', () => {
  it.each(['x', 'b1::a', `b1:${token}:z`, `b2:${token}:a`, `b1:${token}:10`, `b1:${token}:a:a`])(
    'data that is not ours decides nothing: %s',
    async (data) => {
      const rig = await createRig();
      await rig.connect();
      await postForeign(rig, data);
      await rig.button('Go');
      expect(rig.answers).toEqual([]);
      expect(rig.chat.privateNotes(rig.ada)).toEqual([
        'Beckon does not know this button any more. Nothing was decided.',
      ]);
    },
  );

  it('the same button twice is two events', async () => {
    const { channel, connect, address, answers, button } = await createRig();
    await channel.send(permission(), address);
    await connect();
    await button('Approve');
    await button('Approve');
    expect(new Set(answers.map((answer) => answer.eventId)).size).toBe(2);
  });

  it('a line that is too long for the pop-up is told whole in a message', async () => {
    const text = `Too late: ${'Grace '.repeat(40)}denied this.`;
    const { chat, channel, connect, address, ada, button } = await createRig();
    await channel.send(permission(), address);
    await connect({ onAnswer: async () => ({ fate: 'late', text }) });
    await button('Approve');
    expect(chat.privateNotes(ada)).toHaveLength(1);
    await until(() => chat.messages().some((message) => message.text.includes(text)));
    expect(chat.violations()).toEqual([]);
  });

  it('the engine failing in the middle ends the spinner all the same', async () => {
    const { chat, channel, connect, address, ada, button, logged } = await createRig();
    await channel.send(steering(), address);
    await connect({ onCompose: () => Promise.reject(new Error('no database')) });
    await button('Write…');
    expect(chat.privateNotes(ada)).toEqual(['Beckon could not deal with this press. Please try again in a moment.']);
    expect(chat.openForm(ada)).toBeNull();
    await until(() => logged.includes('an update could not be dealt with'));
  });

  it('a form opens after 1 s where nobody says whether the person may write', async () => {
    const { chat, channel, connect, address, ada, button } = await createRig();
    await channel.send(steering(), address);
    await connect({ onCompose: () => new Promise(() => {}) });
    const from = performance.now();
    await button('Write…');
    await until(() => chat.openForm(ada) !== null);
    expect(performance.now() - from).toBeGreaterThanOrEqual(950);
    expect(performance.now() - from).toBeLessThan(3_000);
  });
});

describe('what people write', () => {
  it('a prompt is for the person who asked for it, and goes once it is answered', async () => {
    const { chat, channel, connect, address, ada, stranger, answers, button } = await createRig();
    await channel.send(steering(), address);
    await connect();
    await button('Write…');
    await until(() => chat.openForm(ada) !== null);
    expect(chat.openForm(stranger)).toBeNull();
    await chat.submitForm(ada, 'Neither: *ask* Bob <first>');
    await until(() => chat.messages().length === 2);
    expect(answers).toMatchObject([{ text: 'Neither: *ask* Bob <first>', choice: { kind: 'text' }, pageToken: token }]);
    expect(chat.messages().map((message) => message.author)).toEqual(['Beckon', 'Ada Lovelace']);
  });

  it('a prompt from before a restart still knows its page and what it asked for', async () => {
    const { chat, channel, connect, address, ada, answers, another, button } = await createRig();
    await channel.send(permission(), address);
    await connect();
    await button('Deny with reason…');
    await until(() => chat.openForm(ada) !== null);
    await channel.stop();
    await chat.submitForm(ada, 'Not on a Friday.');
    await connect({}, another());
    await until(() => answers.length === 1);
    expect(answers).toMatchObject([{ choice: { kind: 'deny' }, text: 'Not on a Friday.', pageToken: token }]);
  });

  it('a prompt stays where the answer did not fit, so that the person can mend it', async () => {
    let fate: AnswerReply['fate'] = 'invalid';
    const { chat, channel, connect, address, ada, answers, button } = await createRig();
    await channel.send(steering(), address);
    await connect({ onAnswer: async () => ({ fate, text: 'Your text is too long.' }) });
    await button('Write…');
    await until(() => chat.openForm(ada) !== null);
    const prompt = chat.messages().at(-1);
    await chat.write(ada, 'x'.repeat(2_001), prompt?.id);
    await until(() => chat.messages().some((message) => message.text.includes('Your text is too long.')));
    expect(chat.messages().some((message) => message.id === prompt?.id)).toBe(true);
    fate = 'accepted';
    await chat.write(ada, 'shorter', prompt?.id);
    await until(() => !chat.messages().some((message) => message.id === prompt?.id));
    expect(answers.map((answer) => answer.text?.length)).toEqual([2_001, 7]);
  });

  it('a reply to the page itself is matched by the message, and a late one is told so', async () => {
    const { chat, channel, connect, address, ada, answers, page } = await createRig();
    const receipt = await channel.send(steering(), address);
    const asked: unknown[] = [];
    await connect({
      onAnswer: async () => late,
      async findToken(shown) {
        asked.push(shown);
        return 'found-token';
      },
    });
    await chat.write(ada, 'Fixed, please', page().id);
    await until(() => chat.messages().some((message) => message.text.includes(late.text)));
    expect(asked).toEqual([receipt]);
    expect(answers).toMatchObject([{ pageToken: 'found-token', choice: { kind: 'text' }, text: 'Fixed, please' }]);
    expect(chat.messages().at(-1)?.replyTo).toBe(chat.messages().at(-2)?.id);
  });

  it('a reply to a person who wrote what looks like a prompt decides nothing', async () => {
    const { chat, channel, connect, address, ada, stranger, answers } = await createRig();
    await channel.send(permission(), address);
    await connect();
    await chat.write(stranger, `✍️ reply to this message.\n\nref r:${token}`);
    const forged = chat.messages().at(-1);
    // Delivered even so when it starts as a command does: only who wrote the replied message counts.
    await chat.write(ada, '/deny it', forged?.id);
    await chat.write(ada, '/start');
    await until(() => chat.messages().some((message) => message.text.includes('I am Beckon')));
    expect(answers).toEqual([]);
  });

  it('a reply to something else of the bot is told where to answer', async () => {
    const { chat, connect, ada, answers } = await createRig();
    await connect();
    await chat.write(ada, '/start');
    await until(() => chat.messages().length === 2);
    await chat.write(ada, 'Yes', chat.messages().at(-1)?.id);
    await until(() => chat.messages().some((message) => message.text.includes('no page that can be answered')));
    expect(answers).toEqual([]);
  });

  it('/start tells what this is and the ids that the configuration needs; other talk is left alone', async () => {
    const { chat, connect, address, ada } = await createRig();
    await connect();
    await chat.write(ada, 'good morning');
    await chat.write(ada, '/weather');
    await chat.write(ada, '/start@beckon_bot');
    await until(() => chat.messages().length === 4);
    const [, , , greeting] = chat.messages();
    expect(greeting?.text).toContain(address.chatId);
    expect(greeting?.text).toContain(ada);
    expect(chat.pings()).toMatchObject([{ who: ada }]);
    expect(chat.violations()).toEqual([]);
  });
});
