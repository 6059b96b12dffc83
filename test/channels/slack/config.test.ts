import { expect, test } from 'vitest';
import { readSlackConfig } from '../../../src/channels/slack/config.ts';

const right = {
  BECKON_SLACK_BOT_TOKEN: 'xoxb-1-secret',
  BECKON_SLACK_APP_TOKEN: 'xapp-1-A0-secret',
  BECKON_SLACK_CHANNEL: 'C012AB3CD',
};

test('none of the variables: no Slack', () => {
  expect(readSlackConfig({})).toEqual({ ok: true, config: null });
  expect(readSlackConfig({ BECKON_SLACK_BOT_TOKEN: '', PATH: '/bin' })).toEqual({ ok: true, config: null });
});

test('all of them', () => {
  const env = {
    ...right,
    BECKON_SLACK_APPROVERS: 'U012AB, W045EF,U012AB',
    BECKON_SLACK_API_URL: 'http://127.0.0.1:1/api/',
  };
  expect(readSlackConfig(env)).toEqual({
    ok: true,
    config: {
      channel: { botToken: 'xoxb-1-secret', appToken: 'xapp-1-A0-secret', apiUrl: 'http://127.0.0.1:1/api/' },
      address: { chatId: 'C012AB3CD' },
      approvers: ['U012AB', 'W045EF'],
    },
  });
});

test('without approvers nobody may answer', () => {
  expect(readSlackConfig(right)).toMatchObject({ ok: true, config: { approvers: [] } });
});

test('every fault at once, each with its variable and a right value, none with a secret', () => {
  const result = readSlackConfig({
    BECKON_SLACK_BOT_TOKEN: 'xapp-1-A0-secret',
    BECKON_SLACK_CHANNEL: '#general',
    BECKON_SLACK_APPROVERS: 'ada@example.com',
    BECKON_SLACK_API_URL: 'slack.com',
  });
  expect(result).toEqual({
    ok: false,
    faults: [
      'BECKON_SLACK_BOT_TOKEN must be a bot token that starts with xoxb-, for example xoxb-123-456-abc',
      expect.stringMatching(/^BECKON_SLACK_APP_TOKEN is missing: .*for example xapp-/),
      'BECKON_SLACK_CHANNEL must be the id of a channel, not its name, for example C012AB3CD',
      expect.stringMatching(/^BECKON_SLACK_APPROVERS must be Slack member ids .*for example U012AB3CD/),
      'BECKON_SLACK_API_URL must be an http or https address, for example https://slack.com/api/',
    ],
  });
  expect(JSON.stringify(result)).not.toContain('secret');
});
