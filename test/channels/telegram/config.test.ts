import { describe, expect, it } from 'vitest';
import { readTelegramConfig } from '../../../src/channels/telegram/config.ts';

const token = '123456789:AAExample_Example-Example';
const whole = { BECKON_TELEGRAM_TOKEN: token, BECKON_TELEGRAM_CHAT: '-1001234567890' };

describe("Telegram's settings", () => {
  it('none set: no channel', () => {
    expect(readTelegramConfig({ PATH: '/bin', BECKON_TELEGRAM_TOKEN: ' ' })).toEqual({ ok: true, config: null });
  });

  it('reads token, chat, topic, people and address of the API', () => {
    const env = {
      BECKON_TELEGRAM_TOKEN: ` ${token} `,
      BECKON_TELEGRAM_CHAT: '-1001234567890:42',
      BECKON_TELEGRAM_APPROVERS: '12345678, 87654321,12345678',
      BECKON_TELEGRAM_API_URL: 'http://127.0.0.1:8081/base',
    };
    expect(readTelegramConfig(env)).toEqual({
      ok: true,
      config: {
        channel: { token, apiUrl: 'http://127.0.0.1:8081/base' },
        address: { chatId: '-1001234567890', threadId: '42' },
        approvers: ['12345678', '87654321'],
      },
    });
  });

  it('nobody may answer where nobody is named', () => {
    expect(readTelegramConfig(whole)).toMatchObject({ ok: true, config: { approvers: [] } });
  });

  it.each([
    ['BECKON_TELEGRAM_TOKEN', { BECKON_TELEGRAM_CHAT: '1' }, /is missing.*for example 123456789:AA/],
    ['BECKON_TELEGRAM_CHAT', { BECKON_TELEGRAM_TOKEN: token }, /is missing.*-1001234567890/],
    ['BECKON_TELEGRAM_TOKEN', { ...whole, BECKON_TELEGRAM_TOKEN: 'secret-that-is-none' }, /for example/],
    ['BECKON_TELEGRAM_CHAT', { ...whole, BECKON_TELEGRAM_CHAT: '@agents' }, /id of a chat.*for example/],
    ['BECKON_TELEGRAM_APPROVERS', { ...whole, BECKON_TELEGRAM_APPROVERS: '@ada' }, /numeric.*for example/],
    ['BECKON_TELEGRAM_API_URL', { ...whole, BECKON_TELEGRAM_API_URL: 'ftp://x' }, /http.*for example/],
  ])('%s: says what is wrong with an example, never the secret', (name, env, why) => {
    const result = readTelegramConfig(env);
    expect(result.ok).toBe(false);
    const faults = result.ok ? [] : result.faults;
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} `));
    expect(faults[0]).toMatch(why);
    expect(faults[0]).not.toContain('secret-that-is-none');
    expect(faults[0]).not.toContain(token);
  });

  it('tells all faults at once', () => {
    const result = readTelegramConfig({ BECKON_TELEGRAM_CHAT: 'x', BECKON_TELEGRAM_APPROVERS: 'y' });
    expect(result.ok ? [] : result.faults).toHaveLength(3);
  });
});
