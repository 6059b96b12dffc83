import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentKinds, connectAgent, type Endpoint, startEndpoint } from './endpoint.ts';
import { callMessage, modernCall, openSession, type RawResponse, send } from './raw-http.ts';

const approvedByAnn = { status: 'approved', via: 'discord', by: 'Ann', account: 'discord:1' } as const;
const resultOf = (response: RawResponse) =>
  response.events().find(({ message }) => message?.result !== undefined)?.message?.result;
const beats = (response: RawResponse) =>
  response.events().filter(({ message }) => message?.method === 'notifications/progress');

describe('streams of the 2025 era', () => {
  let endpoint: Endpoint;
  let headers: Record<string, string>;
  beforeEach(async () => {
    endpoint = await startEndpoint({ waitLimit: () => null });
    headers = await openSession(endpoint.url);
  });
  afterEach(() => endpoint.stop());

  test('the head and the first progress come at once', async () => {
    const call = await send(endpoint.url, { headers, body: callMessage(1, 'Now?') });
    expect(call.headAfterMs).toBeLessThan(1_000);
    expect(call.headers['content-type']).toBe('text/event-stream');
    await call.until((response) => beats(response).length >= 2);
    expect(beats(call)[0]?.message?.params).toEqual({ progressToken: 1, progress: 0, message: 'Asking people…' });
    call.cut();
  });

  test('without a progress token, the head and a comment come at once, and nothing but comments after', async () => {
    await endpoint.stop();
    endpoint = await startEndpoint({ waitLimit: () => null, keepAliveMs: 50 });
    headers = await openSession(endpoint.url, '2025-06-18');
    const call = await send(endpoint.url, { headers, body: callMessage(1, 'Silent?', {}) });
    expect(call.headAfterMs).toBeLessThan(1_000);
    await call.until((response) => response.text().split(': keepalive').length > 3);
    expect(call.text()).toMatch(/^: open\n\n(: keepalive\n\n)+$/);
    call.cut();
  });

  test('a cut stream resumes by Last-Event-ID: the latest progress, then the answer', async () => {
    const call = await send(endpoint.url, { headers, body: callMessage(1, 'Cut?') });
    await call.until((response) => beats(response).length >= 2);
    const lastEventId = beats(call)[0]?.id ?? '';
    call.cut();
    const request = await endpoint.desk.pending('Cut?');
    const resumed = await send(endpoint.url, { method: 'GET', headers: { ...headers, 'last-event-id': lastEventId } });
    await resumed.until((response) => beats(response).length >= 2);
    const numbers = [call, resumed].map((stream) =>
      beats(stream).map(({ message }) => message?.params?.progress ?? -1),
    );
    expect(numbers[1]?.[0]).toBeGreaterThan(numbers[0]?.[0] ?? 0);
    expect(numbers[1]).toEqual([...(numbers[1] ?? [])].sort((a, b) => a - b));
    endpoint.desk.settle(request.id, approvedByAnn);
    await resumed.ended;
    expect(resultOf(resumed)?.structuredContent).toMatchObject({
      requestId: request.id,
      status: 'approved',
      resolvedBy: 'Ann',
    });
    await endpoint.desk.until(request.id, ({ deliveredAt }) => deliveredAt !== null);
    expect(endpoint.desk.paged()).toBe(1);
  });

  test('an answer given while nobody listened waits for the client, and counts as handed over only then', async () => {
    const call = await send(endpoint.url, { headers, body: callMessage(1, 'Away?') });
    await call.until((response) => beats(response).length >= 1);
    const lastEventId = beats(call).at(-1)?.id ?? '';
    call.cut();
    await call.ended;
    const request = await endpoint.desk.pending('Away?');
    // The server has seen the end of the connection once another stream of this session has gone through it.
    await (await send(endpoint.url, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }) }))
      .ended;
    endpoint.desk.settle(request.id, approvedByAnn);
    await (await send(endpoint.url, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'ping' }) }))
      .ended;
    expect(endpoint.desk.requests.get(request.id)?.deliveredAt).toBeNull();
    const resumed = await send(endpoint.url, { method: 'GET', headers: { ...headers, 'last-event-id': lastEventId } });
    await resumed.ended;
    expect(resultOf(resumed)?.structuredContent).toMatchObject({ requestId: request.id, status: 'approved' });
    await endpoint.desk.until(request.id, ({ deliveredAt }) => deliveredAt !== null);
  });

  test('a client that comes back before its old connection is known to be dead takes the stream over', async () => {
    const call = await send(endpoint.url, { headers, body: callMessage(1, 'Twice?') });
    await call.until((response) => beats(response).length >= 1);
    const resumed = await send(endpoint.url, {
      method: 'GET',
      headers: { ...headers, 'last-event-id': beats(call)[0]?.id ?? '' },
    });
    expect(resumed.status).toBe(200);
    await call.ended;
    const request = await endpoint.desk.pending('Twice?');
    endpoint.desk.settle(request.id, approvedByAnn);
    await resumed.ended;
    expect(resultOf(resumed)?.structuredContent).toMatchObject({ status: 'approved' });
    expect(resultOf(call)).toBeUndefined();
  });

  test('an agent that lost its session gets the stored answer by asking the same again', async () => {
    const call = await send(endpoint.url, { headers, body: callMessage(1, 'Lost?') });
    const request = await endpoint.desk.pending('Lost?');
    call.cut();
    await send(endpoint.url, { method: 'DELETE', headers });
    endpoint.desk.settle(request.id, approvedByAnn);
    const again = await send(endpoint.url, { headers: await openSession(endpoint.url), body: callMessage(1, 'Lost?') });
    await again.ended;
    expect(resultOf(again)?.structuredContent).toMatchObject({ requestId: request.id, status: 'approved' });
    expect(endpoint.desk.paged()).toBe(1);
  });

  test('an unknown Last-Event-ID is told what to do', async () => {
    const resumed = await send(endpoint.url, { method: 'GET', headers: { ...headers, 'last-event-id': 'nothing~4' } });
    await resumed.ended;
    expect(resumed.status).toBe(400);
    expect(resumed.text()).toMatch(/nothing to resume.*Make the call again/);
  });

  test('the v1 client reconnects by itself when its connection is cut', async () => {
    const seen: number[] = [];
    const agent = await connectAgent('v1 client', endpoint.url);
    const answer = agent.call(
      'request_permission',
      { title: 'Proxy?', gist: 'x' },
      { onprogress: ({ progress }) => void seen.push(progress) },
    );
    const request = await endpoint.desk.pending('Proxy?');
    await expect.poll(() => seen.length).toBeGreaterThan(1);
    endpoint.cutConnections();
    const before = seen.length;
    await expect.poll(() => seen.length, { timeout: 8_000 }).toBeGreaterThan(before + 1);
    endpoint.desk.settle(request.id, approvedByAnn);
    expect((await answer).result.status).toBe('approved');
    expect(endpoint.desk.paged()).toBe(1);
    await agent.close();
  });

  test.each(['v1 client', 'v2 client, 2025 era'] as const)(
    'a %s that cancels withdraws the request, once',
    async (kind) => {
      const agent = await connectAgent(kind, endpoint.url);
      const stop = new AbortController();
      const answer = agent.call(
        'request_permission',
        { title: 'Never mind', gist: 'x' },
        { onprogress: () => {}, signal: stop.signal },
      );
      answer.catch(() => {});
      const request = await endpoint.desk.pending('Never mind');
      stop.abort();
      const cancelled = await endpoint.desk.until(
        request.id,
        ({ status, deliveredAt }) => status === 'cancelled' && deliveredAt !== null,
      );
      expect(cancelled.outcome).toMatchObject({ words: 'The agent withdrew its call.', via: null, by: null });
      await expect(answer).rejects.toThrow();
      // The agent knows: the same question later is a new one.
      const again = agent.call('request_permission', { title: 'Never mind', gist: 'x' }, { onprogress: () => {} });
      const second = await endpoint.desk.pending('Never mind');
      expect(second.id).not.toBe(request.id);
      endpoint.desk.settle(second.id, approvedByAnn);
      expect((await again).result.status).toBe('approved');
      await agent.close();
    },
  );

  test('a client whose own timer ran out leaves the question open, and the same call joins it', async () => {
    const agent = await connectAgent('v1 client', endpoint.url);
    const call = { title: 'Patience?', gist: 'x' };
    await expect(agent.call('request_permission', call, { timeout: 300, onprogress: () => {} })).rejects.toThrow(
      /timed out/,
    );
    const request = await endpoint.desk.pending('Patience?');
    const again = agent.call('request_permission', call, { onprogress: () => {} });
    await (await send(endpoint.url, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }) }))
      .ended;
    endpoint.desk.settle(request.id, approvedByAnn);
    expect((await again).result).toMatchObject({ requestId: request.id, status: 'approved' });
    expect(endpoint.desk.paged()).toBe(1);
    await agent.close();
  });

  test('an id that an open call has is refused, and so is one twice in a batch; afterwards it is free', async () => {
    const first = await send(endpoint.url, { headers, body: callMessage(1, 'First of 1?') });
    const request = await endpoint.desk.pending('First of 1?');
    const bodies = [callMessage(1, 'Second of 1?'), `[${callMessage(8, 'A of 8?')},${callMessage(8, 'B of 8?')}]`];
    for (const [index, id] of [1, 8].entries()) {
      const refused = await send(endpoint.url, { headers, body: bodies[index] ?? '' });
      await refused.ended;
      expect(refused.status).toBe(400);
      expect(JSON.parse(refused.text()).error).toEqual({
        code: -32_600,
        message: `The id ${id} is in use by a call that is still open; use another.`,
      });
    }
    // Two at once: one of them is first.
    const both = await Promise.all(
      ['A of 9?', 'B of 9?'].map((title) => send(endpoint.url, { headers, body: callMessage(9, title) })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    endpoint.desk.settle(request.id, approvedByAnn);
    await first.ended;
    expect(resultOf(first)?.structuredContent).toMatchObject({ requestId: request.id });
    expect(endpoint.desk.paged()).toBe(2);
    const next = await send(endpoint.url, { headers, body: callMessage(1, 'Third of 1?') });
    expect(next.status).toBe(200);
    next.cut();
    for (const each of both) each.cut();
  });

  test('one agent that cancels leaves the question to another that asked the same', async () => {
    const [one, two] = await Promise.all([
      connectAgent('v1 client', endpoint.url),
      connectAgent('v1 client', endpoint.url),
    ]);
    const stop = new AbortController();
    const ask = (agent: typeof one, signal?: AbortSignal) =>
      agent.call(
        'request_permission',
        { title: 'Shared?', gist: 'x' },
        { onprogress: () => {}, ...(signal ? { signal } : {}) },
      );
    const withdrawn = ask(one, stop.signal);
    withdrawn.catch(() => {});
    const request = await endpoint.desk.pending('Shared?');
    const kept = ask(two);
    // Its session's next answer comes after its call has reached the desk.
    await two.call('sync', {});
    stop.abort();
    await expect.poll(() => endpoint.desk.withdrawals(), { timeout: 3_000 }).toEqual(['pending']);
    endpoint.desk.settle(request.id, approvedByAnn);
    expect((await kept).result).toMatchObject({ requestId: request.id, status: 'approved' });
    await Promise.all([one.close(), two.close()]);
  });

  test('a cancellation of something answered or unknown changes nothing', async () => {
    const call = await send(endpoint.url, { headers, body: callMessage(1, 'Done?') });
    const request = await endpoint.desk.pending('Done?');
    endpoint.desk.settle(request.id, approvedByAnn);
    await call.ended;
    for (const requestId of [1, 77]) {
      const params = { requestId, reason: 'late' };
      const late = await send(endpoint.url, {
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }),
      });
      expect(late.status).toBe(202);
    }
    const list = await send(endpoint.url, {
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/list' }),
    });
    await list.ended;
    expect(list.status).toBe(200);
    expect(endpoint.desk.requests.get(request.id)?.status).toBe('approved');
  });
});

