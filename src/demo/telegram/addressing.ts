import type { JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { TelegramChat, TelegramMessage } from './group.ts';
import { type MethodContext, type Refusal, refuse } from './method.ts';

/** The chat a call names, if the bot may act there. */
export function readChat(args: JsonObject, { group }: MethodContext): TelegramChat | Refusal {
  const { chat_id: id } = args;
  if (id === undefined || id === '') return refuse(400, 'Bad Request: chat_id is empty', { violates: true });
  const movedTo = group.migratedFrom(id);
  if (movedTo !== null) {
    return refuse(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      parameters: { migrate_to_chat_id: movedTo },
    });
  }
  if (group.personOf(Number(id)) !== null) {
    return refuse(403, "Forbidden: bot can't initiate conversation with a user");
  }
  const chat = group.chatOf(id);
  if (chat === null) return refuse(400, 'Bad Request: chat not found');
  if (chat.access === 'blocked') return refuse(403, 'Forbidden: bot was blocked by the user');
  if (chat.access === 'kicked') return refuse(403, 'Forbidden: bot was kicked from the supergroup chat');
  return chat;
}

/** The message of the chat that a call names; `what` completes "message to … not found". */
export function readMessage(
  args: JsonObject,
  chat: TelegramChat,
  { group }: MethodContext,
  what: 'edit' | 'delete',
): TelegramMessage | Refusal {
  const id = toInteger(args.message_id);
  if (id === null || id <= 0) {
    return refuse(400, 'Bad Request: message identifier is not specified', { violates: true });
  }
  return group.find(chat.id, id) ?? refuse(400, `Bad Request: message to ${what} not found`);
}

/** Where in the chat a new message goes: its topic and the message it replies to. */
export function readPlace(
  args: JsonObject,
  chat: TelegramChat,
  { group }: MethodContext,
): Pick<TelegramMessage, 'threadId' | 'replyTo'> | Refusal {
  const threadId = toInteger(args.message_thread_id);
  const parameters = isObject(args.reply_parameters) ? args.reply_parameters : args;
  const replyTo = toInteger(parameters === args ? args.reply_to_message_id : parameters.message_id);
  const lenient = parameters.allow_sending_without_reply === true;
  if (threadId !== null && !chat.topics.has(threadId) && group.find(chat.id, threadId) === null) {
    return refuse(400, 'Bad Request: message thread not found');
  }
  const target = replyTo === null ? null : group.find(chat.id, replyTo);
  if (replyTo !== null && target === null && !lenient) {
    return refuse(400, 'Bad Request: message to be replied not found');
  }
  const thread = threadId ?? target?.threadId ?? null;
  return {
    ...(thread === null ? {} : { threadId: thread }),
    ...(target === null ? {} : { replyTo: target.id }),
  };
}

/** Numbers come as such or, in forms, as text. */
export function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
