import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestId, someDetail } from './some-request.ts';
import { type Browser, type RunningWeb, startWeb } from './start-web.ts';

let web: RunningWeb;
let ada: Browser;
beforeEach(async () => {
  web = await startWeb();
  ada = await web.browser('Ada');
});
afterEach(() => web.stop());

describe('the stream of changes', () => {
  it('says what changed by id alone, and lets go of a page that leaves', async () => {
    const response = await ada.get('/live', { accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    web.board.put(someDetail({ title: 'secret title' }));
    web.board.say({ kind: 'request', requestId, status: 'pending' });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('data:')) text += (await reader?.read())?.value ?? '';
    expect(text).toContain(`event: change\ndata: {"kind":"request","requestId":"${requestId}"}\n\n`);
    expect(text).not.toContain('secret');
    await reader?.cancel();
    await vi.waitFor(() => expect(web.board.listenerCount).toBe(0), { timeout: 5_000 });
  });

  it('is kept open by heartbeats, and ends with the sign-in', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const response = await ada.get('/live', { accept: 'text/event-stream' });
      await vi.waitFor(() => expect(web.board.listenerCount).toBe(1));
      vi.advanceTimersByTime(45_000);
      await ada.post('/sign-out', {});
      vi.advanceTimersByTime(15_000);
      const text = await response.text();
      expect(text.match(/: still here/g)).toHaveLength(4);
      await vi.waitFor(() => expect(web.board.listenerCount).toBe(0));
      web.board.say({ kind: 'setting' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('is for people who are signed in', async () => {
    const response = await ada.get('/live', { accept: 'text/event-stream', cookie: '' });
    expect(response.status).toBe(401);
    expect(web.board.listenerCount).toBe(0);
  });
});

describe('the parts of an open page', () => {
  it('hold the count, the lists and no document', async () => {
    web.board.put(someDetail());
    const html = await (await ada.get('/parts/requests', { 'hx-request': 'true' })).text();
    expect(html).toContain('<title>(1) Requests · Beckon</title>');
    for (const id of ['pending-count', 'warnings', 'pending', 'settled']) expect(html).toContain(`id="${id}"`);
    expect(html).not.toContain('<html');
  });

  it('leave the answer form alone while it is open, and end it once it is settled', async () => {
    web.board.put(someDetail());
    const parts = async () => (await ada.get(`/parts/requests/${requestId}`)).text();
    expect(await parts()).not.toContain('id="answer"');
    await ada.post(`/requests/${requestId}`, { choice: 'deny' });
    expect(await parts()).toMatch(/id="answer".*Denied by Ada/s);
  });

  it('make a page reload that lost its session', async () => {
    const response = await ada.get('/parts/requests', { 'hx-request': 'true', cookie: '' });
    expect([response.status, response.headers.get('hx-refresh')]).toEqual([401, 'true']);
  });
});
