import { Client, DiscordAPIError, Events, type Interaction, RateLimitError } from 'discord.js';
import type { ChannelLog } from '../channel-log.ts';
import type { ChannelState } from '../contract.ts';
import { within } from '../waiting.ts';
import { toRestOptions } from './api.ts';
import type { DiscordConfig } from './config.ts';
import { toLogLine } from './log-line.ts';
import { tokenAdvice, waitOf } from './send-errors.ts';
import type { DiscordTiming } from './timing.ts';

/** Why a client is of no more use. */
export interface GatewayEnd {
  readonly status: Extract<ChannelState['status'], 'down' | 'misconfigured'>;
  /** What happened and what to do. */
  readonly fault: string;
  /** Where Discord says how long to wait. */
  readonly waitMs?: number;
}

/** One discord.js client, from login to the end of its use. */
export interface GatewayClient {
  /** Never rejects. */
  readonly ended: Promise<GatewayEnd>;
  /** Gives the connection up. Never rejects; may be called twice. */
  close(): Promise<void>;
}

/** The library tries a dead address every half second for ever; after so many errors in a row a new client asks for the address again. */
const mostErrors = 10;

/**
 * Opens a client. The library resumes by itself after short losses; what it never comes back from (a token or intents that
 * Discord refuses, a resume address that died, an outage) ends the client, and the caller opens the next one. Its own
 * `isReady()` stays true through all of that, so the state comes from the shard's events.
 */
export function openGatewayClient(deps: {
  readonly config: DiscordConfig;
  readonly timing: DiscordTiming;
  readonly log: ChannelLog;
  readonly onUp: () => void;
  /** The library tries to come back. */
  readonly onDown: () => void;
  readonly onInteraction: (interaction: Interaction) => void;
}): GatewayClient {
  const { config, timing, log, onUp, onDown, onInteraction } = deps;
  // Presses and forms come without any intent; no intent means no wait for guilds before the first press.
  const client = new Client({
    intents: [],
    rest: toRestOptions(config, timing.sendMs),
    allowedMentions: { parse: [] },
  });
  let isOver = false;
  let errors = 0;
  let lastError: unknown;
  let watchdog: NodeJS.Timeout | undefined;
  let finish: (end: GatewayEnd) => void = () => {};
  const ended = new Promise<GatewayEnd>((resolve) => {
    finish = (end) => {
      isOver = true;
      clearTimeout(watchdog);
      resolve(end);
    };
  });
  const expectUp = () => {
    clearTimeout(watchdog);
    const seconds = timing.backMs / 1_000;
    watchdog = setTimeout(() => {
      const because = lastError === undefined ? '' : ` (${toLogLine(lastError)})`;
      finish({ status: 'down', fault: `the gateway did not come up within ${seconds} s${because}` });
    }, timing.backMs);
  };
  const up = () => {
    if (isOver) return;
    clearTimeout(watchdog);
    errors = 0;
    onUp();
  };
  const note = (error: unknown) => {
    lastError = error;
    log.debug({ channel: 'discord', error: toLogLine(error) }, 'discord.js reports an error');
  };

  client.on(Events.Error, note);
  client.on(Events.ShardReady, up);
  client.on(Events.ShardResume, up);
  client.on(Events.ShardReconnecting, () => {
    if (isOver) return;
    if (errors === 0) expectUp();
    onDown();
  });
  client.on(Events.ShardError, (error) => {
    note(error);
    errors += 1;
    if (errors >= mostErrors) finish({ status: 'down', fault: `the gateway cannot be reached (${toLogLine(error)})` });
  });
  client.on(Events.ShardDisconnect, ({ code }) => finish(toEnd(code)));
  client.on(Events.Invalidated, () => finish({ status: 'down', fault: 'Discord ended the session' }));
  client.on(Events.InteractionCreate, (interaction) => {
    if (!isOver) onInteraction(interaction);
  });

  expectUp();
  client.login(config.token).catch((error: unknown) => finish(readLoginError(error)));

  let closing: Promise<void> | null = null;
  return {
    ended,
    close() {
      finish({ status: 'down', fault: 'closed' });
      closing ??= within(timing.closeMs, client.destroy().catch(note)).then(() => undefined);
      return closing;
    },
  };
}

/** Close codes after which the library gives up (topics/opcodes-and-status-codes.mdx#gateway-gateway-close-event-codes). */
function toEnd(code: number): GatewayEnd {
  switch (code) {
    case 4004:
      return { status: 'misconfigured', fault: tokenAdvice };
    case 4013:
    case 4014:
      return {
        status: 'misconfigured',
        fault: `Discord refuses the bot's intents (close code ${code}): look at the Developer Portal, Bot > Privileged Gateway Intents`,
      };
    case 4010:
    case 4011:
      return { status: 'misconfigured', fault: `Discord wants the bot to use shards (close code ${code}), which Beckon does not` };
    default:
      return { status: 'down', fault: `Discord closed the connection (close code ${code})` };
  }
}

function readLoginError(error: unknown): GatewayEnd {
  if (error instanceof RateLimitError) {
    return { status: 'down', fault: 'Discord asks to wait before the next connection', waitMs: waitOf(error) };
  }
  const refused =
    (error instanceof DiscordAPIError && error.status === 401) ||
    (error instanceof Error && 'code' in error && error.code === 'TokenInvalid');
  if (refused) return { status: 'misconfigured', fault: tokenAdvice };
  return { status: 'down', fault: `Discord could not be reached (${toLogLine(error)})` };
}