describe('streams of 2026-07-28', () => {
  let endpoint: Endpoint;
  beforeEach(async () => {
    endpoint = await startEndpoint({ waitLimit: () => null, keepAliveMs: 50 });
  });
  afterEach(() => endpoint.stop());

  test.each([
    ['with a progress token', { progressToken: 'p' }],
    ['without one', {}],
  ])('the first bytes come at once %s', async (_what, meta) => {
    const call = await send(endpoint.url, modernCall(1, 'First?', meta));
    expect(call.headAfterMs).toBeLessThan(1_000);
    expect(call.headers['mcp-session-id']).toBeUndefined();
    await call.until((response) => response.text().includes(': keepalive'));
    expect(call.text()).toMatch(/^: open\n\n/);
    call.cut();
  });

  test('a closed stream ends the call and never the request; the same call joins it and gets the answer', async () => {
    const first = await send(endpoint.url, modernCall(1, 'Closed?'));
    const request = await endpoint.desk.pending('Closed?');
    first.cut();
    await first.ended;
    const second = await send(endpoint.url, modernCall(2, 'Closed?'));
    await second.until((response) => beats(response).length >= 2);
    expect(endpoint.desk.requests.get(request.id)?.status).toBe('pending');
    endpoint.desk.settle(request.id, approvedByAnn);
    await second.ended;
    expect(resultOf(second)?.structuredContent).toMatchObject({ requestId: request.id, status: 'approved' });
    expect(endpoint.desk.paged()).toBe(1);
  });

  test('a client that aborts (v2) does not withdraw: in this era that is only a closed stream', async () => {
    const agent = await connectAgent('v2 client, 2026-07-28', endpoint.url);
    const stop = new AbortController();
    const answer = agent.call(
      'request_permission',
      { title: 'Aborted?', gist: 'x' },
      { onprogress: () => {}, signal: stop.signal },
    );
    answer.catch(() => {});
    const request = await endpoint.desk.pending('Aborted?');
    stop.abort();
    await expect(answer).rejects.toThrow();
    const again = agent.call('request_permission', { title: 'Aborted?', gist: 'x' }, { onprogress: () => {} });
    await agent.call('sync', {});
    expect(endpoint.desk.requests.get(request.id)?.status).toBe('pending');
    endpoint.desk.settle(request.id, approvedByAnn);
    expect((await again).result.requestId).toBe(request.id);
    await agent.close();
  });

  test('an answer that nobody read is given to the next same call', async () => {
    const call = await send(endpoint.url, modernCall(1, 'Unread?'));
    const request = await endpoint.desk.pending('Unread?');
    call.cut();
    await call.ended;
    await (await send(endpoint.url, { ...modernCall(2, 'Other'), body: '{}' })).ended;
    endpoint.desk.settle(request.id, approvedByAnn);
    const again = await send(endpoint.url, modernCall(2, 'Unread?'));
    await again.ended;
    expect(resultOf(again)?.structuredContent).toMatchObject({ requestId: request.id, status: 'approved' });
    const anew = await send(endpoint.url, modernCall(3, 'Unread?'));
    expect((await endpoint.desk.pending('Unread?')).id).not.toBe(request.id);
    anew.cut();
  });

  test.each([
    ['Claude Code', { 'claudecode/toolUseId': 'toolu_1' }],
    ['Codex', { callId: 'call_1', threadId: 'thread_1' }],
  ])('a call that %s names has the same id when it is sent again', async (_client, meta) => {
    const first = await send(endpoint.url, modernCall(1, 'Named?', meta));
    const request = await endpoint.desk.pending('Named?');
    expect(request.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    first.cut();
    const second = await send(endpoint.url, modernCall(1, 'Named?', meta));
    endpoint.desk.settle(request.id, approvedByAnn);
    await second.ended;
    expect(resultOf(second)?.structuredContent).toMatchObject({ requestId: request.id });
    // The same name for a later call, after the answer was read, is a new question: an old yes is never given twice.
    const third = await send(endpoint.url, modernCall(9, 'Named?', meta));
    expect((await endpoint.desk.pending('Named?')).id).not.toBe(request.id);
    third.cut();
    const other = await send(endpoint.url, modernCall(9, 'Other words', meta));
    await endpoint.desk.pending('Other words');
    other.cut();
  });
});

describe('calls that must end before the client gives up', () => {
  test('without a progress token a call returns pending, and sync finds the answer', async () => {
    const endpoint = await startEndpoint({ waitLimit: ({ hasProgressToken }) => (hasProgressToken ? null : 200) });
    for (const kind of ['v1 client', 'v2 client, 2026-07-28'] as const) {
      const agent = await connectAgent(kind, endpoint.url);
      const title = `Short breath of a ${kind}`;
      const { isError, text, result } = await agent.call('request_permission', { title, gist: 'x' });
      expect(isError).toBe(false);
      expect(result).toMatchObject({ status: 'pending', expired: false, deniedByTimeout: false });
      expect(text).toMatch(/Still pending.*call sync later/);
      endpoint.desk.settle(result.requestId, approvedByAnn);
      const sync = await agent.call('sync', {});
      expect(sync.result).toMatchObject({ requests: [{ requestId: result.requestId, status: 'approved', title }] });
      await endpoint.desk.until(result.requestId, ({ deliveredAt }) => deliveredAt !== null);
      await agent.close();
    }
    await endpoint.stop();
  });

  test('a server that stops tells its blocked agents so, and the people are still asked', async () => {
    const endpoint = await startEndpoint({ waitLimit: () => null });
    const agents = await Promise.all(agentKinds.map((kind) => connectAgent(kind, endpoint.url)));
    const answers = agents.map((agent, index) =>
      agent.call('request_permission', { title: `Stopping ${index}`, gist: 'x' }, { onprogress: () => {} }),
    );
    for (const index of agents.keys()) await endpoint.desk.pending(`Stopping ${index}`);
    const startedAt = performance.now();
    await endpoint.stop();
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    for (const { result } of await Promise.all(answers)) expect(result.status).toBe('pending');
    expect([...endpoint.desk.requests.values()].map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    await Promise.all(agents.map((agent) => agent.close()));
  });
});

describe('the instance behind a call over HTTP', () => {
  test('is called after the client, or as its owner says, and is the same after a reconnection', async () => {
    const endpoint = await startEndpoint();
    const labelled = async (headers: Record<string, string>, title: string) => {
      const call = await send(endpoint.url, {
        ...modernCall(1, title),
        headers: { ...modernCall(1, title).headers, ...headers },
      });
      const { instanceId, instanceLabel } = await endpoint.desk.pending(title);
      call.cut();
      return { instanceId, instanceLabel };
    };
    const plain = await labelled({}, 'One');
    expect(plain.instanceLabel).toBe('raw-agent');
    expect(await labelled({}, 'Two')).toEqual(plain);
    const utf8 = Buffer.from('shop · größe', 'utf8').toString('latin1');
    const named = await labelled({ 'beckon-session-name': utf8 }, 'Three');
    expect(named.instanceLabel).toBe('shop · größe');
    expect(named.instanceId).not.toBe(plain.instanceId);
    expect((await labelled({ 'beckon-session-name': 'x'.repeat(101) }, 'Four')).instanceLabel).toBe('x'.repeat(100));
    const session = await send(endpoint.url, {
      headers: await openSession(endpoint.url),
      body: callMessage(1, 'Five'),
    });
    expect((await endpoint.desk.pending('Five')).instanceLabel).toBe('raw-agent');
    session.cut();
    await endpoint.stop();
  });
});
