import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createWebApp } from '../../src/web/app.ts';
import { createInMemoryBoard, type InMemoryBoard } from './in-memory-board.ts';
import { createInMemorySignIns, type InMemorySignIns } from './in-memory-sign-ins.ts';

export interface RunningWeb {
  readonly origin: string;
  readonly board: InMemoryBoard;
  readonly signIns: InMemorySignIns;
  /** What the log was told, as text. */
  readonly logged: string[];
  readiness: { ok: boolean; checks: Record<string, string> };
  /** A fetch as a signed-in browser would do it. */
  browser(displayName: string): Promise<Browser>;
  /** Breaks every open connection, as a restart or a proxy does. */
  cut(): void;
  stop(): Promise<void>;
}

export interface Browser {
  readonly formToken: string;
  readonly cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends a form as our own pages do; `form_token` is added. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
}

/** The real app over real HTTP; the board and the sign-ins are in memory. `publicUrl` is how it says it is reached. */
export async function startWeb({ publicUrl }: { publicUrl?: string } = {}): Promise<RunningWeb> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const board = createInMemoryBoard({ now: () => new Date() });
  const signIns = createInMemorySignIns();
  const logged: string[] = [];
  const log = (level: string) => (fields: object, message: string) => {
    logged.push(`${level} ${message} ${JSON.stringify(fields)}`);
  };
  const web: RunningWeb = {
    origin,
    board,
    signIns,
    logged,
    readiness: { ok: true, checks: { database: 'ok' } },
    async browser(displayName) {
      const { token } = await signIns.createLink(displayName);
      const session = await signIns.redeem(token);
      if (session === null) throw new Error('a fresh link was not taken');
      const cookie = `${publicUrl?.startsWith('https') ? '__Host-' : ''}beckon-session=${session.cookie}`;
      return {
        cookie,
        formToken: session.formToken,
        get: (path, headers = {}) => fetch(origin + path, { redirect: 'manual', headers: { cookie, ...headers } }),
        post: (path, fields, headers = {}) =>
          fetch(origin + path, {
            method: 'POST',
            redirect: 'manual',
            headers: { cookie, origin: publicUrl ?? origin, 'sec-fetch-site': 'same-origin', ...headers },
            body: new URLSearchParams({ form_token: session.formToken, ...fields }),
          }),
      };
    },
    cut: () => server.closeAllConnections(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const api = express.Router();
  api.post(
    '/echo',
    express.json(),
    (request, response) => void response.json({ body: request.body, path: request.path }),
  );
  const app = createWebApp({
    board,
    signIns,
    api,
    mcp: (request, response) => {
      request.once('data', (chunk) => response.json({ path: request.path, raw: String(chunk) }));
      request.once('end', () => response.headersSent || response.json({ path: request.path }));
    },
    health: { isReady: async () => web.readiness, version: '9.9.9', instanceId: 'replica-1' },
    publicUrl: new URL(publicUrl ?? origin),
    allowedHosts: ['127.0.0.1', 'localhost'],
    clock: { now: () => new Date() },
    log: { info: log('info'), warn: log('warn'), error: log('error') },
  });
  server.on('request', app);
  return web;
}

/** The one value of a `Set-Cookie` by name, with its attributes; null when it was not set. */
export function cookieSet(response: Response, name: string): string | null {
  return response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`)) ?? null;
}
