import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Ask, type AskInput, type Desk, DeskError, type Request } from '../ledger/index.ts';
import { exchange, NotBeckon, PassingFailure, type RemoteCall } from './remote-call.ts';
import { progressAnswer, receiptAnswer, requestAnswer, syncAnswer } from './remote-request.ts';
import type { Log } from './tool-deps.ts';

/** One long poll; the API's own limit, and far under the 300 s after which fetch gives up. */
const longPollMs = 30_000;
/** How long after a request's time a server that cannot be reached is still waited for. */
const graceMs = 30_000;
/** A server that stays away for this long while agents wait is looked for, and started where it is the local one. */
const lookAfterMs = 60_000;

export interface RemoteDeskDeps {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The key, or where to read it anew for each call. */
  readonly key: string | (() => Promise<string>);
  /** How errors call the place the key comes from. */
  readonly keyName?: string;
  readonly clock: { now(): Date };
  readonly log: Log;
  readonly fetch?: typeof fetch;
  /** How long asking is tried again before it fails; 25,000 when absent, so that an agent has its error within 30 s. */
  readonly patienceMs?: number;
  /**
   * Makes sure within `forMs` that a server runs. Called before asking and syncing, and in a wait that lost its server a minute
   * ago; nothing else starts a server that somebody stopped. @throws DeskError
   */
  readonly reach?: (forMs: number) => Promise<void>;
}

/**
 * The desk of a server elsewhere, over its REST API. Asking and syncing try again for up to 25 s; waiting outlives any
 * restart of the server within the request's time, without its caller noticing. The `caller` of each method is ignored: the
 * key says who calls.
 */
export function createRemoteDesk(deps: RemoteDeskDeps): Desk {
  const { baseUrl, keyName = 'BECKON_KEY', clock, log, reach, patienceMs = 25_000 } = deps;
  /** The newest that was heard of each request, for a wait that must end while the server is away. */
  const known = new Map<string, Request>();
  let lostAt: number | null = null;

  const heard = (request: Request): Request => {
    known.delete(request.id);
    known.set(request.id, request);
    for (const oldest of known.keys()) if (known.size > 1_000) known.delete(oldest);
    return request;
  };

  const call = async <T>(remote: RemoteCall, schema: z.ZodType<T>): Promise<T> => {
    const key = typeof deps.key === 'string' ? deps.key : await deps.key();
    const server = { baseUrl, key, keyName, fetch: deps.fetch ?? fetch };
    try {
      const answer = await exchange(server, remote, schema);
      if (lostAt !== null) log.info({ baseUrl }, 'the server is back');
      lostAt = null;
      return answer;
    } catch (error) {
      if (error instanceof PassingFailure && lostAt === null) {
        lostAt = performance.now();
        log.warn({ baseUrl, why: error.message }, 'the server cannot be reached');
      }
      throw error;
    }
  };

  /** Tries again while failures pass. */
  const persist = async <T>(
    remote: Omit<RemoteCall, 'deadlineMs'>,
    schema: z.ZodType<T>,
    told: Persistence,
  ): Promise<T> => {
    const endsAt = performance.now() + told.forMs;
    let mayBeTaken = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await told.reach?.(endsAt - performance.now());
        const deadlineMs = Math.max(1, Math.min(10_000, endsAt - performance.now()));
        return await call({ ...remote, deadlineMs }, schema);
      } catch (error) {
        if (error instanceof NotBeckon) throw notBeckon(baseUrl, error, told.consequence);
        if (!isPassing(error)) throw error;
        if (error instanceof PassingFailure) mayBeTaken ||= error.mayBeTaken;
        const delay = Math.max(backoff(attempt), error instanceof PassingFailure ? error.retryAfterMs : 0);
        if (performance.now() + delay >= endsAt) {
          if (error instanceof DeskError) throw error;
          throw unreachable(baseUrl, error, mayBeTaken ? told.doubt : told.consequence);
        }
        await sleep(delay);
      }
    }
  };

  const finding = reach === undefined ? {} : { reach };
  const wait: Desk['wait'] = async (requestId, _caller, { timeoutMs, signal }) => {
    const endsAt = performance.now() + timeoutMs;
    let failures = 0;
    for (;;) {
      const leftMs = endsAt - performance.now();
      if (signal?.aborted || leftMs <= 0) return lastHeard(requestId);
      const pollMs = Math.min(leftMs, longPollMs);
      const startedAt = performance.now();
      const path = `${pathOf(requestId)}/wait?handover=manual&timeout=${(pollMs / 1_000).toFixed(3)}`;
      try {
        const request = heard(await call({ method: 'GET', path, deadlineMs: pollMs + 10_000, signal }, requestAnswer));
        if (request.status !== 'pending') return request;
        failures = 0;
        // A server that is about to stop ends polls early: do not ask it again in a tight loop.
        if (performance.now() - startedAt < Math.min(200, pollMs / 2)) await pause(backoff(1), signal);
      } catch (error) {
        if (signal?.aborted) return lastHeard(requestId);
        if (!isPassing(error) && !(error instanceof NotBeckon)) throw error;
        failures += 1;
        giveUpAfterItsTime(requestId, error);
        await lookForServer();
        const delay = Math.max(backoff(failures), error instanceof PassingFailure ? error.retryAfterMs : 0);
        await pause(Math.min(delay, Math.max(0, endsAt - performance.now())), signal);
      }
    }
  };

  const lastHeard = (requestId: string): Request => {
    const request = known.get(requestId);
    if (request !== undefined) return request;
    throw unreachable(baseUrl, null, 'If the request exists, it stays open. Call sync later.');
  };

  const giveUpAfterItsTime = (requestId: string, error: Error) => {
    const request = known.get(requestId);
    if (request === undefined || clock.now().getTime() < request.expiresAt.getTime() + graceMs) return;
    throw unreachable(
      baseUrl,
      error,
      'The request ran out of time meanwhile; what people answered before is not known. Treat it as a no, and call sync when the server is back.',
    );
  };

  const lookForServer = async () => {
    if (reach === undefined || lostAt === null || performance.now() - lostAt < lookAfterMs) return;
    await reach(longPollMs).catch((error: unknown) => log.warn({ err: error }, 'the server could not be started'));
  };

  const ask: Desk['ask'] = async (input) => {
    const told = {
      ...finding,
      forMs: patienceMs,
      consequence:
        'Nobody was paged and nothing was approved. Check that the server runs and that BECKON_URL is right, then call again.',
      doubt:
        'Whether it took the question is not known: people may have been paged or not. Nothing is approved. Call again with the same arguments: if it was taken, that joins it and pages nobody twice.',
    };
    const receipt = await persist({ method: 'POST', path: '/requests', body: askBody(input) }, receiptAnswer, told);
    heard(receipt.request);
    return receipt;
  };

  const nothing = 'Nothing was changed. Check that the server runs, then try again.';
  const later = { forMs: patienceMs, consequence: nothing, doubt: 'Whether it did it is not known; try again.' };
  return {
    ask,
    wait,
    find: async (requestId) => heard(await persist({ method: 'GET', path: pathOf(requestId) }, requestAnswer, later)),
    cancel: async (requestId, _caller, reason) => {
      const remote = { method: 'POST', path: `${pathOf(requestId)}/cancel`, body: { reason } } as const;
      return heard(await persist(remote, requestAnswer, later));
    },
    async markDelivered(requestId) {
      const remote = { method: 'POST', path: `${pathOf(requestId)}/delivered`, body: {} } as const;
      // The agent has its answer and is held up by this: a server that is away gets little time.
      await persist(remote, z.unknown(), { ...later, forMs: 3_000 });
    },
    async sync(instance, _caller, ids) {
      const report = await persist(
        { method: 'POST', path: '/sync', body: { instance, known: ids.slice(0, 200) } },
        syncAnswer,
        {
          ...later,
          consequence: 'Requests that were asked stay open. Check that the server runs, then call sync again.',
        },
      );
      report.requests.forEach(heard);
      return report;
    },
    async progressOf(requestId) {
      if (lostAt !== null) return 'the server cannot be reached at the moment; the request stays open';
      const path = `${pathOf(requestId)}/progress`;
      return await call({ method: 'GET', path, deadlineMs: 5_000 }, progressAnswer);
    },
  };
}

