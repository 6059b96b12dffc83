import { request as rawRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, eventually, readOnlyKey, startApiServer, testKey } from '../support/api-server.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApiServer();
});
afterAll(() => api.stop());

const instance = { id: 'i-1', label: 'shop · main' };
let count = 0;
const question = (more: object = {}) => {
  count += 1;
  return { kind: 'permission', title: `Deploy ${count}?`, gist: 'Ships the fix.', instance, ...more };
};

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into JSON it does not type
  readonly json: any;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${api.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${testKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) };
}

const isRaw = (body: unknown): body is string | Buffer<ArrayBuffer> =>
  typeof body === 'string' || Buffer.isBuffer(body);

describe('asking', () => {
  it('opens a request with 201, and joins it by the same id and by the same content with 200', async () => {
    const id = uuidv7();
    const body = question({ danger_level: 'high', ttl_seconds: 60 });
    const first = await call('POST', '/requests', { ...body, id });
    expect(first.status).toBe(201);
    expect(first.json).toMatchObject({
      joined: 'new',
      request: { id, status: 'pending', dangerLevel: 'high', options: [] },
    });
    expect(first.json.request.result).toEqual({
      requestId: id,
      status: 'pending',
      expired: false,
      deniedByTimeout: false,
    });
    expect(new Date(first.json.request.createdAt).toISOString()).toBe(first.json.request.createdAt);
    expect(await call('POST', '/requests', { ...body, id })).toMatchObject({
      status: 200,
      json: { joined: 'same_id' },
    });
    const alike = await call('POST', '/requests', body);
    expect(alike).toMatchObject({ status: 200, json: { joined: 'same_digest', request: { id } } });
  });

  it('refuses the same id with other content', async () => {
    const id = uuidv7();
    await call('POST', '/requests', question({ id }));
    expect(await call('POST', '/requests', question({ id }))).toMatchObject({
      status: 409,
      json: { error: { code: 'id_taken' } },
    });
  });

  it('names every fault at once', async () => {
    const { status, json } = await call('POST', '/requests', {
      id: 'seven',
      kind: 'steering',
      title: 'x'.repeat(201),
      gist: 'g',
      prioritiy: 1,
      options: [
        { label: 'a', recommended: true },
        { label: 'b', recommended: true },
        { label: 'c' },
        { label: 'd' },
        { label: 'e' },
      ],
      instance: { id: 'has space', label: '' },
      ttl_seconds: -1,
    });
    expect(status).toBe(400);
    expect(json.error.code).toBe('invalid_payload');
    for (const fault of [
      'id: must be a UUID',
      'title: is 201 characters long; at most 200',
      'prioritiy: is not an argument',
      'options.4: at most 4 options',
      'instance.id: must be 1 to 64',
      'instance.label: is empty',
      'ttl_seconds: must be a whole number of seconds from 1 to 604800',
    ]) {
      expect(json.error.message).toContain(fault);
    }
  });

  it.each([0, -1, 1e12, 1.5, Number.NaN, '60', null])('refuses a life of %s seconds', async (ttl) => {
    const { status, json } = await call('POST', '/requests', question({ ttl_seconds: ttl }));
    expect(status).toBe(400);
    expect(json.error.message).toContain('ttl_seconds: must be a whole number of seconds');
  });

  it.each([
    ['an unknown kind', { kind: 'lunch' }, 'kind: must be "permission" or "plan_check" or "steering"'],
    ['half a surrogate pair', { title: '\ud800' }, 'title: holds half of a surrogate pair'],
    ['a control character', { gist: 'a\u0007b' }, 'gist: holds the control character U+0007'],
    ['options for a permission', { options: [{ label: 'a' }] }, 'options: is not an argument'],
    ['no instance', { instance: undefined }, 'instance: is required'],
  ])('refuses %s', async (_what, part, fault) => {
    const { status, json } = await call('POST', '/requests', question(part));
    expect(status).toBe(400);
    expect(json.error.message).toContain(fault);
  });

  it('counts characters, not UTF-16 units', async () => {
    expect((await call('POST', '/requests', question({ title: '🚀'.repeat(200) }))).status).toBe(201);
  });
});

