import { z } from 'zod';
import type { ChannelAddress } from '../contract.ts';

/** What the adapter needs to reach Discord. */
export interface DiscordConfig {
  /** The bot's token, without `Bot `. */
  readonly token: string;
  /** Base of the REST API where it is not Discord's own: an emulator, a proxy. Without the version. */
  readonly apiUrl?: string;
}

/** Discord as the environment sets it up. */
export interface DiscordSetup {
  readonly channel: DiscordConfig;
  readonly address: ChannelAddress;
  /** Discord user ids; empty: nobody may answer. */
  readonly approvers: string[];
}

export type DiscordSetupResult =
  | { readonly ok: true; readonly config: DiscordSetup | null }
  | { readonly ok: false; readonly faults: string[] };

/** Discord's ids: 64-bit numbers in decimal, 17 to 20 digits since 2015. */
const snowflake = /^\d{17,20}$/;

const approvers = z
  .string()
  .default('')
  .transform((text) => [...new Set(text.split(/[\s,]+/).filter((id) => id !== ''))])
  .refine(
    (ids) => ids.every((id) => snowflake.test(id)),
    'must be Discord user ids separated by commas (Developer Mode > right click a person > Copy User ID), for example 130000000000000001,130000000000000002',
  );

/** The environment variables of this channel: what each holds, in the form of the message a wrong one gets. */
export const discordVariables = z.object({
  BECKON_DISCORD_TOKEN: z
    .string('is missing: the token of the bot (Developer Portal > Bot > Reset Token), for example MTEw.GxYz.abc_def')
    .transform((token) => token.replace(/^Bot\s+/i, ''))
    .refine(
      (token) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token),
      'must be a bot token of three parts joined by dots, not the application id, public key or client secret, for example MTEw.GxYz.abc_def',
    ),
  BECKON_DISCORD_CHANNEL: z
    .string(
      'is missing: the id of the channel to page (Developer Mode > right click the channel > Copy Channel ID), for example 140000000000000001',
    )
    .regex(snowflake, 'must be the id of a channel, not its name, for example 140000000000000001'),
  BECKON_DISCORD_APPROVERS: approvers,
  BECKON_DISCORD_API_URL: z
    .string()
    .refine(isHttpUrl, 'must be an http or https address without the version, for example https://discord.com/api')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
});

/**
 * Reads Discord's variables.
 * @returns `config: null` when none of them is set; every fault at once, none of which repeats a secret
 */
export function readDiscordConfig(env: Readonly<Record<string, string | undefined>>): DiscordSetupResult {
  const present = Object.fromEntries(
    Object.keys(discordVariables.shape)
      .map((name) => [name, env[name]?.trim()])
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  if (Object.keys(present).length === 0) return { ok: true, config: null };
  const parsed = discordVariables.safeParse(present);
  if (!parsed.success) {
    return { ok: false, faults: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) };
  }
  const { data } = parsed;
  const apiUrl = data.BECKON_DISCORD_API_URL;
  return {
    ok: true,
    config: {
      channel: { token: data.BECKON_DISCORD_TOKEN, ...(apiUrl === undefined ? {} : { apiUrl }) },
      address: { chatId: data.BECKON_DISCORD_CHANNEL },
      approvers: data.BECKON_DISCORD_APPROVERS,
    },
  };
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:';
}
