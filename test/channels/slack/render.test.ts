import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Page, PageOption } from '../../../src/channels/page.ts';
import { renderPage } from '../../../src/channels/slack/render.ts';
import { countCodePoints, toVisible, toVisibleLine } from '../../../src/channels/visible-text.ts';
import { checkBlocks } from '../../../src/demo/slack/block-rules.ts';
import { ada, address, createSlackWorld, pageOf } from './slack-world.ts';

const hostile = [
  '😀',
  '&',
  '<!channel>',
  `<@${ada}>`,
  '<!here> ',
  '<https://evil.example|approve> ',
  '*b* _i_ ~s~ `c` ',
  ':tada: ',
  '&lt;!channel&gt;',
  '@channel ',
  '> quote\n',
  '👩‍👩‍👧‍👦',
  'e\u0301',
];

/** Text of exactly `length` code points made of `piece`. */
function fill(piece: string, length: number): string {
  return [...piece.repeat(Math.ceil(length / countCodePoints(piece)))].slice(0, length).join('');
}

function worstPage(piece: string): Page {
  const options: PageOption[] = [0, 1, 2, 3].map((index) => ({
    label: `${index}${fill(piece, 199)}`,
    recommended: index === 2,
  }));
  return pageOf({
    kind: 'steering',
    danger: 'high',
    instanceLabel: fill(piece, 100),
    title: fill(piece, 200),
    gist: fill(piece, 1_500),
    options,
    detailUrl: 'https://beckon.example.com/requests/1?a=1&b=2',
    hasExtended: true,
    notes: ['1 of 2 (Ada)'],
  });
}

describe.each(hostile)('a page of worst-case size made of %j', (piece) => {
  const page = worstPage(piece);
  const settled: Page = {
    ...page,
    outcome: {
      status: 'answered',
      words: fill(piece, 2_000),
      chosenOption: { index: 2, label: page.options[2]!.label },
      by: fill(piece, 60),
      via: 'slack',
      at: new Date('2026-12-01T12:00:00Z'),
    },
  };

  test('arrives verbatim on send and on edit, pings nobody and breaks no limit', async () => {
    const world = await createSlackWorld();
    const receipt = await world.channel.send(page, address);
    expectVerbatim(world.only().text, page);
    expect(world.only().buttons.map(({ label }) => label.slice(0, 5))).toEqual([
      ...page.options.map((_, index) => `${index + 1} · ${index}`),
      'Write',
      'Read ',
    ]);
    await world.channel.update(receipt, settled);
    expectVerbatim(world.only().text, page);
    expect(world.only().text).toContain(toVisible(settled.outcome?.words ?? ''));
    expect(world.only().buttons).toEqual([]);
    expect(world.slack.pings()).toEqual([]);
    expect(world.slack.violations()).toEqual([]);
  });
});

function expectVerbatim(text: string, page: Page): void {
  expect(text).toContain(toVisibleLine(page.title));
  expect(text).toContain(toVisible(page.gist));
  expect(text).toContain(toVisibleLine(page.instanceLabel));
  page.options.forEach(({ label, recommended }, index) => {
    expect(text).toContain(`${recommended ? '★ ' : ''}${index + 1}. ${toVisibleLine(label)}`);
  });
}

test('text that is all control characters is made visible, cut visibly, and stays within what Slack takes', async () => {
  const world = await createSlackWorld();
  const page = worstPage('\u202e');
  const receipt = await world.channel.send(page, address);
  expect(world.only().text).toContain('⟨U+202E⟩⟨U+202E⟩');
  expect(world.only().text).toContain('… (cut)');
  const outcome = { status: 'denied', words: fill('\u202e', 2_000), by: 'Ada', via: 'slack', at: new Date() } as const;
  await world.channel.update(receipt, { ...page, outcome });
  expect(world.only().text).not.toContain('\u202e');
  expect(world.slack.violations()).toEqual([]);
});

test('a page of blanks is still a page', async () => {
  const world = await createSlackWorld();
  await world.channel.send(
    pageOf({ kind: 'steering', title: ' ', gist: '\n', options: [{ label: ' ', recommended: false }] }),
    address,
  );
  expect(world.only().text).toContain('(empty)');
  expect(world.slack.violations()).toEqual([]);
});

