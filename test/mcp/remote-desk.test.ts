import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ask, AskInput, DeskError } from '../../src/ledger/index.ts';
import { createRemoteDesk, type RemoteDeskDeps } from '../../src/mcp/remote-desk.ts';
import { type ApiServer, caller, eventually, startApiServer, testKey } from '../support/api-server.ts';

let api: ApiServer;
let closers: (() => unknown)[];
beforeEach(async () => {
  closers = [];
  api = await startApiServer();
});
afterEach(async () => {
  for (const close of closers) await close();
  await api.stop();
});

const log = { debug() {}, info() {}, warn() {}, error() {} };
const instance = { id: 'i-1', label: 'shop · main' };
const plan: Ask = {
  kind: 'plan_check',
  title: 'Plan',
  gist: 'Three steps.',
  extended: 'a\nb',
  dangerLevel: null,
  options: [],
};
const steering: Ask = {
  ...plan,
  kind: 'steering',
  extended: null,
  options: [
    { label: 'left', recommended: false },
    { label: 'right', recommended: true },
  ],
};
const input = (ask: Ask = plan, id = uuidv7()): AskInput => ({ id, ask, instance, caller });
const remote = (more: Partial<RemoteDeskDeps> = {}) =>
  createRemoteDesk({ baseUrl: api.url, key: testKey, clock: { now: () => new Date() }, log, patienceMs: 600, ...more });

async function errorOf(work: Promise<unknown>): Promise<DeskError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'DeskError' });
  return error as DeskError;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const serving = (listener: RequestListener) => listen(createServer(listener));

describe('a remote desk', () => {
  it('says over the network what the server’s own desk says', async () => {
    const desk = remote();
    const asked = await desk.ask({ ...input(steering), ttlSeconds: 90 });
    const { id } = asked.request;
    expect(asked).toEqual({ request: api.desk.requests.get(id), joined: 'new' });
    expect(await desk.find(id, caller)).toEqual(api.desk.requests.get(id));
    expect(await desk.progressOf(id, caller)).toContain('Slack');
    expect(await desk.sync(instance, caller, [id])).toEqual({ instance, requests: [api.desk.requests.get(id)] });
    const waiting = desk.wait(id, caller, { timeoutMs: 10_000 });
    await eventually('the poll', () => api.seen.includes(`GET /api/v1/requests/${id}/wait`));
    api.desk.settle(id, { status: 'answered', chosenOption: { label: 'right', index: 1 }, via: 'telegram', by: 'Ada' });
    expect(await waiting).toEqual(api.desk.requests.get(id));
    expect(api.desk.requests.get(id)?.deliveredAt).toBeNull();
    await desk.markDelivered(id, caller);
    expect(api.desk.requests.get(id)?.deliveredAt).not.toBeNull();
    expect((await desk.cancel(id, caller, 'late')).status).toBe('answered');
  });

  it('withdraws with a reason', async () => {
    const { request } = await remote().ask(input());
    expect((await remote().cancel(request.id, caller, 'changed')).outcome).toMatchObject({
      status: 'cancelled',
      words: 'changed',
    });
  });

  it('leaves it to its caller to say that a result was handed over', async () => {
    const desk = remote();
    const first = input();
    await desk.ask(first);
    api.desk.settle(first.id, { status: 'approved' });
    expect((await desk.ask(first)).joined).toBe('same_id');
    expect((await desk.ask(input())).joined).toBe('kept_answer');
    expect((await desk.find(first.id, caller)).deliveredAt).toBeNull();
    expect((await desk.find(first.id, caller)).deliveredAt).toBeNull();
  });

  it('withdraws for one call only what no other waits for, in this process and in others', async () => {
    const [desk, other] = [remote(), remote()];
    const { request } = await desk.ask(input());
    expect((await other.ask(input())).request.id).toBe(request.id);
    const withdraw = () => desk.cancel(request.id, caller, 'mine', { unlessAwaited: true });
    for (const waiter of [desk, other]) {
      const call = new AbortController();
      const waiting = waiter.wait(request.id, caller, { timeoutMs: 20_000, signal: call.signal });
      await eventually('the poll', () => api.seen.at(-1) === `GET /api/v1/requests/${request.id}/wait`);
      expect((await withdraw()).status).toBe('pending');
      call.abort();
      expect((await waiting).status).toBe('pending');
    }
    expect((await withdraw()).outcome).toMatchObject({ status: 'cancelled', words: 'mine' });
  });

  it('knows that a call of this process waits while the server cannot', async () => {
    const desk = remote();
    const { request } = await desk.ask(input());
    const waiting = desk.wait(request.id, caller, { timeoutMs: 20_000 });
    await eventually('the poll', () => api.seen.includes(`GET /api/v1/requests/${request.id}/wait`));
    await api.stop();
    await api.start();
    expect((await desk.cancel(request.id, caller, 'mine', { unlessAwaited: true })).status).toBe('pending');
    api.desk.settle(request.id, { status: 'approved' });
    expect((await waiting).status).toBe('approved');
  });

  it('returns what is known when the time is over or the call is aborted', async () => {
    const desk = remote();
    const { request } = await desk.ask(input());
    expect((await desk.wait(request.id, caller, { timeoutMs: 50 })).status).toBe('pending');
    const call = new AbortController();
    const waiting = desk.wait(request.id, caller, { timeoutMs: 60_000, signal: call.signal });
    await eventually('the poll', () => api.seen.includes(`GET /api/v1/requests/${request.id}/wait`));
    call.abort();
    expect((await waiting).id).toBe(request.id);
  });
});

