import type { ChannelLog } from '../channel-log.ts';
import type { Account, AnswerReply, ChannelAddress, ChannelHandlers, Choice } from '../contract.ts';
import { cutVisibly, toVisible } from '../visible-text.ts';
import { within } from '../waiting.ts';
import type { Api } from './api.ts';
import { parseCallbackData } from './callback-data.ts';
import { parsePrompt, renderPrompt } from './prompt.ts';
import { escapeHtml } from './render.ts';
import type { TelegramTiming } from './timing.ts';
import { type CallbackQuery, type Message, nameOf, type TelegramUser, topicOf, type Update } from './updates.ts';

/** answerCallbackQuery takes 200 characters. */
const mostToast = 200;

const greeting =
  'I am Beckon: agents ask here and people answer. Press a button on a page, or reply to a page that asks for words. Nothing else that is written here decides anything.';

/** Hands presses and replies on and shows each person what became of theirs. */
export interface Answers {
  /** Resolves when the update is dealt with. Never rejects. */
  take(update: Update): Promise<void>;
  /** Nothing is handed on afterwards. */
  stop(): void;
}

export function createAnswers(deps: {
  readonly handlers: ChannelHandlers;
  readonly api: Api;
  readonly timing: TelegramTiming;
  readonly botId: () => number | null;
  readonly log: ChannelLog;
}): Answers {
  const { handlers, api, timing, botId, log } = deps;
  let stopped = false;

  const attempt = async (what: string, method: string, payload: object): Promise<void> => {
    try {
      await api.call(method, payload, timing.sendMs);
    } catch (error) {
      // Cosmetic: what was recorded stands (a press is answered too late, a message is gone).
      log.warn({ channel: 'telegram', err: error }, `${what} failed`);
    }
  };
  const toast = (query: CallbackQuery, text: string, alert: boolean) =>
    attempt('answering a press', 'answerCallbackQuery', {
      callback_query_id: query.id,
      ...(text === '' ? {} : { text: cutVisibly(toVisible(text), mostToast), show_alert: alert }),
    });
  /** The nearest thing to a private reply in a group: a message that mentions the person alone. */
  const tell = (text: string, person: TelegramUser, address: ChannelAddress, replyTo?: number) =>
    attempt('telling a person', 'sendMessage', {
      chat_id: address.chatId,
      ...(address.threadId === undefined ? {} : { message_thread_id: Number(address.threadId) }),
      parse_mode: 'HTML',
      text: `<a href="tg://user?id=${person.id}">${escapeHtml(nameOf(person))}</a>: ${escapeHtml(toVisible(text))}`,
      ...(replyTo === undefined
        ? {}
        : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
    });

  const press = async (query: CallbackQuery): Promise<void> => {
    const pressed = parseCallbackData(query.data);
    if (pressed === null) return toast(query, 'Beckon does not know this button any more. Nothing was decided.', true);
    const base = {
      channel: 'telegram',
      pageToken: pressed.token,
      account: toAccount(query.from),
      at: new Date(),
    } as const;
    const eventId = `press:${query.id}`;
    const address = addressOf(query.message);
    if (pressed.kind === 'compose') {
      const choice = { kind: pressed.form };
      const asked = await within(timing.composeMs, handlers.onCompose({ ...base, choice, eventId }));
      if (asked !== null && asked.value !== null) return toast(query, asked.value.text, true);
      if (address === null)
        return toast(query, 'This page is too old to write to. Nothing was decided; use the dashboard.', true);
      const prompt = renderPrompt(pressed.form, pressed.token, query.from, address);
      await Promise.all([toast(query, '', false), attempt('asking a person to write', 'sendMessage', prompt)]);
      return;
    }
    const judged = handlers.onAnswer({ ...base, choice: pressed.choice, eventId });
    const early = await within(timing.ackMs, judged);
    if (early !== null) return toast(query, early.value.text, early.value.fate !== 'accepted');
    await toast(query, 'Recording your answer …', false);
    const reply = await judged;
    // The page's own edit tells of success.
    if (reply.fate !== 'accepted' && address !== null) await tell(reply.text, query.from, address);
  };

  const reply = async (message: Message, updateId: number): Promise<void> => {
    const { from, reply_to_message: repliedTo, chat } = message;
    const address = addressOf(message);
    if (from === undefined || from.is_bot || address === null) return;
    if (repliedTo === undefined || repliedTo.from?.id !== botId()) {
      const spokenTo = /^\/(start|help)\b/.test(message.text ?? '') || chat.type === 'private';
      return spokenTo ? tell(greeting, from, address, message.message_id) : undefined;
    }
    const prompt = parsePrompt(repliedTo.text ?? '');
    const shown = { chatId: String(chat.id), messageId: String(repliedTo.message_id) };
    const token = prompt?.token ?? (await handlers.findToken(shown));
    if (token === null) return;
    if (message.text === undefined)
      return tell('Only text can be an answer. Nothing was decided.', from, address, message.message_id);
    const choice: Choice = { kind: prompt?.form ?? 'text' };
    const judged = await handlers.onAnswer({
      channel: 'telegram',
      pageToken: token,
      choice,
      text: message.text,
      account: toAccount(from),
      eventId: `message:${updateId}`,
      at: new Date(message.date * 1_000),
    });
    if (judged.fate !== 'accepted') await tell(judged.text, from, address, message.message_id);
    // A prompt cannot be edited (only inline keyboards can); where it may be tried again it stays.
    if (prompt !== null && !mayTryAgain(judged)) {
      await attempt('tidying a prompt', 'deleteMessage', { chat_id: shown.chatId, message_id: repliedTo.message_id });
    }
  };

  return {
    async take(update) {
      if (stopped) return;
      try {
        if (update.callback_query !== undefined) await press(update.callback_query);
        else if (update.message !== undefined) await reply(update.message, update.update_id);
      } catch (error) {
        log.error({ channel: 'telegram', err: error }, 'an update could not be dealt with');
      }
    },
    stop() {
      stopped = true;
    },
  };
}

function mayTryAgain({ fate }: AnswerReply): boolean {
  return fate === 'invalid' || fate === 'failed' || fate === 'refused';
}

function toAccount(person: TelegramUser): Account {
  return { id: String(person.id), displayName: nameOf(person) };
}

function addressOf(
  message: Pick<Message, 'chat' | 'message_thread_id' | 'is_topic_message'> | undefined,
): ChannelAddress | null {
  if (message === undefined) return null;
  const topic = topicOf(message);
  return { chatId: String(message.chat.id), ...(topic === undefined ? {} : { threadId: String(topic) }) };
}
