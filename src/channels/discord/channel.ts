import { Routes } from 'discord.js';
import { z } from 'zod';
import type { ChannelLog } from '../channel-log.ts';
import type { Channel, ChannelAddress, ChannelCheck } from '../contract.ts';
import { type Answers, createAnswers } from './answers.ts';
import { createApi } from './api.ts';
import type { DiscordConfig } from './config.ts';
import { type Connection, createConnection } from './connection.ts';
import { createPosts } from './posts.ts';
import { toSendError } from './send-errors.ts';
import { type DiscordTiming, defaultTiming } from './timing.ts';

const me = z.object({ username: z.string() });
const room = z.object({ type: z.number(), name: z.string().optional() });

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

  const check = async ({ chatId, threadId }: ChannelAddress): Promise<ChannelCheck> => {
    const get = (route: `/${string}`) => api.call(timing.sendMs, (rest, signal) => rest.get(route, { signal }));
    const { username } = me.parse(await get(Routes.user()));
    const { type, name } = room.parse(await get(Routes.channel(threadId ?? chatId)));
    if (!messageRooms.has(type)) {
      return { ok: false, detail: `${name ?? chatId} takes no messages (a category or a forum): set a text channel` };
    }
    return { ok: true, detail: `@${username} in ${name === undefined ? 'a direct message' : `#${name}`}` };
  };

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
    check: (address) =>
      check(address).catch((error: unknown) => ({ ok: false, detail: toSendError(error, 'Discord').message })),
  };
}

/** Kinds of channel that take messages (resources/channel.mdx#channel-types): text, direct, voice, news, threads, stage. */
const messageRooms: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 10, 11, 12, 13]);
