import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { SendError, type SendFate } from '../contract.ts';
import { toLogLine } from './log-line.ts';

/**
 * What Discord's codes mean for us (topics/opcodes-and-status-codes.mdx#json). A message that is not ours any more (50005)
 * cannot be brought up to date: a pending page is posted again.
 */
const fates: Readonly<Record<string, 'gone' | 'dead' | 'misconfigured'>> = {
  10008: 'gone',
  50005: 'gone',
  10003: 'dead',
  50001: 'dead',
  50007: 'dead',
  50008: 'dead',
  50083: 'dead',
  160005: 'dead',
  40001: 'misconfigured',
  50013: 'misconfigured',
  50014: 'misconfigured',
  // A page that Discord refuses will be refused again: an operator has to see it.
  50006: 'misconfigured',
  50035: 'misconfigured',
};

const advice: Readonly<Record<string, string>> = {
  10003: 'the channel does not exist: check its id',
  10008: 'the message was deleted',
  50001: 'the bot may not see the channel: invite it and let it view the channel',
  50007: 'the person takes no direct messages from the bot',
  50013: 'the bot may not write there: give it the permissions Send Messages and Embed Links',
  50083: 'the thread is archived: open it again or choose another channel',
};

export const tokenAdvice = 'Discord does not accept the bot token: copy it again from the Developer Portal (Bot > Reset Token)';

/** Reads what went wrong with a call as a fate for the engine. */
export function toSendError(error: unknown, doing: string): SendError {
  if (error instanceof SendError) return error;
  const make = (fate: SendFate, what: string) => new SendError(fate, `${doing}: ${what}`, { cause: error });
  if (error instanceof RateLimitError) {
    const afterMs = waitOf(error);
    return make({ kind: 'retry', afterMs }, `Discord asks to wait ${(afterMs / 1_000).toFixed(1)} s`);
  }
  if (error instanceof DiscordAPIError) {
    if (error.status === 401) return make({ kind: 'misconfigured' }, tokenAdvice);
    const kind = fates[error.code];
    const fate: SendFate = kind === undefined ? { kind: 'retry', afterMs: null } : { kind };
    return make(fate, advice[error.code] ?? `Discord says ${error.code}, ${toLogLine(error)}`);
  }
  if (error instanceof HTTPError) return make({ kind: 'retry', afterMs: null }, `Discord answered with HTTP ${error.status}`);
  return make({ kind: 'retry', afterMs: null }, `Discord could not be reached (${toLogLine(error)})`);
}

/** Milliseconds until the limit is over. */
export function waitOf({ retryAfter, timeToReset }: RateLimitError): number {
  return Math.max(1, Math.ceil(Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : timeToReset));
}
