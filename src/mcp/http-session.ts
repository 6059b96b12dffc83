import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpServer,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller, Desk } from '../ledger/index.ts';
import { createEventStore } from './event-store.ts';
import { settledRequestIds } from './handed-over.ts';
import { refusal, refuse, rpcCodes } from './http-errors.ts';
import { respond } from './http-respond.ts';
import type { Log } from './tool-deps.ts';

/** One client of the 2025 era: its server, its streams and what it may still come back for. */
export interface HttpSession {
  readonly id: string;
  readonly caller: Caller;
  /** Answers one HTTP request of this session; resolves when the response ended. */
  handle(req: IncomingMessage, res: ServerResponse, request: Request, body: unknown): Promise<void>;
  /** False before the handshake, and after one that was refused: nobody knows the id of such a session. */
  isReachable(): boolean;
  /** True while a response is open or a call is blocked, with or without somebody listening. */
  isBusy(): boolean;
  /** By `performance.now()`. */
  lastUsedAt(): number;
  /** Ends the session. Requests to people stay open. */
  close(): Promise<void>;
}

/** Builds a session around a server and connects it; it has its id once the handshake is handled. */
export async function openHttpSession(deps: {
  readonly id: string;
  readonly caller: Caller;
  readonly server: McpServer;
  readonly desk: Desk;
  readonly keepAliveMs?: number;
  readonly onClosed: () => void;
  readonly log: Log;
}): Promise<HttpSession> {
  const { id, caller, server, desk, keepAliveMs, onClosed, log } = deps;
  const blocked = new Set<RequestId>();
  /** Calls whose own response is still open, and streams that were resumed. */
  const heardCalls = new Map<RequestId, ServerResponse>();
  /** Calls on their way into the SDK, which would give the answer of one question to the other call of the same id. */
  const starting = new Set<RequestId>();
  const resumedStreams = new Set<string>();
  let openResponses = 0;
  let lastUsedAt = performance.now();

  const events = createEventStore({
    onFinal(streamId, message, how) {
      const rpcId = 'id' in message ? message.id : undefined;
      if (rpcId !== undefined) blocked.delete(rpcId);
      const isHeard =
        how === 'replayed' || resumedStreams.has(streamId) || (rpcId !== undefined && heardCalls.has(rpcId));
      for (const requestId of isHeard ? settledRequestIds(message) : []) {
        desk.markDelivered(requestId, caller).catch((error: unknown) => {
          log.warn({ err: error, requestId }, 'could not note that the result was handed over');
        });
      }
    },
  });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: events,
    retryInterval: 1_000,
    ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
  });
  transport.onmessage = (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message)) {
      starting.delete(message.id);
      blocked.add(message.id);
    }
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const cancelled = message.params?.requestId;
      if (typeof cancelled === 'string' || typeof cancelled === 'number') blocked.delete(cancelled);
    }
  };
  transport.onerror = (error) => log.debug({ err: error, sessionId: id }, 'MCP session');
  await server.connect(transport);
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    onClosed();
  };

  const answer = async (res: ServerResponse, request: Request, body: unknown) => {
    await respond(res, await transport.handleRequest(request, { parsedBody: body }));
  };
  const resume = async (res: ServerResponse, request: Request, lastEventId: string) => {
    const streamId = events.streamOf(lastEventId);
    if (streamId === null) {
      refuse(
        res,
        refusal(
          400,
          'There is nothing to resume after this Last-Event-ID. Make the call again; it joins the open request.',
        ),
      );
      return;
    }
    resumedStreams.add(streamId);
    try {
      await answer(res, request, undefined);
    } finally {
      resumedStreams.delete(streamId);
    }
  };

  return {
    id,
    caller,
    async handle(req, res, request, body) {
      const calls = [body].flat().flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));
      const taken = calls.find((call, at) => blocked.has(call) || starting.has(call) || calls.indexOf(call) < at);
      if (taken !== undefined) return refuse(res, idInUse(taken));
      for (const call of calls) {
        starting.add(call);
        heardCalls.set(call, res);
      }
      openResponses += 1;
      res.once('close', () => {
        for (const call of calls) if (heardCalls.get(call) === res) heardCalls.delete(call);
      });
      try {
        const lastEventId = req.headers['last-event-id'];
        if (req.method === 'GET' && typeof lastEventId === 'string') await resume(res, request, lastEventId);
        else await answer(res, request, body);
      } finally {
        for (const call of calls) starting.delete(call);
        openResponses -= 1;
        lastUsedAt = performance.now();
      }
    },
    isReachable: () => transport.sessionId !== undefined,
    isBusy: () => openResponses > 0 || blocked.size > 0,
    lastUsedAt: () => lastUsedAt,
    close: () => server.close(),
  };
}

function idInUse(id: RequestId) {
  const message = `The id ${JSON.stringify(id).slice(0, 100)} is in use by a call that is still open; use another.`;
  return refusal(400, message, rpcCodes.invalidRequest);
}
