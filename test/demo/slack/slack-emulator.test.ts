import { WebClient } from '@slack/web-api';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createSlackEmulator } from '../../../src/demo/slack/slack-emulator.ts';

type Options = Parameters<typeof createSlackEmulator>[0];

async function start(options: Options = {}) {
  const slack = await createSlackEmulator(options);
  onTestFinished(() => slack.stop());
  const { BECKON_SLACK_BOT_TOKEN: bot = '', BECKON_SLACK_APP_TOKEN: app = '' } = slack.environment;
  const web = new WebClient(bot, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });
  const call = async (method: string, args: object, token = bot) => {
    const headers = { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${token}` };
    const response = await fetch(`${slack.apiUrl}${method}`, { method: 'POST', headers, body: JSON.stringify(args) });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: (await response.json()) as object,
    };
  };
  /** A client of Socket Mode by hand; answers every envelope unless told not to. */
  const connect = async (acknowledges = true, payload: object = {}) => {
    const { url } = (await call('apps.connections.open', {}, app)).body as { url: string };
    const socket = new WebSocket(url);
    const frames: Record<string, unknown>[] = [];
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      frames.push(frame);
      if (frame.envelope_id !== undefined && acknowledges) {
        socket.send(JSON.stringify({ envelope_id: frame.envelope_id, payload }));
      }
    });
    await vi.waitFor(() => expect(frames[0]).toMatchObject({ type: 'hello', num_connections: slack.connections() }));
    return { socket, frames, url };
  };
  return { slack, web, call, connect, app };
}

const channel = 'C0AGENTS';
const plain = (text: string) => ({ type: 'plain_text', text });
const section = (text: string) => ({ type: 'section', text: plain(text) });
const buttons = (...elements: object[]) => ({ type: 'actions', elements });
const button = (parts: object = {}) => ({ type: 'button', text: plain('Go'), action_id: 'go', value: 'v', ...parts });

describe('the Web API', () => {
  test('takes form bodies of the SDK and JSON bodies alike', async () => {
    const { slack, web, call } = await start();
    const blocks = [{ type: 'section', text: { type: 'plain_text', text: 'from the SDK' } }] as const;
    const posted = await web.chat.postMessage({ channel, text: 'x', blocks: [...blocks] });
    expect(posted).toMatchObject({
      ok: true,
      channel,
      ts: expect.stringMatching(/^\d+\.\d{6}$/),
      message: { text: 'x' },
    });
    await call('chat.postMessage', { channel, text: 'from JSON' });
    expect(slack.messages().map(({ text }) => text)).toEqual(['from the SDK', 'from JSON']);
  });

  test('tells tokens apart', async () => {
    const { call, app } = await start();
    expect((await call('auth.test', {}, 'xoxb-other')).body).toEqual({ ok: false, error: 'invalid_auth' });
    expect((await call('auth.test', {}, app)).body).toEqual({ ok: false, error: 'not_allowed_token_type' });
    expect((await call('apps.connections.open', {})).body).toEqual({ ok: false, error: 'not_allowed_token_type' });
    expect((await call('auth.test', {})).body).toMatchObject({ ok: true, user: 'beckon', bot_id: 'B0BECKON' });
  });

  test('knows no other methods, and says so as a violation', async () => {
    const { slack, call } = await start();
    expect((await call('chat.delete', { channel })).body).toEqual({ ok: false, error: 'unknown_method' });
    expect(slack.violations()).toEqual(['unknown method: chat.delete']);
  });

  test.each([
    [[section('x'.repeat(3_001))], 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
    [[section('')], 'must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
    [
      [{ type: 'header', text: plain('x'.repeat(151)) }],
      'must be less than 151 characters [json-pointer:/blocks/0/text/text]',
    ],
    [Array.from({ length: 51 }, () => ({ type: 'divider' })), 'no more than 50 items allowed [json-pointer:/blocks]'],
    [
      [buttons(button({ text: plain('x'.repeat(76)) }))],
      'must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]',
    ],
    [
      [buttons(button({ value: 'x'.repeat(2_001) }))],
      'must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]',
    ],
    [
      [buttons(button({ action_id: 'x'.repeat(256) }))],
      'must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]',
    ],
    [[buttons(button({ url: 'nowhere' }))], 'must be a valid URL [json-pointer:/blocks/0/elements/0/url]'],
    [[buttons(button({ style: 'green' }))], 'must be a valid enum value [json-pointer:/blocks/0/elements/0/style]'],
    [[buttons(button(), button())], '`action_id` go already exists [json-pointer:/blocks/0/elements/1/action_id]'],
    [[buttons(button({ colour: 'red' }))], 'invalid additional property: colour [json-pointer:/blocks/0/elements/0]'],
    [
      [
        { ...section('a'), block_id: 'same' },
        { ...section('b'), block_id: 'same' },
      ],
      '`block_id` same already exists [json-pointer:/blocks/1/block_id]',
    ],
    [[{ type: 'input', label: plain('x') }], 'unsupported type: input [json-pointer:/blocks/0/type]'],
    [[{ type: 'carousel' }], 'unsupported type: carousel [json-pointer:/blocks/0/type]'],
  ])('refuses blocks that Slack would refuse (%#)', async (blocks, fault) => {
    const { slack, call } = await start();
    expect((await call('chat.postMessage', { channel, text: 'x', blocks })).body).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: [fault],
      response_metadata: { messages: [`[ERROR] ${fault}`] },
    });
    expect(slack.messages()).toEqual([]);
    expect(slack.violations()).toHaveLength(1);
  });

  test('refuses too much text, no text, and rooms that are not there', async () => {
    const { slack, call } = await start();
    const error = async (method: string, args: object) => ((await call(method, args)).body as { error?: string }).error;
    expect(await error('chat.postMessage', { channel, text: 'x'.repeat(40_001) })).toBe('msg_too_long');
    expect(await error('chat.postMessage', { channel })).toBe('no_text');
    expect(
      await error('chat.postMessage', { channel, text: 'x', blocks: Array(5).fill(section('x'.repeat(3_000))) }),
    ).toBe('msg_blocks_too_long');
    expect(await error('chat.postMessage', { channel: 'C0NOWHERE', text: 'x' })).toBe('channel_not_found');
    slack.archive(true);
    expect(await error('chat.postMessage', { channel, text: 'x' })).toBe('is_archived');
  });

  test('edits its own messages only', async () => {
    const { slack, call } = await start();
    await slack.write('U0ADA', 'mine');
    const [mine] = slack.messages();
    expect((await call('chat.update', { channel, ts: mine?.id, text: 'x' })).body).toMatchObject({
      error: 'cant_update_message',
    });
    expect((await call('chat.update', { channel, ts: '1.000000', text: 'x' })).body).toMatchObject({
      error: 'message_not_found',
    });
    const { ts } = (await call('chat.postMessage', { channel, text: 'a', blocks: [section('a')] })).body as {
      ts: string;
    };
    await call('chat.update', { channel, ts, text: 'only text: the blocks go' });
    expect(slack.messages()[1]).toMatchObject({ edited: true, text: 'only text: the blocks go' });
  });

  test('keeps metadata and gives it back on demand, and rooms and people can be looked up', async () => {
    const { web } = await start();
    const metadata = { event_type: 'page', event_payload: { token: 't' } };
    await web.chat.postMessage({ channel, text: 'x', metadata });
    const bare = await web.conversations.history({ channel });
    expect(bare.messages?.[0]?.metadata).toBeUndefined();
    const full = await web.conversations.history({ channel, include_all_metadata: true });
    expect(full.messages?.[0]?.metadata).toEqual(metadata);
    expect((await web.conversations.info({ channel })).channel).toMatchObject({ name: 'agents', is_member: true });
    expect((await web.conversations.open({ users: 'U0ADA' })).channel?.id).toBe('D0ADA');
    expect((await web.users.info({ user: 'U0ADA' })).user?.real_name).toBe('Ada Lovelace');
  });

  test('limits posts to a channel and says how long to wait', async () => {
    const { call } = await start({ rates: { postBurst: 2 } });
    await call('chat.postMessage', { channel, text: '1' });
    await call('chat.postMessage', { channel, text: '2' });
    const third = await call('chat.postMessage', { channel, text: '3' });
    expect(third).toEqual({ status: 429, retryAfter: '1', body: { ok: false, error: 'ratelimited' } });
    expect((await call('chat.postMessage', { channel: 'U0ADA', text: 'elsewhere' })).status).toBe(200);
  });

  test('fails on demand, as often as told', async () => {
    const { slack, call } = await start();
    slack.faults.next('chat.postMessage', 1, { kind: 'rate_limited', retryAfterSeconds: 7 });
    slack.faults.next('*', 1, { kind: 'status', status: 502 });
    slack.faults.next('chat.postMessage', 1, { kind: 'drop_after' });
    const post = () => call('chat.postMessage', { channel, text: 'x' });
    expect((await post()).retryAfter).toBe('7');
    expect((await post()).status).toBe(502);
    await expect(post()).rejects.toThrow();
    expect(slack.messages()).toHaveLength(1);
    expect((await post()).status).toBe(200);
  });
});

describe('text', () => {
  test('is parsed as Slack does, and pings are seen wherever they hide', async () => {
    const { slack, call } = await start();
    const text = '<!channel> <@U0ADA> <https://evil.example|nice> *b* &lt;!here&gt; :tada: <!date^0^{date}|long ago>';
    await call('chat.postMessage', { channel, text });
    expect(slack.messages()[0]?.text).toBe('@channel @Ada Lovelace nice b <!here> 🎉 long ago');
    const ts = slack.messages()[0]?.id;
    expect(slack.pings()).toEqual([
      { who: 'channel', channel, ts },
      { who: 'U0ADA', channel, ts },
    ]);
    await call('chat.postMessage', { channel, text: '<!here>', blocks: [section('<!channel> :tada: *b*')] });
    expect(slack.pings().slice(2)).toMatchObject([{ who: 'here' }]);
    expect(slack.messages()[1]?.text).toBe('<!channel> 🎉 *b*');
  });
});

describe('Socket Mode', () => {
  test('delivers a press to one connection of several and takes its acknowledgement', async () => {
    const { slack, call, connect } = await start();
    const one = await connect();
    const two = await connect();
    await call('chat.postMessage', { channel, text: 'x', blocks: [section('q'), buttons(button())] });
    const [message] = slack.messages();
    await slack.press('U0ADA', message?.id ?? '', 'go');
    await slack.press('U0ADA', message?.id ?? '', 'go');
    const envelopes = [one, two].map(({ frames }) => frames.slice(1));
    expect(envelopes.map((frames) => frames.length)).toEqual([1, 1]);
    expect(envelopes[0]?.[0]).toMatchObject({
      type: 'interactive',
      accepts_response_payload: true,
      payload: {
        type: 'block_actions',
        user: { id: 'U0ADA', team_id: 'T0DEMO' },
        team: { id: 'T0DEMO' },
        channel: { id: channel },
        container: { message_ts: message?.id },
        message: { ts: message?.id },
        trigger_id: expect.any(String),
        response_url: expect.stringMatching(/^http:/),
        actions: [{ type: 'button', action_id: 'go', block_id: expect.any(String), value: 'v' }],
        is_enterprise_install: false,
      },
    });
    expect(slack.privateNotes('U0ADA')).toEqual([]);
  });

  test('marks a press that nobody acknowledges within 3 s, and one that nobody is there for', async () => {
    const { slack, call, connect } = await start();
    await call('chat.postMessage', { channel, text: 'x', blocks: [buttons(button())] });
    const id = slack.messages()[0]?.id ?? '';
    await slack.press('U0ADA', id, 'go');
    await connect(false);
    const pressedAt = performance.now();
    await slack.press('U0ADA', id, 'go');
    expect(performance.now() - pressedAt).toBeGreaterThanOrEqual(2_990);
    expect(slack.privateNotes('U0ADA')).toEqual([
      '⚠ Beckon is not responding: it is not connected. Try again.',
      '⚠ Beckon is not responding: it did not acknowledge within 3 seconds. Try again.',
    ]);
  });

  test('opens a form once per trigger, and sends what was written', async () => {
    const { slack, call, connect } = await start();
    const { frames } = await connect();
    await call('chat.postMessage', { channel, text: 'x', blocks: [buttons(button())] });
    await slack.press('U0ADA', slack.messages()[0]?.id ?? '', 'go');
    const { trigger_id } = frames.at(-1)!.payload as { trigger_id: string };
    const view = {
      type: 'modal',
      callback_id: 'f',
      private_metadata: 'm',
      title: plain('Write'),
      submit: plain('Send'),
      blocks: [
        {
          type: 'input',
          block_id: 'b',
          label: plain('Words'),
          element: { type: 'plain_text_input', action_id: 'a', max_length: 5 },
        },
      ],
    };
    const wide = { ...view, title: plain('x'.repeat(25)) };
    expect((await call('views.open', { trigger_id, view: wide })).body).toMatchObject({ error: 'invalid_arguments' });
    const meta = { ...view, private_metadata: 'x'.repeat(3_001) };
    expect((await call('views.open', { trigger_id, view: meta })).body).toMatchObject({ error: 'invalid_arguments' });
    expect((await call('views.open', { trigger_id, view })).body).toMatchObject({ ok: true });
    expect((await call('views.open', { trigger_id, view })).body).toMatchObject({ error: 'exchanged_trigger_id' });
    expect((await call('views.open', { trigger_id: '1.2.3', view })).body).toMatchObject({
      error: 'invalid_trigger_id',
    });
    expect(slack.openForm('U0ADA')).toEqual({ title: 'Write', label: 'Words', maxLength: 5 });

    await slack.submitForm('U0ADA', 'too long');
    expect(slack.privateNotes('U0ADA')).toEqual(['This needs to be 5 characters or fewer.']);
    await slack.submitForm('U0ADA', 'fine');
    expect(frames.at(-1)).toMatchObject({
      payload: {
        type: 'view_submission',
        view: { callback_id: 'f', private_metadata: 'm', state: { values: { b: { a: { value: 'fine' } } } } },
      },
    });
    expect(slack.openForm('U0ADA')).toBeNull();
    await expect(slack.submitForm('U0ADA', 'again')).rejects.toThrow(/no form open/);
  });

  test('keeps the form open when the acknowledgement holds errors', async () => {
    const { slack, call, connect } = await start();
    const { frames } = await connect(true, { response_action: 'errors', errors: { b: 'Not today.' } });
    await call('chat.postMessage', { channel, text: 'x', blocks: [buttons(button())] });
    await slack.press('U0ADA', slack.messages()[0]?.id ?? '', 'go');
    const { trigger_id } = frames.at(-1)!.payload as { trigger_id: string };
    const input = {
      type: 'input',
      block_id: 'b',
      label: plain('Words'),
      element: { type: 'plain_text_input', action_id: 'a' },
    };
    await call('views.open', {
      trigger_id,
      view: { type: 'modal', title: plain('W'), submit: plain('S'), blocks: [input] },
    });
    await slack.submitForm('U0ADA', 'x');
    expect(slack.privateNotes('U0ADA')).toEqual(['Not today.']);
    expect(slack.openForm('U0ADA')).not.toBeNull();
  });

  test('an address works once, the eleventh connection is one too many, and a refresh says so', async () => {
    const { slack, call, connect, app } = await start();
    const { url, frames } = await connect();
    const again = new WebSocket(url);
    const status = await new Promise((resolve) =>
      again.once('unexpected-response', (_, response) => resolve(response.statusCode)),
    );
    expect(status).toBe(401);
    for (let count = 1; count < 10; count += 1) await connect();
    const eleventh = new WebSocket(((await call('apps.connections.open', {}, app)).body as { url: string }).url);
    const first = await new Promise((resolve) => eleventh.once('message', (data) => resolve(JSON.parse(String(data)))));
    expect(first).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' });
    slack.disconnect('refresh_requested');
    await vi.waitFor(() => expect(frames.at(-1)).toMatchObject({ type: 'disconnect', reason: 'refresh_requested' }));
  });

  test('an acknowledgement of nothing is a violation', async () => {
    const { slack, connect } = await start();
    const { socket } = await connect();
    socket.send('{"envelope_id":"made-up"}');
    await vi.waitFor(() => expect(slack.violations()).toHaveLength(1));
  });
});

test('a response_url takes five private posts and no more', async () => {
  const { slack, call, connect } = await start();
  const { frames } = await connect();
  await call('chat.postMessage', { channel, text: 'x', blocks: [buttons(button())] });
  await slack.press('U0ADA', slack.messages()[0]?.id ?? '', 'go');
  const { response_url: url } = frames.at(-1)!.payload as { response_url: string };
  const post = async () =>
    (await fetch(url, { method: 'POST', body: JSON.stringify({ text: 'to you &amp; you' }) })).status;
  expect([await post(), await post(), await post(), await post(), await post(), await post()]).toEqual([
    200, 200, 200, 200, 200, 404,
  ]);
  expect(slack.privateNotes('U0ADA')).toEqual(Array(5).fill('to you & you'));
  expect(slack.messages()).toHaveLength(1);
});

test('a movable clock dates the messages, and changes are told', async () => {
  let now = new Date('2026-12-01T12:00:00Z');
  const { slack, call } = await start({ now: () => now });
  let changes = 0;
  const unsubscribe = slack.onChange(() => {
    changes += 1;
  });
  await call('chat.postMessage', { channel, text: 'noon' });
  now = new Date('2026-12-01T13:00:00Z');
  await call('chat.postMessage', { channel, text: 'one' });
  unsubscribe();
  await call('chat.postMessage', { channel, text: 'later' });
  expect(slack.messages().map(({ at }) => at.toISOString().slice(11, 16))).toEqual(['12:00', '13:00', '13:00']);
  expect(changes).toBe(2);
});
