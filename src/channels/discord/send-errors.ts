import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { SendError, type SendFate } from '../contract.ts';
import { scrub, toLine } from './log-line.ts';

/** What Discord's codes mean for us (topics/opcodes-and-status-codes.mdx#json). */
const meanings: Readonly<
  Record<number, { readonly kind: 'gone' | 'dead' | 'misconfigured'; readonly advice: string }>
> = {
  10003: { kind: 'dead', advice: 'the channel does not exist any more: set another' },
  10008: { kind: 'gone', advice: 'the message was deleted' },
  50001: {
    kind: 'misconfigured',
    advice: 'the bot may not see the channel: give it View Channel there, or invite it to the server',
  },
  50005: { kind: 'gone', advice: 'the message was written by another bot' },
  50007: { kind: 'dead', advice: 'this person does not take direct messages from the bot' },
  50013: {
    kind: 'misconfigured',
    advice: 'the bot lacks a permission in the channel: give it View Channel, Send Messages and Embed Links',
  },
  50035: { kind: 'misconfigured', advice: 'Discord refused the form of the page' },
  50083: { kind: 'dead', advice: 'the thread is archived: open it again or set another' },
};

/** Reads what went wrong with a call as a fate for the engine. */
export function toSendError(error: unknown, doing: string): SendError {
  if (error instanceof SendError) return error;
  const { fate, text } = read(error);
  return new SendError(fate, scrub(`${doing}: ${text}`), { cause: error });
}

/** True when Discord refused what the page holds, not where it goes. */
export function isRefusedForm(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === 50035;
}

/** True when no retry can help before an operator has set another token. */
export function isRefusedToken(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 401;
}

export const refusedToken =
  'Discord does not accept the bot token: copy it again (Developer Portal > Bot > Reset Token) into BECKON_DISCORD_TOKEN';

function read(error: unknown): { readonly fate: SendFate; readonly text: string } {
  if (error instanceof RateLimitError) {
    const afterMs = Math.max(error.retryAfter, error.sublimitTimeout, 1);
    const scope = error.global ? 'all calls of the bot' : 'this channel';
    return {
      fate: { kind: 'retry', afterMs },
      text: `Discord asks to wait ${Math.ceil(afterMs / 1_000)} s with ${scope}`,
    };
  }
  if (error instanceof DiscordAPIError) return readRefusal(error);
  if (error instanceof HTTPError)
    return { fate: { kind: 'retry', afterMs: null }, text: `Discord answered ${error.status}` };
  if (error instanceof Error && error.name === 'AbortError') {
    return { fate: { kind: 'retry', afterMs: null }, text: 'Discord did not answer in time' };
  }
  return { fate: { kind: 'retry', afterMs: null }, text: toLine(error) };
}

function readRefusal(error: DiscordAPIError): { readonly fate: SendFate; readonly text: string } {
  const code = Number(error.code);
  const meaning = meanings[code];
  if (isRefusedToken(error)) return { fate: { kind: 'misconfigured' }, text: refusedToken };
  if (meaning !== undefined) {
    const detail = code === 50035 ? ` (${error.message.replaceAll('\n', ' ').slice(0, 300)})` : '';
    return { fate: { kind: meaning.kind }, text: `${meaning.advice}${detail}` };
  }
  const text = `Discord says ${code} ${error.message.slice(0, 200)}`;
  if (error.status === 403 || error.status === 404) return { fate: { kind: 'misconfigured' }, text };
  return { fate: { kind: 'retry', afterMs: null }, text };
}
