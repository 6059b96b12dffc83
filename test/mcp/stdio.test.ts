import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, eventually, startApiServer, testKey } from '../support/api-server.ts';
import { cleanEnv, isRunning, mainScript, runBeckon, temporaryFolder } from '../support/beckon-process.ts';

/** One agent: a real client with a real `beckon mcp` as its child. */
interface Agent {
  readonly pid: number;
  // biome-ignore lint/suspicious/noExplicitAny: the two generations type their results differently
  call(tool: string, args: object, options?: { signal?: AbortSignal }): Promise<any>;
  close(): Promise<void>;
}

const generations = ['v1', 'v2', 'v2, 2026-07-28'] as const;
type Generation = (typeof generations)[number];

let api: ApiServer;
let home: ReturnType<typeof temporaryFolder>;
let agents: Agent[];
beforeEach(async () => {
  agents = [];
  home = temporaryFolder('stdio');
  api = await startApiServer();
});
afterEach(async () => {
  await Promise.allSettled(agents.map((agent) => agent.close()));
  await api.stop();
  home.remove();
});

const environment = (more: Record<string, string> = {}) => ({
  BECKON_URL: api.url,
  BECKON_KEY: testKey,
  BECKON_DATA_DIR: join(home.path, 'data'),
  ...more,
});

async function startAgent(generation: Generation = 'v2', more: Record<string, string> = {}): Promise<Agent> {
  const spawned = {
    command: process.execPath,
    args: [mainScript, 'mcp'],
    env: cleanEnv(environment(more)),
    cwd: home.path,
  };
  const patience = { timeout: 60_000, resetTimeoutOnProgress: true, onprogress: () => {} };
  const connected =
    generation === 'v1'
      ? await connectV1(new StdioV1({ ...spawned, stderr: 'ignore' }))
      : await connectV2(new StdioV2({ ...spawned, stderr: 'ignore' }), generation !== 'v2');
  const agent: Agent = {
    pid: connected.transport.pid ?? 0,
    call: (name, args, options = {}) =>
      connected.callTool({ name, arguments: { ...args } }, { ...patience, ...options }),
    close: () => connected.close(),
  };
  agents.push(agent);
  return agent;
}

async function connectV1(transport: StdioV1) {
  const client = new ClientV1({ name: 'tests', version: '1' });
  await client.connect(transport);
  return {
    transport,
    callTool: (params: { name: string; arguments: Record<string, unknown> }, options: object) =>
      client.callTool(params, undefined, options),
    close: () => client.close(),
  };
}

