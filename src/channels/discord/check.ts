import { Routes } from 'discord.js';
import { z } from 'zod';
import type { ChannelAddress, ChannelCheck } from '../contract.ts';
import type { Api } from './api.ts';
import { findMissing, memberShape, overwritesShape, rolesShape } from './permissions.ts';
import { toSendError } from './send-errors.ts';

const me = z.object({ id: z.string(), username: z.string() });
const room = z.object({
  type: z.number(),
  name: z.string().nullish(),
  guild_id: z.string().optional(),
  permission_overwrites: overwritesShape,
});

/** Kinds of channel that take messages (resources/channel.mdx#channel-types): text, direct, voice, news, threads, stage. */
const messageRooms: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 10, 11, 12, 13]);
/** Threads follow the permissions of the channel above them. */
const threads: ReadonlySet<number> = new Set([10, 11, 12]);

/** Who the bot is and whether it can post at the address. Posts nothing; never throws. */
export async function checkAddress(
  address: ChannelAddress,
  deps: { readonly api: Api; readonly sendMs: number },
): Promise<ChannelCheck> {
  const { chatId, threadId } = address;
  const get = (route: `/${string}`) => deps.api.call(deps.sendMs, (rest, signal) => rest.get(route, { signal }));
  try {
    const bot = me.parse(await get(Routes.user()));
    const found = room.parse(await get(Routes.channel(threadId ?? chatId)));
    const where = found.name ? `#${found.name}` : 'a direct message';
    if (!messageRooms.has(found.type)) {
      return { ok: false, detail: `${where} takes no messages (a category or a forum): set a text channel` };
    }
    const { guild_id: guildId } = found;
    if (guildId !== undefined && !threads.has(found.type)) {
      const { roles: memberRoles } = memberShape.parse(await get(Routes.guildMember(guildId, bot.id)));
      const roles = rolesShape.parse(await get(Routes.guildRoles(guildId)));
      const overwrites = found.permission_overwrites;
      const missing = findMissing({ guildId, botId: bot.id, roles, memberRoles, overwrites });
      if (missing.length > 0) {
        return { ok: false, detail: `@${bot.username} lacks ${missing.join(', ')} in ${where}: grant it there` };
      }
    }
    return { ok: true, detail: `@${bot.username} in ${where}` };
  } catch (error) {
    return { ok: false, detail: toSendError(error, 'Discord').message };
  }
}
