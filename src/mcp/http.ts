import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLegacyRequest } from '@modelcontextprotocol/server';
import type { Router } from 'express';
import { type Caller, type Desk, DeskError, type Instance, type KeyRing } from '../ledger/index.ts';
import { readJsonBody } from './http-body.ts';
import { type HttpClient, headerText, instanceOfClient } from './http-client.ts';
import { refusal, refuse, rpcCodes } from './http-errors.ts';
import { admit } from './http-gate.ts';
import { createLegacyEra } from './http-legacy.ts';
import { createModernEra } from './http-modern.ts';
import { toProtocolRequest } from './http-request.ts';
import { createMcpRouter } from './http-router.ts';
import { createBeckonMcpServer, defaultWaitLimit, type Log, type ToolDeps } from './server.ts';

export { type HttpClient, instanceOfClient } from './http-client.ts';

type HttpRequest = IncomingMessage & { readonly body?: unknown };

/** The MCP endpoint of a server, both protocol eras on one address. */
export interface McpHttp {
  /** `/mcp/`, the redirect from `/mcp`, and plain 404s where OAuth clients look. */
  readonly router: Router;
  /** One HTTP request to the endpoint, from accept to the end of its response. Never rejects. */
  handle(req: HttpRequest, res: ServerResponse): Promise<void>;
  /**
   * Blocked calls return `pending`, then every session and stream ends; takes at most 2 s. Requests to people stay open,
   * and clients that come back join them.
   */
  close(): Promise<void>;
}

export interface McpHttpDeps {
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
  /** A session nobody uses is closed after this; half an hour when absent. */
  readonly sessionIdleMs?: number;
  readonly mostSessions?: number;
  readonly version?: string;
}

/** How long a stopping server gives its blocked calls to say so. */
const farewellMs = 2_000;

/**
 * In the 2025 era a closed connection changes nothing (its stream can be resumed) and the client's own
 * `notifications/cancelled` withdraws the request; in 2026-07-28 a closed stream ends the call and never the request.
 * Either way, the same call made again joins the open request.
 */
export function createMcpHttp(deps: McpHttpDeps): McpHttp {
  const { desk, keys, newId, clock, log, allowedHosts, progressEveryMs, version } = deps;
  const { instanceFor = instanceOfClient, waitLimit = defaultWaitLimit, keepAliveMs = 15_000 } = deps;
  const leaving = new AbortController();
  // Every blocked call listens; Node would take more than ten for a leak.
  setMaxListeners(0, leaving.signal);
  const posts = new Set<Promise<void>>();

  const serverFor = (own: Pick<ToolDeps, 'cancelOnAbort' | 'handOverBy'>) => (caller: Caller, headers: Headers) => {
    const server = createBeckonMcpServer({
      ...{ desk, caller, newId, clock, log, waitLimit, leaving: leaving.signal, ...own },
      instance: async () =>
        instanceFor(caller, {
          name: server.server.getClientVersion()?.name,
          sessionName: headerText(headers.get('beckon-session-name')),
        }),
      ...(progressEveryMs === undefined ? {} : { progressEveryMs }),
      ...(version === undefined ? {} : { version }),
    });
    return server;
  };
  const modern = createModernEra({ log, keepAliveMs, buildServer: serverFor({ cancelOnAbort: false }) });
  const legacy = createLegacyEra({
    ...{ desk, log, keepAliveMs },
    buildServer: serverFor({ cancelOnAbort: true, handOverBy: 'transport' }),
    sessionIdleMs: deps.sessionIdleMs ?? 30 * 60_000,
    mostSessions: deps.mostSessions ?? 10_000,
  });

  const route = async (req: HttpRequest, res: ServerResponse) => {
    const entry = await admit(req, { keys, allowedHosts });
    if ('refused' in entry) return refuse(res, entry.refused);
    if (!['POST', 'GET', 'DELETE'].includes(req.method ?? '')) return refuse(res, wrongMethod(req.method));
    const read = req.method === 'POST' ? await readJsonBody(req) : { body: undefined };
    if ('refused' in read) return refuse(res, read.refused);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const request = toProtocolRequest(req, gone.signal);
    const era = (await isLegacyRequest(request, read.body)) ? legacy : modern;
    await era.handle({ req, res, request, body: read.body, caller: entry.caller });
  };

  const handle: McpHttp['handle'] = async (req, res) => {
    const routed = route(req, res);
    if (req.method === 'POST') posts.add(routed);
    try {
      await routed;
    } catch (error) {
      if (error instanceof DeskError && error.code === 'unavailable') {
        return refuse(res, refusal(503, `[unavailable] ${error.message}`, undefined, { 'retry-after': '5' }));
      }
      if (!res.destroyed) log.error({ err: error }, 'an MCP request failed');
      refuse(res, failed);
    } finally {
      posts.delete(routed);
    }
  };

  return {
    router: createMcpRouter((req, res) => void handle(req, res)),
    handle,
    async close() {
      leaving.abort();
      await Promise.race([Promise.allSettled(posts), sleep(farewellMs, undefined, { ref: false })]);
      await Promise.all([legacy.close(), modern.close()]);
    },
  };
}

const failed = refusal(
  500,
  'Beckon failed to handle this message. Nothing was approved; the operator finds the cause in the log.',
  rpcCodes.internal,
);

function wrongMethod(method = 'This method') {
  const message = `${method} is not used here. Send messages by POST.`;
  return refusal(405, message, undefined, { allow: 'GET, POST, DELETE' });
}
