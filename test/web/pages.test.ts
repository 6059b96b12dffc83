import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestId, someDetail } from './some-request.ts';
import { type Browser, type RunningWeb, startWeb } from './start-web.ts';

let web: RunningWeb;
let ada: Browser;

beforeEach(async () => {
  web = await startWeb();
  ada = await web.browser('Ada');
});
afterEach(() => web.stop());

describe('the list of requests', () => {
  it('shows what is pending with danger, instance and where it was paged, and what was settled', async () => {
    web.board.channelList = [
      { name: 'slack', title: 'Slack', status: 'up', detail: '', since: new Date(), chatId: 'C1', approvers: 1 },
    ];
    web.board.put(
      someDetail({ dangerLevel: 'high' }, { pages: [{ channel: 'slack', chatId: 'C1', state: 'shown', detail: '' }] }),
    );
    web.board.put(
      someDetail({
        id: requestId.replace(/1$/, '2'),
        title: 'Force-push main',
        status: 'denied',
        settledAt: new Date(),
        outcome: {
          status: 'denied',
          words: null,
          chosenOption: null,
          via: 'telegram',
          by: 'Grace',
          account: 'telegram:1',
        },
      }),
    );
    const html = await (await ada.get('/')).text();
    for (const text of [
      'High danger',
      'shop · main',
      'Deploy api v2',
      'Paged on Slack',
      'Denied by Grace on Telegram',
    ]) {
      expect(html).toContain(text);
    }
    expect(html).toMatch(/5 h 5\d min left/);
    expect(html).toContain('<title>(1) Requests · Beckon</title>');
  });

  it('says so when nothing is pending, and shows the warnings', async () => {
    web.board.warningList = ['Nobody may answer on Slack: BECKON_SLACK_APPROVERS is empty.'];
    const html = await (await ada.get('/')).text();
    expect(html).toContain('Nothing is waiting for you');
    expect(html).toContain('BECKON_SLACK_APPROVERS is empty');
  });
});

describe('text from an agent', () => {
  it('is never markup, wherever it shows', async () => {
    const attack = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&amp;';
    web.board.put(
      someDetail({
        kind: 'steering',
        title: attack,
        gist: attack,
        extended: attack,
        instanceLabel: attack,
        options: [{ label: attack, recommended: true }],
      }),
    );
    for (const path of ['/', `/requests/${requestId}`, `/parts/requests/${requestId}`]) {
      const html = await (await ada.get(path)).text();
      expect(html).not.toMatch(/<script>alert|<img src=x/);
      expect(html).toContain('&lt;script>alert(1)&lt;/script>');
      expect(html).toContain('&amp;amp;');
    }
  });

  it('shows hidden and reordering characters by their code point, and leaves emoji whole', async () => {
    web.board.put(
      someDetail({ title: 'open \u202Egpj.exe', gist: 'a\u200Bb\u{E0041} 👩‍💻 \u0007', extended: 'one\r\ntwo' }),
    );
    const html = await (await ada.get(`/requests/${requestId}`)).text();
    expect(html).not.toMatch(/[\u202e\u200b\u0007\u{e0041}\r]/u);
    for (const shown of ['U+202E', 'U+200B', 'U+E0041', 'U+0007', '👩‍💻', 'one\ntwo']) expect(html).toContain(shown);
  });

  it('stands in a block that names its author', async () => {
    web.board.put(someDetail({ extended: 'the diff' }));
    const html = await (await ada.get(`/requests/${requestId}`)).text();
    expect(html).toMatch(/<figcaption class="agent-label">Written by the agent<\/figcaption>.*Deploy api v2/s);
    expect(html).toMatch(/Detail, written by the agent<\/figcaption>.*<pre class="extended">.*the diff/s);
  });
});

