import { describe, expect, it } from 'vitest';
import { readDiscordConfig } from '../../../src/channels/discord/config.ts';

const right = {
  BECKON_DISCORD_TOKEN: 'MTEwMDAw.Gabcde.secret_part-of_it',
  BECKON_DISCORD_CHANNEL: '140000000000000001',
  BECKON_DISCORD_APPROVERS: ' 130000000000000001, 130000000000000002,130000000000000001 ',
};

describe('the environment of Discord', () => {
  it('none set: no channel', () => {
    expect(readDiscordConfig({})).toEqual({ ok: true, config: null });
    expect(readDiscordConfig({ BECKON_DISCORD_TOKEN: ' ' })).toEqual({ ok: true, config: null });
  });

  it('is read whole', () => {
    expect(readDiscordConfig({ ...right, BECKON_DISCORD_API_URL: 'http://127.0.0.1:1/api/' })).toEqual({
      ok: true,
      config: {
        channel: { token: right.BECKON_DISCORD_TOKEN, apiUrl: 'http://127.0.0.1:1/api' },
        address: { chatId: '140000000000000001' },
        approvers: ['130000000000000001', '130000000000000002'],
      },
    });
    const { BECKON_DISCORD_APPROVERS: _, ...nobody } = right;
    expect(readDiscordConfig(nobody)).toMatchObject({ config: { approvers: [] } });
    expect(readDiscordConfig({ ...right, BECKON_DISCORD_TOKEN: `Bot ${right.BECKON_DISCORD_TOKEN}` })).toMatchObject({
      config: { channel: { token: right.BECKON_DISCORD_TOKEN } },
    });
  });

  it.each([
    ['BECKON_DISCORD_TOKEN', 'secret-without-dots'],
    ['BECKON_DISCORD_TOKEN', undefined],
    ['BECKON_DISCORD_CHANNEL', '#agents'],
    ['BECKON_DISCORD_CHANNEL', undefined],
    ['BECKON_DISCORD_APPROVERS', 'ada#1234'],
    ['BECKON_DISCORD_API_URL', 'discord.com'],
  ])('%s=%s is a fault with an example, and without the secret', (name, value) => {
    const result = readDiscordConfig({ ...right, [name]: value });
    if (result.ok) throw new Error('expected a fault');
    expect(result.faults).toHaveLength(1);
    expect(result.faults[0]).toMatch(new RegExp(`^${name} .*for example \\S+`));
    expect(result.faults.join()).not.toMatch(/secret-without|secret_part/);
  });

  it('tells every fault at once', () => {
    expect(readDiscordConfig({ BECKON_DISCORD_APPROVERS: 'x', BECKON_DISCORD_API_URL: 'y' })).toMatchObject({
      ok: false,
      faults: { length: 4 },
    });
  });
});
