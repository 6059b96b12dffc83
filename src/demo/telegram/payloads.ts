import type { JsonObject } from '../json.ts';
import type { Entity } from './entities.ts';
import { bot, type Group, type TelegramChat, type TelegramMessage, type TelegramPerson } from './group.ts';

/** The Bot API's objects (core.telegram.org/bots/api). */

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

export const botUser: JsonObject = { id: bot.id, is_bot: true, first_name: bot.name, username: bot.username };

export function toChat({ id, type, title, topics }: TelegramChat): JsonObject {
  return { id, title, type, ...(topics.size === 0 ? {} : { is_forum: true }) };
}

/** A message as the Bot API hands it out; the one it replies to comes without its own `reply_to_message`. */
export function toMessage(group: Group, message: TelegramMessage, depth: 'whole' | 'nested' = 'whole'): JsonObject {
  const { chatId, id, authorId, date, threadId, replyTo, text, entities, keyboard, editedAt } = message;
  const person = group.personOf(authorId);
  const repliedTo = replyTo === undefined || depth === 'nested' ? null : group.find(chatId, replyTo);
  const isTopic = threadId !== undefined && group.main.topics.has(threadId);
  return {
    message_id: id,
    ...(threadId === undefined ? {} : { message_thread_id: threadId }),
    ...(isTopic ? { is_topic_message: true } : {}),
    from: person === null ? botUser : toUser(person),
    chat: { ...toChat(group.main), id: chatId },
    date: toSeconds(date),
    ...(editedAt === undefined ? {} : { edit_date: toSeconds(editedAt) }),
    ...(repliedTo === null ? {} : { reply_to_message: toMessage(group, repliedTo, 'nested') }),
    text,
    ...(entities.length === 0 ? {} : { entities: entities.map((entity) => withWholeUser(group, entity)) }),
    ...(keyboard.length === 0 ? {} : { reply_markup: { inline_keyboard: keyboard } }),
  };
}

/** The service message by which a group says that it became another one. */
export function toMigration(group: Group, newId: number, at: Date): JsonObject {
  return { message_id: 1, chat: toChat(group.main), date: toSeconds(at), migrate_to_chat_id: newId };
}

function withWholeUser(group: Group, entity: Entity): Entity {
  const person = entity.user === undefined ? null : group.personOf(Number(entity.user.id));
  return person === null ? entity : { ...entity, user: toUser(person) };
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
