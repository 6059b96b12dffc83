import { createTelegramChannel } from '../../../src/channels/telegram/channel.ts';
import { createTelegramEmulator } from '../../../src/demo/telegram/telegram-emulator.ts';
import { describeChannel } from '../../contracts/channel.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const timing = { retryMs: 50, retryMostMs: 300, misconfiguredMs: 200, pollSeconds: 5 };

describeChannel('Telegram', {
  async start() {
    const chat = await createTelegramEmulator({});
    const token = chat.environment.BECKON_TELEGRAM_TOKEN ?? '';
    const channel = createTelegramChannel({ token, apiUrl: chat.apiUrl }, { log, timing });
    return {
      chat,
      channel,
      address: { chatId: chat.environment.BECKON_TELEGRAM_CHAT ?? '' },
      deleteMessage: (id) => chat.deleteMessage(id),
      // Telegram text pings only by a mention of an account; ours go to the person spoken to alone.
      pings: () => [],
      async stop() {
        await channel.stop();
        await chat.stop();
      },
    };
  },
  withWrongToken: ({ chat }) =>
    createTelegramChannel({ token: '1:AAwrongwrongwrong', apiUrl: chat.apiUrl }, { log, timing }),
});