describe('waiting', () => {
  const open = async () => (await call('POST', '/requests', question())).json.request.id as string;

  it('returns a settled request at once and counts it as handed over', async () => {
    const id = await open();
    const waiting = call('GET', `/requests/${id}/wait?timeout=25`);
    await eventually('the poll', () => api.seen.includes(`GET /api/v1/requests/${id}/wait`));
    api.desk.settle(id, { status: 'denied', words: 'not today', via: 'slack', by: 'Ada' });
    const { status, json } = await waiting;
    expect(status).toBe(200);
    expect(json.request.result).toMatchObject({
      status: 'denied',
      decision: 'denied',
      answer: 'not today',
      resolvedBy: 'Ada',
    });
    await eventually('the hand-over', () => api.desk.requests.get(id)?.deliveredAt);
  });

  it('leaves the hand-over to a caller who says so', async () => {
    const id = await open();
    api.desk.settle(id, { status: 'approved' });
    await call('GET', `/requests/${id}/wait?handover=manual`);
    await call('HEAD', `/requests/${id}/wait`);
    expect((await call('GET', `/requests/${id}`)).json.request.deliveredAt).toBeNull();
    const delivered = await call('POST', `/requests/${id}/delivered`, {});
    expect(delivered.json.request.deliveredAt).not.toBeNull();
  });

  it.each(['', '?handover=manual'])('hands a settled one over that is fetched or asked for again (%s)', async (how) => {
    const isHandedOver = how === '';
    for (const again of ['fetched', 'same id', 'same content']) {
      const body = question({ id: uuidv7() });
      const { id, ...content } = body as typeof body & { id: string };
      await call('POST', '/requests', body);
      api.desk.settle(id, { status: 'approved' });
      const answer =
        again === 'fetched'
          ? await call('GET', `/requests/${id}${how}`)
          : await call('POST', `/requests${how}`, again === 'same id' ? body : content);
      expect(answer.json.request).toMatchObject({ id, status: 'approved', deliveredAt: null });
      if (isHandedOver) await eventually('the hand-over', () => api.desk.requests.get(id)?.deliveredAt);
      else await call('HEAD', `/requests/${id}`);
      const next = await call('POST', '/requests?handover=manual', content);
      expect(next.json.joined).toBe(isHandedOver ? 'new' : 'kept_answer');
    }
  });

  it('refuses a way of handing over that there is not, before anything is done', async () => {
    const paged = api.desk.paged();
    const { status, json } = await call('POST', '/requests?handover=later', question());
    expect(status).toBe(400);
    expect(json.error.message).toBe('handover: must be "manual" or absent');
    expect(api.desk.paged()).toBe(paged);
  });

  it('returns a pending one when the time is over', async () => {
    const id = await open();
    const { json } = await call('GET', `/requests/${id}/wait?timeout=0.05`);
    expect(json.request.status).toBe('pending');
  });

  it('stops waiting when the caller goes away, and hands nothing over', async () => {
    const id = await open();
    const gone = new AbortController();
    const waiting = fetch(`${api.url}/api/v1/requests/${id}/wait`, {
      headers: { authorization: `Bearer ${testKey}` },
      signal: gone.signal,
    });
    await eventually('the poll', () => api.seen.includes(`GET /api/v1/requests/${id}/wait`));
    gone.abort();
    await expect(waiting).rejects.toThrow();
    await eventually('the end of the poll', () => api.seen.includes(`closed GET /api/v1/requests/${id}/wait`));
    api.desk.settle(id, { status: 'approved' });
    expect((await call('GET', `/requests/${id}`)).json.request.deliveredAt).toBeNull();
  });

  it.each(['-1', '31', 'NaN', '1e1', ''])('refuses to wait for "%s" seconds', async (timeout) => {
    const { status, json } = await call('GET', `/requests/${await open()}/wait?timeout=${timeout}`);
    expect(status).toBe(400);
    expect(json.error.message).toBe('timeout: must be a number of seconds from 0 to 30');
  });
});

