import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { type Ask, DeskError, type RequestResult } from '../../src/ledger/index.ts';
import { createBeckonMcpServer, defaultWaitLimit, type ToolDeps } from '../../src/mcp/server.ts';
import { createMemoryDesk } from '../support/memory-desk.ts';
import { toAnswer } from './endpoint.ts';

const approved = { status: 'approved', via: 'telegram', by: 'Ann', account: 'telegram:1' } as const;
const instance = { id: 'instance-1', label: 'shop · main' };

/** The tools behind the SDK's stdio entry, on pipes in memory, spoken to by hand. */
function startOnPipes(more: Partial<ToolDeps> = {}) {
  const desk = createMemoryDesk();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const messages: {
    id?: number;
    method?: string;
    result?: unknown;
    params?: { progress?: number; progressToken?: number };
  }[] = [];
  let rest = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    messages.push(...lines.map((line) => JSON.parse(line)));
  });
  const quiet = () => {};
  const deps: ToolDeps = {
    desk,
    caller: { keyId: 'key-1', name: 'key', scopes: ['request_decisions'] },
    instance: async () => instance,
    waitLimit: () => null,
    newId: () => v7(),
    clock: { now: () => new Date() },
    progressEveryMs: 50,
    cancelOnAbort: true,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    ...more,
  };
  const handle = serveStdio(() => createBeckonMcpServer(deps), { transport: new StdioServerTransport(stdin, stdout) });
  return {
    desk,
    messages,
    stdin,
    close: () => handle.close(),
    write: (message: object) => void stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    answerTo: async (id: number) => {
      const found = await expect
        .poll(() => messages.find((message) => message.id === id && message.result !== undefined), { timeout: 5_000 })
        .toBeDefined()
        .then(() => messages.find((message) => message.id === id));
      return toAnswer(found?.result);
    },
  };
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'pipe-agent', version: '1' },
};

