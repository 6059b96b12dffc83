import type { JsonObject } from '../json.ts';
import { bot, type DiscordMessage, type DiscordRoom, type Guild, guildId } from './guild.ts';

/** People and the bot as Discord hands them out. */
export function toUser(guild: Guild, id: string): JsonObject {
  const name = guild.nameOf(id) ?? id;
  return {
    id,
    username: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'),
    global_name: id === bot.userId ? null : name,
    discriminator: id === bot.userId ? '0001' : '0',
    avatar: null,
    public_flags: 0,
    ...(id === bot.userId ? { bot: true } : {}),
  };
}

export function toMember(guild: Guild, id: string): JsonObject {
  return {
    user: toUser(guild, id),
    nick: null,
    avatar: null,
    banner: null,
    roles: [],
    joined_at: '2024-01-01T00:00:00.000000+00:00',
    premium_since: null,
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
    communication_disabled_until: null,
    permissions: '104324673',
  };
}

export function toChannel(guild: Guild, room: DiscordRoom): JsonObject {
  if (room.with !== undefined) {
    return { id: room.id, type: 1, last_message_id: null, flags: 0, recipients: [toUser(guild, room.with)] };
  }
  return {
    id: room.id,
    type: 0,
    guild_id: guildId,
    name: room.name,
    position: 0,
    // Bit 11 is Send Messages (topics/permissions.mdx).
    permission_overwrites: room.writable ? [] : [{ id: guildId, type: 0, allow: '0', deny: '2048' }],
    parent_id: null,
    topic: null,
    nsfw: false,
    rate_limit_per_user: 0,
    last_message_id: null,
    flags: 0,
  };
}

/** Never with `thread: null`: discord.js dies of it. */
export function toMessage(guild: Guild, message: DiscordMessage): JsonObject {
  return {
    id: message.id,
    type: 0,
    channel_id: message.channelId,
    author: toUser(guild, message.authorId),
    ...(message.authorId === bot.userId ? { application_id: bot.applicationId } : {}),
    content: message.content,
    timestamp: message.at.toISOString(),
    edited_timestamp: message.editedAt?.toISOString() ?? null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: message.embeds.map((embed) => ({ type: 'rich', ...embed })),
    components: message.components,
    pinned: false,
    flags: message.onlyFor === undefined ? 0 : 64,
    ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
  };
}
