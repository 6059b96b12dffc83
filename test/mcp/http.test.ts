import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAgent, type Endpoint, startEndpoint } from './endpoint.ts';
import { callMessage, openSession, rpcHeaders, send } from './raw-http.ts';

describe('the door of the MCP endpoint', () => {
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await startEndpoint({ mostSessions: 500 });
  });
  afterAll(() => endpoint.stop());

  const refused = async (options: Parameters<typeof send>[1], path = '/mcp/') => {
    const response = await send(new URL(path, endpoint.url), options);
    await response.ended;
    expect(response.headers['content-type']).toBe('application/json');
    const { error } = JSON.parse(response.text()) as { error: { code: number; message: string } };
    return { status: response.status, message: error.message, code: error.code, headers: response.headers };
  };
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const without = (name: string) => {
    const headers: Record<string, string> = rpcHeaders();
    delete headers[name];
    return headers;
  };

  test('a missing and a wrong key get the same answer, without OAuth metadata', async () => {
    const answers = [
      await refused({ headers: without('authorization'), body: list }),
      await refused({ headers: { ...rpcHeaders(), authorization: 'Bearer bk_live_nobody' }, body: list }),
      await refused({ headers: { ...rpcHeaders(), authorization: 'Basic YTpi' }, body: list }),
      await refused({ method: 'GET', headers: {} }),
    ];
    for (const { status, message, headers } of answers) {
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
      expect(message).toBe(answers[0]?.message);
      expect(message).toMatch(/^\[unauthorized\] .*Authorization: Bearer/);
    }
  });

  test('a client with a wrong key gets a clear error', async () => {
    await expect(connectAgent('v1 client', endpoint.url, 'bk_live_nobody')).rejects.toThrow(
      /API key is missing or not valid/,
    );
    await expect(connectAgent('v2 client, 2026-07-28', endpoint.url, 'bk_live_nobody')).rejects.toThrow();
  });

  test.each([
    ['a foreign Host', { host: 'evil.example' }, /does not answer to the host "evil.example"/],
    ['a Host that only starts like ours', { host: '127.0.0.1.evil.example' }, /does not answer/],
    ['a foreign Origin', { origin: 'https://evil.example' }, /Pages of "https:\/\/evil.example"/],
    ['the null Origin', { origin: 'null' }, /Pages of "null"/],
  ])('%s is refused with 403', async (_what, headers, sentence) => {
    const { status, message } = await refused({ headers: { ...rpcHeaders(), ...headers }, body: list });
    expect(status).toBe(403);
    expect(message).toMatch(sentence);
  });

  test('our own Origin and any port of our Host pass', async () => {
    const headers = { ...rpcHeaders(), origin: 'http://localhost:3000', host: 'localhost:1' };
    expect((await refused({ headers, body: list })).status).toBe(400);
  });

  test('5 MB are refused with a sentence, announced or not, and the connection survives the sending', async () => {
    const body = Buffer.alloc(5 * 1024 * 1024, 'x');
    const announced = await refused({ headers: { ...rpcHeaders(), 'content-length': String(body.length) }, body });
    const chunked = await refused({ headers: { ...rpcHeaders(), 'transfer-encoding': 'chunked' }, body });
    const fetched = await fetch(endpoint.url, { method: 'POST', headers: rpcHeaders(), body });
    for (const { status, message } of [announced, chunked]) {
      expect(status).toBe(413);
      expect(message).toMatch(/larger than 1,048,576 bytes/);
    }
    expect(fetched.status).toBe(413);
    await fetched.text();
  });

  test.each([
    [
      'a form',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      /application\/json, not "application\/x-www-form-urlencoded"/,
    ],
    ['no content type', { 'content-type': '' }, 415, /application\/json/],
    ['a compressed body', { 'content-encoding': 'gzip' }, 415, /uncompressed/],
  ])('%s is refused', async (_what, headers, status, sentence) => {
    const answer = await refused({ headers: { ...rpcHeaders(), ...headers }, body: list });
    expect(answer.status).toBe(status);
    expect(answer.message).toMatch(sentence);
  });

  test('a client that does not accept event streams is told so', async () => {
    const headers = { ...(await openSession(endpoint.url)), accept: 'application/json' };
    expect(await refused({ headers, body: list })).toMatchObject({
      status: 406,
      message: expect.stringContaining('text/event-stream'),
    });
  });

  test.each([
    ['nothing', '', -32_700, /empty/],
    ['half of a message', '{"jsonrpc":', -32_700, /not valid JSON/],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), -32_700, /UTF-8/],
    ['null', 'null', -32_600, /no JSON-RPC/],
    ['a number', '7', -32_600, /no JSON-RPC/],
    ['an empty batch', '[]', -32_600, /no JSON-RPC/],
    ['an object of something else', '{"hello":1}', -32_600, /./],
    ['a call without a session', list, -32_000, /Mcp-Session-Id header is missing. Send initialize first/],
  ])('%s is answered with 400', async (_what, body, code, sentence) => {
    const answer = await refused({ body });
    expect(answer).toMatchObject({ status: 400, code });
    expect(answer.message).toMatch(sentence);
  });

  test.each(['PUT', 'PATCH', 'OPTIONS', 'GET', 'DELETE'])('%s is not a way in', async (method) => {
    const { status, message, headers } = await refused({ method });
    expect(status).toBe(405);
    expect(headers.allow).toContain('POST');
    expect(message).toMatch(/POST/);
  });

  test('bare /mcp sends the client on, with method and query', async () => {
    const response = await send(new URL('/mcp?a=1', endpoint.url), { body: list });
    expect(response.status).toBe(307);
    expect(response.headers.location).toBe('/mcp/?a=1');
    const agent = await connectAgent('v1 client', new URL('/mcp', endpoint.url));
    expect(await agent.listTools()).toHaveLength(4);
    await agent.close();
  });

  test.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp/',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/mcp/.well-known/openid-configuration',
  ])('OAuth clients find a plain 404 at %s', async (path) => {
    expect(await refused({ method: 'GET', headers: {} }, path)).toMatchObject({
      status: 404,
      message: expect.stringContaining('no OAuth'),
    });
  });

  test('a session belongs to the key that opened it', async () => {
    const headers = await openSession(endpoint.url);
    const stolen = await refused({ headers: { ...headers, authorization: 'Bearer bk_live_bob' }, body: list });
    const unknown = await refused({ headers: { ...headers, 'mcp-session-id': 'no-such-session' }, body: list });
    expect(stolen).toMatchObject({ status: 404, code: -32_001 });
    expect(unknown.message).toBe(stolen.message);
    expect(unknown.message).toMatch(/Send initialize again/);
    const own = await send(endpoint.url, { headers, body: list });
    expect(own.status).toBe(200);
    await own.ended;
  });

  test('an ended session is gone', async () => {
    const headers = await openSession(endpoint.url);
    expect((await send(endpoint.url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await refused({ headers, body: list })).status).toBe(404);
  });

  test('after all of this it still answers', async () => {
    const agent = await connectAgent('v2 client, 2026-07-28', endpoint.url);
    expect(await agent.listTools()).toHaveLength(4);
    await agent.close();
    expect(endpoint.desk.paged()).toBe(0);
  });
});

