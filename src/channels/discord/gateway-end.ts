import { DiscordjsError, DiscordjsErrorCodes, RateLimitError } from 'discord.js';
import type { ChannelState } from '../contract.ts';
import { toLine } from './log-line.ts';
import { isRefusedToken, refusedToken } from './send-errors.ts';

/** Why a client's life ended, as the operator reads it. */
export interface GatewayEnd {
  readonly status: Extract<ChannelState['status'], 'down' | 'misconfigured'>;
  readonly detail: string;
  /** Where Discord says how long to wait. */
  readonly waitMs?: number;
}

/** Close codes after which the library gives up (topics/opcodes-and-status-codes.mdx#gateway-gateway-close-event-codes). */
const closes: Readonly<Record<number, string>> = {
  4004: refusedToken,
  4010: 'Discord refused the shard (4010): update Beckon',
  4011: 'Discord wants this bot sharded (4011): use a bot of its own for Beckon',
  4012: 'Discord does not speak this version of the gateway any more (4012): update Beckon',
  4013: 'Discord refused the intents (4013): update Beckon',
  4014: 'Discord refused the intents (4014): the bot asks for something that is not switched on in the Developer Portal > Bot',
};

export function readClose(code: number): GatewayEnd {
  const detail = closes[code];
  if (detail !== undefined) return { status: 'misconfigured', detail };
  return { status: 'down', detail: `Discord closed the gateway (${code}); connecting anew` };
}

export function readLoginError(error: unknown): GatewayEnd {
  const invalid = error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
  if (invalid || isRefusedToken(error)) return { status: 'misconfigured', detail: refusedToken };
  if (error instanceof RateLimitError) {
    const waitMs = Math.max(error.retryAfter, error.sublimitTimeout);
    return { status: 'down', detail: `Discord asks to wait ${Math.ceil(waitMs / 1_000)} s before connecting`, waitMs };
  }
  return { status: 'down', detail: `Discord cannot be reached: ${toLine(error)}; trying again` };
}
