import type { IncomingMessage } from 'node:http';

/**
 * The web request the SDK works on: method and headers. The body is parsed already and travels beside it, so nothing is
 * serialized twice; host and path were judged before and mean nothing to the protocol.
 */
export function toProtocolRequest(req: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return new Request('http://localhost/mcp/', { method: req.method ?? 'GET', headers, signal });
}
