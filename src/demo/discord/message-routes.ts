import { type JsonObject, toObjects, toText } from '../json.ts';
import { createFormFaults } from './form-faults.ts';
import { bot, type Guild, type MessageBody } from './guild.ts';
import { checkMessage, isEmptyMessage } from './message-rules.ts';
import { toMessage } from './payloads.ts';
import { ok, openRoom, type Route, type RouteAnswer, refuse } from './route.ts';

export const createMessage: Route = ({ ids: [channelId = ''], body }, context) => {
  const { guild } = context;
  const room = openRoom(channelId, context, 'write');
  if ('status' in room) return room;
  const refused =
    checkBody(guild, body) ?? (isEmptyMessage(body) ? refuse(400, 50006, 'Cannot send an empty message') : null);
  if (refused !== null) return refused;
  const nonce = body.nonce === undefined ? undefined : String(body.nonce);
  if (nonce !== undefined && body.enforce_nonce === true) {
    const earlier = guild.findByNonce(channelId, nonce);
    if (earlier !== null) return ok(toMessage(guild, earlier));
  }
  const message = guild.post(
    {
      channelId,
      authorId: bot.userId,
      loading: false,
      ...readBody(body),
      ...(nonce === undefined ? {} : { nonce }),
    },
    body.allowed_mentions,
  );
  return ok(toMessage(guild, message));
};

export const editMessage: Route = ({ ids: [channelId = '', messageId = ''], body }, context) => {
  const { guild } = context;
  const room = openRoom(channelId, context, 'read');
  if ('status' in room) return room;
  const message = guild.find(channelId, messageId);
  if (message === null || message.onlyFor !== undefined) return refuse(404, 10008, 'Unknown Message');
  if (message.authorId !== bot.userId) return refuse(403, 50005, 'Cannot edit a message authored by another user');
  const refused = checkBody(guild, body);
  if (refused !== null) return refused;
  guild.edit(message, readChange(body), body.allowed_mentions);
  return ok(toMessage(guild, message));
};

export const getMessage: Route = ({ ids: [channelId = '', messageId = ''] }, context) => {
  const room = openRoom(channelId, context, 'read');
  if ('status' in room) return room;
  const message = context.guild.find(channelId, messageId);
  return message === null ? refuse(404, 10008, 'Unknown Message') : ok(toMessage(context.guild, message));
};

export const listMessages: Route = ({ ids: [channelId = ''], query }, context) => {
  const room = openRoom(channelId, context, 'read');
  if ('status' in room) return room;
  const limit = Math.min(100, Number(query.get('limit') ?? 50));
  const newest = [...context.guild.messagesIn(channelId)].reverse().slice(0, limit);
  return ok(newest.map((message) => toMessage(context.guild, message)));
};

/** Null when the body is good. What is wrong with it is kept as a violation. */
export function checkBody(guild: Guild, body: JsonObject): RouteAnswer | null {
  const faults = createFormFaults();
  checkMessage(faults, body);
  const invalid = faults.toBody();
  if (invalid === null) return null;
  guild.violate(`message refused: ${faults.list().join('; ')}`);
  return { status: 400, body: invalid };
}

export function readBody(body: JsonObject): MessageBody {
  return { content: toText(body.content), embeds: toObjects(body.embeds), components: toObjects(body.components) };
}

/** An edit changes only what it names. */
export function readChange(body: JsonObject): Partial<MessageBody> {
  return {
    ...(body.content === undefined ? {} : { content: toText(body.content) }),
    ...(body.embeds === undefined ? {} : { embeds: toObjects(body.embeds) }),
    ...(body.components === undefined ? {} : { components: toObjects(body.components) }),
  };
}
