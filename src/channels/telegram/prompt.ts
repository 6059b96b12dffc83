import type { ChannelAddress } from '../contract.ts';
import { cutVisibly, toVisibleLine } from '../visible-text.ts';
import { escapeHtml } from './html.ts';
import { nameOf, type TelegramUser } from './updates.ts';

/**
 * Telegram has no forms: who wants to write gets a message to reply to. It carries the page's token in its text, so that the
 * reply finds its page after a restart too (`reply_to_message` holds the text, and nothing deeper).
 */
export function renderPrompt(
  form: 'deny' | 'text',
  token: string,
  person: TelegramUser,
  address: ChannelAddress,
): object {
  // ForceReply is selective by mention: nobody else's app opens the reply.
  const name = escapeHtml(cutVisibly(toVisibleLine(nameOf(person)), 80));
  const what = form === 'deny' ? 'the reason of your denial' : 'your answer';
  return {
    chat_id: address.chatId,
    ...(address.threadId === undefined ? {} : { message_thread_id: Number(address.threadId) }),
    parse_mode: 'HTML',
    text: `${mark} <a href="tg://user?id=${person.id}">${name}</a>, reply to this message with ${what}. The agent gets it word for word.\n\n<code>ref ${form === 'deny' ? 'r' : 'w'}:${token}</code>`,
    reply_markup: {
      force_reply: true,
      selective: true,
      input_field_placeholder: form === 'deny' ? 'Why not?' : 'Your answer',
    },
  };
}

/** @returns null when the text is not that of a prompt. The caller makes sure that the bot itself wrote it. */
export function parsePrompt(text: string): { readonly form: 'deny' | 'text'; readonly token: string } | null {
  // No page starts with this mark, so agent-written text cannot pass for a prompt.
  const match = text.startsWith(mark) ? /\nref ([rw]):([\w-]{1,40})$/.exec(text) : null;
  if (match === null) return null;
  return { form: match[1] === 'r' ? 'deny' : 'text', token: match[2] ?? '' };
}

const mark = '✍️';
