import type { ChatForm } from '../emulator.ts';
import { mentionedIn } from './entities.ts';
import { bot, type Group, type TelegramMessage } from './group.ts';
import { mostText } from './text-rules.ts';

/**
 * The newest forced reply that is addressed to a person who wrote nothing since; Telegram's stand-in for a form.
 * Whatever the person sends uses it up.
 */
export function promptOf(group: Group, personId: string): TelegramMessage | null {
  const messages = group.messages();
  const lastWritten = messages.findLast((message) => String(message.authorId) === personId)?.id ?? 0;
  const isOpen = (message: TelegramMessage) =>
    message.forceReply !== undefined && message.id > lastWritten && isFor(group, message, personId);
  return messages.findLast(isOpen) ?? null;
}

export function toForm({ text, forceReply }: TelegramMessage): ChatForm {
  return { title: text.split('\n')[0] ?? '', label: forceReply?.placeholder ?? 'Reply', maxLength: mostText };
}

/** Selective ones open for whom the text mentions and for whom the message replies to. */
function isFor(group: Group, message: TelegramMessage, personId: string): boolean {
  if (message.authorId !== bot.id) return false;
  if (message.forceReply?.selective !== true) return true;
  if (mentionedIn(message.text, message.entities, group.people).includes(personId)) return true;
  const repliedTo = message.replyTo === undefined ? null : group.find(message.chatId, message.replyTo);
  return repliedTo !== null && String(repliedTo.authorId) === personId;
}