test('a permission shows kind, instance, title, danger, gist, buttons, and when it expires', async () => {
  const world = await createSlackWorld();
  await world.channel.send(pageOf({ danger: 'medium', detailUrl: 'http://127.0.0.1:4747/requests/1' }), address);
  expect(world.only().text.split('\n')).toEqual([
    '🔐 Permission · shop · main',
    'Run the migration?',
    '🟠 Medium danger',
    'It adds a column to orders.',
    'Expires 2026-12-01 18:00 UTC',
  ]);
  expect(world.only().buttons).toEqual([
    { id: 'beckon:approve', label: 'Approve', look: 'primary' },
    { id: 'beckon:deny', label: 'Deny', look: 'danger' },
    { id: 'beckon:deny_reason', label: 'Deny with reason…', look: 'plain' },
    { id: 'beckon:open', label: 'Details', look: 'link', url: 'http://127.0.0.1:4747/requests/1' },
  ]);
});

test('button labels show at most 30 characters, cut between graphemes', () => {
  const label = (text: string) => {
    const { blocks } = renderPage(pageOf({ kind: 'steering', options: [{ label: text, recommended: false }] }));
    const actions = blocks.find((block) => block.type === 'actions');
    const [button] = actions?.type === 'actions' ? actions.elements : [];
    return button?.type === 'button' ? button.text.text : '';
  };
  expect(label('Roll back')).toBe('1 · Roll back');
  expect(label('Roll the release back and page the owner')).toBe('1 · Roll the release back and…');
  expect(label('x'.repeat(26))).toBe(`1 · ${'x'.repeat(26)}`);
  expect(label('👩‍👩‍👧‍👦'.repeat(20))).toBe(`1 · ${'👩‍👩‍👧‍👦'.repeat(6)}…`);
});

test('high danger asks twice before it approves, never before it denies', () => {
  const { blocks } = renderPage(pageOf({ danger: 'high' }));
  const actions = blocks.find((block) => block.type === 'actions');
  const confirmed = (actions?.type === 'actions' ? actions.elements : []).map(
    (element) => 'confirm' in element && element.confirm !== undefined,
  );
  expect(confirmed).toEqual([true, false, false]);
});

test.each(['javascript:alert(1)', 'ftp://x', 'not an address', `https://x/${'a'.repeat(3_000)}`])(
  'an address such as %.30s is not linked',
  (detailUrl) => {
    expect(JSON.stringify(renderPage(pageOf({ detailUrl })))).not.toContain('beckon:open');
  },
);

test('the fallback text is short and escaped', () => {
  const { text } = renderPage(pageOf({ title: `<!channel> & ${'x'.repeat(200)}`, danger: 'high' }));
  expect(text).toMatch(/^High danger\. Permission: &lt;!channel&gt; &amp; x/);
  expect(text.length).toBeLessThan(320);
});

test.each([
  [{ status: 'approved', by: 'Ada', via: 'slack' }, '✅ Approved by Ada on Slack'],
  [{ status: 'denied', by: 'Ada', via: 'dashboard', words: 'no' }, '⛔ Denied by Ada on the dashboard'],
  [{ status: 'answered', by: 'Ada', via: 'discord', words: 'yes' }, '💬 Answered by Ada on Discord'],
  [{ status: 'expired' }, '⌛ Expired: nobody answered in time, and the agent was told no'],
  [{ status: 'cancelled' }, '🚫 Withdrawn by the agent'],
  [{ status: 'cancelled', by: 'Ada', via: 'dashboard' }, '🚫 Cancelled by Ada on the dashboard'],
] as const)('an outcome of %j reads %s', (parts, line) => {
  const { blocks } = renderPage(pageOf({ outcome: { ...parts, at: new Date() } }));
  expect(blocks).toContainEqual({ type: 'section', text: { type: 'plain_text', text: line, emoji: false } });
  expect(blocks.some((block) => block.type === 'actions')).toBe(false);
});

test('whatever the text, no page breaks a rule of Slack, pending or settled', () => {
  const text = (maxLength: number) =>
    fc.oneof(
      fc.string({ unit: 'binary', maxLength }),
      fc.string({ unit: 'grapheme', maxLength: Math.ceil(maxLength / 4) }),
    );
  const option = fc.record({ label: text(200), recommended: fc.boolean() });
  const pages = fc.record({
    kind: fc.constantFrom('permission', 'plan_check', 'steering', 'access'),
    instanceLabel: text(100),
    title: text(200),
    gist: text(1_500),
    options: fc.array(option, { maxLength: 4 }),
    words: text(2_000),
    by: text(100),
  });
  fc.assert(
    fc.property(pages, ({ words, by, ...parts }) => {
      const page = pageOf({ ...parts, danger: 'high', detailUrl: 'https://x.example/?a=<|>' });
      const outcome = { status: 'answered', words, by, via: 'slack', at: new Date() } as const;
      for (const shown of [page, { ...page, outcome }]) {
        const { text, blocks } = renderPage(shown);
        expect(checkBlocks(blocks, 'message')).toEqual([]);
        expect(text).not.toMatch(/[<>]/);
      }
    }),
    { numRuns: 150 },
  );
});
