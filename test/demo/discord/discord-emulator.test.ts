import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createDiscordEmulator } from '../../../src/demo/discord/discord-emulator.ts';

type Options = Parameters<typeof createDiscordEmulator>[0];
interface Frame {
  readonly op: number;
  readonly s?: number;
  readonly t?: string;
  readonly d: Record<string, unknown>;
}

const room = '140000000000000001';
const [ada, grace] = ['130000000000000001', '130000000000000002'] as const;

async function start(options: Options = {}) {
  const discord = await createDiscordEmulator(options);
  onTestFinished(() => discord.stop());
  const { BECKON_DISCORD_TOKEN: token = '' } = discord.environment;
  const call = async (method: string, path: string, body?: object, authorization: string | null = `Bot ${token}`) => {
    const response = await fetch(`${discord.apiUrl}/v10${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown>,
    };
  };
  const post = (body: object) => call('POST', `/channels/${room}/messages`, body);
  /** A gateway client by hand. */
  const connect = async (greeting: object = { op: 2, d: { token, intents: 0, properties: {} } }) => {
    const { url } = (await call('GET', '/gateway/bot')).body;
    const socket = new WebSocket(`${url}/?v=10&encoding=json`);
    const frames: Frame[] = [];
    socket.on('message', (data) => frames.push(JSON.parse(String(data)) as Frame));
    const code = new Promise<number>((resolve) => socket.once('close', resolve));
    await vi.waitFor(() => expect(frames[0]?.op).toBe(10));
    socket.send(JSON.stringify(greeting));
    const event = async (t: string) => {
      await vi.waitFor(() => expect(frames.map((frame) => frame.t)).toContain(t));
      return frames.filter((frame) => frame.t === t).at(-1)?.d ?? {};
    };
    return { socket, frames, event, code };
  };
  const respond = (press: Record<string, unknown>, body: object) =>
    call('POST', `/interactions/${press.id}/${press.token}/callback`, body, null);
  return { discord, token, call, post, connect, respond };
}

const button = (parts: object = {}) => ({ type: 2, style: 1, label: 'Go', custom_id: 'go', ...parts });
const rows = (...buttons: object[]) => ({ components: [{ type: 1, components: buttons }] });
const x = (count: number) => 'x'.repeat(count);

describe('the REST API', () => {
  test('tells its own token from others', async () => {
    const { call } = await start();
    expect((await call('GET', '/users/@me')).body).toMatchObject({ username: 'beckon', bot: true });
    expect(await call('GET', '/users/@me', undefined, 'Bot other')).toMatchObject({
      status: 401,
      body: { code: 0, message: '401: Unauthorized' },
    });
  });

  test('knows no other calls, and says so as a violation', async () => {
    const { discord, call } = await start();
    expect((await call('DELETE', `/channels/${room}`)).status).toBe(404);
    expect(discord.violations()).toEqual([`unknown call DELETE /api/v10/channels/${room}`]);
  });

  test.each([
    ['content', { content: x(2_001) }],
    ['nonce', { content: 'x', nonce: x(26) }],
    ['embeds.0.title', { embeds: [{ title: x(257) }] }],
    ['embeds.0.description', { embeds: [{ description: x(4_097) }] }],
    ['embeds.0.footer.text', { embeds: [{ title: 'x', footer: { text: x(2_049) } }] }],
    ['embeds.0.fields', { embeds: [{ fields: Array(26).fill({ name: 'x', value: 'x' }) }] }],
    ['embeds.0.fields.0.name', { embeds: [{ fields: [{ name: x(257), value: 'x' }] }] }],
    ['embeds.0.fields.0.value', { embeds: [{ fields: [{ name: 'x', value: x(1_025) }] }] }],
    ['embeds.0.fields.0.value', { embeds: [{ fields: [{ name: 'x', value: ' ' }] }] }],
    ['embeds', { embeds: [{ description: x(4_000) }, { description: x(2_001) }] }],
    ['components', { content: 'x', components: Array(6).fill({ type: 1, components: [button()] }) }],
    ['components.0.components', { content: 'x', ...rows(...Array(6).fill(button())) }],
    ['components.0.components.0.label', { content: 'x', ...rows(button({ label: x(81) })) }],
    ['components.0.components.0.custom_id', { content: 'x', ...rows(button({ custom_id: x(101) })) }],
    ['components.0.components.1.custom_id', { content: 'x', ...rows(button(), button()) }],
    [
      'components.0.components.0.url',
      { content: 'x', ...rows({ type: 2, style: 5, label: 'x', url: 'javascript:1' }) },
    ],
  ])('refuses what Discord would refuse, with the path %s', async (path, body) => {
    const { discord, post } = await start();
    const { status, body: refusal } = await post(body);
    expect([status, refusal.code]).toEqual([400, 50035]);
    const found = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], refusal.errors);
    expect((found as { _errors: unknown[] })._errors).toHaveLength(1);
    expect(discord.messages()).toEqual([]);
    expect(discord.violations()).toHaveLength(1);
  });

  test('takes what just fits', async () => {
    const { discord, post } = await start();
    const embed = {
      description: x(4_096),
      fields: [
        { name: x(256), value: x(1_024) },
        { name: x(256), value: x(368) },
      ],
    };
    expect((await post({ content: x(2_000), embeds: [embed], ...rows(button({ label: x(80) })) })).status).toBe(200);
    expect(discord.violations()).toEqual([]);
  });

  test('says what the bot may not do', async () => {
    const { discord, call, post } = await start();
    expect((await call('GET', '/channels/140000000000000009')).body.code).toBe(10003);
    expect((await call('PATCH', `/channels/${room}/messages/1`, { content: 'x' })).body.code).toBe(10008);
    expect((await post({})).body.code).toBe(50006);
    discord.setAccess({ writable: false });
    expect((await post({ content: 'x' })).body.code).toBe(50013);
    discord.setAccess({ visible: false });
    expect((await post({ content: 'x' })).body.code).toBe(50001);
  });

  test('edits its own messages only, and shows that it did', async () => {
    const { discord, call, post } = await start();
    await discord.write(ada, 'mine');
    const [mine] = discord.messages();
    expect((await call('PATCH', `/channels/${room}/messages/${mine?.id}`, { content: 'x' })).body.code).toBe(50005);
    const { id } = (await post({ content: 'one', ...rows(button()) })).body;
    await call('PATCH', `/channels/${room}/messages/${id}`, { content: 'two' });
    expect(discord.messages()[1]).toMatchObject({ text: 'two', edited: true, buttons: [{ id: 'go', label: 'Go' }] });
  });

  test('posts a nonce once where it is enforced', async () => {
    const { discord, post } = await start();
    const ids = [];
    for (const enforce_nonce of [true, true, false]) {
      ids.push((await post({ content: 'x', nonce: 'same', enforce_nonce })).body.id);
    }
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
    expect(discord.messages()).toHaveLength(2);
  });

  test('limits by bucket and says so in headers', async () => {
    const { post } = await start({ rates: { posts: 2 } });
    const first = await post({ content: '1' });
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
    expect(first.headers.get('x-ratelimit-limit')).toBe('2');
    await post({ content: '2' });
    const third = await post({ content: '3' });
    expect(third.status).toBe(429);
    expect(third.body).toMatchObject({ global: false, retry_after: expect.any(Number) });
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('breaks on demand: before and after a post', async () => {
    const { discord, post } = await start();
    discord.faults.next('POST /channels/:id/messages', 1, { kind: 'drop_before' });
    discord.faults.next('POST /channels/:id/messages', 1, { kind: 'drop_after' });
    await expect(post({ content: 'lost' })).rejects.toThrow();
    await expect(post({ content: 'taken' })).rejects.toThrow();
    expect(discord.messages().map(({ text }) => text)).toEqual(['taken']);
  });
});

describe('what people see', () => {
  test.each([
    ['**bold** *it* __u__ ~~s~~ `code` ||spoiler||', 'bold it u s code spoiler'],
    ['[nice](https://evil.example)', 'nice'],
    ['\\*as\\* \\[it\\](is)', '*as* [it](is)'],
    [`hello <@${ada}> and @here`, 'hello @Ada Lovelace and @here'],
    ['# big\n-# small\n> said\n- item', 'big\nsmall\nsaid\n• item'],
    ['<t:1700000000:f> :smile: <:name:130000000000000001>', '2023-11-14 22:13 UTC 😄 :name:'],
    ['snake_case_name 2 * 3 * 4', 'snake_case_name 2 * 3 * 4'],
  ])('%j is %j', async (content, text) => {
    const { discord, post } = await start();
    await post({ content });
    expect(discord.messages()[0]?.text).toBe(text);
  });

  test('mentions in the content notify unless the call forbids it; escaped and embedded ones never do', async () => {
    const { discord, post } = await start();
    const content = `<@${ada}> @everyone \\<@${grace}>`;
    const embeds = [{ description: `<@${grace}>` }];
    const { id } = (await post({ content, embeds })).body;
    await post({ content, embeds, allowed_mentions: { parse: [] } });
    await post({ content, embeds, allowed_mentions: { users: [ada] } });
    expect(discord.pings().map(({ who }) => who)).toEqual([ada, '@everyone', ada]);
    expect(discord.pings()[0]?.messageId).toBe(id);
  });
});

describe('interactions', () => {
  const pressed = async (options: Options = {}) => {
    const world = await start(options);
    const gateway = await world.connect();
    const { id } = (await world.post({ content: 'page', ...rows(button()) })).body;
    const done = world.discord.press(ada, String(id), 'go');
    return { ...world, ...gateway, done, id: String(id), press: await gateway.event('INTERACTION_CREATE') };
  };

  test('bring who pressed what, and take one response', async () => {
    const { discord, press, respond, done } = await pressed();
    expect(press).toMatchObject({
      type: 3,
      data: { custom_id: 'go' },
      member: { user: { id: ada, global_name: 'Ada Lovelace' } },
    });
    expect((await respond(press, { type: 4, data: { content: 'only *you*', flags: 64 } })).status).toBe(204);
    await done;
    expect((await respond(press, { type: 6 })).body.code).toBe(40060);
    expect(discord.privateNotes(ada)).toEqual(['only you']);
    expect(discord.messages()).toHaveLength(1);
  });

  test('fail in sight of the person after 3 s without a response, which then comes too late', async () => {
    const { discord, press, respond, done } = await pressed({ limits: { ackMs: 200 } });
    await done;
    expect(discord.privateNotes(ada)).toEqual(['This interaction failed']);
    expect((await respond(press, { type: 6 })).body).toEqual({ code: 10062, message: 'Unknown interaction' });
  });

  test('are followed up for as long as the token lives', async () => {
    const { discord, call, press, respond } = await pressed({ limits: { tokenMs: 400 } });
    const followUp = (text: string) =>
      call('POST', `/webhooks/110000000000000002/${press.token}`, { content: text, flags: 64 }, null);
    expect((await followUp('too early')).body.code).toBe(10015);
    await respond(press, { type: 6 });
    expect((await followUp('later')).status).toBe(200);
    expect(discord.privateNotes(ada)).toEqual(['later']);
    await vi.waitFor(async () => expect((await followUp('late')).body.code).toBe(50027));
  });

  test('open a form, whose limits the app keeps, and a form opens no form', async () => {
    const { discord, press, respond, event } = await pressed();
    const input = { type: 4, custom_id: 'words', style: 2, max_length: 5, required: true };
    const modal = { custom_id: 'form', title: 'Why?', components: [{ type: 18, label: 'Reason', component: input }] };
    const long = await respond(press, { type: 9, data: { ...modal, title: x(46) } });
    expect(long.body.errors).toMatchObject({ data: { title: { _errors: [expect.anything()] } } });
    await respond(press, { type: 9, data: modal });
    expect(discord.openForm(ada)).toEqual({ title: 'Why?', label: 'Reason', maxLength: 5 });
    await discord.submitForm(ada, 'much too long');
    expect(discord.openForm(ada)).not.toBeNull();
    const submitted = discord.submitForm(ada, 'short');
    await vi.waitFor(async () => expect((await event('INTERACTION_CREATE')).type).toBe(5));
    const form = await event('INTERACTION_CREATE');
    expect(form.data).toMatchObject({
      custom_id: 'form',
      components: [{ component: { custom_id: 'words', value: 'short' } }],
    });
    expect((await respond(form, { type: 9, data: modal })).body.code).toBe(50035);
    await respond(form, { type: 6 });
    await submitted;
    expect(discord.openForm(ada)).toBeNull();
  });

  test('come from buttons that an edit took away a moment ago, never from links or from buttons nobody saw', async () => {
    const { discord, call, id, frames, respond, press } = await pressed();
    await respond(press, { type: 6 });
    await call(
      'PATCH',
      `/channels/${room}/messages/${id}`,
      rows({ type: 2, style: 5, label: 'Open', url: 'https://b.example/' }),
    );
    const stale = discord.press(grace, id, 'go');
    await vi.waitFor(() => expect(frames.filter(({ t }) => t === 'INTERACTION_CREATE')).toHaveLength(2));
    await respond(frames.at(-1)?.d ?? {}, { type: 6 });
    await stale;
    await discord.press(grace, id, 'link:https://b.example/');
    expect(frames.filter(({ t }) => t === 'INTERACTION_CREATE')).toHaveLength(2);
    await expect(discord.press(ada, id, 'never')).rejects.toThrow('never a button');
    expect(discord.privateNotes(grace)).toEqual([]);
  });

  test('fail at once when no bot is there', async () => {
    const { discord, post } = await start();
    const { id } = (await post({ content: 'page', ...rows(button()) })).body;
    await discord.press(ada, String(id), 'go');
    expect(discord.privateNotes(ada)).toEqual(['This interaction failed']);
  });
});

describe('the gateway', () => {
  test('identifies, acknowledges heartbeats, and replays to RESUME what was missed', async () => {
    const { discord, token, connect, post } = await start();
    const first = await connect();
    const ready = await first.event('READY');
    expect(ready).toMatchObject({
      application: { id: '110000000000000002' },
      resume_gateway_url: expect.stringMatching(/^ws:/),
    });
    first.socket.send(JSON.stringify({ op: 1, d: 1 }));
    await vi.waitFor(() => expect(first.frames.at(-1)?.op).toBe(11));
    const { id } = (await post({ content: 'page', ...rows(button()) })).body;
    discord.gateway.closeSockets(null);
    await first.code;
    const missed = discord.press(ada, String(id), 'go');
    const second = await connect({ op: 6, d: { token, session_id: ready.session_id, seq: 1 } });
    await second.event('RESUMED');
    expect(second.frames.map(({ t, s }) => [t, s]).slice(1)).toEqual([
      ['INTERACTION_CREATE', 2],
      ['RESUMED', 3],
    ]);
    await discord.stop();
    await missed;
  });

  test('refuses wrong tokens, unknown sessions and frames that nobody expects', async () => {
    const { discord, connect, token } = await start();
    expect(await (await connect({ op: 2, d: { token: 'other', intents: 0, properties: {} } })).code).toBe(4004);
    const unknown = await connect({ op: 6, d: { token, session_id: 'nothing', seq: 1 } });
    await vi.waitFor(() => expect(unknown.frames.at(-1)).toMatchObject({ op: 9, d: false }));
    expect(await (await connect({ op: 42, d: {} })).code).toBe(4001);
    expect(discord.violations()).toHaveLength(1);
  });

  test('a goodbye ends the session', async () => {
    const { token, connect } = await start();
    const first = await connect();
    const { session_id } = await first.event('READY');
    first.socket.close(1000);
    await first.code;
    const second = await connect({ op: 6, d: { token, session_id, seq: 1 } });
    await vi.waitFor(() => expect(second.frames.at(-1)).toMatchObject({ op: 9, d: false }));
  });
});

test('who watches is told of every change', async () => {
  const { discord, post } = await start();
  let changes = 0;
  const off = discord.onChange(() => {
    changes += 1;
  });
  await post({ content: 'x' });
  expect(changes).toBe(1);
  const [message] = discord.messages();
  discord.deleteMessage(message?.id ?? '');
  expect(changes).toBe(2);
  expect(discord.messages()).toEqual([]);
  off();
  await post({ content: 'y' });
  expect(changes).toBe(2);
});
