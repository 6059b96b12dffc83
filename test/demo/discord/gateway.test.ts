import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiscordEmulator, type DiscordEmulator } from '../../../src/demo/discord/discord-emulator.ts';
import { createRawBot, identify, interactionShape, type RawSocket, readySession } from './raw-bot.ts';

let chat: DiscordEmulator;
let bot: ReturnType<typeof createRawBot>;
beforeEach(async () => {
  chat = await createDiscordEmulator({ limits: { ackMs: 300, tokenMs: 700 } });
  bot = createRawBot(chat);
});
afterEach(() => chat.stop());

const isEvent = (t: string) => (frame: { t?: string | null | undefined }) => frame.t === t;
const isOp = (op: number) => (frame: { op: number }) => frame.op === op;
const session = async (socket: RawSocket) => readySession.parse((await socket.next(isEvent('READY'))).d);
const online = async (intents = 0) => {
  const socket = await bot.connect();
  expect((await socket.next(isOp(10))).d).toMatchObject({ heartbeat_interval: 41_250 });
  socket.send(2, identify(bot.token, intents));
  return { socket, ...(await session(socket)) };
};

describe('the gateway', () => {
  it('says hello, takes the token with or without its prefix, answers heartbeats and numbers events', async () => {
    const { socket } = await online(1);
    expect(await socket.next(isEvent('GUILD_CREATE'))).toMatchObject({ s: 2 });
    socket.send(1, 2);
    await socket.next(isOp(11));
    const other = await bot.connect();
    other.send(2, identify(`Bot ${bot.token}`));
    await other.next(isEvent('READY'));
    expect(other.frames.some((frame) => frame.t === 'GUILD_CREATE')).toBe(false);
    expect(chat.gateway.connections()).toBe(2);
  });

  it.each([
    ['a wrong token', 4004, (socket: RawSocket) => socket.send(2, identify('wrong'))],
    ['an unknown opcode', 4001, (socket: RawSocket) => socket.send(99, null)],
    ['a frame before IDENTIFY', 4003, (socket: RawSocket) => socket.send(3, {})],
    ['bad intents', 4013, (socket: RawSocket) => socket.send(2, { ...identify(bot.token), intents: 'all' })],
  ])('closes on %s with %i', async (_name, code, act) => {
    const socket = await bot.connect();
    act(socket);
    expect(await socket.closed).toBe(code);
  });

  it('closes a second IDENTIFY with 4005 and, when told to, every one with 4014', async () => {
    const { socket } = await online();
    socket.send(2, identify(bot.token));
    expect(await socket.closed).toBe(4005);
    chat.gateway.setRefusal(4014);
    const refused = await bot.connect();
    refused.send(2, identify(bot.token));
    expect(await refused.closed).toBe(4014);
  });

  it('replays after RESUME what a cut socket missed, and only that', async () => {
    const { socket, session_id } = await online();
    chat.gateway.dispatch('ONE', {});
    await socket.next(isEvent('ONE'));
    socket.terminate();
    await socket.closed;
    chat.gateway.dispatch('TWO', {});
    const again = await bot.connect();
    again.send(6, { token: bot.token, session_id, seq: 2 });
    await again.next(isEvent('RESUMED'));
    expect(again.frames.filter((frame) => frame.op === 0).map((frame) => [frame.s, frame.t])).toEqual([
      [3, 'TWO'],
      [4, 'RESUMED'],
    ]);
  });

  it('forgets a session that said goodbye, and answers an unknown one with op 9', async () => {
    const { socket, session_id } = await online();
    socket.close(1000);
    await socket.closed;
    const again = await bot.connect();
    again.send(6, { token: bot.token, session_id, seq: 1 });
    expect(await again.next(isOp(9))).toMatchObject({ d: false });
  });
});

