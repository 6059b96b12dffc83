import type { ChatForm, EmulatedChat } from '../emulator.ts';
import type { CallbackQueries } from './callback-queries.ts';
import { commandsIn, mentionedIn } from './entities.ts';
import { bot, type Group, type TelegramMessage, type TelegramPerson } from './group.ts';
import { toText } from './json.ts';
import { toMessage, toUser } from './payloads.ts';
import { mostText } from './text-rules.ts';
import type { Updates } from './updates.ts';

/** How long Telegram keeps a press and a message for a bot that does not ask (Client.cpp: 150 s; message date + 86,400 s). */
const pressLifeMs = 150_000;
const messageLifeMs = 86_400_000;

export interface TelegramPeople extends Pick<EmulatedChat, 'press' | 'submitForm' | 'write' | 'openForm'> {
  /** Presses with data of the person's own making: the app of the person, not the bot, fills it in. */
  pressWith(personId: string, messageId: string, data: string): Promise<void>;
}

/** What people do in the app, as Telegram passes it on. */
export function createPeople(deps: {
  readonly group: Group;
  readonly updates: Updates;
  readonly queries: CallbackQueries;
}): TelegramPeople {
  const { group, updates, queries } = deps;
  const dealtWith = new Map<string, Set<number>>();

  const find = (messageId: string) => group.find(group.main.id, Number(messageId));
  const personOf = (personId: string): TelegramPerson => {
    const person = group.personOf(Number(personId));
    if (person === null) throw new Error(`There is nobody with the id ${personId} in this chat.`);
    return person;
  };
  /** The newest request to reply that the app of this person has open. */
  const promptOf = (personId: string): TelegramMessage | null =>
    group
      .messages()
      .findLast(
        (message) =>
          message.forceReply !== undefined && isAddressed(message, personId) && !isDealtWith(message, personId),
      ) ?? null;
  const isAddressed = ({ forceReply, text, entities, replyTo }: TelegramMessage, personId: string) => {
    if (forceReply?.selective !== true) return true;
    const repliedTo = replyTo === undefined ? null : group.find(group.main.id, replyTo);
    return mentionedIn(text, entities, group.people).includes(personId) || String(repliedTo?.authorId) === personId;
  };
  const isDealtWith = ({ id }: TelegramMessage, personId: string) => dealtWith.get(personId)?.has(id) ?? false;

  const send = async (personId: string, messageId: string, data: string): Promise<void> => {
    const message = find(messageId);
    if (message === null) throw new Error(`There is no message ${messageId}.`);
    const person = personOf(personId);
    const { id, settled } = queries.open(personId);
    const body = {
      id,
      from: toUser(person),
      message: toMessage(group, message),
      chat_instance: '-3141592653589793238',
      data,
    };
    updates.add('callback_query', body, pressLifeMs);
    await settled;
  };

  const write = async (personId: string, text: string, replyTo?: string): Promise<void> => {
    const person = personOf(personId);
    const repliedTo = replyTo === undefined ? null : find(replyTo);
    if (replyTo !== undefined && repliedTo === null) throw new Error(`There is no message ${replyTo} to reply to.`);
    const open = promptOf(personId);
    if (open !== null) dealtWith.set(personId, new Set([...(dealtWith.get(personId) ?? []), open.id]));
    // The app sends what is too long for one message in several.
    for (let at = 0; at < Math.max(1, text.length); at += mostText) {
      const part = text.slice(at, at + mostText);
      const message = group.post({
        chatId: group.main.id,
        authorId: Number(person.id),
        text: part,
        entities: commandsIn(part),
        keyboard: [],
        ...(repliedTo === null ? {} : { replyTo: repliedTo.id }),
        ...(repliedTo?.threadId === undefined ? {} : { threadId: repliedTo.threadId }),
      });
      if (isForBot(message, repliedTo)) updates.add('message', toMessage(group, message), messageLifeMs);
    }
  };
  /** Privacy mode: in a group a bot sees commands and replies to itself, nothing else. */
  const isForBot = (message: TelegramMessage, repliedTo: TelegramMessage | null) => {
    if (group.main.type === 'private' || repliedTo?.authorId === bot.id) return true;
    const [, at] = /^\/\w{1,32}(?:@(\w+))?(?=\s|$)/.exec(message.text) ?? [null, null];
    return at === undefined || at?.toLowerCase() === bot.username;
  };

  return {
    openForm(personId): ChatForm | null {
      const prompt = promptOf(personId);
      if (prompt === null) return null;
      const label = prompt.forceReply?.placeholder ?? 'Message';
      return { title: `Reply to ${bot.name}`, label, maxLength: mostText };
    },
    async press(personId, messageId, buttonId) {
      const message = find(messageId);
      const keyboards = message === null ? [] : [message.keyboard, ...(message.earlier ?? [])];
      const button = keyboards.flat(2).find((one) => one.callback_data === buttonId);
      if (button === undefined) throw new Error(`There was never a button ${buttonId} on message ${messageId}.`);
      await send(personId, messageId, toText(button.callback_data));
    },
    pressWith: send,
    async submitForm(personId, text) {
      const prompt = promptOf(personId);
      if (prompt === null) throw new Error(`${personId} has no form open.`);
      await write(personId, text, String(prompt.id));
    },
    write,
  };
}