describe('a server that comes and goes', () => {
  it('is waited for over a restart, unnoticed', async () => {
    const desk = remote();
    const { request } = await desk.ask(input());
    const waiting = desk.wait(request.id, caller, { timeoutMs: 20_000 });
    await eventually('the poll', () => api.seen.includes(`GET /api/v1/requests/${request.id}/wait`));
    await api.stop();
    api.desk.settle(request.id, { status: 'approved', by: 'Ada' });
    await new Promise((resolve) => setTimeout(resolve, 400));
    await api.start();
    expect(await waiting).toMatchObject({ status: 'approved', outcome: { by: 'Ada' } });
  });

  it('that is away at the end of a wait leaves the request pending, and says so as progress', async () => {
    const desk = remote();
    const { request } = await desk.ask(input());
    await api.stop();
    expect((await desk.wait(request.id, caller, { timeoutMs: 500 })).status).toBe('pending');
    expect(await desk.progressOf(request.id, caller)).toContain('cannot be reached at the moment');
  });

  it('is not waited for beyond the request’s own time', async () => {
    let now = new Date();
    const desk = remote({ clock: { now: () => now } });
    const { request } = await desk.ask(input());
    await api.stop();
    now = new Date(request.expiresAt.getTime() + 60_000);
    const error = await errorOf(desk.wait(request.id, caller, { timeoutMs: 60_000 }));
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain('ran out of time');
  });

  it('is asked again with the same id when its answer got lost: nobody is paged twice', async () => {
    let cut = false;
    const desk = remote({
      patienceMs: 5_000,
      fetch: async (...args) => {
        const response = await fetch(...args);
        if (cut) return response;
        cut = true;
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) });
      },
    });
    expect((await desk.ask(input())).joined).toBe('same_id');
    expect(api.desk.paged()).toBe(1);
  });

  it('that stays away is looked for by those who wait', async () => {
    let looked = 0;
    const desk = remote({
      lookAfterMs: 300,
      async reach() {
        looked += 1;
        if (looked === 2) await api.start();
      },
    });
    const { request } = await desk.ask(input());
    await api.stop();
    api.desk.settle(request.id, { status: 'approved' });
    expect((await desk.wait(request.id, caller, { timeoutMs: 10_000 })).status).toBe('approved');
    expect(looked).toBe(2);
  });

  it('may come up while it is asked', async () => {
    await api.stop();
    const asking = remote({ patienceMs: 10_000 }).ask(input());
    await new Promise((resolve) => setTimeout(resolve, 300));
    await api.start();
    expect((await asking).joined).toBe('new');
  });
});