describe('the rest of a request’s life', () => {
  it('cancels, once', async () => {
    const { json } = await call('POST', '/requests', question());
    const { id } = json.request;
    const cancelled = await call('POST', `/requests/${id}/cancel`, { reason: 'changed my mind' });
    expect(cancelled.json.request).toMatchObject({ status: 'cancelled', outcome: { words: 'changed my mind' } });
    expect(await call('POST', `/requests/${id}/cancel`)).toMatchObject({
      status: 200,
      json: { request: { status: 'cancelled' } },
    });
  });

  it('stays open on a withdrawal that others outweigh', async () => {
    const { id } = (await call('POST', '/requests', question())).json.request;
    const waiting = call('GET', `/requests/${id}/wait?timeout=25`);
    await eventually('the poll', () => api.seen.includes(`GET /api/v1/requests/${id}/wait`));
    const left = await call('POST', `/requests/${id}/cancel`, { reason: 'mine only', unless_awaited: true });
    expect(left.json.request.status).toBe('pending');
    api.desk.settle(id, { status: 'approved' });
    expect((await waiting).json.request.status).toBe('approved');
    const lonely = (await call('POST', '/requests', question())).json.request.id;
    const gone = await call('POST', `/requests/${lonely}/cancel`, { reason: 'mine only', unless_awaited: true });
    expect(gone.json.request.status).toBe('cancelled');
    expect(gone.json.request.result).not.toHaveProperty('answer');
    expect((await call('POST', `/requests/${lonely}/cancel`, { unless_awaited: 1 })).status).toBe(400);
  });

  it.each([
    ['x'.repeat(2_001), 'reason: is 2001 characters long'],
    ['\u0000', 'reason: holds the control character'],
    ['\ud800', 'reason: holds half of a surrogate pair'],
    ['🚀'.repeat(2_000), null],
    ['', null],
  ])('judges the reason of a withdrawal %#', async (reason, fault) => {
    const { id } = (await call('POST', '/requests', question())).json.request;
    const { status, json } = await call('POST', `/requests/${id}/cancel`, { reason });
    expect(status).toBe(fault === null ? 200 : 400);
    if (fault !== null) expect(json.error.message).toContain(fault);
  });

  it('tells where it was paged', async () => {
    const { json } = await call('POST', '/requests', question());
    expect((await call('GET', `/requests/${json.request.id}/progress`)).json.progress).toContain('Slack');
  });

  it('syncs an instance', async () => {
    const mine = { id: 'i-sync', label: 'sync' };
    const { json } = await call('POST', '/requests', question({ instance: mine }));
    const report = await call('POST', '/sync', { instance: mine, known: [] });
    expect(report.json.instance).toEqual(mine);
    expect(report.json.requests.map((request: { id: string }) => request.id)).toEqual([json.request.id]);
    const bad = await call('POST', '/sync', { instance: mine, known: ['x'] });
    expect(bad.json.error.message).toContain('known.0: must be a UUID');
  });
});

