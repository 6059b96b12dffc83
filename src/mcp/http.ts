import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler, isInitializeRequest, isLegacyRequest, type McpServer } from '@modelcontextprotocol/server';
import type { Router } from 'express';
import type { Caller, Desk, Instance, KeyRing } from '../ledger/index.ts';
import { readJsonBody } from './http-body.ts';
import { type HttpClient, instanceOfClient } from './http-client.ts';
import { refusal, refuse, rpcCodes } from './http-errors.ts';
import { admit } from './http-gate.ts';
import { toProtocolRequest } from './http-request.ts';
import { respond } from './http-respond.ts';
import { createMcpRouter } from './http-router.ts';
import { openHttpSession } from './http-session.ts';
import { createHttpSessions } from './http-sessions.ts';
import { createBeckonMcpServer, defaultWaitLimit, type Log, type ToolDeps } from './server.ts';

export { type HttpClient, instanceOfClient } from './http-client.ts';

/** The MCP endpoint of a server, both protocol eras on one address. */
export interface McpHttp {
  /** `/mcp/`, the redirect from `/mcp`, and plain 404s where OAuth clients look. */
  readonly router: Router;
  /** One HTTP request to the endpoint, from accept to the end of its response. Never rejects. */
  handle(req: IncomingMessage & { readonly body?: unknown }, res: ServerResponse): Promise<void>;
  /** Ends every session and stream. Requests to people stay open; clients that come back join them. */
  close(): Promise<void>;
}

/**
 * 2025 era: sessions whose streams can be resumed by `Last-Event-ID`; a closed connection changes nothing, the client's own
 * `notifications/cancelled` withdraws the request. 2026-07-28: no sessions; a closed stream ends the call and never the
 * request, and the same call made again joins it.
 */
export function createMcpHttp(deps: {
  readonly desk: Desk;
  readonly keys: KeyRing;
  readonly newId: () => string;
  readonly clock: { now(): Date };
  readonly log: Log;
  /** Host names, without ports, that this server answers to and whose pages may call it. */
  readonly allowedHosts: readonly string[];
  readonly instanceFor?: (caller: Caller, client: HttpClient) => Instance;
  readonly waitLimit?: ToolDeps['waitLimit'];
  readonly progressEveryMs?: number;
  /** Time between SSE comments; 15,000 when absent. */
  readonly keepAliveMs?: number;
  readonly sessionIdleMs?: number;
  readonly mostSessions?: number;
  readonly version?: string;
}): McpHttp {
  const { desk, keys, newId, clock, log, allowedHosts, keepAliveMs, progressEveryMs, version } = deps;
  const { instanceFor = instanceOfClient, waitLimit = defaultWaitLimit } = deps;
  const sessions = createHttpSessions({
    idleMs: deps.sessionIdleMs ?? 30 * 60_000,
    most: deps.mostSessions ?? 10_000,
  });
  const keepAlive = keepAliveMs === undefined ? {} : { keepAliveMs };
  /** Who sent a request that the SDK carries to the factory below. */
  const callers = new WeakMap<Request, Caller>();

  const buildServer = (caller: Caller, headers: Headers, era: 'legacy' | 'modern'): McpServer => {
    const server = createBeckonMcpServer({
      desk,
      caller,
      newId,
      clock,
      log,
      waitLimit,
      instance: async () =>
        instanceFor(caller, {
          name: server.server.getClientVersion()?.name,
          sessionName: headers.get('beckon-session-name') ?? undefined,
        }),
      cancelOnAbort: era === 'legacy',
      handOverBy: era === 'legacy' ? 'transport' : 'tool',
      ...(progressEveryMs === undefined ? {} : { progressEveryMs }),
      ...(version === undefined ? {} : { version }),
    });
    return server;
  };

  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo === undefined ? undefined : callers.get(requestInfo);
      if (requestInfo === undefined || caller === undefined) throw new Error('a request without a caller');
      return buildServer(caller, requestInfo.headers, 'modern');
    },
    {
      legacy: 'reject',
      // The head must leave before the first notification: clients give up on a silent one after 60 s.
      responseMode: 'sse',
      onerror: (error) => log.debug({ err: error }, 'MCP request refused'),
      ...keepAlive,
    },
  );

  const handleLegacy = async (
    req: IncomingMessage,
    res: ServerResponse,
    request: Request,
    body: unknown,
    caller: Caller,
  ) => {
    const sessionId = request.headers.get('mcp-session-id');
    if (sessionId !== null) {
      const session = sessions.find(sessionId, caller);
      if (session === null) refuse(res, noSession);
      else await session.handle(req, res, request, body);
    } else if (req.method !== 'POST') {
      refuse(
        res,
        refusal(405, `${req.method} needs the Mcp-Session-Id of a session. Send messages by POST.`, undefined, {
          allow: 'POST',
        }),
      );
    } else if (isInitializeRequest(body)) {
      const session = await sessions.open((onClosed) => {
        const server = buildServer(caller, request.headers, 'legacy');
        return openHttpSession({ id: randomUUID(), caller, server, desk, onClosed, log, ...keepAlive });
      });
      if (session === null) refuse(res, tooManySessions);
      else await session.handle(req, res, request, body);
    } else {
      refuse(
        res,
        refusal(400, 'The Mcp-Session-Id header is missing. Send initialize first, or speak protocol 2026-07-28.'),
      );
    }
  };

  const route = async (req: IncomingMessage & { readonly body?: unknown }, res: ServerResponse) => {
    const entry = await admit(req, { keys, allowedHosts });
    if ('refused' in entry) return refuse(res, entry.refused);
    if (!['POST', 'GET', 'DELETE'].includes(req.method ?? '')) return refuse(res, wrongMethod(req.method));
    let body: unknown;
    if (req.method === 'POST') {
      const read = await readJsonBody(req);
      if ('refused' in read) return refuse(res, read.refused);
      body = read.body;
    }
    const gone = new AbortController();
    res.once('close', () => {
      if (!res.writableEnded) gone.abort();
    });
    const request = toProtocolRequest(req, gone.signal);
    callers.set(request, entry.caller);
    if (await isLegacyRequest(request, body)) return await handleLegacy(req, res, request, body, entry.caller);
    return await respond(res, await modern.fetch(request, { parsedBody: body }));
  };

  const handle: McpHttp['handle'] = async (req, res) => {
    try {
      await route(req, res);
    } catch (error) {
      if (!res.destroyed) log.error({ err: error }, 'an MCP request failed');
      refuse(res, failed);
    }
  };

  return {
    router: createMcpRouter((req, res) => void handle(req, res)),
    handle,
    async close() {
      await Promise.all([sessions.close(), modern.close()]);
    },
  };
}

const noSession = refusal(
  404,
  'There is no such session of this key. Send initialize again; open requests to people are kept.',
  -32_001,
);
const tooManySessions = refusal(
  503,
  'Too many MCP sessions are busy on this server. Nobody was paged; try again later.',
);
const failed = refusal(
  500,
  'Beckon failed to handle this message. Nothing was approved; the operator finds the cause in the log.',
  rpcCodes.internal,
);

function wrongMethod(method: string | undefined) {
  return refusal(405, `${method ?? 'This method'} is not used here. Send messages by POST.`, undefined, {
    allow: 'GET, POST, DELETE',
  });
}
