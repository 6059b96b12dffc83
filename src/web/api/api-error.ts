import type { ErrorRequestHandler, Response } from 'express';
import { DeskError, type DeskErrorCode, InvalidPayload } from '../../ledger/index.ts';

/** A refusal of the API: `{ "error": { "code", "message" } }` with this status. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export interface ApiLog {
  error(fields: object, message: string): void;
}

const statusOf: Readonly<Record<DeskErrorCode, number>> = {
  not_found: 404,
  id_taken: 409,
  invalid_payload: 400,
  unreachable: 503,
  unauthorized: 401,
  forbidden: 403,
  unavailable: 503,
};

/** Turns whatever went wrong into a refusal; what nobody expected is logged and told without detail. */
export function createErrorAnswer(log: ApiLog): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const refusal = toApiError(error);
    if (refusal.status >= 500)
      log.error({ err: error, method: request.method, path: request.path }, 'an API call failed');
    // Nobody is left to be told when the caller went away in the middle of a body.
    if (response.headersSent || response.destroyed) response.destroy();
    else refuse(response, refusal);
  };
}

function refuse(response: Response, refusal: ApiError): void {
  response.status(refusal.status).set(refusal.headers);
  response.json({ error: { code: refusal.code, message: refusal.message } });
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof InvalidPayload) return new ApiError(400, error.code, error.faults.join('; '));
  if (error instanceof DeskError) {
    const retry = error.code === 'unavailable' ? { 'Retry-After': '2' } : undefined;
    return new ApiError(statusOf[error.code], error.code, error.message, retry);
  }
  return (
    fromExpress(error) ??
    new ApiError(500, 'internal', 'Beckon failed on this; the server’s log says why. Nothing is approved by it.')
  );
}

/** Errors of the body parser and of the router carry a status; their own words are for developers of servers. */
function fromExpress(error: unknown): ApiError | null {
  const status = error instanceof Error && 'status' in error ? error.status : null;
  if (status === 413)
    return new ApiError(413, 'too_large', 'The body is over 1 MB. A request has at most 10,000 characters.');
  if (status === 415 || (status === 400 && isUnpacking(error))) {
    const what = 'Send the body plain, or packed as its Content-Encoding says: gzip, deflate or br.';
    return new ApiError(415, 'unsupported_media_type', what);
  }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new ApiError(400, 'invalid_payload', 'The body is not well-formed JSON, or the address is not well-formed.');
  }
  return null;
}

/** Errors of zlib: the body is not packed in the way that its header says. */
function isUnpacking(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(Z_|ERR__|ERR_BROTLI)/.test(String(error.code));
}
