import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { DeskError } from '../ledger/index.ts';
import { NotBeckon, PassingFailure, type RemoteCall } from './remote-call.ts';
import type { RemoteLine } from './remote-line.ts';

export interface Persistence {
  /** How long it is tried, in all. */
  readonly forMs: number;
  /** How things stand when the server certainly did nothing. */
  readonly consequence: string;
  /** The same when it may have done it and only its answer was lost. */
  readonly doubt: string;
  /** Makes sure first that a server runs. */
  readonly reach?: ((forMs: number) => Promise<void>) | undefined;
}

/** One try of many gets no longer than this. */
const oneTryMs = 10_000;

/**
 * Calls the server, again while failures pass. For calls that may run twice only.
 * @throws DeskError `unreachable` after `forMs`; at once what the server refused, and why none could be started
 */
export async function persist<T>(
  line: RemoteLine,
  remote: Omit<RemoteCall, 'deadlineMs'>,
  schema: z.ZodType<T>,
  { forMs, consequence, doubt, reach }: Persistence,
): Promise<T> {
  const endsAt = performance.now() + forMs;
  let mayBeTaken = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await reach?.(endsAt - performance.now());
      const deadlineMs = Math.max(1, Math.min(oneTryMs, endsAt - performance.now()));
      return await line.call({ ...remote, deadlineMs }, schema);
    } catch (error) {
      if (error instanceof NotBeckon) throw notBeckon(line, error, consequence);
      if (!(error instanceof PassingFailure)) throw error;
      mayBeTaken ||= error.mayBeTaken;
      const delayMs = delayAfter(error, attempt);
      if (performance.now() + delayMs >= endsAt) throw unreachable(line, error, mayBeTaken ? doubt : consequence);
      await sleep(delayMs);
    }
  }
}

/**
 * 125 to 250 ms at first, 2.5 to 5 s at most, or what the server asks for; at random, so that waiting agents do not all return
 * at once.
 */
export function delayAfter(error: unknown, attempt: number): number {
  const asked = error instanceof PassingFailure ? error.retryAfterMs : 0;
  return Math.max(asked, Math.min(5_000, 250 * 2 ** Math.min(10, attempt - 1)) * (0.5 + Math.random() / 2));
}

export function unreachable({ baseUrl }: RemoteLine, cause: Error | null, consequence: string): DeskError {
  const why = cause === null ? '' : ` (${cause.message.replace(/\.$/, '')})`;
  const options = cause === null ? {} : { cause };
  return new DeskError(
    'unreachable',
    `Beckon's server at ${baseUrl} could not be reached${why}. ${consequence}`,
    options,
  );
}

function notBeckon({ baseUrl }: RemoteLine, error: NotBeckon, consequence: string): DeskError {
  const what = `${baseUrl} answers, but not as Beckon does (${error.message}).`;
  return new DeskError('unreachable', `${what} ${consequence}`, { cause: error });
}
