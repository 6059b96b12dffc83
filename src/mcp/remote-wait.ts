import { setTimeout as sleep } from 'node:timers/promises';
import type { Desk, Request } from '../ledger/index.ts';
import { NotBeckon, PassingFailure } from './remote-call.ts';
import type { RemoteLine } from './remote-line.ts';
import { delayAfter, unreachable } from './remote-persist.ts';
import { requestAnswer } from './remote-request.ts';
import type { Log } from './tool-deps.ts';

/** One long poll: the API's own limit, and far under the 300 s after which fetch gives up. */
const longPollMs = 30_000;
/** How long after a request's time a server that cannot be reached is still waited for. */
const graceMs = 30_000;

/** What was last heard of each request, for a wait that must end while the server is away. */
export interface Heard {
  last(requestId: string): Request | undefined;
  note(request: Request): Request;
}

export function createHeard(): Heard {
  const requests = new Map<string, Request>();
  return {
    last: (requestId) => requests.get(requestId),
    note(request) {
      requests.delete(request.id);
      requests.set(request.id, request);
      for (const oldest of requests.keys()) if (requests.size > 1_000) requests.delete(oldest);
      return request;
    },
  };
}

/**
 * Waiting over the network, in long polls. It outlives any absence of the server within the request's time; its caller notices
 * nothing.
 */
export function createRemoteWait(deps: {
  readonly line: RemoteLine;
  readonly heard: Heard;
  readonly clock: { now(): Date };
  readonly log: Log;
  readonly reach?: ((forMs: number) => Promise<void>) | undefined;
  readonly lookAfterMs: number;
}): Desk['wait'] {
  const { line, heard, clock, log, reach, lookAfterMs } = deps;

  const poll = async (requestId: string, pollMs: number, signal: AbortSignal | undefined): Promise<Request> => {
    const path = `/requests/${encodeURIComponent(requestId)}/wait?handover=manual&timeout=${(pollMs / 1_000).toFixed(3)}`;
    return heard.note(await line.call({ method: 'GET', path, deadlineMs: pollMs + 10_000, signal }, requestAnswer));
  };
  const lastHeard = (requestId: string): Request => {
    const request = heard.last(requestId);
    if (request !== undefined) return request;
    throw unreachable(line, null, 'If the request exists, it stays open. Call sync later.');
  };
  const endAfterItsTime = (requestId: string, error: Error) => {
    const request = heard.last(requestId);
    if (request === undefined || clock.now().getTime() < request.expiresAt.getTime() + graceMs) return;
    throw unreachable(
      line,
      error,
      'The request ran out of time meanwhile, and whether somebody answered before is not known. Treat it as a no, and call sync when the server is back.',
    );
  };
  const lookForServer = async () => {
    if (reach === undefined || (line.lostForMs() ?? 0) < lookAfterMs) return;
    await reach(longPollMs).catch((error: unknown) => log.warn({ err: error }, 'the server could not be started'));
  };

  return async (requestId, _caller, { timeoutMs, signal }) => {
    const endsAt = performance.now() + timeoutMs;
    let failures = 0;
    for (;;) {
      const startedAt = performance.now();
      const leftMs = endsAt - startedAt;
      if (signal?.aborted || leftMs <= 0) return lastHeard(requestId);
      const pollMs = Math.min(leftMs, longPollMs);
      let delayMs = 0;
      try {
        const request = await poll(requestId, pollMs, signal);
        if (request.status !== 'pending') return request;
        failures = 0;
        // A server that is about to stop ends polls early: it must not be asked again in a tight loop.
        if (performance.now() - startedAt < pollMs / 2) delayMs = delayAfter(null, 1);
      } catch (error) {
        if (signal?.aborted) return lastHeard(requestId);
        if (!(error instanceof PassingFailure) && !(error instanceof NotBeckon)) throw error;
        failures += 1;
        endAfterItsTime(requestId, error);
        await lookForServer();
        delayMs = delayAfter(error, failures);
      }
      await pause(Math.min(delayMs, Math.max(0, endsAt - performance.now())), signal);
    }
  };
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // It rejects only when the signal aborts, and then the wait ends.
  if (ms > 0) await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {});
}
