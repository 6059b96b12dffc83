import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Page, PageOutcome } from '../../../src/channels/page.ts';
import { parseCallbackData, toCallbackData } from '../../../src/channels/telegram/callback-data.ts';
import { parsedLength, toHtml } from '../../../src/channels/telegram/html.ts';
import { renderPage } from '../../../src/channels/telegram/render.ts';
import { toVisible, toVisibleLine } from '../../../src/channels/visible-text.ts';
import { mentionedIn } from '../../../src/demo/telegram/entities.ts';
import { parseHtml } from '../../../src/demo/telegram/html.ts';
import { permission, steering } from './rig.ts';

/** As Telegram parses it. @throws where it is malformed */
function parse(html: string) {
  const parsed = parseHtml(html);
  if (typeof parsed === 'string') throw new Error(`${parsed} in ${html}`);
  return parsed;
}

describe('a page reads as a person expects', () => {
  it('pending', () => {
    const page = steering({ danger: 'high', notes: ['1 of 2 (Ada)'], gist: 'The upstream <b>answers</b> 503.' });
    expect(parse(renderPage(page).text).text).toBe(
      [
        '🧭 Question · shop · main',
        'Which retry strategy?',
        '🔴 High danger',
        'The upstream <b>answers</b> 503.',
        '⭐ 1. Backoff with jitter (recommended)\n2. Fixed 2 s',
        '1 of 2 (Ada)',
        '⏳ Expires 2026-12-01 16:00 UTC',
      ].join('\n\n'),
    );
    expect(
      renderPage(page)
        .reply_markup?.inline_keyboard.flat()
        .map((button) => button.text),
    ).toEqual(['1 · Backoff with jitter', '2 · Fixed 2 s', '✍️ Write…']);
  });

  it('settled, in the same words and without a button', () => {
    const outcome: PageOutcome = {
      status: 'answered',
      chosenOption: { index: 1, label: 'Fixed 2 s' },
      by: 'Ada Lovelace',
      via: 'slack',
      at: new Date('2026-12-01T10:02:00Z'),
    };
    const { text, reply_markup, rest } = renderPage(steering({ outcome }));
    expect(parse(text).text).toBe(
      [
        '💬 Answered by Ada Lovelace on Slack: option 2\n2026-12-01 10:02 UTC',
        '🧭 Question · shop · main',
        'Which retry strategy?',
        'It adds a column to orders.',
        '⭐ 1. Backoff with jitter (recommended)\n✔ 2. Fixed 2 s',
      ].join('\n\n'),
    );
    expect(reply_markup).toBeUndefined();
    expect(rest).toEqual([]);
  });

  it('long labels are whole in the text and short on the buttons, never half a character', () => {
    const label = `${'👍🏽'.repeat(90)} end`;
    const { text, reply_markup } = renderPage(steering({ options: [{ label, recommended: false }] }));
    expect(parse(text).text).toContain(label);
    const button = reply_markup?.inline_keyboard[0]?.[0]?.text ?? '';
    expect(button).toMatch(/^1 · (👍🏽)+…$/u);
  });
});

const people = [
  { id: '1', username: 'ada_lovelace' },
  { id: '2', username: 'bob1' },
];
/** What an agent may send: any character, with more than chance would give of what matters here. */
const nasty = fc.constantFrom(
  '<',
  '>',
  '&',
  '@ada_lovelace',
  '@bob1',
  '</b>',
  '&lt;',
  '<code>',
  '\n',
  '🚀',
  '\u202e',
  '汉',
);
const hostileText = (most: number) =>
  fc
    .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 120 })
    .map((parts) => Array.from(parts.join('').toWellFormed()).slice(0, most).join(''));

const anyPage: fc.Arbitrary<Page> = fc
  .record({
    title: hostileText(200),
    gist: hostileText(1_500),
    instanceLabel: hostileText(100),
    words: hostileText(2_000),
    by: hostileText(80),
    labels: fc.array(hostileText(200), { maxLength: 4 }),
    settled: fc.boolean(),
  })
  .map(({ labels, settled, words, by, ...texts }) => {
    const options = labels.map((label) => ({ label, recommended: false }));
    const outcome: PageOutcome = { status: 'answered', words, by, via: 'dashboard', at: new Date(0) };
    return permission({ ...texts, kind: 'steering', options, danger: 'high', ...(settled ? { outcome } : {}) });
  });

describe('whatever an agent or a person writes', () => {
  it('the message is well formed, within the limit, and notifies nobody', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const { text, rest } = renderPage(page);
        for (const html of [text, ...rest]) {
          const parsed = parse(html);
          expect(parsed.text.length).toBeLessThanOrEqual(4_096);
          expect(parsed.entities.length).toBeLessThanOrEqual(100);
          expect(mentionedIn(parsed.text, parsed.entities, people)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is shown character by character', () => {
    fc.assert(
      fc.property(hostileText(300), (text) => {
        const parsed = parse(renderPage(permission({ gist: text, title: 'T' })).text);
        expect(parsed.text).toContain(toVisible(text));
        const line = Array.from(text).slice(0, 50).join('');
        expect(parse(renderPage(permission({ title: line })).text).text).toContain(toVisibleLine(line));
      }),
      { numRuns: 200 },
    );
  });

  it('its length is counted as Telegram counts it', () => {
    fc.assert(
      fc.property(hostileText(300), (text) => {
        const html = toHtml(toVisible(text));
        expect(parsedLength(html)).toBe(parse(html).text.length);
      }),
    );
  });
});

describe('what buttons carry', () => {
  it('at most 64 bytes with the longest token, and reads back as it was', () => {
    for (const verb of ['a', 'd', 'r', 'w', '0', '3'] as const) {
      const data = toCallbackData('x'.repeat(40), verb);
      expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
      expect(parseCallbackData(data)?.token).toBe('x'.repeat(40));
    }
  });

  it('anything else is none of ours', () => {
    for (const data of [undefined, null, 7, {}, '', 'b1:x', 'b1:tok en:a', ` b1:x:a`, `b1:${'x'.repeat(41)}:a`]) {
      expect(parseCallbackData(data)).toBeNull();
    }
  });
});
