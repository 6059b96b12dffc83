import type { IncomingMessage, ServerResponse } from 'node:http';
import { type JsonObject, toObject } from '../json.ts';
import type { createFaults } from './faults.ts';
import { type MethodContext, type Refusal, refuse } from './method.ts';
import type { createMethods } from './methods.ts';
import type { RateLimits } from './rates.ts';

/** One call as the emulator took it. */
export interface TelegramCall {
  readonly method: string;
  readonly args: JsonObject;
  readonly at: number;
}

/** Answers the Bot API over HTTP: `/bot<token>/<method>`, GET or POST. */
export function createBotApi(deps: {
  readonly context: MethodContext;
  readonly methods: ReturnType<typeof createMethods>;
  readonly token: { readonly text: string; valid: boolean };
  readonly faults: ReturnType<typeof createFaults>;
  readonly limits: RateLimits;
  readonly calls: TelegramCall[];
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { context, methods, token, faults, limits, calls } = deps;

  const call = async (
    name: string,
    usedToken: string,
    query: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    const ended = new AbortController();
    response.once('close', () => ended.abort());
    const body = parseBody(await readAll(request), request.headers['content-type'] ?? '');
    const args = { ...decodeFields(new URLSearchParams(query)), ...body };
    const known = methods.get(name.toLowerCase());
    const method = known?.name ?? name;
    calls.push({ method, args, at: performance.now() });
    const fault = faults.take(method);
    switch (fault?.kind) {
      case 'rate_limited':
        return replyRefusal(response, tooMany(fault.retryAfterSeconds));
      case 'status':
        return replyHtml(response, fault.status);
      case 'error':
        return replyRefusal(
          response,
          refuse(fault.code, fault.description, fault.parameters === undefined ? {} : { parameters: fault.parameters }),
        );
      case 'drop_before':
        return void request.socket.destroy();
      case 'black_hole':
        return;
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, fault.ms).unref());
    }
    if (!token.valid || usedToken !== token.text) return replyRefusal(response, refuse(401, 'Unauthorized'));
    if (known === undefined) {
      context.group.violate(`unknown method: ${name}`);
      return replyRefusal(response, refuse(404, 'Not Found: method not found'));
    }
    const wait = limits.take(method, String(args.chat_id));
    if (wait !== null) return replyRefusal(response, tooMany(wait));
    const outcome = await known.run(args, context, ended.signal);
    if (ended.signal.aborted) return;
    if (fault?.kind === 'drop_after') return void request.socket.destroy();
    if ('result' in outcome) return reply(response, 200, { ok: true, result: outcome.result });
    if (outcome.violates) context.group.violate(`${method}: ${outcome.description}`);
    replyRefusal(response, outcome);
  };

  return (request, response) => {
    // Taken apart by hand: `//bot…`, from a root with one slash too many, is no URL and must not end the emulator.
    const [path = '', query = ''] = (request.url ?? '/').split('?');
    const match = /^\/bot([^/]+)\/(\w+)\/?$/.exec(path);
    if (match === null || (request.method !== 'POST' && request.method !== 'GET')) {
      context.group.violate(`${request.method} ${path.replace(/bot[^/]+/, 'bot…')}`);
      return replyRefusal(response, refuse(404, 'Not Found'));
    }
    const [, usedToken = '', name = ''] = match;
    call(name, usedToken.replaceAll(/%3a/gi, ':'), query, request, response).catch(() => request.socket.destroy());
  };
}

function tooMany(seconds: number): Refusal {
  return refuse(429, `Too Many Requests: retry after ${seconds}`, { parameters: { retry_after: seconds } });
}

function replyRefusal(response: ServerResponse, { code, description, parameters }: Refusal): void {
  const more = parameters === undefined ? {} : { parameters };
  reply(response, code, { ok: false, error_code: code, description, ...more });
}

function reply(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function replyHtml(response: ServerResponse, status: number): void {
  const title = `${status} Bad Gateway`;
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.18.0</center>\r\n</body>\r\n</html>\r\n`;
  response.writeHead(status, { 'content-type': 'text/html' }).end(body);
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(raw: string, contentType: string): JsonObject {
  if (raw === '') return {};
  return contentType.startsWith('application/json') ? toObject(parseJson(raw)) : decodeFields(new URLSearchParams(raw));
}

/** In forms and queries, arrays and objects are JSON text. */
function decodeFields(fields: URLSearchParams): JsonObject {
  const args: Record<string, unknown> = {};
  for (const [name, value] of fields) args[name] = jsonFields.has(name) ? (parseJson(value) ?? value) : value;
  return args;
}

const jsonFields = new Set([
  ...['allowed_updates', 'reply_markup', 'reply_parameters', 'entities', 'link_preview_options', 'commands'],
  ...['show_alert', 'allow_sending_without_reply', 'disable_web_page_preview'],
]);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
