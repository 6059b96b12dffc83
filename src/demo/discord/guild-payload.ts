import type { JsonObject } from '../json.ts';
import { guildId } from './guild.ts';

/** The server as GUILD_CREATE shows it. Its roles carry `colors`, without which oceanic.js throws. */
export function toGuildPayload(): JsonObject {
  return {
    id: guildId,
    name: 'Demo',
    unavailable: false,
    roles: [
      {
        id: guildId,
        name: '@everyone',
        permissions: '0',
        position: 0,
        color: 0,
        colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
        hoist: false,
        managed: false,
        mentionable: false,
        flags: 0,
      },
    ],
    channels: [],
    members: [],
    threads: [],
    emojis: [],
    stickers: [],
    features: [],
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
    member_count: 4,
    owner_id: '0',
    joined_at: '2024-01-01T00:00:00.000000+00:00',
    large: false,
  };
}
