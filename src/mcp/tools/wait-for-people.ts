import { setTimeout as sleep } from 'node:timers/promises';
import { DeskError, type Request } from '../../ledger/index.ts';
import { meaningOfAbort } from '../abort-meaning.ts';
import type { ToolDeps } from '../tool-deps.ts';

/** One wait at the desk; short enough that a lost wake-up costs seconds. */
const oneWaitMs = 30_000;
/** A desk that fails is asked again for this long before the call ends with its error. */
const patienceMs = 60_000;
const retryEveryMs = 1_000;

/**
 * The request once it is settled; as it is when `endsAt` (by `performance.now()`) comes first, the call was aborted or this
 * server stops.
 * An agent that withdraws its call withdraws the request, unless another call waits for the same. A closed connection leaves the question to people open.
 * @throws DeskError when the desk fails for a minute on end; the request stays open then
 */
export async function waitForPeople(
  deps: ToolDeps,
  request: Request,
  signal: AbortSignal,
  endsAt: number,
): Promise<Request> {
  const stop = eitherOf(signal, deps.leaving);
  try {
    const current = await waitUntil(deps, request, stop.signal, endsAt);
    const isWithdrawn = signal.aborted && deps.cancelOnAbort && meaningOfAbort(signal) === 'withdrawn';
    if (!isWithdrawn) return current;
    return await deps.desk.cancel(current.id, deps.caller, 'The agent withdrew its call.', { unlessAwaited: true });
  } finally {
    stop.release();
  }
}

async function waitUntil(deps: ToolDeps, request: Request, signal: AbortSignal, endsAt: number): Promise<Request> {
  let current = request;
  let failingSince: number | null = null;
  while (current.status === 'pending' && !signal.aborted) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return current;
    try {
      const timeoutMs = Math.ceil(Math.min(leftMs, oneWaitMs));
      current = await deps.desk.wait(current.id, deps.caller, { timeoutMs, signal });
      failingSince = null;
    } catch (error) {
      failingSince ??= performance.now();
      if (!isPassing(error) || performance.now() - failingSince >= patienceMs) throw error;
      deps.log.warn({ err: error, requestId: request.id }, 'waiting failed, trying again');
      await sleep(Math.min(retryEveryMs, leftMs), undefined, { signal }).catch(() => {});
    }
  }
  return current;
}

function isPassing(error: unknown): boolean {
  return error instanceof DeskError && (error.code === 'unavailable' || error.code === 'unreachable');
}

/** Not `AbortSignal.any`: in Node 20 that keeps every call alive for as long as the server's signal lives. */
function eitherOf(call: AbortSignal, leaving: AbortSignal | undefined) {
  const either = new AbortController();
  const abort = () => either.abort();
  for (const one of [call, leaving]) {
    one?.addEventListener('abort', abort);
    if (one?.aborted) abort();
  }
  const release = () => {
    for (const one of [call, leaving]) one?.removeEventListener('abort', abort);
  };
  return { signal: either.signal, release };
}
