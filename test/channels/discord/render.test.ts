import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderPage, renderPending, renderSettled } from '../../../src/channels/discord/render.ts';
import type { Page, PageOutcome } from '../../../src/channels/page.ts';
import { toVisible, toVisibleLine } from '../../../src/channels/visible-text.ts';
import { createFormFaults } from '../../../src/demo/discord/form-faults.ts';
import { checkMessage } from '../../../src/demo/discord/message-rules.ts';
import { createRig, type Rig, somePage } from './rig.ts';

const fill = (piece: string, codePoints: number) => [...piece.repeat(codePoints)].slice(0, codePoints).join('');
const at = new Date('2026-12-01T10:05:00Z');
const steering = (label: string): Partial<Page> => ({
  kind: 'steering',
  options: [1, 2, 3, 4].map((n) => ({ label: n + [...label].slice(1).join(''), recommended: n === 2 })),
});

const hostile = [
  '@everyone and @here, <@130000000000000001>, <@!130000000000000001>, <@&120000000000000001>, <#140000000000000001>',
  '# heading\n## two\n-# subtext\n> quote\n>>> all of it\n- item\n* item\n+ item\n1. one\n 2. two\n7. seven\n99. x',
  '**bold** *it* __under__ _it_ ~~gone~~ ||spoiler|| `code` ``co`de`` ```js\nfence\n```',
  '[click](https://evil.example) <https://evil.example> https://evil.example/a_b_c*d* steam://run discord://x',
  ':smile: :+1: <:name:130000000000000001> <a:name:130000000000000001> <t:1700000000:R> <t:0> </cmd:130000000000000001> <id:customize>',
  '\\*already\\* \\\\ \\` C:\\dir\\_x ¯\\_(ツ)_/¯ snake_case_name 2 * 3 * 4 a<b>c && d',
  'rtl \u202e txt, zero\u200bwidth, null\u0000, 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽, 漢字, عربى',
];

describe('agent-written text', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await createRig();
  });
  afterAll(() => rig.stop());

  const shown = async (page: Page) => {
    const receipt = await rig.channel.send(page, rig.address);
    const find = () => rig.chat.messages().find((message) => message.id === receipt.messageId);
    return { receipt, text: () => find()?.text ?? '', find };
  };
  let next = 0;
  const fresh = (more: Partial<Page>) => somePage({ token: `t${next++}`, ...more });

  it.each(hostile)('arrives as these very characters, on send and on edit: %j', async (text) => {
    const page = fresh({
      title: text,
      gist: text,
      instanceLabel: text,
      options: [{ label: text.slice(0, 200), recommended: true }],
      kind: 'steering',
    });
    const message = await shown(page);
    const check = () => {
      expect(message.text()).toContain(toVisible(text));
      expect(message.text()).toContain(toVisibleLine(text));
      expect(message.text()).toContain(toVisibleLine(text.slice(0, 200)));
    };
    check();
    const outcome: PageOutcome = { status: 'answered', words: text, by: text.slice(0, 60), via: 'telegram', at };
    await rig.channel.update(message.receipt, { ...page, outcome });
    check();
    expect(message.text()).toContain(`by ${toVisibleLine(text.slice(0, 60))} on Telegram`);
    expect(message.text().split(toVisible(text)).length).toBeGreaterThan(2);
    expect(rig.chat.pings()).toEqual([]);
    expect(rig.chat.violations()).toEqual([]);
  });

  it.each(['*', '\\', '😀', '@<|', '# ', '> ', '1. ', 'a', '```'])(
    'of the largest size, all of %j, arrives verbatim within every limit, on send and on edit',
    async (piece) => {
      const title = `${fill(piece, 199).trimEnd()}x`;
      const gist = `${fill(piece, 1_499).trimEnd()}x`;
      const label = `${fill(piece, 199).trimEnd()}x`;
      const page = fresh({ title, gist, danger: 'high', ...steering(label), instanceLabel: fill(piece, 100) });
      const message = await shown(page);
      expect(message.text()).toContain(gist);
      expect(message.text()).toContain(toVisibleLine(title));
      for (const option of page.options) expect(message.text()).toContain(option.label);
      await rig.channel.update(message.receipt, {
        ...page,
        outcome: {
          status: 'answered',
          chosenOption: { index: 3, label: page.options[3]?.label ?? '' },
          by: 'Ada',
          via: 'slack',
          at,
        },
      });
      expect(message.text()).toContain(gist);
      for (const option of page.options) expect(message.text()).toContain(option.label);
      expect(rig.chat.violations()).toEqual([]);
    },
  );

  it('keeps the person’s 2,000 characters whole and cuts the gist visibly where nothing else fits', async () => {
    const words = fill('*', 2_000);
    const page = fresh({ title: fill('_', 200), gist: fill('`', 1_500), ...steering(fill('|', 200)) });
    const message = await shown(page);
    await rig.channel.update(message.receipt, {
      ...page,
      outcome: { status: 'answered', words, by: 'Ada', via: 'discord', at },
    });
    expect(message.text()).toContain(words);
    expect(message.text()).toContain('… (cut)');
    expect(message.text()).toContain(fill('_', 200));
    expect(rig.chat.violations()).toEqual([]);
  });

  it('shows words, options in full, the recommended one and the expiry', async () => {
    const { find } = await shown(
      fresh({
        danger: 'high',
        notes: ['1 of 2 (Ada)'],
        kind: 'steering',
        options: [
          { label: 'Left', recommended: false },
          { label: 'A label that is longer than any button may show to people', recommended: true },
        ],
      }),
    );
    const message = find();
    expect(message?.text).toContain('High danger');
    expect(message?.text).toContain('★ 2. A label that is longer than any button may show to people (recommended)');
    expect(message?.text).toContain('1 of 2 (Ada)');
    expect(message?.text).toContain('Expires\n2026-12-01 16:00 UTC');
    expect(message?.buttons).toMatchObject([
      { label: '1 · Left', look: 'plain' },
      { label: '2 · A label that is longer than a…', look: 'primary' },
      { label: 'Write…' },
      { label: 'Details', look: 'link', url: 'http://127.0.0.1:4747/requests/1' },
    ]);
  });
});

