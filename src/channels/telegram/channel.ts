import type { ChannelLog } from '../channel-log.ts';
import type { Channel, ChannelAddress, ChannelCheck, Receipt } from '../contract.ts';
import type { Page } from '../page.ts';
import { within } from '../waiting.ts';
import { type Answers, createAnswers } from './answers.ts';
import { createApi } from './api.ts';
import type { TelegramConfig } from './config.ts';
import { createPoll, type Poll } from './poll.ts';
import { renderPage, type TelegramContent } from './render.ts';
import { isNotModified, toSendError } from './send-errors.ts';
import { defaultTiming, type TelegramTiming } from './timing.ts';
import { botUser } from './updates.ts';

const stopMs = 3_000;

/** Telegram by long polling, with telegraf's client. Makes no connection before `start`, `send` or `check`. */
export function createTelegramChannel(
  config: TelegramConfig,
  deps: { readonly log: ChannelLog; readonly timing?: Partial<TelegramTiming> },
): Channel {
  const { log } = deps;
  const timing = { ...defaultTiming, ...deps.timing };
  const api = createApi(config);
  let inbound: { readonly poll: Poll; readonly answers: Answers } | null = null;
  let stopped = false;

  const toPayload = ({ text, reply_markup }: TelegramContent, chatId: string) => ({
    chat_id: chatId,
    text,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    // Absent, an edit removes the keyboard: just what a settled page needs.
    ...(reply_markup === undefined ? {} : { reply_markup }),
  });

  const send = async (page: Page, { chatId, threadId }: ChannelAddress): Promise<Receipt> => {
    const content = renderPage(page);
    const thread = threadId === undefined ? {} : { message_thread_id: Number(threadId) };
    const sent = await api.call<{ message_id: number }>(
      'sendMessage',
      { ...toPayload(content, chatId), ...thread },
      timing.sendMs,
    );
    for (const text of content.rest) {
      const reply_parameters = { message_id: sent.message_id, allow_sending_without_reply: true };
      const payload = {
        chat_id: chatId,
        text,
        parse_mode: 'HTML',
        disable_notification: true,
        reply_parameters,
        ...thread,
      };
      // The page stands: sending it again for a lost continuation would show it twice. The dashboard has the whole text.
      await api.call('sendMessage', payload, timing.sendMs).catch((error: unknown) => {
        log.warn({ channel: 'telegram', err: error }, 'the rest of a long page was not sent');
      });
    }
    return { chatId, messageId: String(sent.message_id), ...(threadId === undefined ? {} : { threadId }) };
  };

  const update = async (receipt: Receipt, page: Page): Promise<Receipt> => {
    const payload = { ...toPayload(renderPage(page), receipt.chatId), message_id: Number(receipt.messageId) };
    try {
      await api.call('editMessageText', payload, timing.sendMs);
    } catch (error) {
      if (!isNotModified(error)) throw error;
    }
    return receipt;
  };

  const check = async ({ chatId }: ChannelAddress): Promise<ChannelCheck> => {
    const me = botUser.parse(await api.call('getMe', {}, timing.sendMs));
    const chat = await api.call<{ title?: string; type?: string }>('getChat', { chat_id: chatId }, timing.sendMs);
    const where = chat.title ?? (chat.type === 'private' ? 'a private chat' : chatId);
    return { ok: true, detail: `@${me.username} in ${where}` };
  };

  const failWith = (error: unknown): never => {
    throw toSendError(error);
  };

  return {
    info: { name: 'telegram', title: 'Telegram', idempotentSend: false, messagesPerMinute: 20 },
    start(handlers) {
      if (inbound !== null || stopped) return;
      const answers = createAnswers({ handlers, api, timing, log, botId: () => poll.botId() });
      const poll: Poll = createPoll({ api, timing, log, onUpdate: answers.take, onState: handlers.onState });
      inbound = { poll, answers };
      poll.start();
    },
    async stop() {
      stopped = true;
      const ending = inbound;
      inbound = null;
      ending?.answers.stop();
      if (ending !== null) await within(stopMs, ending.poll.stop());
    },
    send: (page, address) => send(page, address).catch(failWith),
    update: (receipt, page) => update(receipt, page).catch(failWith),
    check: (address) => check(address).catch((error: unknown) => ({ ok: false, detail: toSendError(error).message })),
  };
}
