import { Routes } from 'discord.js';
import { z } from 'zod';
import type { ChannelLog } from '../channel-log.ts';
import type { Channel, ChannelAddress, ChannelCheck } from '../contract.ts';
import { createAnswers } from './answers.ts';
import { createApi } from './api.ts';
import type { DiscordConfig } from './config.ts';
import { type Connection, createConnection } from './connection.ts';
import { createPosts } from './posts.ts';
import { toSendError } from './send-errors.ts';
import { type DiscordTiming, defaultTiming } from './timing.ts';

/** Calls under way have this long when the channel stops. */
const settleMs = 2_000;

const botUser = z.object({ username: z.string() });
const room = z.object({ name: z.string().nullish() });

/** Discord over the REST API and the gateway, with discord.js. Makes no connection before `start`, `send` or `check`. */
export function createDiscordChannel(
  config: DiscordConfig,
  deps: { readonly log: ChannelLog; readonly timing?: Partial<DiscordTiming> },
): Channel {
  const { log } = deps;
  const timing = { ...defaultTiming, ...deps.timing };
  const api = createApi({ config, sendMs: timing.sendMs });
  const posts = createPosts({ api });
  let inbound: { readonly connection: Connection; stopAnswers(): void } | null = null;

  const check = async ({ chatId, threadId }: ChannelAddress): Promise<ChannelCheck> => {
    const bot = await api.call((rest, signal) => rest.get(Routes.user('@me'), { signal }), botUser.parse);
    const { name } = await api.call((rest, signal) => rest.get(Routes.channel(threadId ?? chatId), { signal }), room.parse);
    return { ok: true, detail: `@${bot.username} in ${name ? `#${name}` : 'a direct message'}` };
  };

  return {
    // 5 messages in 5 s for one channel (topics/rate-limits.mdx; the bucket's headers say so).
    info: { name: 'discord', title: 'Discord', idempotentSend: true, messagesPerMinute: 60 },
    start(handlers) {
      if (inbound !== null) return;
      const answers = createAnswers({ handlers, timing, log });
      const connection = createConnection({
        config,
        timing,
        log,
        onInteraction: (interaction) => void answers.take(interaction),
        onState: handlers.onState,
      });
      inbound = { connection, stopAnswers: answers.stop };
    },
    async stop() {
      const ending = inbound;
      inbound = null;
      ending?.stopAnswers();
      await ending?.connection.stop();
      await api.settle(settleMs);
    },
    send: (page, address) => posts.post(page, address),
    update: (receipt, page) => posts.edit(receipt, page),
    check: (address) =>
      check(address).catch((error: unknown) => ({ ok: false, detail: toSendError(error, 'Discord').message })),
  };
}
