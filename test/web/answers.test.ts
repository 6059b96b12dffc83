import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestId, someDetail } from './some-request.ts';
import { type Browser, cookieSet, type RunningWeb, startWeb } from './start-web.ts';

const path = `/requests/${requestId}`;
let web: RunningWeb;
let ada: Browser;

beforeEach(async () => {
  web = await startWeb();
  ada = await web.browser('Ada');
});
afterEach(() => web.stop());

/** The page a browser shows after the redirect, notice included. */
async function follow(response: Response): Promise<string> {
  expect(response.status).toBe(303);
  const notice = cookieSet(response, 'beckon-notice')?.split(';')[0] ?? '';
  const page = await ada.get(response.headers.get('location') ?? '', { cookie: `${ada.cookie}; ${notice}` });
  return page.text();
}

describe('answering on the dashboard', () => {
  it('approves in the name of who is signed in, and says so', async () => {
    web.board.put(someDetail());
    const html = await follow(await ada.post(path, { choice: 'approve', text: '' }));
    expect(html).toContain('your answer is on its way');
    expect(html).toContain('Approved by Ada on the dashboard');
    expect(web.board.answers).toEqual([
      { requestId, choice: { kind: 'approve' }, by: { account: 'dashboard:link-1', displayName: 'Ada' } },
    ]);
  });

  it('denies with a reason, line ends made plain', async () => {
    web.board.put(someDetail());
    await follow(await ada.post(path, { choice: 'deny', text: 'Not on a Friday.\r\nAsk on Monday.' }));
    expect(web.board.answers[0]).toMatchObject({ choice: { kind: 'deny' }, text: 'Not on a Friday.\nAsk on Monday.' });
  });

  it('picks an option, or takes free text', async () => {
    const options = [
      { label: 'Postgres', recommended: true },
      { label: 'SQLite', recommended: false },
    ];
    web.board.put(someDetail({ kind: 'steering', options }));
    const form = await (await ada.get(path)).text();
    expect(form).toMatch(/value="option:0".*★ recommended.*value="option:1"/s);
    await follow(await ada.post(path, { choice: 'option:1' }));
    web.board.put(someDetail({ kind: 'steering', options }));
    await follow(await ada.post(path, { choice: 'text', text: 'Neither <b>' }));
    expect(web.board.answers.map(({ choice }) => choice)).toEqual([{ kind: 'option', index: 1 }, { kind: 'text' }]);
  });

  it('is told who won when somebody was first', async () => {
    const outcome = {
      status: 'denied',
      words: null,
      chosenOption: null,
      via: 'slack',
      by: 'Grace',
      account: 'slack:U1',
    } as const;
    web.board.put(someDetail({ status: 'denied', settledAt: new Date(), outcome }));
    const html = await follow(await ada.post(path, { choice: 'approve' }));
    expect(html).toContain('Too late: Grace denied this on slack');
  });

  it('keeps the words that did not fit', async () => {
    web.board.put(someDetail());
    const text = `start ${'😀'.repeat(2_001)}`;
    const response = await ada.post(path, { choice: 'deny', text });
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain('Your text is too long.');
    expect(html).toContain(`${text}</textarea>`);
  });

  it('asks twice where the danger is high, and denies at once', async () => {
    web.board.put(someDetail({ dangerLevel: 'high' }));
    const once = await ada.post(path, { choice: 'approve', text: 'ok' });
    expect(once.status).toBe(422);
    expect(await once.text()).toContain('Tick that you mean it');
    expect(web.board.answers).toEqual([]);
    await follow(await ada.post(path, { choice: 'approve', sure: 'yes' }));
    web.board.put(someDetail({ dangerLevel: 'high' }));
    await follow(await ada.post(path, { choice: 'deny' }));
    expect(web.board.answers.map(({ choice }) => choice.kind)).toEqual(['approve', 'deny']);
  });

  it.each(['', 'yes', 'option:', 'option:-1', 'option:1e1', 'option:100'])(
    'decides nothing for choice "%s"',
    async (choice) => {
      web.board.put(someDetail({ kind: 'steering' }));
      expect((await ada.post(path, { choice })).status).toBe(422);
      expect(web.board.answers).toEqual([]);
    },
  );

  it('decides nothing on a request that does not exist', async () => {
    expect((await ada.post(path, { choice: 'approve' })).status).toBe(404);
    expect(web.board.answers).toEqual([]);
  });

  it('never decides by opening: GET and HEAD leave everything as it is', async () => {
    web.board.put(someDetail());
    await ada.get(`${path}?choice=approve&form_token=${ada.formToken}`);
    await fetch(web.origin + path, { method: 'HEAD', headers: { cookie: ada.cookie } });
    expect(web.board.answers).toEqual([]);
  });
});
