import { type Logger, LogLevel } from '@slack/bolt';
import type { ChannelLog } from '../channel-log.ts';

/**
 * Slack's libraries write to stdout by default, which belongs to the protocol: this sends their lines into ours.
 * All of them are for debugging: what a failure means is said by the supervisor, once, or thrown to the caller.
 */
export function createBoltLog(log: ChannelLog): Logger {
  const line = (parts: readonly unknown[]) => scrub(parts.map(toLine).join(' '));
  const fields = { channel: 'slack', from: 'bolt' };
  return {
    debug: () => {},
    info: (...parts) => log.debug(fields, line(parts)),
    warn: (...parts) => log.debug(fields, line(parts)),
    error: (...parts) => log.debug(fields, line(parts)),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}

/** Blots out tokens and the tickets of socket addresses. */
export function scrub(text: string): string {
  return text.replaceAll(/xox[a-z]-[\w-]+|xapp-[\w-]+|ticket=[\w-]+/g, '…');
}

function toLine(part: unknown): string {
  if (typeof part === 'string') return part;
  return part instanceof Error ? part.message : (JSON.stringify(part) ?? String(part));
}
