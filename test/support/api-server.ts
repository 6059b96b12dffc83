import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { type Caller, type KeyRing, keyScopes } from '../../src/ledger/index.ts';
import { createApiRouter } from '../../src/web/api/api-router.ts';
import { createMemoryDesk, type MemoryDesk } from './memory-desk.ts';

export const testKey = 'bk_live_test-key-000000000000000000';
export const readOnlyKey = 'bk_live_read-key-000000000000000000';
export const caller: Caller = { keyId: 'key-1', name: 'tests', scopes: keyScopes };

/** The real REST API over a desk in memory, on a port of its own. */
export interface ApiServer {
  readonly desk: MemoryDesk;
  readonly url: string;
  readonly port: number;
  /** Requests that came in, `GET /path`, without query, and `closed GET /path` when they ended. */
  readonly seen: string[];
  /** What was logged as an error. */
  readonly faults: object[];
  /** Cuts every connection and stops listening; the desk keeps what it knows. */
  stop(): Promise<void>;
  /** Listens again on the same port. */
  start(): Promise<void>;
}

export async function startApiServer(options: { readonly port?: number } = {}): Promise<ApiServer> {
  const desk = createMemoryDesk();
  const seen: string[] = [];
  const faults: object[] = [];
  const app = express();
  app.get('/healthz', (_request, response) => {
    response.json({ name: 'beckon', status: 'ok' });
  });
  app.use((request, response, next) => {
    const line = `${request.method} ${request.path}`;
    seen.push(line);
    response.once('close', () => seen.push(`closed ${line}`));
    next();
  });
  const clock = { now: () => new Date() };
  const log = { error: (fields: object) => void faults.push(fields) };
  app.use('/api/v1', createApiRouter({ desk, keys, clock, log }));

  let port = options.port ?? 0;
  let server: Server | null = null;
  const start = async () => {
    const fresh = createServer(app);
    await new Promise<void>((resolve, reject) => {
      fresh.once('error', reject);
      fresh.listen(port, '127.0.0.1', resolve);
    });
    port = (fresh.address() as AddressInfo).port;
    server = fresh;
  };
  await start();
  return {
    desk,
    seen,
    faults,
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    start,
    async stop() {
      const running = server;
      server = null;
      if (running === null) return;
      running.closeAllConnections();
      await new Promise((resolve) => running.close(resolve));
    },
  };
}

const keys: KeyRing = {
  authenticate: async (token) => {
    if (token === testKey) return caller;
    return token === readOnlyKey ? { ...caller, scopes: ['view_requests'] } : null;
  },
};

/** Looks again and again until there is something; @throws naming what never came */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | null,
  withinMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`never happened within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
