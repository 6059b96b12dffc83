import type { ChannelLog } from '../channel-log.ts';
import type { ChannelAddress } from '../contract.ts';
import { cutVisibly, toVisible } from '../visible-text.ts';
import type { Api } from './api.ts';
import { escapeHtml, toHtml } from './html.ts';
import type { TelegramTiming } from './timing.ts';
import { type CallbackQuery, nameOf, type TelegramUser } from './updates.ts';

/** answerCallbackQuery takes 200 characters. */
const mostToast = 200;
const mostLine = 3_000;

/** What the bot says to one person. Nothing here ever throws: what was recorded stands, whether they hear of it or not. */
export interface Telling {
  /** Ends the spinner of a press; only who pressed sees the text. An alert has to be closed by hand. */
  toast(query: CallbackQuery, text: string, look: 'passing' | 'alert'): Promise<void>;
  /** The nearest thing to a private line that a group has: a message that mentions the person alone. */
  tell(text: string, person: TelegramUser, address: ChannelAddress, replyTo?: number): Promise<void>;
  /** Posts what was rendered elsewhere, a prompt. */
  post(payload: object): Promise<void>;
  remove(chatId: string, messageId: number): Promise<void>;
}

export function createTelling(deps: {
  readonly api: Api;
  readonly timing: TelegramTiming;
  readonly log: ChannelLog;
}): Telling {
  const { api, timing, log } = deps;
  const attempt = async (what: string, method: string, payload: object): Promise<void> => {
    try {
      await api.call(method, payload, timing.sendMs);
    } catch (error) {
      log.warn({ channel: 'telegram', err: error }, `${what} failed`);
    }
  };

  return {
    toast(query, text, look) {
      const shown = cutVisibly(toVisible(text), mostToast, '…');
      const said = shown === '' ? {} : { text: shown, show_alert: look === 'alert' };
      return attempt('answering a press', 'answerCallbackQuery', { callback_query_id: query.id, ...said });
    },
    tell(text, person, { chatId, threadId }, replyTo) {
      const name = escapeHtml(cutVisibly(toVisible(nameOf(person)), 80));
      return attempt('telling a person', 'sendMessage', {
        chat_id: chatId,
        ...(threadId === undefined ? {} : { message_thread_id: Number(threadId) }),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        text: `<a href="tg://user?id=${person.id}">${name}</a>: ${toHtml(cutVisibly(toVisible(text), mostLine))}`,
        ...(replyTo === undefined
          ? {}
          : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
      });
    },
    post: (payload) => attempt('asking a person to write', 'sendMessage', payload),
    remove: (chatId, messageId) =>
      attempt('tidying a prompt', 'deleteMessage', { chat_id: chatId, message_id: messageId }),
  };
}
