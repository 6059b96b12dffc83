import type { Request } from 'express';
import { DeskError } from '../../ledger/index.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function isRequestId(text: string): boolean {
  return uuid.test(text);
}

/** The request id of the address. @throws DeskError `not_found` for what no request can have as its id */
export function idOf(request: Request): string {
  const { id } = request.params;
  if (typeof id === 'string' && isRequestId(id)) return id.toLowerCase();
  throw new DeskError('not_found', 'There is no such request: the id in the address is not a UUID.');
}
