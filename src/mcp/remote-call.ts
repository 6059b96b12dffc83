import type { z } from 'zod';
import { DeskError, type DeskErrorCode } from '../ledger/index.ts';
import { readCapped } from './read-capped.ts';
import { errorAnswer } from './remote-request.ts';

/** One exchange that did not come about now but may later: no connection, a connection that broke, a server that is busy. */
export class PassingFailure extends Error {
  /** False only where it is certain that the server did not act on the request. */
  readonly mayBeTaken: boolean;
  readonly retryAfterMs: number;
  constructor(message: string, facts: { mayBeTaken: boolean; retryAfterMs?: number }, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'PassingFailure';
    this.mayBeTaken = facts.mayBeTaken;
    this.retryAfterMs = facts.retryAfterMs ?? 0;
  }
}

/** Something answers at the address, but it is not Beckon's API. */
export class NotBeckon extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotBeckon';
  }
}

/** The largest answer, 200 of the largest requests with room to spare. */
const mostBytes = 32_000_000;

export interface RemoteCall {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1`, encoded. */
  readonly path: string;
  readonly body?: unknown;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One exchange with the REST API.
 * @throws PassingFailure; NotBeckon; DeskError for what the API refused; the signal's reason when it aborts
 */
export async function exchange<T>(
  server: { readonly baseUrl: string; readonly key: string; readonly keyName: string; readonly fetch: typeof fetch },
  call: RemoteCall,
  schema: z.ZodType<T>,
): Promise<T> {
  const { response, text } = await send(server, call);
  if (text === null) throw new NotBeckon(`${describe(response)}, over ${mostBytes / 1_000_000} MB`);
  const json = parseJson(text);
  if (response.ok) {
    const answer = schema.safeParse(json);
    if (answer.success) return answer.data;
    throw new NotBeckon(describe(response));
  }
  const refusal = errorAnswer.safeParse(json).data?.error;
  if (response.status === 429 || response.status >= 500) {
    const mayBeTaken = response.status !== 429 && response.status !== 503;
    const retryAfterMs = 1_000 * (Number(response.headers.get('retry-after')) || 0);
    throw new PassingFailure(refusal?.message ?? describe(response), { mayBeTaken, retryAfterMs });
  }
  if (refusal === undefined) throw new NotBeckon(describe(response));
  throw toDeskError(refusal, server);
}

async function send(server: { baseUrl: string; key: string; fetch: typeof fetch }, call: RemoteCall) {
  const ended = new AbortController();
  const onAbort = () => ended.abort(call.signal?.reason);
  const timer = setTimeout(() => ended.abort(new Error('no answer in time')), call.deadlineMs);
  if (call.signal?.aborted) onAbort();
  call.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const response = await server.fetch(`${server.baseUrl}/api/v1${call.path}`, {
      method: call.method,
      headers: {
        authorization: `Bearer ${server.key}`,
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      // A key is sent to the configured address and nowhere else.
      redirect: 'manual',
      signal: ended.signal,
    });
    return { response, text: await readCapped(response, mostBytes) };
  } catch (error) {
    if (call.signal?.aborted) throw call.signal.reason;
    const why = reasonOf(error);
    throw new PassingFailure(why.words, { mayBeTaken: !why.isBeforeSending }, { cause: error });
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', onAbort);
  }
}

/** Failures of making the connection: nothing was sent. Others may have happened on the way back. */
const beforeSending: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no network',
  EADDRNOTAVAIL: 'no network',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
};

function reasonOf(error: unknown): { readonly words: string; readonly isBeforeSending: boolean } {
  for (let at = error; at instanceof Error; at = at instanceof AggregateError ? at.errors[0] : at.cause) {
    const code = (at as NodeJS.ErrnoException).code;
    const words = code === undefined ? undefined : beforeSending[code];
    if (words !== undefined) return { words, isBeforeSending: true };
    if (at.message === 'bad port') return { words: 'no program may use its port', isBeforeSending: true };
    if (code !== undefined) return { words: `the connection broke (${code})`, isBeforeSending: false };
    if (at.message === 'no answer in time') return { words: at.message, isBeforeSending: false };
  }
  return { words: 'the connection broke', isBeforeSending: false };
}

const codes: readonly DeskErrorCode[] = ['not_found', 'id_taken', 'invalid_payload', 'forbidden'];

function toDeskError(
  refusal: { code: string; message: string },
  server: { baseUrl: string; keyName: string },
): DeskError {
  if (refusal.code === 'unauthorized') {
    return new DeskError(
      'unauthorized',
      `The server at ${server.baseUrl} does not accept ${server.keyName}: the key is missing, wrong, expired or revoked. Nobody was paged and nothing was approved. Put a valid key there and start the agent again.`,
    );
  }
  const code = codes.find((known) => known === refusal.code) ?? 'invalid_payload';
  return new DeskError(code, refusal.message);
}

function describe(response: Response): string {
  const location = response.headers.get('location');
  const type = response.headers.get('content-type')?.split(';')[0] ?? 'no content type';
  return `HTTP ${response.status}, ${location === null ? type : `a redirect to ${location.slice(0, 200)}`}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
