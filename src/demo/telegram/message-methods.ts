import { isDeepStrictEqual } from 'node:util';
import { bot, type Group, type TelegramChat, type TelegramMessage } from './group.ts';
import { type JsonObject, toObject } from './json.ts';
import { readMarkup } from './keyboard-rules.ts';
import { type Method, type Refusal, refuse } from './method.ts';
import { toMessage } from './payloads.ts';
import { readText } from './text-rules.ts';

const notModified =
  'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';

export const sendMessage: Method = (args, { group }) => {
  const formatted = readText(args);
  if ('refused' in formatted) return formatted;
  const markup = readMarkup(args.reply_markup);
  if ('refused' in markup) return markup;
  const chat = findChat(group, args);
  if ('refused' in chat) return chat;
  const threadId = toId(args.message_thread_id);
  if (threadId !== null && !chat.topics.has(threadId)) return refuse(400, 'Bad Request: message thread not found');
  const reply = toObject(args.reply_parameters);
  const replyTo = toId(reply.message_id ?? args.reply_to_message_id);
  const repliedTo = replyTo === null ? null : group.find(chat.id, replyTo);
  if (replyTo !== null && repliedTo === null && reply.allow_sending_without_reply !== true) {
    return refuse(400, 'Bad Request: message to be replied not found');
  }
  const message = group.post({
    chatId: chat.id,
    authorId: bot.id,
    ...formatted,
    keyboard: markup.kind === 'keyboard' ? markup.keyboard : [],
    ...(markup.kind === 'force_reply' ? { forceReply: markup.forceReply } : {}),
    ...(threadId === null ? {} : { threadId }),
    ...(repliedTo === null ? {} : { replyTo: repliedTo.id }),
  });
  return { result: toMessage(group, message) };
};

export const editMessageText: Method = (args, { group }) => {
  const formatted = readText(args);
  if ('refused' in formatted) return formatted;
  return edit(group, args, () => formatted);
};

export const editMessageReplyMarkup: Method = (args, { group }) =>
  edit(group, args, ({ text, entities }) => ({ text, entities }));

export const deleteMessage: Method = (args, { group }) => {
  const chat = findChat(group, args);
  if ('refused' in chat) return chat;
  const message = findMessage(group, chat, args);
  if (message === null) return refuse(400, 'Bad Request: message to delete not found');
  // The bot is no administrator: only its own messages go.
  if (message.authorId !== bot.id) return refuse(400, "Bad Request: message can't be deleted");
  group.remove(message);
  return { result: true };
};

function edit(
  group: Group,
  args: JsonObject,
  change: (message: TelegramMessage) => Pick<TelegramMessage, 'text' | 'entities'>,
): ReturnType<Method> {
  const markup = readMarkup(args.reply_markup);
  if ('refused' in markup) return markup;
  if (markup.kind === 'force_reply' || markup.kind === 'other') {
    return refuse(400, 'Bad Request: inline keyboard expected', { violates: true });
  }
  const chat = findChat(group, args);
  if ('refused' in chat) return chat;
  const message = findMessage(group, chat, args);
  if (message === null) return refuse(400, 'Bad Request: message to edit not found');
  // Only messages without markup or with an inline keyboard can be edited.
  if (message.authorId !== bot.id || message.forceReply !== undefined) {
    return refuse(400, "Bad Request: message can't be edited");
  }
  // An absent keyboard is not "as it was": the edit removes it.
  const next = { ...change(message), keyboard: markup.kind === 'keyboard' ? markup.keyboard : [] };
  const { text, entities, keyboard } = message;
  if (isDeepStrictEqual(next, { text, entities, keyboard })) return refuse(400, notModified);
  group.edit(message, next);
  return { result: toMessage(group, message) };
}

/** The chat of a call, or why the bot may not act there. */
export function findChat(group: Group, args: JsonObject): TelegramChat | Refusal {
  const { chat_id: id } = args;
  if (id === undefined || id === '') return refuse(400, 'Bad Request: chat_id is empty', { violates: true });
  const movedTo = group.migratedFrom(id);
  if (movedTo !== null) {
    return refuse(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      parameters: { migrate_to_chat_id: movedTo },
    });
  }
  const chat = group.chatOf(id);
  if (chat === null) return refuse(400, 'Bad Request: chat not found');
  if (chat.access === 'blocked') return refuse(403, 'Forbidden: bot was blocked by the user');
  if (chat.access === 'kicked') return refuse(403, 'Forbidden: bot was kicked from the supergroup chat');
  return chat;
}

function findMessage(group: Group, chat: TelegramChat, { message_id: id }: JsonObject): TelegramMessage | null {
  const found = toId(id);
  return found === null ? null : group.find(chat.id, found);
}

function toId(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : null;
}
