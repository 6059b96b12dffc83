import { type Request, type RequestResult, toResult } from '../../ledger/index.ts';

/** A request as the API shows it: its fields, dates in ISO 8601, and the result that an agent gets. */
export type RequestJson = Omit<Request, 'createdAt' | 'expiresAt' | 'settledAt' | 'deliveredAt'> & {
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly settledAt: string | null;
  readonly deliveredAt: string | null;
  readonly result: RequestResult;
};

export function toRequestJson(request: Request): RequestJson {
  return {
    ...request,
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
    settledAt: request.settledAt?.toISOString() ?? null,
    deliveredAt: request.deliveredAt?.toISOString() ?? null,
    result: toResult(request),
  };
}
