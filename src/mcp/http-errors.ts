import type { ServerResponse } from 'node:http';

/** A refusal before the protocol is reached: an HTTP status and a JSON-RPC error with a sentence for whoever reads it. */
export interface Refusal {
  readonly status: number;
  /** JSON-RPC error code. */
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const rpcCodes = { parse: -32_700, invalidRequest: -32_600, internal: -32_603, server: -32_000 } as const;

export function refusal(
  status: number,
  message: string,
  code: number = rpcCodes.server,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return { status, code, message, headers };
}

/** Answers with a refusal; when an answer is already on its way, the connection is cut instead. */
export function refuse(res: ServerResponse, { status, code, message, headers }: Refusal): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  res.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
