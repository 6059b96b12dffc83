import type { IncomingMessage, ServerResponse } from 'node:http';
import type { createFaults, TelegramFault } from './faults.ts';
import { type JsonObject, toObject } from './json.ts';
import { type MethodContext, type Outcome, refuse } from './method.ts';
import { methods } from './methods.ts';
import type { RateLimits } from './rates.ts';

/** One call as the emulator took it. */
export interface TelegramCall {
  readonly method: string;
  readonly args: JsonObject;
  readonly at: number;
}

/** Answers the Bot API over HTTP: `/bot<token>/<method>`. */
export function createBotApi(deps: {
  readonly context: MethodContext;
  readonly isToken: (token: string) => boolean;
  readonly faults: ReturnType<typeof createFaults>;
  readonly limits: RateLimits;
  readonly calls: TelegramCall[];
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { context, isToken, faults, limits, calls } = deps;
  const { group } = context;

  const run = (method: string, args: JsonObject, ended: AbortSignal): Outcome | Promise<Outcome> => {
    const known = methods[method];
    if (known === undefined) {
      group.violate(`unknown method: ${method}`);
      return refuse(404, 'Not Found: method not found');
    }
    // The Bot API passes over what it does not know; here it is a slip of the pen.
    for (const name of Object.keys(args)) {
      if (!known.takes.includes(name)) group.violate(`${method}: unknown parameter ${name}`);
    }
    const wait = limits.take(method, String(args.chat_id ?? ''));
    return wait === null ? known.run(args, context, ended) : tooMany(wait);
  };

  const call = async (method: string, request: IncomingMessage, response: ServerResponse) => {
    const ended = new AbortController();
    response.once('close', () => ended.abort());
    const args = await readArguments(request);
    calls.push({ method, args, at: performance.now() });
    const fault = faults.take(method);
    const early = fault === null ? null : answerOf(fault);
    if (early !== null) return send(response, early);
    switch (fault?.kind) {
      case 'status':
        response.writeHead(fault.status, { 'content-type': 'text/html' });
        return void response.end(`<html><body><h1>${fault.status} Bad Gateway</h1></body></html>`);
      case 'drop_before':
        return void request.socket.destroy();
      case 'black_hole':
        return;
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, fault.ms).unref());
    }
    const outcome = await run(method, args, ended.signal);
    if ('refused' in outcome && outcome.violates) group.violate(`${method}: ${outcome.description}`);
    if (fault?.kind === 'drop_after') return void request.socket.destroy();
    if (!ended.signal.aborted) send(response, outcome);
  };

  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://telegram');
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(decodeURIComponent(pathname)) ?? [];
    if (token === undefined || method === undefined) {
      group.violate(`${request.method} ${pathname.replace(/bot[^/]+/, 'bot…')}`);
      return send(response, refuse(404, 'Not Found'));
    }
    // A token that is none at all is not found; a well-formed one that is unknown or revoked is refused.
    if (!/^\d+:[\w-]+$/.test(token)) return send(response, refuse(404, 'Not Found'));
    if (!isToken(token)) return send(response, refuse(401, 'Unauthorized'));
    call(method, request, response).catch(() => request.socket.destroy());
  };
}

function answerOf(fault: TelegramFault): Outcome | null {
  if (fault.kind === 'rate_limited') return tooMany(fault.retryAfterSeconds);
  if (fault.kind !== 'error') return null;
  return refuse(fault.code, fault.description, fault.parameters === undefined ? {} : { parameters: fault.parameters });
}

function tooMany(seconds: number): Outcome {
  return refuse(429, `Too Many Requests: retry after ${seconds}`, { parameters: { retry_after: seconds } });
}

function send(response: ServerResponse, outcome: Outcome): void {
  const [status, body] =
    'refused' in outcome
      ? [
          outcome.code,
          {
            ok: false,
            error_code: outcome.code,
            description: outcome.description,
            ...(outcome.parameters === undefined ? {} : { parameters: outcome.parameters }),
          },
        ]
      : [200, { ok: true, result: outcome.result }];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** JSON bodies, form bodies and the query string, as the Bot API takes them. */
async function readArguments(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks).toString('utf8');
  const { searchParams } = new URL(request.url ?? '/', 'http://telegram');
  const inUrl = Object.fromEntries(searchParams);
  if (raw === '') return inUrl;
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/json')) return { ...inUrl, ...toObject(JSON.parse(raw)) };
  return { ...inUrl, ...Object.fromEntries(new URLSearchParams(raw)) };
}
