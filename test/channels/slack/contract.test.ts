import { createSlackChannel } from '../../../src/channels/slack/channel.ts';
import { createSlackEmulator } from '../../../src/demo/slack/slack-emulator.ts';
import { describeChannel } from '../../contracts/channel.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const timing = { retryMs: 50, retryMostMs: 300, misconfiguredMs: 200 };

describeChannel('Slack', {
  async start() {
    const chat = await createSlackEmulator({});
    const { BECKON_SLACK_BOT_TOKEN: botToken = '', BECKON_SLACK_APP_TOKEN: appToken = '' } = chat.environment;
    const channel = createSlackChannel({ botToken, appToken, apiUrl: chat.apiUrl }, { log, timing });
    return {
      chat,
      channel,
      address: { chatId: chat.environment.BECKON_SLACK_CHANNEL ?? '' },
      deleteMessage: (id) => chat.deleteMessage(id),
      pings: () => chat.pings(),
      async stop() {
        await channel.stop();
        await chat.stop();
      },
    };
  },
  withWrongToken: ({ chat }) =>
    createSlackChannel({ botToken: 'xoxb-wrong', appToken: 'xapp-wrong', apiUrl: chat.apiUrl }, { log, timing }),
});
