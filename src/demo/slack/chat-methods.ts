import { randomBytes } from 'node:crypto';
import { isObject, type JsonObject, toObjects, toText } from '../json.ts';
import { checkBlocks, mostBlockText } from './block-rules.ts';
import { fail, type Method, type MethodContext, type Refusal } from './method.ts';
import { bot, type SlackMessage, type SlackRoom } from './workspace.ts';

/** Text longer than this is refused; Slack's documentation says truncated over 40,000. */
const mostText = 40_000;

export const postMessage: Method = (args, context) => {
  const { workspace } = context;
  const room = roomOf(toText(args.channel), context);
  if ('ok' in room) return room;
  const content = readContent(args, context);
  if ('ok' in content) return content;
  const metadata = readMetadata(args.metadata);
  if (metadata === 'invalid') return fail('invalid_metadata_format');
  const { thread_ts: thread } = args;
  const message = workspace.post({
    channel: room.id,
    author: bot.userId,
    ...content,
    metadata,
    ...(typeof thread === 'string' ? { threadTs: thread } : {}),
  });
  return { ok: true, channel: room.id, ts: message.ts, message: toPayload(message) };
};

export const update: Method = (args, context) => {
  const { workspace } = context;
  const room = roomOf(toText(args.channel), context);
  if ('ok' in room) return room;
  const message = workspace.find(room.id, toText(args.ts));
  if (message === null) return fail('message_not_found');
  if (message.author !== bot.userId) return fail('cant_update_message');
  const content = readContent(args, context);
  if ('ok' in content) return content;
  const metadata = readMetadata(args.metadata);
  if (metadata === 'invalid') return fail('invalid_metadata_format');
  workspace.edit(message, { ...content, metadata: metadata ?? message.metadata });
  return { ok: true, channel: room.id, ts: message.ts, text: message.text, message: toPayload(message) };
};

export const postEphemeral: Method = (args, context) => {
  const { workspace } = context;
  const room = roomOf(toText(args.channel), context);
  if ('ok' in room) return room;
  const user = toText(args.user);
  if (!room.members.has(user)) return fail('user_not_in_channel');
  const content = readContent(args, context);
  if ('ok' in content) return content;
  const shown = workspace.draw({
    ...content,
    channel: room.id,
    ts: '0',
    author: bot.userId,
    metadata: null,
    edited: false,
  });
  workspace.note(user, shown.text);
  return { ok: true, message_ts: `${Date.now() / 1_000}` };
};

/** A message as Slack hands it out. */
export function toPayload(message: SlackMessage): JsonObject {
  const byBot = message.author === bot.userId;
  return {
    type: 'message',
    user: message.author,
    ...(byBot ? { bot_id: bot.botId, app_id: bot.appId } : {}),
    ts: message.ts,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    text: message.text,
    blocks: message.blocks,
    ...(message.edited ? { edited: { user: bot.botId, ts: message.ts } } : {}),
  };
}

/** Checks text and blocks as chat.postMessage does and gives every block and element an id. */
export function readContent(
  args: JsonObject,
  { workspace }: Pick<MethodContext, 'workspace'>,
): Pick<SlackMessage, 'text' | 'blocks'> | Refusal {
  const text = toText(args.text);
  const { blocks } = args;
  if (text === '' && (blocks === undefined || (Array.isArray(blocks) && blocks.length === 0))) return refuse('no_text');
  if (text.length > mostText) return refuse('msg_too_long');
  if (blocks === undefined) return { text, blocks: [] };
  const faults = checkBlocks(blocks, 'message');
  if (faults.length > 0) return refuse('invalid_blocks', faults);
  const named = withIds(toObjects(blocks));
  if (workspace.draw(draft(text, named)).text.length > mostBlockText) return refuse('msg_blocks_too_long');
  return { text, blocks: named };

  function refuse(error: string, details: readonly string[] = []): Refusal {
    workspace.violate(`${error}${details.length === 0 ? '' : `: ${details.join('; ')}`}`);
    return fail(error, details);
  }
}

function draft(text: string, blocks: readonly JsonObject[]): SlackMessage {
  return { channel: '', ts: '0', author: bot.userId, text, blocks, metadata: null, edited: false };
}

/** Slack names the blocks and elements that came without an id. */
function withIds(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const nextId = () => randomBytes(4).toString('hex');
  return blocks.map((block) => ({
    ...block,
    block_id: block.block_id ?? nextId(),
    ...(block.type === 'actions'
      ? {
          elements: toObjects(block.elements).map((element) => ({
            ...element,
            action_id: element.action_id ?? nextId(),
          })),
        }
      : {}),
  }));
}

function readMetadata(value: unknown): JsonObject | null | 'invalid' {
  if (value === undefined) return null;
  if (!isObject(value) || typeof value.event_type !== 'string' || !isObject(value.event_payload)) return 'invalid';
  return value;
}

/** The room a call names: by its id, or a person's id for their direct messages. */
function roomOf(id: string, { workspace }: MethodContext): SlackRoom | Refusal {
  const room = /^[UW]/.test(id) && workspace.nameOf(id) !== null ? workspace.openRoomWith(id) : workspace.rooms.get(id);
  if (room === undefined) return fail('channel_not_found');
  if (room.archived) return fail('is_archived');
  if (!room.members.has(bot.userId)) return fail('not_in_channel');
  return room;
}
