import type { IncomingMessage, ServerResponse } from 'node:http';
import { type JsonObject, toObject, toText } from '../json.ts';
import type { createFaults } from './faults.ts';
import { fail, type MethodContext } from './method.ts';
import { methods } from './methods.ts';
import type { RateLimits } from './rates.ts';
import type { ResponseUrls } from './response-urls.ts';

/** One call as the emulator took it. */
export interface SlackCall {
  readonly method: string;
  readonly args: JsonObject;
  readonly at: number;
}

/** Answers Slack's Web API over HTTP: `POST /api/<method>` and the response URLs. */
export function createWebApi(deps: {
  readonly context: () => Omit<MethodContext, 'token'>;
  readonly tokens: { readonly bot: string; readonly app: string };
  readonly faults: ReturnType<typeof createFaults>;
  readonly limits: RateLimits;
  readonly responseUrls: ResponseUrls;
  readonly calls: SlackCall[];
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { context, tokens, faults, limits, responseUrls, calls } = deps;

  const call = async (method: string, request: IncomingMessage, response: ServerResponse) => {
    const { workspace } = context();
    const args = parseBody(await readAll(request), request.headers['content-type'] ?? '');
    calls.push({ method, args, at: performance.now() });
    const known = methods[method];
    if (known === undefined) {
      workspace.violate(`unknown method: ${method}`);
      return reply(response, 200, fail('unknown_method'));
    }
    const fault = faults.take(method);
    switch (fault?.kind) {
      case 'rate_limited':
        return limit(response, fault.retryAfterSeconds);
      case 'status':
        return reply(response, fault.status, { ok: false, error: 'internal_error' });
      case 'error':
        return reply(response, 200, fail(fault.error));
      case 'drop_before':
        return void request.socket.destroy();
      case 'black_hole':
        return;
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, fault.ms).unref());
    }
    const token = tokenOf(request, args);
    if (token === '') return reply(response, 200, fail('not_authed'));
    if (token !== tokens.bot && token !== tokens.app) return reply(response, 200, fail('invalid_auth'));
    const kind = token === tokens.bot ? 'bot' : 'app';
    if (kind !== known.token) return reply(response, 200, fail('not_allowed_token_type'));
    const wait = limits.take(method, toText(args.channel));
    if (wait !== null) return limit(response, wait);
    const result = known.run(args, { ...context(), token: kind });
    if (fault?.kind === 'drop_after') return void request.socket.destroy();
    reply(response, 200, result);
  };

  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://slack');
    const [, root, name = ''] = pathname.split('/');
    if (request.method !== 'POST') {
      context().workspace.violate(`${request.method} ${pathname}`);
      return reply(response, 405, fail('method_not_supported'));
    }
    if (root === 'api') return void call(name, request, response).catch(() => request.socket.destroy());
    if (root === 'actions') {
      readAll(request)
        .then((raw) => {
          const { status, body } = responseUrls.use(name, parseBody(raw, 'application/json'));
          response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
        })
        .catch(() => request.socket.destroy());
      return;
    }
    context().workspace.violate(`POST ${pathname}`);
    reply(response, 404, fail('not_found'));
  };
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

function limit(response: ServerResponse, seconds: number): void {
  response.writeHead(429, { 'content-type': 'application/json', 'retry-after': String(seconds) });
  response.end(JSON.stringify(fail('ratelimited')));
}

function tokenOf(request: IncomingMessage, args: JsonObject): string {
  const header = request.headers.authorization ?? '';
  return header.startsWith('Bearer ') ? header.slice(7) : toText(args.token);
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** JSON bodies as they are; form bodies with their JSON-encoded fields decoded, as the SDKs send them. */
function parseBody(raw: string, contentType: string): JsonObject {
  if (contentType.startsWith('application/json')) return parseJson(raw);
  const args: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(raw)) {
    args[name] = jsonFields.includes(name) ? parseField(value) : value;
  }
  return args;
}

const jsonFields = ['blocks', 'view', 'metadata', 'attachments'];

function parseField(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function parseJson(raw: string): JsonObject {
  return toObject(parseField(raw));
}