describe('a request', () => {
  it('shows its copies, its ledger entries and how it ended', async () => {
    const entry = { chain: requestId, at: new Date('2026-12-01T14:02:00Z'), previousHash: '', hash: 'ab' };
    const outcome = {
      status: 'approved',
      words: 'Go',
      chosenOption: null,
      via: 'slack',
      by: 'Grace',
      account: 'slack:U1',
    } as const;
    web.board.put(
      someDetail(
        { status: 'approved', settledAt: new Date('2026-12-01T14:02:00Z'), outcome },
        {
          pages: [{ channel: 'discord', chatId: '99', state: 'failed', detail: 'Discord answered 503' }],
          entries: [
            { ...entry, seq: 1, kind: 'request.opened', body: '{"instance":{"id":"1","label":"shop · feature"}}' },
            { ...entry, seq: 2, kind: 'request.settled', body: JSON.stringify({ outcome, revision: 2 }) },
            { ...entry, seq: 3, kind: 'something.new', body: 'not json' },
          ],
        },
      ),
    );
    const html = await (await ada.get(`/requests/${requestId}`)).text();
    for (const text of [
      'Approved by Grace on Slack',
      '1 Dec 2026, 14:02 UTC',
      'Discord answered 503',
      'shop · feature',
      'slack:U1',
      'Something new',
    ]) {
      expect(html).toContain(text);
    }
    expect(html).not.toContain('value="approve"');
  });

  it('that nobody knows is a page that says what to do', async () => {
    for (const id of ['01939f00-0000-7000-8000-00000000dead', 'x', '%00']) {
      const response = await ada.get(`/requests/${id}`);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('There is no such request');
    }
  });
});

describe('channels', () => {
  it('show their state and who may answer there', async () => {
    const since = new Date(Date.now() - 3_600_000);
    web.board.channelList = [
      { name: 'slack', title: 'Slack', status: 'up', detail: '', since, chatId: 'C1', approvers: 0 },
      {
        name: 'discord',
        title: 'Discord',
        status: 'misconfigured',
        detail: 'The token is wrong.',
        since,
        chatId: '9',
        approvers: 2,
      },
    ];
    const html = await (await ada.get('/channels')).text();
    for (const text of [
      'Connected',
      'Nobody may answer there',
      'BECKON_SLACK_APPROVERS',
      'Set up wrongly',
      'The token is wrong.',
      '2 accounts',
      '1 h ago',
    ]) {
      expect(html).toContain(text);
    }
  });

  it('say so when there are none', async () => {
    expect(await (await ada.get('/channels')).text()).toContain('this dashboard is the only place');
  });
});

describe('settings', () => {
  it('are changed by a preset or in seconds, and say that they are saved', async () => {
    expect((await ada.post('/settings', { preset: '3600' })).headers.get('location')).toBe('/settings');
    expect((await web.board.readSettings()).ttlSeconds).toBe(3_600);
    const saved = await ada.post('/settings', { seconds: ' 90 ' });
    const notice = saved.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const page = await ada.get('/settings', { cookie: `${ada.cookie}; ${notice}` });
    expect(await page.text()).toContain('Saved: new requests stay open for 1 min.');
    expect(page.headers.getSetCookie()[0]).toContain('Max-Age=0');
  });

  it.each(['5', '0', '-1', '1e3', '10.5', 'NaN', '', '604801', '99999999999'])(
    'refuse %s and keep what was typed',
    async (seconds) => {
      const response = await ada.post('/settings', { seconds });
      expect(response.status).toBe(422);
      const html = await response.text();
      expect(html).toContain('Not saved: it must be');
      expect(html).toContain(seconds === '' ? ' value aria-invalid' : ` value="${seconds}"`);
      expect((await web.board.readSettings()).ttlSeconds).toBe(21_600);
    },
  );

  it('refuse a setting that does not exist', async () => {
    const response = await ada.post('/settings', { seconds: '60', colour: 'red' });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('colour: there is no such setting');
    expect((await web.board.readSettings()).ttlSeconds).toBe(21_600);
  });
});
