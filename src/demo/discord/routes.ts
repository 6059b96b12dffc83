import { toText } from '../json.ts';
import { bot, guildId } from './guild.ts';
import { deleteOriginal, editOriginal, followUp, getOriginal, respond } from './interaction-routes.ts';
import { createMessage, editMessage, getMessage, listMessages } from './message-routes.ts';
import { toChannel, toMember, toUser } from './payloads.ts';
import { ok, openRoom, type Route, refuse } from './route.ts';

export interface RouteEntry {
  readonly name: string;
  /** `open`: the interaction's token in the path is the only key. */
  readonly key: 'bot' | 'open';
  readonly run: Route;
}

const getGateway: Route = (_call, { gatewayUrl }) =>
  ok({
    url: gatewayUrl,
    shards: 1,
    session_start_limit: { total: 1_000, remaining: 999, reset_after: 86_400_000, max_concurrency: 1 },
  });

const getMe: Route = (_call, { guild }) =>
  ok({ ...toUser(guild, bot.userId), verified: true, mfa_enabled: false, email: null, flags: 0 });

const getChannel: Route = ({ ids: [id = ''] }, context) => {
  const room = openRoom(id, context, 'read');
  return 'status' in room ? room : ok(toChannel(context.guild, room));
};

const openDirect: Route = ({ body }, { guild }) => {
  const id = toText(body.recipient_id);
  if (guild.nameOf(id) === null || id === bot.userId) return refuse(400, 50033, 'Invalid Recipient(s)');
  return ok(toChannel(guild, guild.openRoomWith(id)));
};

const getMember: Route = ({ ids: [guild = '', user = ''] }, context) => {
  if (guild !== guildId || context.guild.nameOf(user) === null) return refuse(404, 10007, 'Unknown Member');
  return ok(toMember(context.guild, user));
};

/** Bits 10, 11 and 14: View Channel, Send Messages, Embed Links. */
const getRoles: Route = ({ ids: [guild = ''] }) =>
  guild === guildId
    ? ok([{ id: guildId, name: '@everyone', permissions: '19456', position: 0 }])
    : refuse(404, 10004, 'Unknown Guild');

/** Every call that the emulator knows. Names are those of the fault knobs. */
export const routes: readonly RouteEntry[] = [
  { name: 'GET /gateway/bot', key: 'bot', run: getGateway },
  { name: 'GET /users/@me', key: 'bot', run: getMe },
  { name: 'POST /users/@me/channels', key: 'bot', run: openDirect },
  { name: 'GET /channels/:id', key: 'bot', run: getChannel },
  { name: 'GET /guilds/:id/members/:id', key: 'bot', run: getMember },
  { name: 'GET /guilds/:id/roles', key: 'bot', run: getRoles },
  { name: 'POST /channels/:id/messages', key: 'bot', run: createMessage },
  { name: 'GET /channels/:id/messages', key: 'bot', run: listMessages },
  { name: 'GET /channels/:id/messages/:id', key: 'bot', run: getMessage },
  { name: 'PATCH /channels/:id/messages/:id', key: 'bot', run: editMessage },
  { name: 'POST /interactions/:id/:token/callback', key: 'open', run: respond },
  { name: 'POST /webhooks/:id/:token', key: 'open', run: followUp },
  { name: 'GET /webhooks/:id/:token/messages/@original', key: 'open', run: getOriginal },
  { name: 'PATCH /webhooks/:id/:token/messages/@original', key: 'open', run: editOriginal },
  { name: 'DELETE /webhooks/:id/:token/messages/@original', key: 'open', run: deleteOriginal },
];

export function findRoute(
  method: string,
  path: string,
): { readonly route: RouteEntry; readonly ids: readonly string[] } | null {
  const decoded = decode(path);
  for (const route of routes) {
    const [verb, template = ''] = route.name.split(' ');
    if (verb !== method) continue;
    const match = new RegExp(`^${template.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(decoded);
    if (match !== null) return { route, ids: match.slice(1) };
  }
  return null;
}

/** discord.js writes `@original` as `%40original`. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
