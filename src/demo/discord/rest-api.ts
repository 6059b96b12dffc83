import type { IncomingMessage, ServerResponse } from 'node:http';
import { type JsonObject, toObject } from '../json.ts';
import type { createFaults, DiscordFault } from './faults.ts';
import type { Bucket, RateLimits } from './rates.ts';
import type { RouteAnswer, RouteContext } from './route.ts';
import { findRoute } from './routes.ts';

/** One call that the bot made. */
export interface DiscordCall {
  readonly route: string;
  readonly body: JsonObject;
  readonly status: number;
}

const base = '/api/v10';

export function createRestApi(deps: {
  readonly context: () => RouteContext;
  readonly token: string;
  readonly faults: ReturnType<typeof createFaults>;
  readonly limits: RateLimits;
  readonly calls: DiscordCall[];
}): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { context, token, faults, limits, calls } = deps;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { guild } = context();
    const url = new URL(request.url ?? '/', 'http://discord');
    const method = request.method ?? 'GET';
    const body = await readJson(request);
    const found = url.pathname.startsWith(base) ? findRoute(method, url.pathname.slice(base.length)) : null;
    if (found === null) {
      guild.violate(`unknown call ${method} ${url.pathname}`);
      return send(response, { status: 404, body: { message: '404: Not Found', code: 0 } });
    }
    const { route, ids } = found;
    if (body === null)
      return send(response, { status: 400, body: { message: 'The request body contains invalid JSON.', code: 50109 } });
    if (route.key === 'bot' && request.headers.authorization !== `Bot ${token}`) {
      calls.push({ route: route.name, body, status: 401 });
      return send(response, { status: 401, body: { message: '401: Unauthorized', code: 0 } });
    }

    const fault = faults.take(route.name);
    if (fault !== null && (await misbehave(fault, request, response))) {
      if (fault.kind === 'rate_limited') calls.push({ route: route.name, body, status: 429 });
      return;
    }
    const bucket = route.key === 'bot' ? limits.take(route.name, ids[0] ?? '') : null;
    const limited = bucket?.exceeded === true;
    const result = limited ? toRateLimited(bucket) : route.run({ ids, query: url.searchParams, body }, context());
    calls.push({ route: route.name, body, status: result.status });
    if (fault?.kind === 'drop_after') return void request.socket.destroy();
    send(response, result, bucket === null ? {} : toHeaders(bucket));
  };
  return answer;
}

/** @returns true when the call ends here */
async function misbehave(fault: DiscordFault, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'rate_limited': {
      const { retryAfterSeconds: seconds, global = false } = fault;
      const headers = {
        'retry-after': String(Math.ceil(seconds)),
        'x-ratelimit-scope': global ? 'global' : 'shared',
        ...(global ? { 'x-ratelimit-global': 'true' } : {}),
      };
      send(
        response,
        { status: 429, body: { message: 'You are being rate limited.', retry_after: seconds, global } },
        headers,
      );
      return true;
    }
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'text/html' }).end('<html>upstream error</html>');
      return true;
    case 'error':
      send(response, { status: fault.status, body: { message: fault.message, code: fault.code } });
      return true;
    case 'drop_before':
      request.socket.destroy();
      return true;
    case 'black_hole':
      return true;
    case 'delay':
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return false;
    case 'drop_after':
      return false;
  }
}

function toRateLimited({ resetAfterMs, global }: Bucket): RouteAnswer {
  return { status: 429, body: { message: 'You are being rate limited.', retry_after: resetAfterMs / 1_000, global } };
}

function toHeaders({ id, limit, remaining, resetAfterMs, exceeded, global }: Bucket): Record<string, string> {
  const seconds = (resetAfterMs / 1_000).toFixed(3);
  return {
    ...(exceeded
      ? { 'retry-after': String(Math.ceil(resetAfterMs / 1_000)), 'x-ratelimit-scope': global ? 'global' : 'user' }
      : {}),
    ...(global
      ? { 'x-ratelimit-global': 'true' }
      : {
          'x-ratelimit-bucket': id,
          'x-ratelimit-limit': String(limit),
          'x-ratelimit-remaining': String(remaining),
          'x-ratelimit-reset': String((Date.now() + resetAfterMs) / 1_000),
          'x-ratelimit-reset-after': seconds,
        }),
  };
}

function send(response: ServerResponse, { status, body }: RouteAnswer, headers: Record<string, string> = {}): void {
  if (response.destroyed) return;
  if (body === undefined) return void response.writeHead(status, headers).end();
  response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<JsonObject | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    return text === '' ? {} : toObject(JSON.parse(text));
  } catch {
    return null;
  }
}
