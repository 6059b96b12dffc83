import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { safeLink } from '../../src/web/parts/safe-link.tsx';
import { requestId, someDetail } from './some-request.ts';
import { type Browser, type RunningWeb, startWeb } from './start-web.ts';

let web: RunningWeb;
let ada: Browser;
beforeEach(async () => {
  web = await startWeb();
  ada = await web.browser('Ada');
  web.board.put(someDetail());
});
afterEach(() => web.stop());

const path = `/requests/${requestId}`;

/** fetch does not let a test choose the Host. */
function statusFor(host: string, of = '/'): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(web.origin);
    const sent = httpRequest({ host: '127.0.0.1', port, path: of, headers: { host }, setHost: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('headers', () => {
  it('forbid everything but our own files, on pages and on errors', async () => {
    for (const at of ['/', path, '/sign-in', '/nowhere']) {
      const { headers } = await ada.get(at);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('let files with a hash in their address be kept for ever', async () => {
    const html = await (await ada.get('/')).text();
    const css = /href="(\/assets\/[0-9a-f]{16}\/app\.css)"/.exec(html)?.[1] ?? 'no address';
    const file = await ada.get(css);
    expect(file.status).toBe(200);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/);
    expect((await ada.get('/assets/0000000000000000/app.css')).status).toBe(404);
  });
});

describe('a form from elsewhere', () => {
  it.each([
    ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another origin, no metadata', { origin: 'https://evil.example', 'sec-fetch-site': '' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ])('%s: refused', async (_name, headers) => {
    const response = await ada.post(path, { choice: 'approve' }, headers);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('This came from another site');
    expect(web.board.answers).toEqual([]);
  });

  it.each([[''], ['form-of-link-2'], ['x'.repeat(500)]])('with the form token "%s": refused', async (form_token) => {
    const response = await ada.post(path, { choice: 'approve', form_token });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('out of date');
    expect(web.board.answers).toEqual([]);
  });

  it('that says nothing of its origin: refused', async () => {
    const body = new URLSearchParams({ choice: 'approve', form_token: ada.formToken });
    const response = await fetch(web.origin + path, { method: 'POST', headers: { cookie: ada.cookie }, body });
    expect([response.status, web.board.answers]).toEqual([403, []]);
  });

  it('without a session: sent to sign in, and back to the page', async () => {
    const response = await ada.post(path, { choice: 'approve' }, { cookie: '' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
    expect(web.board.answers).toEqual([]);
  });
});

describe('a host name that is not ours', () => {
  it.each([
    'evil.example',
    'evil.example:4747',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    '',
    'localhost:80:80',
  ])('%s: refused everywhere', async (host) => {
    for (const at of ['/', '/mcp', '/api/v1/echo', '/sign-in']) {
      expect([400, 421]).toContain(await statusFor(host, at));
    }
  });

  it('is fine for the allowed ones, and for probes', async () => {
    expect(await statusFor('LOCALHOST:4747', '/sign-in')).toBe(200);
    expect(await statusFor('10.1.2.3:4747', '/healthz')).toBe(200);
  });
});

describe('what is too much or not understood', () => {
  it('5 MB are refused with a page', async () => {
    const response = await ada.post(path, { choice: 'deny', text: 'x'.repeat(5_000_000) });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('That is too much');
    expect(web.board.answers).toEqual([]);
  });

  it('JSON is not a form, and other methods are named', async () => {
    const json = await fetch(web.origin + path, {
      method: 'POST',
      headers: { cookie: ada.cookie, origin: web.origin, 'content-type': 'application/json' },
      body: '{"choice":"approve"}',
    });
    expect(json.status).toBe(415);
    const put = await fetch(web.origin + path, { method: 'PUT', headers: { cookie: ada.cookie } });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await ada.get('/%E0%A4%A')).status).toBe(404);
    expect((await ada.get('/requests/%E0%A4%A')).status).toBe(400);
  });

  it('a fault of ours is a page with an id that the log has too, and no cause', async () => {
    web.board.failNext(new Error('secret of the database at /var/lib'));
    const response = await ada.get('/');
    const html = await response.text();
    expect(response.status).toBe(500);
    expect(html).not.toMatch(/secret|var\/lib|at .*\.ts/);
    const id = /<code>([0-9a-f]{12})<\/code>/.exec(html)?.[1] ?? 'no id';
    expect(web.logged.join('\n')).toContain(id);
  });
});

describe('what is mounted', () => {
  it('gives MCP the whole path and the unread body, and REST the path below its own', async () => {
    for (const at of [
      '/mcp',
      '/mcp/',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/openid-configuration',
    ]) {
      const response = await fetch(web.origin + at, {
        method: 'POST',
        body: '{"raw":1}',
        headers: { 'content-type': 'application/json' },
      });
      expect(await response.json()).toEqual({ path: at, raw: '{"raw":1}' });
    }
    const rest = await fetch(`${web.origin}/api/v1/echo`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect(await rest.json()).toEqual({ body: { a: 1 }, path: '/echo' });
    expect((await ada.get('/mcpx')).status).toBe(404);
  });

  it('tells health without sign-in', async () => {
    const health = await fetch(`${web.origin}/healthz`);
    expect(await health.text()).toBe('{"name":"beckon","status":"ok","version":"9.9.9"}');
    expect((await fetch(`${web.origin}/readyz`)).status).toBe(200);
    web.readiness = { ok: false, checks: { database: 'not writable' } };
    const ready = await fetch(`${web.origin}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { checks: { database: 'not writable' } }]);
  });
});

describe('safeLink', () => {
  it.each([
    ['/requests/1', '/requests/1'],
    ['https://example.com/a', 'https://example.com/a'],
    ['http://example.com/', 'http://example.com/'],
    ['javascript:alert(1)', null],
    [' javascript:alert(1)', null],
    ['java\nscript:alert(1)', null],
    ['data:text/html,x', null],
    ['//evil.example', null],
    ['/\\evil.example', null],
    ['relative', null],
  ])('%j → %j', (href, safe) => expect(safeLink(href)).toBe(safe));
});
