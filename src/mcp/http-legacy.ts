import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isInitializeRequest, type McpServer } from '@modelcontextprotocol/server';
import type { Caller, Desk } from '../ledger/index.ts';
import { refusal, refuse } from './http-errors.ts';
import { openHttpSession } from './http-session.ts';
import { createHttpSessions } from './http-sessions.ts';
import type { Log } from './tool-deps.ts';

/** One admitted HTTP request on its way to the protocol. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Method and headers, as the SDK reads them. */
  readonly request: Request;
  /** The parsed body of a POST. */
  readonly body: unknown;
  readonly caller: Caller;
}

/** One protocol era of the endpoint. */
export interface Era {
  /** Answers; resolves when the response ended. */
  handle(exchange: Exchange): Promise<void>;
  /** Ends every stream. Requests to people stay open. */
  close(): Promise<void>;
}

/** The 2025 era: sessions, whose streams can be resumed by `Last-Event-ID`. */
export function createLegacyEra(deps: {
  readonly desk: Desk;
  readonly log: Log;
  readonly buildServer: (caller: Caller, headers: Headers) => McpServer;
  readonly keepAliveMs: number;
  readonly sessionIdleMs: number;
  readonly mostSessions: number;
}): Era {
  const { desk, log, buildServer, keepAliveMs } = deps;
  const sessions = createHttpSessions({ idleMs: deps.sessionIdleMs, most: deps.mostSessions });

  return {
    async handle({ req, res, request, body, caller }) {
      const sessionId = request.headers.get('mcp-session-id');
      if (sessionId !== null) {
        const session = sessions.find(sessionId, caller);
        return session === null ? refuse(res, noSession) : await session.handle(req, res, request, body);
      }
      if (req.method !== 'POST') return refuse(res, sessionsOnly(req.method));
      if (!isInitializeRequest(body)) return refuse(res, notInitialized);
      const session = await sessions.open((onClosed) => {
        const server = buildServer(caller, request.headers);
        return openHttpSession({ id: randomUUID(), caller, server, desk, keepAliveMs, onClosed, log });
      });
      if (session === null) return refuse(res, tooManySessions);
      await session.handle(req, res, request, body);
      if (!session.isReachable()) await session.close();
    },
    close: () => sessions.close(),
  };
}

const noSession = refusal(
  404,
  'There is no such session of this key. Send initialize again; open requests to people are kept.',
  -32_001,
);
const notInitialized = refusal(
  400,
  'The Mcp-Session-Id header is missing. Send initialize first, or speak protocol 2026-07-28.',
);
const tooManySessions = refusal(
  503,
  'Too many MCP sessions are busy on this server. Nobody was paged; try again later.',
);

function sessionsOnly(method = 'GET') {
  const message = `${method} needs the Mcp-Session-Id of a session. Send messages by POST.`;
  return refusal(405, message, undefined, { allow: 'POST' });
}
