import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import type { Caller } from '../ledger/index.ts';
import type { Era } from './http-legacy.ts';
import { respond } from './http-respond.ts';
import type { Log } from './tool-deps.ts';

/** 2026-07-28: no sessions, a fresh server for each message. A closed stream ends the call and never the request. */
export function createModernEra(deps: {
  readonly log: Log;
  readonly buildServer: (caller: Caller, headers: Headers) => McpServer;
  readonly keepAliveMs: number;
}): Era {
  const { log, buildServer, keepAliveMs } = deps;
  /** Who sent a request that the SDK carries to the factory below. */
  const callers = new WeakMap<Request, Caller>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo === undefined ? undefined : callers.get(requestInfo);
      if (requestInfo === undefined || caller === undefined) throw new Error('a request without a caller');
      return buildServer(caller, requestInfo.headers);
    },
    {
      legacy: 'reject',
      // The head must leave before the first notification: clients give up on a silent one after 60 s.
      responseMode: 'sse',
      keepAliveMs,
      onerror: (error) => log.debug({ err: error }, 'MCP request refused'),
    },
  );
  return {
    async handle({ res, request, body, caller }) {
      callers.set(request, caller);
      await respond(res, await handler.fetch(request, { parsedBody: body }));
    },
    close: () => handler.close(),
  };
}
