import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiscordEmulator, type DiscordEmulator } from '../../../src/demo/discord/discord-emulator.ts';
import { createRawBot } from './raw-bot.ts';

let chat: DiscordEmulator;
let bot: ReturnType<typeof createRawBot>;
beforeEach(async () => {
  chat = await createDiscordEmulator({});
  bot = createRawBot(chat);
});
afterEach(() => chat.stop());

const button = (id: string, more: object = {}) => ({ type: 2, style: 2, label: 'B', custom_id: id, ...more });
const rows = (...lists: object[][]) => lists.map((components) => ({ type: 1, components }));
const embed = (more: object) => ({ embeds: [more] });
const field = (value: string, name = 'n') => ({ name, value });

describe('messages', () => {
  it.each([
    ['content', { content: 'x'.repeat(2_001) }],
    ['embeds.0.title', embed({ title: 'x'.repeat(257) })],
    ['embeds.0.description', embed({ description: 'x'.repeat(4_097) })],
    ['embeds.0.fields.0.name', embed({ fields: [field('v', 'x'.repeat(257))] })],
    ['embeds.0.fields.1.value', embed({ fields: [field('v'), field('x'.repeat(1_025))] })],
    ['embeds.0.fields.0.value', embed({ fields: [field('  ')] })],
    ['embeds.0.fields', embed({ fields: Array.from({ length: 26 }, () => field('v')) })],
    ['embeds.0.footer.text', embed({ footer: { text: 'x'.repeat(2_049) } })],
    ['embeds', { embeds: [{ description: 'x'.repeat(4_000) }, { description: 'x'.repeat(2_001) }] }],
    ['components.0.components.0.label', { components: rows([button('a', { label: 'x'.repeat(81) })]) }],
    ['components.0.components.0.custom_id', { components: rows([button('x'.repeat(101))]) }],
    ['components.0.components.0.custom_id', { components: rows([button('')]) }],
    ['components.1.components.0.custom_id', { components: rows([button('a')], [button('a')]) }],
    ['components.0.components', { components: rows(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => button(id))) }],
    ['components', { components: rows(...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [button(id)])) }],
    [
      'components.0.components.0.url',
      { components: rows([{ type: 2, style: 5, label: 'L', url: 'javascript:alert(1)' }]) },
    ],
    ['nonce', { content: 'x', nonce: 'x'.repeat(26) }],
  ])('are refused with the path %s', async (path, body) => {
    const answer = await bot.post(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 50035, message: 'Invalid Form Body' });
    expect(answer.body).toHaveProperty(`errors.${path}._errors`);
    expect(chat.messages()).toEqual([]);
    expect(chat.violations()).toHaveLength(1);
  });

  it('of exactly the limits are taken, counted in UTF-16 units', async () => {
    const answer = await bot.post({
      content: '😀'.repeat(1_000),
      embeds: [{ description: 'x'.repeat(4_096) }, { description: 'x'.repeat(1_904) }],
    });
    expect(answer.status).toBe(200);
    expect((await bot.post({ content: `${'😀'.repeat(1_000)}x` })).status).toBe(400);
  });

  it('that show nothing are refused', async () => {
    expect(await bot.post({ content: '  ' })).toMatchObject({ status: 400, body: { code: 50006 } });
  });

  it('with the same nonce are one where that is asked for', async () => {
    const [one, two] = [
      await bot.post({ content: 'a', nonce: 'n', enforce_nonce: true }),
      await bot.post({ content: 'b', nonce: 'n', enforce_nonce: true }),
    ];
    expect(two.body).toMatchObject({ id: (one.body as { id: string }).id, content: 'a' });
    await bot.post({ content: 'c', nonce: 'n' });
    expect(chat.messages()).toHaveLength(2);
  });

  it('notify everybody they name unless told otherwise, and never from an embed', async () => {
    const [ada = { id: '' }] = chat.people;
    const content = `@everyone <@${ada.id}> <@&120000000000000001> \\@here \`<@${ada.id}>\``;
    await bot.post({ content: 'embed', embeds: [{ description: content }] });
    await bot.post({ content, allowed_mentions: { parse: [] } });
    expect(chat.pings()).toEqual([]);
    await bot.post({ content, allowed_mentions: { parse: ['users'] } });
    expect(chat.pings().map((ping) => ping.who)).toEqual([ada.id]);
    await bot.post({ content });
    expect(chat.pings().map((ping) => ping.who)).toEqual([ada.id, '@everyone', ada.id, '&120000000000000001']);
  });

  it('are edited in what is named alone; those of others and deleted ones are refused', async () => {
    const posted = (await bot.post({ content: 'a', components: rows([button('x')]) })).body as { id: string };
    const path = `/channels/${bot.channel}/messages/${posted.id}`;
    expect((await bot.call('PATCH', path, { content: 'b' })).status).toBe(200);
    expect(chat.messages()[0]).toMatchObject({ text: 'b', edited: true, buttons: [{ id: 'x' }] });
    await bot.call('PATCH', path, { components: [] });
    expect(chat.messages()[0]?.buttons).toEqual([]);
    expect((await bot.call('GET', path)).body).toMatchObject({ content: 'b' });
    await chat.write(chat.people[0]?.id ?? '', 'mine', posted.id);
    const theirs = chat.messages()[1];
    expect(theirs?.replyTo).toBe(posted.id);
    expect(await bot.call('PATCH', `/channels/${bot.channel}/messages/${theirs?.id}`, { content: 'x' })).toMatchObject({
      status: 403,
      body: { code: 50005 },
    });
    chat.deleteMessage(posted.id);
    expect(await bot.call('PATCH', path, { content: 'c' })).toMatchObject({ status: 404, body: { code: 10008 } });
  });

  it('need access', async () => {
    chat.setAccess({ writable: false });
    expect(await bot.post({ content: 'a' })).toMatchObject({ status: 403, body: { code: 50013 } });
    chat.setAccess({ visible: false });
    expect(await bot.post({ content: 'a' })).toMatchObject({ status: 403, body: { code: 50001 } });
    expect(await bot.call('GET', '/channels/1')).toMatchObject({ status: 404, body: { code: 10003 } });
  });

  it('go to a person directly', async () => {
    const [ada = { id: '' }] = chat.people;
    const room = (await bot.call('POST', '/users/@me/channels', { recipient_id: ada.id })).body as { id: string };
    await bot.call('POST', `/channels/${room.id}/messages`, { content: 'hello' });
    expect(chat.messagesIn(room.id).map((message) => message.text)).toEqual(['hello']);
    expect(chat.messages()).toEqual([]);
  });
});