describe('refusals', () => {
  it('a missing or wrong key', async () => {
    const missing = await call('GET', '/requests/x', undefined, { authorization: '' });
    expect(missing.status).toBe(401);
    expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="beckon"');
    const wrong = await call('GET', '/nowhere', undefined, { authorization: 'Bearer bk_live_wrong' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(wrong.json.error.code).toBe('unauthorized');
    expect(JSON.stringify(wrong.json)).not.toContain('bk_live_wrong');
  });

  it('a key without the scope, naming it', async () => {
    const { status, json } = await call('POST', '/requests', question(), { authorization: `Bearer ${readOnlyKey}` });
    expect(status).toBe(403);
    expect(json.error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('request_decisions') });
  });

  it('an unknown request and an unknown path', async () => {
    expect(await call('GET', `/requests/${uuidv7()}`)).toMatchObject({
      status: 404,
      json: { error: { code: 'not_found' } },
    });
    expect(await call('GET', '/nowhere')).toMatchObject({ status: 404, json: { error: { code: 'not_found' } } });
    expect((await call('GET', '/requests/%00')).status).toBe(404);
    expect((await call('GET', '/requests/%zz')).status).toBe(400);
  });

  it('a wrong method, with Allow', async () => {
    const { status, headers, json } = await call('DELETE', '/requests');
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('POST');
    expect(json.error.code).toBe('method_not_allowed');
    expect((await call('POST', `/requests/${uuidv7()}/wait`, {})).headers.get('allow')).toBe('GET, HEAD');
  });

  it('another content type, broken JSON, something that is no object', async () => {
    const form = await call('POST', '/requests', 'kind=permission', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form).toMatchObject({ status: 415, json: { error: { code: 'unsupported_media_type' } } });
    expect(await call('POST', '/requests', '{"kind":')).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_payload' } },
    });
    expect((await call('POST', '/requests', '[1]')).json.error.message).toContain('must be a JSON object');
    expect((await call('POST', '/requests')).json.error.message).toContain('must be a JSON object');
  });

  it('bytes that are no UTF-8, another charset, another packing than was said', async () => {
    const body = Buffer.from(JSON.stringify(question({ title: 'Caf\u00e9?' })));
    const type = (charset: string) => ({ 'content-type': `application/json; charset=${charset}` });
    expect(await call('POST', '/requests', Buffer.from(body.toString('latin1'), 'latin1'))).toMatchObject({
      status: 201,
      json: { request: { title: 'Café?' } },
    });
    expect(await call('POST', '/requests', Buffer.from(body.toString('utf8'), 'latin1'))).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_payload', message: expect.stringContaining('not valid UTF-8') } },
    });
    for (const charset of ['utf-16', 'utf-16le', '"UTF-32"', 'latin1']) {
      expect(await call('POST', '/requests', body, type(charset))).toMatchObject({
        status: 415,
        json: { error: { message: expect.stringContaining('Send JSON in UTF-8') } },
      });
    }
    for (const charset of ['utf-8', '"UTF-8"']) {
      expect((await call('POST', '/requests', body, type(charset))).json.joined).toBe('same_digest');
    }
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'nonsense']) {
      expect(await call('POST', '/requests', body, { 'content-encoding': encoding })).toMatchObject({
        status: 415,
        json: { error: { message: expect.stringContaining('as its Content-Encoding says') } },
      });
    }
    const packed = await call('POST', '/requests', gzipSync(body), { 'content-encoding': 'gzip' });
    expect(packed.json.joined).toBe('same_digest');
  });

  it('a body of 5 MB, answered before the connection ends, also without a declared length', async () => {
    const big = `{"title":"${'x'.repeat(5_000_000)}"}`;
    expect(await call('POST', '/requests', big)).toMatchObject({ status: 413, json: { error: { code: 'too_large' } } });
    expect(await sendChunked(big)).toEqual({ status: 413, code: 'too_large' });
    expect((await call('POST', '/requests', big, { authorization: 'Bearer bk_live_wrong' })).status).toBe(401);
    expect((await call('POST', '/requests', big, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await call('POST', '/requests', question())).status).toBe(201);
  });

  it('a desk that fails, without its innards', async () => {
    api.desk.fail('ask', new Error('secret innards'));
    const { status, json } = await call('POST', '/requests', question());
    api.desk.fail('ask', null);
    expect(status).toBe(500);
    expect(json.error.code).toBe('internal');
    expect(JSON.stringify(json)).not.toContain('innards');
    expect(api.faults).toHaveLength(1);
  });
});

function sendChunked(body: string): Promise<{ status: number; code: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = rawRequest(
      `${api.url}/api/v1/requests`,
      { method: 'POST', headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' } },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, code: JSON.parse(text).error.code });
      },
    );
    outgoing.once('error', reject);
    for (let at = 0; at < body.length; at += 500_000) outgoing.write(body.slice(at, at + 500_000));
    outgoing.end();
  });
}
