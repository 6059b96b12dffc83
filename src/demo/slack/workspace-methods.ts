import { toObject, toObjects, toText } from '../json.ts';
import { toPayload } from './chat-methods.ts';
import { fail, type Method } from './method.ts';
import { checkView } from './view-rules.ts';
import { bot, team } from './workspace.ts';

export const authTest: Method = () => ({
  ok: true,
  url: `https://${team.domain}.slack.com/`,
  team: team.name,
  team_id: team.id,
  user: bot.handle,
  user_id: bot.userId,
  bot_id: bot.botId,
  is_enterprise_install: false,
});

export const openConnection: Method = (_args, { sockets, socketBase }) => ({
  ok: true,
  url: sockets.issueUrl(socketBase),
});

export const openConversation: Method = (args, { workspace }) => {
  const user = toText(args.users);
  if (workspace.nameOf(user) === null) return fail('user_not_found');
  return { ok: true, channel: { id: workspace.openRoomWith(user).id } };
};

export const conversationInfo: Method = (args, { workspace }) => {
  const room = workspace.rooms.get(toText(args.channel));
  if (room === undefined) return fail('channel_not_found');
  return {
    ok: true,
    channel: {
      id: room.id,
      name: room.name,
      is_channel: room.with === undefined,
      is_im: room.with !== undefined,
      is_member: room.members.has(bot.userId),
      is_archived: room.archived,
      ...(room.with === undefined ? {} : { user: room.with }),
    },
  };
};

/** conversations.history and conversations.replies: newest first, or oldest first within a thread. */
export const conversationHistory: Method = (args, { workspace }) => {
  const room = workspace.rooms.get(toText(args.channel));
  if (room === undefined) return fail('channel_not_found');
  if (!room.members.has(bot.userId)) return fail('not_in_channel');
  const thread = toText(args.ts);
  const oldest = Number(args.oldest ?? 0);
  const limit = Math.min(999, Number(args.limit ?? 100));
  const found = workspace
    .messagesIn(room.id)
    .filter((message) => Number(message.ts) > oldest)
    .filter(({ ts, threadTs }) => (thread === '' ? threadTs === undefined : ts === thread || threadTs === thread));
  const page = thread === '' ? found.reverse().slice(0, limit) : found.slice(0, limit);
  const withMetadata = String(args.include_all_metadata) === 'true';
  return {
    ok: true,
    messages: page.map((message) => ({
      ...toPayload(message),
      ...(withMetadata && message.metadata !== null ? { metadata: message.metadata } : {}),
    })),
    has_more: found.length > page.length,
  };
};

export const userInfo: Method = (args, { workspace }) => {
  const id = toText(args.user);
  const name = workspace.nameOf(id);
  if (name === null) return fail('user_not_found');
  return {
    ok: true,
    user: {
      id,
      team_id: team.id,
      name: toHandle(name),
      real_name: name,
      profile: { real_name: name, display_name: '' },
      is_bot: id === bot.userId,
    },
  };
};

export const openView: Method = (args, { workspace, views }) => {
  const view = toObject(args.view);
  const faults = checkView(view);
  if (faults.length > 0) {
    workspace.violate(`views.open: ${faults.join('; ')}`);
    return fail('invalid_arguments', faults);
  }
  const trigger = views.useTrigger(toText(args.trigger_id));
  if ('error' in trigger) return fail(trigger.error);
  const blocks = toObjects(view.blocks).map((block, index) => ({
    ...block,
    block_id: block.block_id ?? `v${index}`,
  }));
  const row = views.open(trigger.userId, { ...view, blocks });
  workspace.changed();
  return { ok: true, view: { ...row.view, id: row.id, team_id: team.id, hash: row.hash, state: { values: {} } } };
};

/** `Ada Lovelace` as Slack's user name. */
export function toHandle(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.');
}