describe('an interaction', () => {
  const press = async () => {
    const { socket } = await online();
    await bot.post({
      content: 'q',
      components: [{ type: 1, components: [{ type: 2, style: 3, label: 'Yes', custom_id: 'yes' }] }],
    });
    const [ada = { id: '' }] = chat.people;
    const pressed = chat.press(ada.id, chat.messages()[0]?.id ?? '', 'yes');
    const event = await socket.next(isEvent('INTERACTION_CREATE'));
    const interaction = interactionShape.parse(event.d);
    return {
      ada: ada.id,
      pressed,
      event,
      socket,
      respond: (body: unknown) =>
        bot.open('POST', `/interactions/${interaction.id}/${interaction.token}/callback`, body),
      webhook: `/webhooks/${interaction.application_id}/${interaction.token}`,
    };
  };
  const modal = (more: object = {}) => ({
    type: 9,
    data: {
      custom_id: 'm',
      title: 'T',
      components: [{ type: 18, label: 'L', component: { type: 4, custom_id: 'i', style: 2, max_length: 10 } }],
      ...more,
    },
  });

  it('says who pressed what where', async () => {
    const { event, ada, respond, pressed } = await press();
    expect(event.d).toMatchObject({
      type: 3,
      data: { custom_id: 'yes' },
      member: { user: { id: ada } },
      channel_id: bot.channel,
      message: { content: 'q' },
    });
    expect(JSON.stringify(event.d)).not.toContain('"thread"');
    expect((await respond({ type: 6 })).status).toBe(204);
    await pressed;
    expect(chat.privateNotes(ada)).toEqual([]);
  });

  it('takes one first response', async () => {
    const { respond, ada, pressed } = await press();
    expect((await respond({ type: 4, data: { content: '**only** you', flags: 64 } })).status).toBe(204);
    expect(await respond({ type: 6 })).toMatchObject({ status: 400, body: { code: 40060 } });
    await pressed;
    expect(chat.privateNotes(ada)).toEqual(['only you']);
    expect(chat.messages()).toHaveLength(1);
  });

  it('that nobody answers in time failed, and takes no response any more', async () => {
    const { respond, ada, pressed } = await press();
    await pressed;
    expect(chat.privateNotes(ada)).toEqual(['This interaction failed']);
    expect(await respond({ type: 6 })).toMatchObject({ status: 404, body: { code: 10062 } });
  });

  it('may be deferred and answered until its token ends', async () => {
    const { respond, webhook, ada } = await press();
    expect((await bot.open('PATCH', `${webhook}/messages/@original`, { content: 'early' })).body).toMatchObject({
      code: 10015,
    });
    await respond({ type: 5, data: { flags: 64 } });
    expect(chat.privateNotes(ada)).toEqual(['Beckon is thinking…']);
    expect((await bot.open('PATCH', `${webhook}/messages/@original`, { content: 'done' })).status).toBe(200);
    expect((await bot.open('POST', webhook, { content: 'more', flags: 64 })).status).toBe(200);
    expect(chat.privateNotes(ada)).toEqual(['done', 'more']);
    await new Promise((resolve) => setTimeout(resolve, 750));
    expect(await bot.open('POST', webhook, { content: 'late', flags: 64 })).toMatchObject({
      status: 401,
      body: { code: 50027 },
    });
  });

  it('edits the pressed message with type 7', async () => {
    const { respond } = await press();
    await respond({ type: 7, data: { content: 'pressed', components: [] } });
    expect(chat.messages()[0]).toMatchObject({ text: 'pressed', buttons: [] });
  });

  it('opens a form within its limits, whose submission takes no second form', async () => {
    const first = await press();
    expect((await first.respond(modal({ title: 'x'.repeat(46) }))).body).toHaveProperty('errors.data.title');
    expect((await first.respond(modal({ components: [] }))).body).toHaveProperty('errors.data.components');
    await first.respond(modal());
    await first.pressed;
    expect(chat.openForm(first.ada)).toEqual({ title: 'T', label: 'L', maxLength: 10 });
    await chat.submitForm(first.ada, 'x'.repeat(11));
    expect(chat.privateNotes(first.ada)).toEqual(['Must be between 1 and 10 in length.']);
    const submitted = chat.submitForm(first.ada, 'words');
    const event = await first.socket.next(isEvent('INTERACTION_CREATE'));
    expect(event.d).toMatchObject({
      type: 5,
      data: { custom_id: 'm', components: [{ component: { custom_id: 'i', value: 'words' } }] },
    });
    const { id, token } = interactionShape.parse(event.d);
    expect((await bot.open('POST', `/interactions/${id}/${token}/callback`, modal())).status).toBe(400);
    await bot.open('POST', `/interactions/${id}/${token}/callback`, { type: 6 });
    await submitted;
    expect(chat.openForm(first.ada)).toBeNull();
  });

  it('fails at once where no bot is connected', async () => {
    await bot.post({
      content: 'q',
      components: [{ type: 1, components: [{ type: 2, style: 3, label: 'Yes', custom_id: 'yes' }] }],
    });
    const [ada = { id: '' }] = chat.people;
    await chat.press(ada.id, chat.messages()[0]?.id ?? '', 'yes');
    expect(chat.privateNotes(ada.id)).toEqual(['This interaction failed']);
    await expect(chat.press(ada.id, chat.messages()[0]?.id ?? '', 'no')).rejects.toThrow('never a button');
  });
});
