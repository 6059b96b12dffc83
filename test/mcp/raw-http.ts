import { type IncomingHttpHeaders, request } from 'node:http';

/** One event of an event stream, comments left out. */
export interface SseEvent {
  readonly id: string | undefined;
  readonly message: {
    id?: number;
    method?: string;
    result?: { content?: unknown; structuredContent?: unknown };
    params?: { progress?: number };
  } | null;
}

/** A response as it comes in, on a connection of its own that the test may cut. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly headAfterMs: number;
  readonly text: () => string;
  readonly events: () => readonly SseEvent[];
  /** Rejects after 5 s. */
  until(test: (response: RawResponse) => boolean): Promise<void>;
  readonly ended: Promise<void>;
  cut(): void;
}

export const rpcHeaders = (token = 'bk_live_ann') => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

/** Sends a request byte by byte as told; resolves when its head is there. */
export function send(
  url: URL,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<RawResponse> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: options.method ?? 'POST',
      headers: options.headers ?? rpcHeaders(),
      agent: false,
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      const headAfterMs = performance.now() - startedAt;
      let text = '';
      const listeners = new Set<() => void>();
      const changed = () => {
        for (const listener of [...listeners]) listener();
      };
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
        changed();
      });
      const ended = new Promise<void>((done) => {
        incoming.once('close', () => {
          done();
          changed();
        });
      });
      incoming.on('error', () => {});
      const response: RawResponse = {
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        headAfterMs,
        text: () => text,
        events: () => parseEvents(text),
        until: (test) =>
          new Promise<void>((done, failed) => {
            const timer = setTimeout(() => failed(new Error(`did not happen within 5 s; so far: ${text}`)), 5_000);
            const look = () => {
              if (!test(response)) return;
              clearTimeout(timer);
              listeners.delete(look);
              done();
            };
            listeners.add(look);
            look();
          }),
        ended,
        cut: () => incoming.destroy(),
      };
      resolve(response);
    });
    // As bytes: Node would encode the head together with a string body, as UTF-8.
    outgoing.end(options.body === undefined ? undefined : Buffer.from(options.body));
  });
}

function parseEvents(text: string): SseEvent[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const lines = block.split('\n').filter((line) => !line.startsWith(':'));
    if (lines.length === 0) return [];
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const data = field('data');
    return [{ id: field('id'), message: data === undefined || data === '' ? null : JSON.parse(data) }];
  });
}

/** Opens a session of the 2025 era by hand; returns the headers of its further requests. */
export async function openSession(
  url: URL,
  protocolVersion = '2025-11-25',
  token?: string,
): Promise<Record<string, string>> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw-agent', version: '1' } };
  const opened = await send(url, {
    headers: rpcHeaders(token),
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  });
  await opened.ended;
  const headers = {
    ...rpcHeaders(token),
    'mcp-session-id': String(opened.headers['mcp-session-id']),
    'mcp-protocol-version': protocolVersion,
  };
  await send(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) });
  return headers;
}

/** A `tools/call` message of the 2025 era. */
export function callMessage(id: number, title: string, meta: object = { progressToken: id }): string {
  const params = { name: 'request_permission', arguments: { title, gist: 'x' }, _meta: meta };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

/** The headers and the `tools/call` message of 2026-07-28. */
export function modernCall(id: number, title: string, meta: object = { progressToken: id }) {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'raw-agent', version: '1' },
  };
  const params = { name: 'request_permission', arguments: { title, gist: 'x' }, _meta: { ...meta, ...envelope } };
  return {
    headers: {
      ...rpcHeaders(),
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'request_permission',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
  };
}
