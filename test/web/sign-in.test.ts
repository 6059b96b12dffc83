import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toSameSitePath } from '../../src/web/guard/same-site-path.ts';
import { requestId, someDetail } from './some-request.ts';
import { cookieSet, type RunningWeb, startWeb } from './start-web.ts';

let web: RunningWeb;
beforeEach(async () => {
  web = await startWeb();
});
afterEach(() => web.stop());

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(web.origin + path, { redirect: 'manual', headers });
const press = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(web.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: web.origin, ...headers },
    body: new URLSearchParams(fields),
  });

describe('a one-time link', () => {
  it('is not used up by looking, and only once by the button', async () => {
    const { token } = await web.signIns.createLink('Ada');
    for (let time = 0; time < 3; time += 1) {
      const look = await open(`/sign-in/${token}`);
      expect(look.status).toBe(200);
      expect(look.headers.getSetCookie()).toEqual([]);
    }
    await fetch(`${web.origin}/sign-in/${token}`, { method: 'HEAD' });
    expect(web.signIns.redeemed).toEqual([]);

    const tries = await Promise.all([1, 2, 3].map(() => press(`/sign-in/${token}`)));
    expect(tries.map(({ status }) => status).sort()).toEqual([303, 410, 410]);
    expect(web.signIns.redeemed).toEqual([token]);
    expect((await open(`/sign-in/${token}`)).status).toBe(410);
  });

  it('opens a session whose cookie scripts and other sites cannot use', async () => {
    const { token } = await web.signIns.createLink('Ada');
    const cookie = cookieSet(await press(`/sign-in/${token}`), 'beckon-session') ?? '';
    expect(cookie).toMatch(/; Path=\/; .*HttpOnly; SameSite=Lax$/);
    const page = await open('/', { cookie: cookie.split(';')[0] ?? '' });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Ada');
  });

  it('marks its cookie Secure and host-only where the dashboard is reached by https', async () => {
    const https = await startWeb({ publicUrl: 'https://127.0.0.1' });
    const { token } = await https.signIns.createLink('Ada');
    const response = await fetch(`${https.origin}/sign-in/${token}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://127.0.0.1' },
      body: new URLSearchParams(),
    });
    await https.stop();
    expect(cookieSet(response, '__Host-beckon-session')).toMatch(/Path=\/.*; Secure$/);
    expect(response.headers.get('strict-transport-security')).toContain('max-age');
  });

  it('is not taken from another site', async () => {
    const { token } = await web.signIns.createLink('Ada');
    expect((await press(`/sign-in/${token}`, {}, { origin: 'https://evil.example' })).status).toBe(403);
    expect(web.signIns.redeemed).toEqual([]);
  });
});

describe('coming back to what was opened', () => {
  it('works from a link in a chat, through a sign-in link from a terminal', async () => {
    web.board.put(someDetail());
    const first = await open(`/requests/${requestId}`);
    expect(first.headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(`/requests/${requestId}`)}`);
    const explain = await open(first.headers.get('location') ?? '');
    expect(await explain.text()).toContain('beckon.js members sign-in');
    const next = cookieSet(explain, 'beckon-next')?.split(';')[0] ?? '';
    const { token } = await web.signIns.createLink('Ada');
    expect(await (await open(`/sign-in/${token}`, { cookie: next })).text()).toContain(
      `value="/requests/${requestId}"`,
    );
    const done = await press(`/sign-in/${token}`, {}, { cookie: next });
    expect(done.headers.get('location')).toBe(`/requests/${requestId}`);
  });

  const elsewhere = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
    '',
    '/sign-out',
    '/sign-in/abc',
  ];

  it.each(elsewhere)('never leads elsewhere: %j', async (next) => {
    expect(toSameSitePath(next)).toBe('/');
    const { token } = await web.signIns.createLink('Ada');
    const done = await press(`/sign-in/${token}`, { next });
    expect(done.headers.get('location')).toBe('/');
  });

  it('keeps paths of this site', () => {
    expect(toSameSitePath('/requests/1?a=b#c')).toBe('/requests/1?a=b#c');
    expect(toSameSitePath(['/a', '/b'])).toBe('/');
  });
});

describe('signing out', () => {
  it('ends the session', async () => {
    const ada = await web.browser('Ada');
    expect((await ada.post('/sign-out', {})).headers.get('location')).toBe('/sign-in');
    expect((await ada.get('/')).status).toBe(303);
  });
});