describe('every call', () => {
  it('needs the token', async () => {
    const answer = await bot.call('GET', '/users/@me', undefined, { authorization: 'Bot wrong' });
    expect(answer).toMatchObject({ status: 401, body: { message: '401: Unauthorized', code: 0 } });
  });

  it('that nobody knows is a violation', async () => {
    expect((await bot.call('DELETE', '/guilds/1')).status).toBe(404);
    expect(chat.violations()).toEqual(['unknown call DELETE /api/v10/guilds/1']);
  });

  it('carries its bucket, which is real', async () => {
    const tight = await createDiscordEmulator({ rates: { posts: 2, perMs: 60_000 } });
    const other = createRawBot(tight);
    try {
      const first = await other.post({ content: '1' });
      expect(first.headers.get('x-ratelimit-limit')).toBe('2');
      expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
      expect(first.headers.get('x-ratelimit-bucket')).not.toBeNull();
      await other.post({ content: '2' });
      const third = await other.post({ content: '3' });
      expect(third).toMatchObject({ status: 429, body: { global: false } });
      expect((third.body as { retry_after: number }).retry_after).toBeGreaterThan(50);
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(50);
      expect((await other.call('GET', `/channels/${other.channel}`)).status).toBe(200);
    } finally {
      await tight.stop();
    }
  });

  it('goes wrong as told, once', async () => {
    const route = 'POST /channels/:id/messages';
    chat.faults.next(route, 1, { kind: 'rate_limited', retryAfterSeconds: 1.5, global: true });
    const limited = await bot.post({ content: 'a' });
    expect(limited).toMatchObject({ status: 429, body: { retry_after: 1.5, global: true } });
    expect(limited.headers.get('x-ratelimit-global')).toBe('true');
    chat.faults.next(route, 1, { kind: 'drop_before' });
    await expect(bot.post({ content: 'b' })).rejects.toThrow();
    chat.faults.next(route, 1, { kind: 'drop_after' });
    await expect(bot.post({ content: 'c' })).rejects.toThrow();
    expect(chat.messages().map((message) => message.text)).toEqual(['c']);
    chat.faults.next('*', 1, { kind: 'delay', ms: 50 });
    const began = performance.now();
    await bot.post({ content: 'd' });
    expect(performance.now() - began).toBeGreaterThan(45);
  });
});
