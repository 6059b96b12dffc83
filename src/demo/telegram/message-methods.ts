import type { JsonObject } from '../json.ts';
import { readChat, readMessage, readPlace } from './addressing.ts';
import { bot, type Keyboard, type TelegramMessage } from './group.ts';
import { type Markup, readMarkup } from './keyboard-rules.ts';
import { type Method, type MethodContext, type Outcome, type Refusal, refuse } from './method.ts';
import { toMessage } from './payloads.ts';
import { readText } from './text-rules.ts';

/** A bot deletes its own messages for two days. */
const deletableMs = 48 * 3_600_000;

export const sendMessage: Method = (args, context) => {
  const { group } = context;
  const chat = readChat(args, context);
  if ('refused' in chat) return chat;
  const content = readText(args);
  if ('refused' in content) return content;
  const markup = readMarkup(args.reply_markup);
  if ('refused' in markup) return markup;
  const place = readPlace(args, chat, context);
  if ('refused' in place) return place;
  const message = group.post({
    chatId: chat.id,
    authorId: bot.id,
    ...content,
    ...place,
    keyboard: keyboardOf(markup),
    ...(markup.kind === 'force_reply' ? { forceReply: markup.forceReply } : {}),
  });
  return { result: toMessage(group, message) };
};

/** Without `reply_markup` the keyboard goes. */
export const editMessageText: Method = (args, context) => {
  const found = readOwn(args, context);
  if ('refused' in found) return found;
  const content = readText(args);
  if ('refused' in content) return content;
  return edit(found, content, args.reply_markup, context);
};

export const editMessageReplyMarkup: Method = (args, context) => {
  const found = readOwn(args, context);
  if ('refused' in found) return found;
  return edit(found, { text: found.text, entities: found.entities }, args.reply_markup, context);
};

export const deleteMessage: Method = (args, context) => {
  const { group, now } = context;
  const chat = readChat(args, context);
  if ('refused' in chat) return chat;
  const message = readMessage(args, chat, context, 'delete');
  if ('refused' in message) return message;
  // The bot is no administrator: only its own messages, and only for a while.
  const tooOld = now().getTime() - message.date.getTime() > deletableMs;
  if (message.authorId !== bot.id || tooOld) return refuse(400, "Bad Request: message can't be deleted");
  group.remove(message);
  return { result: true };
};

/** A message of the bot's own that can be edited: one with a reply keyboard or a forced reply cannot. */
function readOwn(args: JsonObject, context: MethodContext): TelegramMessage | Refusal {
  const chat = readChat(args, context);
  if ('refused' in chat) return chat;
  const message = readMessage(args, chat, context, 'edit');
  if ('refused' in message) return message;
  const editable = message.authorId === bot.id && message.forceReply === undefined;
  return editable ? message : refuse(400, "Bad Request: message can't be edited");
}

function edit(
  message: TelegramMessage,
  content: Pick<TelegramMessage, 'text' | 'entities'>,
  replyMarkup: unknown,
  { group }: MethodContext,
): Outcome {
  const markup = readMarkup(replyMarkup);
  if ('refused' in markup) return markup;
  if (markup.kind === 'force_reply' || markup.kind === 'other') {
    return refuse(400, 'Bad Request: inline keyboard expected', { violates: true });
  }
  const change = { ...content, keyboard: keyboardOf(markup) };
  const { text, entities, keyboard } = message;
  if (JSON.stringify({ text, entities, keyboard }) === JSON.stringify(change)) {
    return refuse(
      400,
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  group.edit(message, change);
  return { result: toMessage(group, message) };
}

function keyboardOf(markup: Markup): Keyboard {
  return markup.kind === 'keyboard' ? markup.keyboard : [];
}
