import { z } from 'zod';
import type { Ask, AskInput, Desk } from '../ledger/index.ts';
import { countWaits } from './count-waits.ts';
import { createRemoteLine } from './remote-line.ts';
import { persist } from './remote-persist.ts';
import { progressAnswer, receiptAnswer, requestAnswer, syncAnswer } from './remote-request.ts';
import { createHeard, createRemoteWait } from './remote-wait.ts';
import type { Log } from './tool-deps.ts';

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
   * Makes sure within `forMs` that a server runs. Called before asking and syncing, and in a wait that lost its server; nothing
   * else starts a server that somebody stopped. @throws DeskError
   */
  readonly reach?: (forMs: number) => Promise<void>;
  /** After how long without its server a wait calls `reach`; 60,000 when absent: people restart servers themselves. */
  readonly lookAfterMs?: number;
}

/**
 * The desk of a server elsewhere, over its REST API. Asking and syncing try again for up to 25 s; waiting outlives any
 * restart of the server within the request's time, without its caller noticing. The `caller` of each method is ignored: the
 * key says who calls.
 */
export function createRemoteDesk(deps: RemoteDeskDeps): Desk {
  const { baseUrl, key, keyName = 'BECKON_KEY', clock, log, reach, patienceMs = 25_000, lookAfterMs = 60_000 } = deps;
  const line = createRemoteLine({ baseUrl, key, keyName, log, fetch: deps.fetch ?? fetch });
  const heard = createHeard();
  const waits = countWaits(createRemoteWait({ line, heard, clock, log, reach, lookAfterMs }));
  const find = async (requestId: string) => {
    const remote = { method: 'GET', path: `${pathOf(requestId)}${manually}` } as const;
    return heard.note(await persist(line, remote, requestAnswer, { ...changing, forMs: patienceMs }));
  };
  return {
    async ask(input) {
      const remote = { method: 'POST', path: `/requests${manually}`, body: askBody(input) } as const;
      const receipt = await persist(line, remote, receiptAnswer, { ...asking, forMs: patienceMs, reach });
      heard.note(receipt.request);
      return receipt;
    },
    wait: waits.wait,
    find,
    async cancel(requestId, _caller, reason, options = {}) {
      const unless_awaited = options.unlessAwaited;
      if (unless_awaited && (await waits.isAwaited(requestId))) return heard.last(requestId) ?? (await find(requestId));
      const path = `${pathOf(requestId)}/cancel`;
      const remote = { method: 'POST', path, body: { reason: reason || undefined, unless_awaited } } as const;
      return heard.note(await persist(line, remote, requestAnswer, { ...changing, forMs: patienceMs }));
    },
    async markDelivered(requestId) {
      const remote = { method: 'POST', path: `${pathOf(requestId)}/delivered`, body: {} } as const;
      // The agent has its answer and is held up by this: a server that is away gets little time.
      await persist(line, remote, z.unknown(), { ...changing, forMs: 3_000 });
    },
    async sync(instance, _caller, known) {
      const remote = { method: 'POST', path: '/sync', body: { instance, known: known.slice(0, 200) } } as const;
      const report = await persist(line, remote, syncAnswer, { ...syncing, forMs: patienceMs, reach });
      report.requests.forEach(heard.note);
      return report;
    },
    async progressOf(requestId) {
      if (line.lostForMs() !== null) return 'the server cannot be reached at the moment; the request stays open';
      const remote = { method: 'GET', path: `${pathOf(requestId)}/progress`, deadlineMs: 5_000 } as const;
      return await line.call(remote, progressAnswer);
    },
  };
}

/** Who asks here reports himself that he has the answer: `markDelivered`. */
const manually = '?handover=manual';

const asking = {
  consequence:
    'Nobody was paged and nothing was approved. Check that the server runs and that BECKON_URL is right, then call again.',
  doubt:
    'Whether it took the question is not known: people may have been paged or not. Nothing is approved. Call again with the same arguments: if it was taken, that joins it and pages nobody twice.',
};
const syncing = {
  consequence: 'Nothing was changed: what was asked stays open. Check that the server runs, then call sync again.',
  doubt: 'What was asked stays open. Call sync again.',
};
const changing = {
  consequence: 'Nothing was changed. Check that the server runs, then try again.',
  doubt: 'Whether it did it is not known; try again.',
};

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
    options: options.length === 0 ? undefined : options.map(toOption),
  };
}

function toOption({ label, recommended }: Ask['options'][number]): object {
  return { label, recommended: recommended || undefined };
}

function pathOf(requestId: string): string {
  return `/requests/${encodeURIComponent(requestId)}`;
}