describe('errors say how things stand', () => {
  it('nobody was paged, when no connection was made', async () => {
    await api.stop();
    const error = await errorOf(remote().ask(input()));
    expect(error.code).toBe('unreachable');
    expect(error.message).toBe(
      `Beckon's server at ${api.url} could not be reached (connection refused). Nobody was paged and nothing was approved. Check that the server runs and that BECKON_URL is right, then call again.`,
    );
    expect((await errorOf(remote({ baseUrl: 'http://no-such-host.invalid' }).ask(input()))).message).toContain(
      'Nobody was paged',
    );
  });

  it('not known, when the server took the question and never answered', async () => {
    const silent = createTcpServer((socket) => {
      socket.on('error', () => {});
      closers.unshift(() => socket.destroy());
    });
    const error = await errorOf(remote({ baseUrl: await listen(silent) }).ask(input()));
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain('Whether it took the question is not known');
    expect(error.message).not.toContain('Nobody was paged');
  });

  it('a key that is not accepted, naming the variable', async () => {
    const error = await errorOf(remote({ key: 'bk_live_old' }).ask(input()));
    expect(error.code).toBe('unauthorized');
    expect(error.message).toContain('does not accept BECKON_KEY');
    expect(error.message).not.toContain('bk_live_old');
  });

  it.each<[string, RequestListener, string]>([
    ['a web page', (_q, s) => void s.setHeader('content-type', 'text/html').end('<html>'), 'HTTP 200, text/html'],
    [
      'another API',
      (_q, s) => void s.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"?"}'),
      'HTTP 404, application/json',
    ],
    [
      'a redirect',
      (_q, s) => void s.writeHead(301, { location: 'https://b.example/' }).end(),
      'HTTP 301, a redirect to https://b.example/',
    ],
  ])('%s at the address', async (_what, listener, words) => {
    const error = await errorOf(remote({ baseUrl: await serving(listener) }).ask(input()));
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain(`answers, but not as Beckon does (${words}). Nobody was paged`);
  });

  it('a flood at the address, which is not read to its end', async () => {
    let sent = 0;
    const baseUrl = await serving((_request, response) => {
      const chunk = Buffer.alloc(1_000_000, 'x');
      const pour = () => {
        while (!response.destroyed && sent < 300_000_000) {
          sent += chunk.length;
          if (!response.write(chunk)) return;
        }
      };
      response.writeHead(200, { 'content-type': 'application/json' }).on('drain', pour);
      pour();
    });
    const error = await errorOf(remote({ baseUrl, patienceMs: 20_000 }).ask(input()));
    expect(error.message).toContain('answers, but not as Beckon does (HTTP 200, application/json, over 32 MB)');
    expect(sent).toBeLessThan(100_000_000);
  });

  it('what the server refused, in its own words and at once', async () => {
    const [first, second] = [input(), input({ ...plan, title: 'Other' })];
    await remote().ask(first);
    expect((await errorOf(remote().ask({ ...second, id: first.id }))).code).toBe('id_taken');
    expect((await errorOf(remote().ask(input({ ...plan, title: '' })))).message).toContain('title: is empty');
    expect((await errorOf(remote().find(uuidv7(), caller))).code).toBe('not_found');
    expect((await errorOf(remote().wait(uuidv7(), caller, { timeoutMs: 1_000 }))).code).toBe('not_found');
  });

  it('a database that fails: told after trying again', async () => {
    let tries = 0;
    const baseUrl = await serving((_request, response) => {
      tries += 1;
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end('{"error":{"code":"unavailable","message":"The disk is full."}}');
    });
    const error = await errorOf(remote({ baseUrl }).ask(input()));
    expect(error.message).toContain('(The disk is full). Nobody was paged');
    expect(tries).toBeGreaterThan(1);
  });
});
