import type { RequestHandler } from 'express';
import { type Desk, InvalidPayload } from '../../ledger/index.ts';
import type { ApiLog } from './api-error.ts';
import { callerOf } from './bearer-key.ts';
import { idOf } from './request-id.ts';
import { toRequestJson } from './request-json.ts';

const mostSeconds = 30;

/**
 * `GET /requests/:id/wait?timeout=25`: the request once it is settled, or as it is after `timeout` seconds. A settled one that
 * was sent counts as handed over, unless `handover=manual` says that the caller will report it itself.
 */
export function createWait(deps: { readonly desk: Desk; readonly log: ApiLog }): RequestHandler {
  const { desk, log } = deps;
  return async (request, response) => {
    const caller = callerOf(response, 'request_decisions', 'view_requests');
    const { timeoutMs, isManual } = parseQuery(request.query);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    // It may have gone while its key was looked up.
    if (response.closed) gone.abort();
    const found = await desk.wait(idOf(request), caller, { timeoutMs, signal: gone.signal });
    if (gone.signal.aborted) return;
    if (found.status !== 'pending' && !isManual && request.method === 'GET') {
      response.once('finish', () => {
        desk.markDelivered(found.id, caller).catch((error: unknown) => {
          log.error({ err: error, requestId: found.id }, 'could not note that the result was handed over');
        });
      });
    }
    response.json({ request: toRequestJson(found) });
  };
}

function parseQuery(query: Readonly<Record<string, unknown>>): { timeoutMs: number; isManual: boolean } {
  const { timeout = '25', handover } = query;
  const seconds = typeof timeout === 'string' && /^\d{1,3}(\.\d{1,3})?$/.test(timeout) ? Number(timeout) : Number.NaN;
  const faults = [
    ...(seconds <= mostSeconds ? [] : [`timeout: must be a number of seconds from 0 to ${mostSeconds}`]),
    ...(handover === undefined || handover === 'manual' ? [] : ['handover: must be "manual" or absent']),
  ];
  if (faults.length > 0) throw new InvalidPayload(faults);
  return { timeoutMs: seconds * 1_000, isManual: handover === 'manual' };
}
