import { z } from 'zod';
import type { Account, ChannelAddress } from '../contract.ts';

/** What arrives from Telegram, as far as we use it. Everything else is dropped by the parse. */
const user = z.object({
  id: z.number(),
  is_bot: z.boolean().default(false),
  first_name: z.string().default(''),
  last_name: z.string().optional(),
  username: z.string().optional(),
});

const chat = z.object({ id: z.number(), type: z.string().default('') });

const repliedTo = z.object({ message_id: z.number(), from: user.optional(), text: z.string().optional() });

const message = z.object({
  message_id: z.number(),
  message_thread_id: z.number().optional(),
  is_topic_message: z.boolean().optional(),
  date: z.number(),
  chat,
  from: user.optional(),
  text: z.string().optional(),
  reply_to_message: repliedTo.optional(),
});

const callbackQuery = z.object({
  id: z.string(),
  from: user,
  data: z.string().optional(),
  /** Inaccessible when old (`date` 0), absent for inline messages. */
  message: z
    .object({
      message_id: z.number(),
      chat,
      message_thread_id: z.number().optional(),
      is_topic_message: z.boolean().optional(),
    })
    .optional(),
});

const update = z.object({
  update_id: z.number(),
  message: message.optional().catch(undefined),
  callback_query: callbackQuery.optional().catch(undefined),
});

export const updates = z.array(update);

export type Update = z.infer<typeof update>;
export type Message = z.infer<typeof message>;
export type CallbackQuery = z.infer<typeof callbackQuery>;
export type TelegramUser = z.infer<typeof user>;

export const botUser = z.object({ id: z.number(), username: z.string().default('') });

/** The name people know the account by. */
export function nameOf({ first_name, last_name, username, id }: TelegramUser): string {
  const name = [first_name, last_name].filter((part) => part !== undefined && part !== '').join(' ');
  return name !== '' ? name : (username ?? String(id));
}

/** The topic a message belongs to; a reply in an ordinary group carries a thread id too, which is no topic. */
export function topicOf(message: {
  message_thread_id?: number | undefined;
  is_topic_message?: boolean | undefined;
}): number | undefined {
  return message.is_topic_message === true ? message.message_thread_id : undefined;
}

export function toAccount(person: TelegramUser): Account {
  return { id: String(person.id), displayName: nameOf(person) };
}

export function addressOf(
  message: Pick<Message, 'chat' | 'message_thread_id' | 'is_topic_message'> | undefined,
): ChannelAddress | null {
  if (message === undefined) return null;
  const topic = topicOf(message);
  return { chatId: String(message.chat.id), ...(topic === undefined ? {} : { threadId: String(topic) }) };
}