describe.each([
  ['2025 era', {}],
  ['2026-07-28', envelope],
])('on stdio, %s', (era, meta) => {
  const start = (more: Partial<ToolDeps> = {}) => {
    const pipes = startOnPipes(more);
    if (era === '2025 era') {
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'pipe-agent', version: '1' },
      };
      pipes.write({ id: 0, method: 'initialize', params });
      pipes.write({ method: 'notifications/initialized' });
    }
    return pipes;
  };
  const call = (id: number, title: string) => ({
    id,
    method: 'tools/call',
    params: { name: 'request_permission', arguments: { title, gist: 'x' }, _meta: { ...meta, progressToken: id } },
  });
  const cancel = (requestId: number, reason?: string) => ({
    method: 'notifications/cancelled',
    params: { requestId, ...(reason === undefined ? {} : { reason }), ...(era === '2025 era' ? {} : { _meta: meta }) },
  });

  test.each([undefined, 'the user pressed escape', 'AbortError: This operation was aborted'])(
    'notifications/cancelled withdraws the request (reason: %s)',
    async (reason) => {
      const pipes = start();
      pipes.write(call(1, 'Cancel me'));
      const request = await pipes.desk.pending('Cancel me');
      pipes.write(cancel(1, reason));
      await pipes.desk.until(request.id, ({ status }) => status === 'cancelled');
      await pipes.close();
      expect(pipes.messages.filter(({ id, result }) => id === 1 && result !== undefined)).toEqual([]);
    },
  );

  test.each(['McpError: MCP error -32001: Request timed out', 'request timeout'])(
    'a client that only gave up waiting does not (reason: %s)',
    async (reason) => {
      const settled: string[] = [];
      const pipes = start({ journal: { asked: async () => {}, settled: async (id) => void settled.push(id) } });
      pipes.write(call(1, 'Wait for it'));
      const request = await pipes.desk.pending('Wait for it');
      pipes.write(cancel(1, reason));
      pipes.write(call(2, 'Wait for it'));
      await expect
        .poll(() => pipes.messages.some(({ params }) => params?.progressToken === 2 && params.progress === 1))
        .toBe(true);
      expect(pipes.desk.requests.get(request.id)?.status).toBe('pending');
      pipes.desk.settle(request.id, approved);
      expect((await pipes.answerTo(2)).result).toMatchObject({ requestId: request.id, status: 'approved' });
      expect(settled).toContain(request.id);
      expect(pipes.desk.paged()).toBe(1);
      await pipes.close();
    },
  );

  test('one of two equal calls that is withdrawn leaves the question to the other; the last one withdraws it', async () => {
    const pipes = start();
    pipes.write(call(1, 'Both ask'));
    const request = await pipes.desk.pending('Both ask');
    pipes.write(call(2, 'Both ask'));
    const waits = (token: number) =>
      expect
        .poll(() => pipes.messages.some(({ params }) => params?.progressToken === token && params.progress === 1))
        .toBe(true);
    await waits(2);
    pipes.write(cancel(1));
    await expect.poll(() => pipes.desk.withdrawals(), { timeout: 3_000 }).toEqual(['pending']);
    pipes.write(cancel(2));
    await pipes.desk.until(request.id, ({ status }) => status === 'cancelled');
    await pipes.close();
  });

  test('the end of stdin does not withdraw: the person may still answer, and the next start gets it', async () => {
    const pipes = start();
    const { wait } = pipes.desk;
    let ended = false;
    pipes.desk.wait = async (...args) => {
      const request = await wait(...args);
      ended = true;
      return request;
    };
    pipes.write(call(1, 'Closing time'));
    const request = await pipes.desk.pending('Closing time');
    await expect.poll(() => pipes.messages.some(({ params }) => params?.progress === 1)).toBe(true);
    pipes.stdin.end();
    await expect.poll(() => ended).toBe(true);
    await new Promise(setImmediate);
    expect(pipes.desk.requests.get(request.id)).toMatchObject({ status: 'pending', deliveredAt: null });
    expect(pipes.messages.filter(({ id, result }) => id === 1 && result !== undefined)).toEqual([]);
  });

  test('a cancellation after the answer changes nothing', async () => {
    const pipes = start();
    pipes.write(call(1, 'Too late'));
    const request = await pipes.desk.pending('Too late');
    pipes.desk.settle(request.id, approved);
    await pipes.answerTo(1);
    pipes.write(cancel(1));
    pipes.write({ id: 2, method: 'tools/list', params: { _meta: meta } });
    await expect.poll(() => pipes.messages.some(({ id }) => id === 2)).toBe(true);
    expect(pipes.desk.requests.get(request.id)?.status).toBe('approved');
    await pipes.close();
  });

  test('an unreachable server is an error that says nobody was paged', async () => {
    const pipes = start();
    pipes.desk.fail('ask', new DeskError('unreachable', 'The server cannot be reached. Nobody was paged.'));
    pipes.write(call(1, 'Hello?'));
    expect(await pipes.answerTo(1)).toMatchObject({
      isError: true,
      text: '[unreachable] The server cannot be reached. Nobody was paged.',
    });
    await pipes.close();
  });
});

