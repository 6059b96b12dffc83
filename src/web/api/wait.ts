import type { RequestHandler } from 'express';
import { type Desk, InvalidPayload } from '../../ledger/index.ts';
import { callerOf } from './bearer-key.ts';
import { handOverFaults, type SendHandingOver } from './hand-over.ts';
import { idOf } from './request-id.ts';
import { toRequestJson } from './request-json.ts';

const mostSeconds = 30;

/**
 * `GET /requests/:id/wait?timeout=25`: the request once it is settled, or as it is after `timeout` seconds. A settled one that
 * was sent counts as handed over, unless `handover=manual` says that the caller will report it itself.
 */
export function createWait(deps: { readonly desk: Desk; readonly sendHandingOver: SendHandingOver }): RequestHandler {
  const { desk, sendHandingOver } = deps;
  return async (request, response) => {
    const caller = callerOf(response, 'request_decisions', 'view_requests');
    const timeoutMs = parseQuery(request.query);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    // It may have gone while its key was looked up.
    if (response.closed) gone.abort();
    const found = await desk.wait(idOf(request), caller, { timeoutMs, signal: gone.signal });
    if (gone.signal.aborted) return;
    sendHandingOver({ request, response }, caller, found, { request: toRequestJson(found) });
  };
}

function parseQuery(query: Readonly<Record<string, unknown>>): number {
  const { timeout = '25' } = query;
  const seconds = typeof timeout === 'string' && /^\d{1,3}(\.\d{1,3})?$/.test(timeout) ? Number(timeout) : Number.NaN;
  const faults = [
    ...(seconds <= mostSeconds ? [] : [`timeout: must be a number of seconds from 0 to ${mostSeconds}`]),
    ...handOverFaults(query),
  ];
  if (faults.length > 0) throw new InvalidPayload(faults);
  return seconds * 1_000;
}
