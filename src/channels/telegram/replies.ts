import type { AnswerReply, ChannelHandlers } from '../contract.ts';
import { parsePrompt } from './prompt.ts';
import type { Telling } from './telling.ts';
import { addressOf, type Message, toAccount } from './updates.ts';

/** Deals with one message: a reply to a prompt or a page is an answer, everything else gets an explanation or silence. */
export function createReplies(deps: {
  readonly handlers: ChannelHandlers;
  readonly telling: Telling;
  readonly botId: () => number | null;
  readonly isStopped: () => boolean;
}): (message: Message) => Promise<void> {
  const { handlers, telling, botId, isStopped } = deps;

  return async (message) => {
    const { from, reply_to_message: repliedTo, chat } = message;
    const address = addressOf(message);
    if (from === undefined || from.is_bot || address === null) return;
    const tell = (text: string) => telling.tell(text, from, address, message.message_id);
    // Only what the bot itself wrote can be a prompt or a page: anybody can write text that looks like one.
    if (repliedTo === undefined || repliedTo.from?.id !== botId()) {
      const isSpokenTo = /^\/(start|help)\b/.test(message.text ?? '') || chat.type === 'private';
      return isSpokenTo ? tell(greet(address.chatId, from.id)) : undefined;
    }
    const prompt = parsePrompt(repliedTo.text ?? '');
    const shown = { chatId: address.chatId, messageId: String(repliedTo.message_id) };
    const token = prompt?.token ?? (await handlers.findToken(shown));
    if (isStopped()) return;
    if (token === null)
      return tell('This is no page that can be answered. Reply to the page itself, or press its buttons.');
    if (message.text === undefined) return tell('Only text can be an answer. Nothing was decided.');
    const judged = await handlers.onAnswer({
      channel: 'telegram',
      pageToken: token,
      choice: { kind: prompt?.form ?? 'text' },
      text: message.text,
      account: toAccount(from),
      eventId: `message:${shown.chatId}:${message.message_id}`,
      at: new Date(message.date * 1_000),
    });
    if (judged.fate !== 'accepted') await tell(judged.text);
    // A prompt cannot be edited (only inline keyboards can); where it may be tried again it stays.
    if (prompt !== null && !mayTryAgain(judged)) await telling.remove(shown.chatId, repliedTo.message_id);
  };
}

function mayTryAgain({ fate }: AnswerReply): boolean {
  return fate === 'invalid' || fate === 'failed' || fate === 'refused';
}

function greet(chatId: string, personId: number): string {
  return `I am Beckon: agents ask here and people answer. Press a button on a page, or reply to a page that asks for words. Nothing else that is written here decides anything. (This chat is ${chatId}, your account is ${personId}.)`;
}
