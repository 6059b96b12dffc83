import type { EmulatedChat } from '../emulator.ts';
import type { JsonObject } from '../json.ts';
import type { CallbackQueries } from './callback-queries.ts';
import { commandsIn } from './entities.ts';
import { bot, type Group, type TelegramMessage } from './group.ts';
import { toMessage, toUser } from './payloads.ts';
import { promptOf, toForm } from './prompts.ts';
import { mostText } from './text-rules.ts';
import type { Updates } from './updates.ts';

/** What people do in the app, as Telegram passes it on. */
export function createPeople(deps: {
  readonly group: Group;
  readonly updates: Updates;
  readonly queries: CallbackQueries;
}): Pick<EmulatedChat, 'press' | 'submitForm' | 'write' | 'openForm'> {
  const { group, updates, queries } = deps;

  const userOf = (personId: string): JsonObject => {
    const person = group.personOf(Number(personId));
    if (person === null) throw new Error(`There is nobody ${personId} in the group.`);
    return toUser(person);
  };

  const write = async (personId: string, text: string, replyTo?: string) => {
    userOf(personId);
    const target = replyTo === undefined ? null : findMessage(group, replyTo);
    if (replyTo !== undefined && target === null) throw new Error(`There is no message ${replyTo} to reply to.`);
    // The app sends what is too long as several messages; the first one is the reply.
    for (let from = 0; from === 0 || from < text.length; from += mostText) {
      const part = text.slice(from, from + mostText);
      const message = group.post({
        chatId: group.main.id,
        authorId: Number(personId),
        text: part,
        entities: commandsIn(part),
        keyboard: [],
        ...(target === null || from > 0 ? {} : { replyTo: target.id, threadId: threadOf(target) }),
      });
      if (reachesBot(group, message)) updates.add('message', toMessage(group, message));
    }
  };

  return {
    openForm(personId) {
      const prompt = promptOf(group, personId);
      return prompt === null ? null : toForm(prompt);
    },
    async press(personId, messageId, buttonId) {
      const from = userOf(personId);
      const message = findMessage(group, messageId);
      if (message === null || !hadButton(message, buttonId)) {
        throw new Error(`There was never a button ${buttonId} on message ${messageId}.`);
      }
      const { id, answered } = queries.create(personId);
      updates.add('callback_query', {
        id,
        from,
        message: toMessage(group, message),
        chat_instance: String(BigInt(message.chatId) * -7_919n),
        data: buttonId,
      });
      if (!(await answered)) group.note(personId, '⏳ (no answer from the bot)');
    },
    async submitForm(personId, text) {
      const prompt = promptOf(group, personId);
      if (prompt === null) throw new Error(`${personId} has no form open.`);
      await write(personId, text, String(prompt.id));
    },
    write,
  };
}

/** Privacy mode: of a group a bot sees commands that may be its own, and replies to what it wrote. */
function reachesBot(group: Group, { text, chatId, replyTo }: TelegramMessage): boolean {
  if (group.main.access !== 'member') return false;
  const command = /^\/\w{1,32}(?:@(\w+))?(?=\s|$)/.exec(text);
  if (command !== null && (command[1] === undefined || command[1].toLowerCase() === bot.username)) return true;
  return replyTo !== undefined && group.find(chatId, replyTo)?.authorId === bot.id;
}

function findMessage(group: Group, id: string): TelegramMessage | null {
  return group.messages().find((message) => String(message.id) === id) ?? null;
}

/** Outside of topics a reply's thread is named by the first message of it. */
function threadOf(target: TelegramMessage): number {
  return target.threadId ?? target.id;
}

function hadButton(message: TelegramMessage, data: string): boolean {
  return [message.keyboard, ...(message.earlier ?? [])].flat(2).some((button) => button.callback_data === data);
}
