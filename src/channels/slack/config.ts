import { z } from 'zod';
import type { ChannelAddress } from '../contract.ts';

/**
 * What the adapter needs to reach Slack. Scopes of the bot token: `chat:write`; `users:read` for people's names; `channels:read`
 * and `channels:history` (`groups:…`, `im:…` for private channels and direct messages) for `check` and for finding a page again.
 */
export interface SlackConfig {
  /** `xoxb-…`: the bot token, for the Web API. */
  readonly botToken: string;
  /** `xapp-…`: the app-level token with `connections:write`, for Socket Mode. */
  readonly appToken: string;
  /** Base of the Web API where it is not Slack's own: an emulator, a proxy. */
  readonly apiUrl?: string;
}

/** Slack as the environment sets it up. */
export interface SlackSetup {
  readonly channel: SlackConfig;
  readonly address: ChannelAddress;
  /** Slack user ids; empty: nobody may answer. */
  readonly approvers: readonly string[];
}

export type SlackSetupResult =
  | { readonly ok: true; readonly config: SlackSetup | null }
  | { readonly ok: false; readonly faults: readonly string[] };

const account = /^[UW][A-Z0-9]{2,20}$/;

const approvers = z
  .string()
  .default('')
  .transform((text) => [...new Set(text.split(/[\s,]+/).filter((id) => id !== ''))])
  .refine(
    (ids) => ids.every((id) => account.test(id)),
    'must be Slack member ids separated by commas (profile > ⋮ > Copy member ID), for example U012AB3CD,U045EF6GH',
  );

/** The environment variables of this channel: what each holds, in the form of the message a wrong one gets. */
export const slackVariables = z.object({
  BECKON_SLACK_BOT_TOKEN: z
    .string('is missing: the bot token of the Slack app (OAuth & Permissions), for example xoxb-123-456-abc')
    .regex(/^xoxb-[A-Za-z0-9-]+$/, 'must be a bot token that starts with xoxb-, for example xoxb-123-456-abc'),
  BECKON_SLACK_APP_TOKEN: z
    .string(
      'is missing: an app-level token with connections:write (Basic Information), for example xapp-1-A012-345-abc',
    )
    .regex(
      /^xapp-[A-Za-z0-9-]+$/,
      'must be an app-level token that starts with xapp-, for example xapp-1-A012-345-abc',
    ),
  BECKON_SLACK_CHANNEL: z
    .string('is missing: the id of the channel to page (channel name > View details), for example C012AB3CD')
    .regex(/^[CGD][A-Z0-9]{2,20}$/, 'must be the id of a channel, not its name, for example C012AB3CD'),
  BECKON_SLACK_APPROVERS: approvers,
  BECKON_SLACK_API_URL: z
    .string()
    .refine(isHttpUrl, 'must be an http or https address, for example https://slack.com/api/')
    .optional(),
});

/**
 * Reads Slack's variables.
 * @returns `config: null` when none of them is set; every fault at once, none of which repeats a secret
 */
export function readSlackConfig(env: Readonly<Record<string, string | undefined>>): SlackSetupResult {
  const present = Object.fromEntries(
    Object.keys(slackVariables.shape)
      .map((name) => [name, env[name]?.trim()])
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  if (Object.keys(present).length === 0) return { ok: true, config: null };
  const parsed = slackVariables.safeParse(present);
  if (!parsed.success) {
    return { ok: false, faults: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) };
  }
  const { data } = parsed;
  const apiUrl = data.BECKON_SLACK_API_URL;
  return {
    ok: true,
    config: {
      channel: {
        botToken: data.BECKON_SLACK_BOT_TOKEN,
        appToken: data.BECKON_SLACK_APP_TOKEN,
        ...(apiUrl === undefined ? {} : { apiUrl }),
      },
      address: { chatId: data.BECKON_SLACK_CHANNEL },
      approvers: data.BECKON_SLACK_APPROVERS,
    },
  };
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:';
}