describe('rendering', () => {
  it('is a function of the page alone', () => {
    const page = somePage({ notes: ['n'] });
    expect(renderPage(page)).toEqual(renderPending(page));
    const outcome: PageOutcome = { status: 'expired', at };
    expect(renderPage({ ...page, outcome })).toEqual(renderSettled(page, outcome));
  });

  it.each([
    ['javascript:alert(1)', []],
    ['ftp://example.com', []],
    ['not a url', []],
    ['https://b.example/r/1', ['Details']],
  ])('links to %s: %j', (detailUrl, labels) => {
    const buttons = renderPending(somePage({ detailUrl })).components.flatMap((row) => row.components);
    expect(buttons.filter((button) => 'url' in button).map((button) => button.label)).toEqual(labels);
    expect(JSON.stringify(renderSettled(somePage({ detailUrl }), { status: 'expired', at })).includes(detailUrl)).toBe(
      labels.length > 0,
    );
  });

  it.each([
    [{ status: 'approved', by: 'Ada', via: 'slack', at }, '✅ **Approved by Ada on Slack** · <t:1764583500:f>'],
    [{ status: 'denied', by: 'Ada', via: 'dashboard', at }, '⛔ **Denied by Ada on the dashboard** · <t:1764583500:f>'],
    [
      { status: 'expired', at },
      '⌛ **Expired: nobody answered in time, and the agent was told no** · <t:1764583500:f>',
    ],
    [{ status: 'cancelled', at }, '🚫 **Withdrawn by the agent** · <t:1764583500:f>'],
    [
      { status: 'cancelled', by: 'Ada', via: 'dashboard', at },
      '🚫 **Cancelled by Ada on the dashboard** · <t:1764583500:f>',
    ],
    [{ status: 'approved', via: 'policy', at }, '✅ **Approved under a policy** · <t:1764583500:f>'],
  ] as const)('%o reads %s', (outcome, line) => {
    expect(renderSettled(somePage(), outcome).content.split('\n')[1]).toBe(
      line.replace('1764583500', String(at.getTime() / 1_000)),
    );
  });

  it('stays within every limit for any page', () => {
    const any = (most: number) => fc.string({ unit: 'binary', maxLength: most });
    const nasty = (most: number) =>
      fc.oneof(
        any(most),
        fc.string({
          unit: fc.constantFrom('*', '😀', '\u202e', '\n', ' ', 'x', ':', '#', '\u{e0001}'),
          maxLength: most,
          size: 'max',
        }),
      );
    const pages = fc.record({
      title: nasty(200),
      gist: nasty(1_500),
      instanceLabel: nasty(100),
      labels: fc.array(nasty(200), { maxLength: 4 }),
      words: fc.option(nasty(2_000), { nil: undefined }),
      notes: fc.array(any(100), { maxLength: 5 }),
      by: any(200),
      settled: fc.boolean(),
      steering: fc.boolean(),
    });
    fc.assert(
      fc.property(pages, ({ labels, settled, words, by, steering: isSteering, ...rest }) => {
        const page = somePage({
          ...rest,
          kind: isSteering ? 'steering' : 'permission',
          danger: 'medium',
          options: labels.map((label, index) => ({ label, recommended: index === 0 })),
          detailUrl: `https://beckon.example/${'r'.repeat(380)}`,
        });
        const outcome: PageOutcome = {
          status: 'answered',
          by,
          via: 'api',
          at,
          ...(words === undefined ? {} : { words }),
          ...(labels[0] === undefined ? {} : { chosenOption: { index: 0, label: labels[0] } }),
        };
        const faults = createFormFaults();
        checkMessage(faults, { ...renderPage(settled ? { ...page, outcome } : page) });
        expect(faults.list()).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
