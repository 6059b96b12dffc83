import { bot, type Group, type TelegramChat, type TelegramMessage, type TelegramPerson } from './group.ts';
import type { JsonObject } from './json.ts';

/** The shapes in which the Bot API hands things out (core.telegram.org/bots/api#available-types). */
export const botUser = {
  id: bot.id,
  is_bot: true,
  first_name: bot.name,
  username: bot.username,
} as const;

export function toUser(person: TelegramPerson): JsonObject {
  const [first = person.name, ...rest] = person.name.split(' ');
  return {
    id: Number(person.id),
    is_bot: false,
    first_name: first,
    ...(rest.length === 0 ? {} : { last_name: rest.join(' ') }),
    username: person.username,
    language_code: 'en',
  };
}

export function toChat({ id, type, title, topics }: TelegramChat): JsonObject {
  if (type === 'private') return { id, type, first_name: title };
  return { id, type, title, ...(topics.size > 0 ? { is_forum: true } : {}) };
}

/** A message; the one that it replies to carries no further reply. */
export function toMessage(group: Group, message: TelegramMessage): JsonObject {
  const repliedTo = message.replyTo === undefined ? null : group.find(message.chatId, message.replyTo);
  return {
    ...toBareMessage(group, message),
    ...(repliedTo === null ? {} : { reply_to_message: toBareMessage(group, repliedTo) }),
  };
}

function toBareMessage(group: Group, message: TelegramMessage): JsonObject {
  const person = group.personOf(message.authorId);
  const { threadId, replyTo, editedAt, entities, keyboard } = message;
  // A reply in a group without topics belongs to a thread too, named after its first message; it is no topic.
  const thread =
    threadId !== undefined
      ? { message_thread_id: threadId, is_topic_message: true }
      : replyTo !== undefined && group.main.type === 'supergroup'
        ? { message_thread_id: rootOf(group, message) }
        : {};
  return {
    message_id: message.id,
    ...thread,
    from: person === null ? botUser : toUser(person),
    chat: toChat(group.main),
    date: toSeconds(message.date),
    ...(editedAt === undefined ? {} : { edit_date: toSeconds(editedAt) }),
    text: message.text,
    ...(entities.length === 0 ? {} : { entities }),
    ...(keyboard.length === 0 ? {} : { reply_markup: { inline_keyboard: keyboard } }),
  };
}

function rootOf(group: Group, message: TelegramMessage): number {
  const above = message.replyTo === undefined ? null : group.find(message.chatId, message.replyTo);
  return above === null ? (message.replyTo ?? message.id) : rootOf(group, above);
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
