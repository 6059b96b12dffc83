import type { ChannelLog } from '../channel-log.ts';
import type { Channel, ChannelAddress, ChannelCheck } from '../contract.ts';
import { createAnswers } from './answers.ts';
import type { SlackConfig } from './config.ts';
import { type Connection, createConnection } from './connection.ts';
import { createPosts } from './posts.ts';
import { toSendError } from './send-errors.ts';
import { defaultTiming, type SlackTiming } from './timing.ts';
import { createWeb } from './web.ts';

/** Calls under way have this long when the channel stops. */
const settleMs = 2_000;

/** Slack over the Web API and Socket Mode, with Bolt. Makes no connection before `start`, `send` or `check`. */
export function createSlackChannel(
  config: SlackConfig,
  deps: { readonly log: ChannelLog; readonly timing?: Partial<SlackTiming> },
): Channel {
  const { log } = deps;
  const timing = { ...defaultTiming, ...deps.timing };
  const web = createWeb({ config, timeoutMs: timing.sendMs, log });
  const posts = createPosts({ web, sendMs: timing.sendMs, log, startedAt: new Date() });
  let inbound: { readonly connection: Connection; stopAnswers(): void } | null = null;

  const check = async ({ chatId }: ChannelAddress): Promise<ChannelCheck> => {
    const bot = await web.call(timing.sendMs, (client) => client.auth.test());
    const { channel } = await web.call(timing.sendMs, (client) => client.conversations.info({ channel: chatId }));
    const where = channel?.is_im ? 'a direct message' : `#${channel?.name ?? chatId}`;
    if (channel?.is_archived)
      return { ok: false, detail: `${where} is archived: unarchive it or choose another channel` };
    if (channel?.is_member === false && !channel.is_im) {
      return { ok: false, detail: `@${bot.user} is not in ${where}: write "/invite @${bot.user}" there` };
    }
    return { ok: true, detail: `@${bot.user} in ${where}` };
  };

  return {
    info: { name: 'slack', title: 'Slack', idempotentSend: false, messagesPerMinute: 60 },
    start(handlers) {
      if (inbound !== null) return;
      const answers = createAnswers({ handlers, web, timing, log });
      const connection = createConnection({
        config,
        web,
        timing,
        log,
        listen: answers.listen,
        onState: handlers.onState,
      });
      inbound = { connection, stopAnswers: answers.stop };
    },
    async stop() {
      const ending = inbound;
      inbound = null;
      ending?.stopAnswers();
      await ending?.connection.stop();
      await web.settle(settleMs);
    },
    send: (page, address) => posts.post(page, address),
    update: (receipt, page) => posts.edit(receipt, page),
    check: (address) =>
      check(address).catch((error: unknown) => ({ ok: false, detail: toSendError(error, 'Slack').message })),
  };
}
