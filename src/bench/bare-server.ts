import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { untilTrue } from './until-true.ts';

/** The least that an MCP server can be: one tool that blocks until it is released. */
export async function startBareServer() {
  let blocked: (() => void)[] = [];
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'bare', version: '1' });
      const inputSchema = z.strictObject({ title: z.string(), gist: z.string() });
      server.registerTool('ask', { description: 'Blocks.', inputSchema }, async () => {
        await new Promise<void>((resolve) => blocked.push(resolve));
        return { content: [{ type: 'text', text: 'approved' }] };
      });
      return server;
    },
    { responseMode: 'sse' },
  );
  const handle = toNodeHandler(handler);
  // The SDK's type wants `method` and `url` present, as they are on every request that a server gets.
  const http: Server = createServer((req, res) => void handle(req as Parameters<typeof handle>[0], res));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`),
    untilBlocked: (count: number) => untilTrue('the calls block', () => blocked.length >= count),
    async releaseAll() {
      const waiting = blocked;
      blocked = [];
      for (const release of waiting) release();
    },
    async stop() {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