interface Persistence {
  /** In all. */
  readonly forMs: number;
  /** How things stand when the server certainly did nothing, and when that is not known. */
  readonly consequence: string;
  readonly doubt: string;
  readonly reach?: (forMs: number) => Promise<void>;
}

function askBody({ id, ask, instance, ttlSeconds }: AskInput): object {
  return { id, ...toArguments(ask), instance, ttl_seconds: ttlSeconds };
}

/** An ask as the API takes it; what is absent stays absent, since its schemas are closed. */
function toArguments({ kind, title, gist, extended, dangerLevel, options }: Ask): object {
  return {
    kind,
    title,
    gist,
    extended: extended ?? undefined,
    danger_level: dangerLevel ?? undefined,
    options:
      options.length === 0
        ? undefined
        : options.map(({ label, recommended }) => ({ label, recommended: recommended || undefined })),
  };
}

function pathOf(requestId: string): string {
  return `/requests/${encodeURIComponent(requestId)}`;
}

function isPassing(error: unknown): error is Error {
  return error instanceof PassingFailure || (error instanceof DeskError && error.code === 'unreachable');
}

/** 125 to 250 ms at first, 2.5 to 5 s at most; at random, so that waiting agents do not all return at once. */
function backoff(attempt: number): number {
  return Math.min(5_000, 250 * 2 ** Math.min(10, attempt - 1)) * (0.5 + Math.random() / 2);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {});
}

function unreachable(baseUrl: string, cause: Error | null, consequence: string): DeskError {
  const why = cause === null ? '' : ` (${cause.message})`;
  return new DeskError('unreachable', `Beckon's server at ${baseUrl} could not be reached${why}. ${consequence}`, {
    cause,
  });
}

function notBeckon(baseUrl: string, error: NotBeckon, consequence: string): DeskError {
  const hint = `${baseUrl} answers, but not as Beckon does (${error.message}).`;
  return new DeskError('unreachable', `${hint} ${consequence}`, { cause: error });
}
