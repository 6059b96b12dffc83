import type { ChatForm } from '../emulator.ts';
import { mentionedIn } from './entities.ts';
import { bot, type Group, type TelegramMessage } from './group.ts';
import { mostText } from './text-rules.ts';

/** The newest forced reply that is addressed to a person and that they have not answered; Telegram's stand-in for a form. */
export function promptOf(group: Group, personId: string): TelegramMessage | null {
  const messages = group.messages();
  const answered = new Set(
    messages.filter((message) => String(message.authorId) === personId).map((message) => message.replyTo),
  );
  const open = messages.filter(
    (message) => message.forceReply !== undefined && !answered.has(message.id) && isFor(group, message, personId),
  );
  return open.at(-1) ?? null;
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
