import type { Request as HttpRequest, Response } from 'express';
import { type Caller, type Desk, InvalidPayload, type Request } from '../../ledger/index.ts';
import type { ApiLog } from './api-error.ts';

/** Sends `body`; the settled request in it counts as handed over once it was sent. `manual`: the caller will report that itself. */
export type SendHandingOver = (
  http: { readonly request: HttpRequest; readonly response: Response },
  caller: Caller,
  found: Request,
  body: object,
) => void;

/** What every call that returns a request to whoever asked it does. A settled one would else be kept for the next equal question. */
export function createHandOver({ desk, log }: { readonly desk: Desk; readonly log: ApiLog }): SendHandingOver {
  return ({ request, response }, caller, found, body) => {
    const isHandedOver = found.status !== 'pending' && found.deliveredAt === null && request.method !== 'HEAD';
    if (isHandedOver && request.query.handover !== 'manual') {
      response.once('finish', () => {
        desk.markDelivered(found.id, caller).catch((error: unknown) => {
          log.error({ err: error, requestId: found.id }, 'could not note that the result was handed over');
        });
      });
    }
    response.json(body);
  };
}

/** What is wrong with `?handover=`, to be told before anything is done. */
export function handOverFaults({ handover }: Readonly<Record<string, unknown>>): readonly string[] {
  return handover === undefined || handover === 'manual' ? [] : ['handover: must be "manual" or absent'];
}

/** @throws InvalidPayload */
export function checkHandOver(query: Readonly<Record<string, unknown>>): void {
  const faults = handOverFaults(query);
  if (faults.length > 0) throw new InvalidPayload(faults);
}
