import type { ChannelLog } from '../channel-log.ts';
import type { Channel } from '../contract.ts';
import { type Answers, createAnswers } from './answers.ts';
import { createApi } from './api.ts';
import { checkAddress } from './check.ts';
import type { DiscordConfig } from './config.ts';
import { type Connection, createConnection } from './connection.ts';
import { createPosts } from './posts.ts';
import { type DiscordTiming, defaultTiming } from './timing.ts';

/** Calls and replies under way have this long when the channel stops. */
const settleMs = 1_000;

/** Discord over its REST API and its gateway, with discord.js. Makes no connection before `start`, `send` or `check`. */
export function createDiscordChannel(
  config: DiscordConfig,
  deps: { readonly log: ChannelLog; readonly timing?: Partial<DiscordTiming> },
): Channel {
  const { log } = deps;
  const timing = { ...defaultTiming, ...deps.timing };
  const api = createApi({ config, timeoutMs: timing.sendMs });
  const posts = createPosts({ api, sendMs: timing.sendMs, log });
  let inbound: { readonly connection: Connection; readonly answers: Answers } | null = null;

  return {
    info: { name: 'discord', title: 'Discord', idempotentSend: true, messagesPerMinute: 60 },
    start(handlers) {
      if (inbound !== null) return;
      const answers = createAnswers({ handlers, timing, log });
      const connection = createConnection({
        config,
        timing,
        log,
        onInteraction: answers.receive,
        onState: handlers.onState,
      });
      inbound = { connection, answers };
    },
    async stop() {
      const ending = inbound;
      inbound = null;
      await ending?.answers.stop(settleMs);
      await ending?.connection.stop();
      await api.settle(settleMs);
    },
    send: (page, address) => posts.post(page, address),
    update: (receipt, page) => posts.edit(receipt, page),
    check: (address) => checkAddress(address, { api, sendMs: timing.sendMs }),
  };
}