test('idle sessions make room; busy ones do not', async () => {
  const endpoint = await startEndpoint({ mostSessions: 2 });
  const [first, second] = [await openSession(endpoint.url), await openSession(endpoint.url)];
  const calls = [await send(endpoint.url, { headers: second, body: callMessage(1, 'Busy?') })];
  await endpoint.desk.pending('Busy?');
  const third = await openSession(endpoint.url);
  const list = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list' });
  expect((await send(endpoint.url, { headers: first, body: list })).status).toBe(404);
  calls.push(await send(endpoint.url, { headers: third, body: callMessage(1, 'Busy too?') }));
  await endpoint.desk.pending('Busy too?');
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'late', version: '1' } };
  const full = await send(endpoint.url, {
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  });
  await full.ended;
  expect(full.status).toBe(503);
  expect(full.text()).toMatch(/Too many MCP sessions/);
  for (const call of calls) call.cut();
  await endpoint.stop();
  expect([...endpoint.desk.requests.values()].map(({ status }) => status)).toEqual(['pending', 'pending']);
});

describe('sessions that nobody uses', () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list' });
  const statusOf = async (endpoint: Endpoint, options: Parameters<typeof send>[1]) => {
    const response = await send(endpoint.url, options);
    await response.ended;
    return response.status;
  };

  test('a stream that its client cut makes its session idle at once', async () => {
    const endpoint = await startEndpoint({ mostSessions: 1 });
    const headers = await openSession(endpoint.url);
    const stream = await send(endpoint.url, { method: 'GET', headers });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'next', version: '1' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    expect(await statusOf(endpoint, { body })).toBe(503);
    stream.cut();
    await expect.poll(() => statusOf(endpoint, { body }), { timeout: 5_000 }).toBe(200);
    await endpoint.stop();
  });

  test('they are closed after a while, and those with a blocked call are not', async () => {
    const endpoint = await startEndpoint({ sessionIdleMs: 50, waitLimit: () => null });
    const [idle, blocked] = [await openSession(endpoint.url), await openSession(endpoint.url)];
    const call = await send(endpoint.url, { headers: blocked, body: callMessage(1, 'Still here?') });
    const request = await endpoint.desk.pending('Still here?');
    call.cut();
    await expect
      .poll(() => statusOf(endpoint, { headers: idle, body: list }), { interval: 300, timeout: 5_000 })
      .toBe(404);
    expect(await statusOf(endpoint, { headers: blocked, body: list })).toBe(200);
    endpoint.desk.settle(request.id, { status: 'approved' });
    await expect
      .poll(() => statusOf(endpoint, { headers: blocked, body: list }), { interval: 300, timeout: 5_000 })
      .toBe(404);
    await endpoint.stop();
  });
});
