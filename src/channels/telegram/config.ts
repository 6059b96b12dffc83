import { z } from 'zod';
import type { ChannelAddress } from '../contract.ts';

/** What the adapter needs to connect. */
export interface TelegramConfig {
  /** `123456:ABC…` from @BotFather. */
  readonly token: string;
  /** Root of the Bot API where it is not Telegram's own: an emulator, a local Bot API server. */
  readonly apiUrl?: string;
}

/** Telegram as the environment sets it up. */
export interface TelegramSetup {
  readonly channel: TelegramConfig;
  readonly address: ChannelAddress;
  /** Numeric Telegram user ids as text; empty: nobody may answer. */
  readonly approvers: readonly string[];
}

export type TelegramSetupResult =
  | { readonly ok: true; readonly config: TelegramSetup | null }
  | { readonly ok: false; readonly faults: readonly string[] };

const approvers = z
  .string()
  .default('')
  .transform((text) => [...new Set(text.split(/[\s,]+/).filter((id) => id !== ''))])
  .refine(
    (ids) => ids.every((id) => /^[1-9]\d{0,15}$/.test(id)),
    'must be numeric Telegram user ids separated by commas, for example 12345678,87654321',
  );

/** The environment variables of this channel: what each holds, in the form of the message a wrong one gets. */
export const telegramVariables = z.object({
  BECKON_TELEGRAM_TOKEN: z
    .string('is missing: the token that @BotFather gave you, for example 123456789:AAExampleExampleExample')
    .regex(
      /^\d{3,}:[A-Za-z0-9_-]{10,}$/,
      'must be a bot token as @BotFather writes it, for example 123456789:AAExampleExampleExample',
    ),
  BECKON_TELEGRAM_CHAT: z
    .string('is missing: the id of the chat to page, for example -1001234567890, or your user id')
    .regex(
      /^-?[1-9]\d{0,15}(:[1-9]\d{0,9})?$/,
      'must be the id of a chat, with a topic where there are topics, for example -1001234567890 or -1001234567890:42',
    ),
  BECKON_TELEGRAM_APPROVERS: approvers,
  BECKON_TELEGRAM_API_URL: z
    .string()
    .refine(isHttpUrl, 'must be an http or https address, for example https://api.telegram.org')
    .optional(),
});

/**
 * Reads Telegram's variables.
 * @returns `config: null` when none of them is set; every fault at once, none of which repeats a secret
 */
export function readTelegramConfig(env: Readonly<Record<string, string | undefined>>): TelegramSetupResult {
  const present = Object.fromEntries(
    Object.keys(telegramVariables.shape)
      .map((name) => [name, env[name]?.trim()])
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  if (Object.keys(present).length === 0) return { ok: true, config: null };
  const parsed = telegramVariables.safeParse(present);
  if (!parsed.success) {
    return { ok: false, faults: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) };
  }
  const { BECKON_TELEGRAM_TOKEN: token, BECKON_TELEGRAM_API_URL: apiUrl, BECKON_TELEGRAM_CHAT: chat } = parsed.data;
  const [chatId = '', threadId] = chat.split(':');
  return {
    ok: true,
    config: {
      channel: { token, ...(apiUrl === undefined ? {} : { apiUrl }) },
      address: { chatId, ...(threadId === undefined ? {} : { threadId }) },
      approvers: parsed.data.BECKON_TELEGRAM_APPROVERS,
    },
  };
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:';
}
