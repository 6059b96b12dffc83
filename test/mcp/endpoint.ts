import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, type ProgressCallback, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import express from 'express';
import { v7 } from 'uuid';
import type { Caller, RequestResult } from '../../src/ledger/index.ts';
import { createMcpHttp } from '../../src/mcp/http.ts';
import { createMemoryDesk, type MemoryDesk } from '../support/memory-desk.ts';

const scopes = ['request_decisions', 'view_requests'];
const callers: Readonly<Record<string, Caller>> = {
  bk_live_ann: { keyId: 'key-ann', name: 'Ann', scopes },
  bk_live_bob: { keyId: 'key-bob', name: 'Bob', scopes },
  bk_live_viewer: { keyId: 'key-viewer', name: 'Viewer', scopes: ['view_requests'] },
};

export interface Endpoint {
  readonly url: URL;
  readonly desk: MemoryDesk;
  /** Cuts every connection, as a proxy that restarts does. */
  cutConnections(): void;
  stop(): Promise<void>;
}

/** The real endpoint in a real Express app, on a desk in memory. */
export async function startEndpoint(
  more: Partial<Parameters<typeof createMcpHttp>[0]> & { readonly ttlSeconds?: number } = {},
): Promise<Endpoint> {
  const desk = createMemoryDesk(more);
  const errors: unknown[] = [];
  const quiet = () => {};
  const mcp = createMcpHttp({
    desk,
    keys: { authenticate: async (token) => callers[token] ?? null },
    newId: () => v7(),
    clock: { now: () => new Date() },
    log: { debug: quiet, info: quiet, warn: quiet, error: (fields, message) => errors.push([message, fields]) },
    allowedHosts: ['127.0.0.1', 'localhost'],
    progressEveryMs: 100,
    ...more,
  });
  const app = express();
  app.use(mcp.router);
  app.use((_req, res) => void res.status(200).send('the fallback page'));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp/`),
    desk,
    cutConnections: () => server.closeAllConnections(),
    async stop() {
      await mcp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (errors.length > 0) throw new Error(`the endpoint logged errors: ${JSON.stringify(errors)}`);
    },
  };
}

export interface CallOptions {
  readonly onprogress?: ProgressCallback;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly result: RequestResult;
}

/** What the tests need of a client, whichever library and era it is. */
export interface Agent {
  readonly instructions: string | undefined;
  listTools(): Promise<readonly object[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export const agentKinds = ['v2 client, 2026-07-28', 'v2 client, 2025 era', 'v1 client'] as const;
export type AgentKind = (typeof agentKinds)[number];

export async function connectAgent(kind: AgentKind, url: URL, token = 'bk_live_ann'): Promise<Agent> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  if (kind === 'v1 client') {
    const client = new OldClient({ name: 'old-agent', version: '1' });
    const transport = new OldTransport(url, { requestInit });
    await client.connect(transport as Parameters<OldClient['connect']>[0]);
    return {
      instructions: client.getInstructions(),
      listTools: async () => (await client.listTools()).tools,
      call: async (name, args, { meta, ...options } = {}) =>
        toAnswer(
          await client.callTool(
            { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
            CallToolResultSchema,
            options as Parameters<OldClient['callTool']>[2],
          ),
        ),
      close: () => client.close(),
    };
  }
  const client = new Client(
    { name: 'new-agent', version: '1' },
    { versionNegotiation: { mode: kind === 'v2 client, 2025 era' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args, { meta, ...options } = {}) =>
      toAnswer(await client.callTool({ name, arguments: args, ...(meta ? { _meta: meta } : {}) }, options)),
    close: () => client.close(),
  };
}

export function toAnswer(raw: unknown): ToolAnswer {
  const { isError, content, structuredContent } = raw as {
    isError?: boolean;
    content: { text: string }[];
    structuredContent: RequestResult;
  };
  return { isError: isError ?? false, text: content[0]?.text ?? '', result: structuredContent };
}
