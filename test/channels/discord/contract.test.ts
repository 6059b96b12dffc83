import { createDiscordChannel } from '../../../src/channels/discord/channel.ts';
import { createDiscordEmulator } from '../../../src/demo/discord/discord-emulator.ts';
import { describeChannel } from '../../contracts/channel.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const timing = { retryMs: 50, retryMostMs: 300, misconfiguredMs: 200 };

describeChannel('Discord', {
  async start() {
    const chat = await createDiscordEmulator({});
    const { BECKON_DISCORD_TOKEN: token = '', BECKON_DISCORD_CHANNEL: chatId = '' } = chat.environment;
    const channel = createDiscordChannel({ token, apiUrl: chat.apiUrl }, { log, timing });
    return {
      chat,
      channel,
      address: { chatId },
      deleteMessage: (id) => chat.deleteMessage(id),
      pings: () => chat.pings(),
      async stop() {
        await channel.stop();
        await chat.stop();
      },
    };
  },
  withWrongToken: ({ chat }) =>
    createDiscordChannel({ token: 'MTEwMDAwMDAwMDAwMDAwMDAx.Wrong0.wrong', apiUrl: chat.apiUrl }, { log, timing }),
});