async function connectV2(transport: StdioV2, modern: boolean) {
  const client = new ClientV2(
    { name: 'tests', version: '1' },
    modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  await client.connect(transport);
  expect(client.getNegotiatedProtocolVersion()).toBe(modern ? '2026-07-28' : '2025-11-25');
  return {
    transport,
    callTool: (params: { name: string; arguments: Record<string, unknown> }, options: object) =>
      client.callTool(params, options),
    close: () => client.close(),
  };
}

const permission = (title: string) => ({ title, gist: 'Ships the fix.' });
const ledgerText = () =>
  readdirSync(join(home.path, 'data', 'instances'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(home.path, 'data', 'instances', name), 'utf8'))
    .join('');

describe.each(generations)('an agent with client %s', (generation) => {
  it('asks, blocks, and gets the answer, which is in the local ledger by then', async () => {
    const agent = await startAgent(generation);
    const asking = agent.call('request_permission', permission('Deploy?'));
    const request = await api.desk.pending('Deploy?');
    expect(ledgerText()).toContain(`"kind":"asked","id":"${request.id}"`);
    expect(request.instanceLabel).toMatch(/^beckon-stdio-/);
    api.desk.settle(request.id, { status: 'approved', by: 'Ada', via: 'slack' });
    const result = await asking;
    expect(result.structuredContent).toMatchObject({ requestId: request.id, status: 'approved', resolvedBy: 'Ada' });
    expect(ledgerText()).toContain(`"kind":"settled","id":"${request.id}","status":"approved"`);
    expect(api.desk.requests.get(request.id)?.deliveredAt).not.toBeNull();
  });

  it('withdraws the request when it cancels its call', async () => {
    const agent = await startAgent(generation);
    const call = new AbortController();
    const asking = agent
      .call('request_permission', permission('Withdraw?'), { signal: call.signal })
      .catch(() => 'cancelled');
    const { id } = await api.desk.pending('Withdraw?');
    call.abort('changed my mind');
    await api.desk.until(id, (request) => request.status === 'cancelled');
    expect(await asking).toBe('cancelled');
  });
});

describe('an agent’s process', () => {
  it('killed while it waits: the next start in the folder adopts the ledger, and sync has the answer given meanwhile', async () => {
    const first = await startAgent();
    const asking = first.call('request_permission', permission('Survive?')).catch((error: unknown) => error);
    const request = await api.desk.pending('Survive?');
    process.kill(first.pid, 'SIGKILL');
    await asking;
    api.desk.settle(request.id, { status: 'denied', words: 'not on Friday', by: 'Ada' });
    const second = await startAgent();
    const { structuredContent } = await second.call('sync', {});
    expect(structuredContent.instance).toEqual({ id: request.instanceId, label: request.instanceLabel });
    expect(structuredContent.requests).toMatchObject([
      { requestId: request.id, status: 'denied', answer: 'not on Friday', title: 'Survive?' },
    ]);
    expect((await second.call('sync', {})).structuredContent.requests).toEqual([]);
  });

  it.each([
    ['its stdin ends', (agent: Agent) => agent.close()],
    ['it gets SIGTERM', async (agent: Agent) => void process.kill(agent.pid, 'SIGTERM')],
    ['it gets SIGINT', async (agent: Agent) => void process.kill(agent.pid, 'SIGINT')],
  ])('ends at once when %s, and the request stays open', async (_what, end) => {
    const agent = await startAgent();
    const asking = agent.call('request_permission', permission('Stay open?')).catch((error: unknown) => error);
    const { id } = await api.desk.pending('Stay open?');
    const started = performance.now();
    await end(agent);
    await eventually('the end of the process', () => !isRunning(agent.pid));
    expect(performance.now() - started).toBeLessThan(1_500);
    await asking;
    expect(api.desk.requests.get(id)?.status).toBe('pending');
    expect(api.seen.filter((line) => line.endsWith('/cancel'))).toEqual([]);
    // The same question joins: nobody is paged twice, and the answer arrives.
    const again = (await startAgent()).call('request_permission', permission('Stay open?'));
    await eventually(
      'the question again',
      () => api.seen.filter((line) => line === 'POST /api/v1/requests').length === 2,
    );
    api.desk.settle(id, { status: 'approved' });
    expect((await again).structuredContent).toMatchObject({ requestId: id, status: 'approved' });
    expect(api.desk.paged()).toBe(1);
  });

  it('does not notice that the server is restarted while it waits', async () => {
    const agent = await startAgent();
    const asking = agent.call('request_steering', { ...permission('Which way?'), options: [{ label: 'left' }] });
    const { id } = await api.desk.pending('Which way?');
    await eventually('the poll', () => api.seen.includes(`GET /api/v1/requests/${id}/wait`));
    await api.stop();
    api.desk.settle(id, { status: 'answered', words: 'straight on', by: 'Ada' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await api.start();
    expect((await asking).structuredContent).toMatchObject({ status: 'answered', answer: 'straight on' });
  });

  it('has an identity of its own among ten in one folder', async () => {
    const ten = await Promise.all(Array.from({ length: 10 }, () => startAgent()));
    const results = await Promise.all(ten.map((agent) => agent.call('sync', {})));
    const instances = results.map((result) => result.structuredContent.instance as { id: string; label: string });
    expect(new Set(instances.map(({ id }) => id)).size).toBe(10);
    expect(new Set(instances.map(({ label }) => label)).size).toBe(10);
  });

  it('says within 30 s that nobody was paged when there is no server, and answers the handshake meanwhile', async () => {
    await api.stop();
    const agent = await startAgent();
    const started = performance.now();
    const result = await agent.call('request_permission', permission('Anybody?'));
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(
      /^\[unreachable\] .*connection refused.*Nobody was paged and nothing was approved/,
    );
  }, 40_000);

  it('pages nobody when its data folder cannot be written, and says what to do', async () => {
    writeFileSync(join(home.path, 'file'), '');
    const agent = await startAgent('v2', { BECKON_DATA_DIR: join(home.path, 'file', 'data') });
    const result = await agent.call('request_permission', permission('Where?'));
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(
      /^\[unavailable\] The local ledger in .*Nobody was paged.*set BECKON_DATA_DIR/,
    );
    expect(api.desk.paged()).toBe(0);
  });

  it('is named by BECKON_SESSION_NAME or its alias', async () => {
    const named = await startAgent('v2', { BECKON_SESSION_NAME: 'nightly build', RIBY_SESSION_NAME: 'other' });
    expect((await named.call('sync', {})).structuredContent.instance.label).toBe('nightly build');
    const alias = await startAgent('v2', { RIBY_SESSION_NAME: 'alias' });
    expect((await alias.call('sync', {})).structuredContent.instance.label).toBe('alias');
  });
});

describe('a wrong environment', () => {
  it.each([
    [
      'a name that is too long',
      { BECKON_SESSION_NAME: '🚀'.repeat(101) },
      'BECKON_SESSION_NAME is 101 characters long; at most 100',
    ],
    ['no key for a server elsewhere', { BECKON_KEY: '', BECKON_URL: 'https://b.example' }, 'BECKON_KEY is missing'],
    ['a key that is none', { BECKON_KEY: 'hunter2' }, 'BECKON_KEY is not a key of Beckon'],
    ['an address that is none', { BECKON_URL: 'beckon.example.com' }, 'BECKON_URL must be an http or https address'],
    ['a log level that is none', { BECKON_LOG_LEVEL: 'loud' }, 'BECKON_LOG_LEVEL must be one of'],
  ])('%s: one line, exit 2, nothing on stdout', async (_what, more, words) => {
    const run = runBeckon(['mcp'], { cwd: home.path, env: environment(more), input: '' });
    expect(await run.ended).toBe(2);
    expect(run.stderr()).toContain(words);
    expect(run.stderr()).not.toContain('hunter2');
    expect(run.stderr().trim().split('\n')).toHaveLength(1);
    expect(run.stdout()).toBe('');
  });
});