describe('the local ledger of an instance', () => {
  const listing = (lines: string[]) => ({
    asked: async (id: string, ask: Ask) => void lines.push(`asked ${id} ${ask.title}`),
    settled: async (id: string, result: RequestResult) => void lines.push(`settled ${id} ${result.status}`),
    known: async () => lines.filter((line) => line.startsWith('asked')).map((line) => line.split(' ')[1] ?? ''),
  });
  const call = (id: number, name: string, args: object) => ({
    id,
    method: 'tools/call',
    params: { name, arguments: args, _meta: envelope },
  });

  test('is written before anybody is asked, and again when the answer came', async () => {
    const lines: string[] = [];
    const pipes = startOnPipes({ journal: listing(lines), newId: () => '01990000-0000-7000-8000-000000000001' });
    const ask = pipes.desk.ask;
    pipes.desk.ask = async (input) => {
      lines.push(`ask ${input.id}`);
      return await ask(input);
    };
    pipes.write(call(1, 'request_permission', { title: 'First', gist: 'x' }));
    const { id } = await pipes.desk.pending('First');
    pipes.desk.settle(id, approved);
    await pipes.answerTo(1);
    expect(lines).toEqual([`asked ${id} First`, `ask ${id}`, `settled ${id} approved`]);
    await pipes.close();
  });

  test('that cannot be written means that nobody is asked', async () => {
    const full = async () => {
      throw new Error('ENOSPC');
    };
    const pipes = startOnPipes({ journal: { asked: full, settled: full } });
    pipes.write(call(1, 'request_permission', { title: 'Full', gist: 'x' }));
    const { isError, text } = await pipes.answerTo(1);
    expect(isError).toBe(true);
    expect(text).toMatch(/^\[unavailable\] .*local ledger.*Nothing was approved/);
    expect(pipes.desk.paged()).toBe(0);
    await pipes.close();
  });

  test('that fails after the answer does not cost the answer', async () => {
    const pipes = startOnPipes({
      journal: {
        asked: async () => {},
        settled: async () => {
          throw new Error('ENOSPC');
        },
      },
    });
    pipes.write(call(1, 'request_permission', { title: 'Half full', gist: 'x' }));
    pipes.desk.settle((await pipes.desk.pending('Half full')).id, approved);
    expect((await pipes.answerTo(1)).result.status).toBe('approved');
    await pipes.close();
  });

  test('sync asks the server about every id it knows, and settles them', async () => {
    const lines: string[] = [];
    const pipes = startOnPipes({ journal: listing(lines), instance });
    const ask: Ask = {
      kind: 'permission',
      title: 'From the run that crashed',
      gist: 'x',
      extended: null,
      dangerLevel: null,
      options: [],
    };
    const caller = { keyId: 'key-1', name: 'key', scopes: [] };
    const { request } = await pipes.desk.ask({
      id: v7(),
      ask,
      instance: { id: 'old instance', label: 'shop · main' },
      caller,
    });
    lines.push(`asked ${request.id} ${ask.title}`);
    pipes.desk.settle(request.id, { status: 'denied', words: 'no', by: 'Ann' });
    pipes.write(call(1, 'sync', {}));
    expect((await pipes.answerTo(1)).result).toMatchObject({
      instance,
      requests: [{ requestId: request.id, status: 'denied', answer: 'no', title: ask.title, kind: 'permission' }],
    });
    expect(lines.at(-1)).toBe(`settled ${request.id} denied`);
    await pipes.close();
  });
});

test('a desk that fails for a moment while a call is blocked is asked again', async () => {
  const pipes = startOnPipes();
  const call = { name: 'request_permission', arguments: { title: 'Hiccup', gist: 'x' }, _meta: envelope };
  pipes.desk.fail('wait', new DeskError('unavailable', 'busy'));
  pipes.write({ id: 1, method: 'tools/call', params: call });
  const request = await pipes.desk.pending('Hiccup');
  pipes.desk.fail('wait', null);
  pipes.desk.settle(request.id, approved);
  expect((await pipes.answerTo(1)).result.status).toBe('approved');
  await pipes.close();
});

test.each([
  ['claude-code', true, null],
  ['codex-mcp-client', true, null],
  ['Zed', true, 50_000],
  ['claude-ai', true, 50_000],
  ['cursor-vscode', true, 240_000],
  [undefined, true, null],
  ['claude-code', false, 50_000],
  [undefined, false, 50_000],
])('the wait limit of %s with a progress token (%s) is %s ms', (clientName, hasProgressToken, limit) => {
  expect(defaultWaitLimit({ clientName, hasProgressToken })).toBe(limit);
});
