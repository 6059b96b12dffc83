import { describe, expect, it } from 'vitest';
import { parseHtml } from '../../../src/demo/telegram/html.ts';

describe('HTML parse mode', () => {
  it.each([
    ['plain text', 'a < b'.replace('<', '&lt;'), 'a < b', []],
    ['every named entity', '&lt;&gt;&amp;&quot;', '<>&"', []],
    ['numbers, and names without a semicolon', '&#65;&#x1F680;&amp x', 'A🚀& x', []],
    ['a name it does not know', '&nbsp;&hellip;', '&nbsp;&hellip;', []],
    ['an ampersand alone', 'R&D & co', 'R&D & co', []],
    [
      'bold',
      '<b>a</b><strong>b</strong>',
      'ab',
      [
        ['bold', 0, 1],
        ['bold', 1, 1],
      ],
    ],
    ['tags in any case', '<B>a</b>', 'a', [['bold', 0, 1]]],
    ['offsets in UTF-16 units', '🚀<i>汉</i>', '🚀汉', [['italic', 2, 1]]],
    [
      'nesting, outer first',
      '<u><s>a</s>b</u>',
      'ab',
      [
        ['underline', 0, 2],
        ['strikethrough', 0, 1],
      ],
    ],
    [
      'a spoiler, both ways',
      '<tg-spoiler>a</tg-spoiler><span class="tg-spoiler">b</span>',
      'ab',
      [
        ['spoiler', 0, 1],
        ['spoiler', 1, 1],
      ],
    ],
    ['a quote', '<blockquote>a</blockquote>', 'a', [['blockquote', 0, 1]]],
    ['an expandable quote', '<blockquote expandable>a</blockquote>', 'a', [['expandable_blockquote', 0, 1]]],
    ['an empty tag', '<b></b>a', 'a', []],
    ['a link to nowhere on the internet', '<a href="http://localhost:3000/x">a</a>', 'a', []],
  ] as const)('reads %s', (_name, source, text, entities) => {
    const parsed = parseHtml(source);
    if (typeof parsed === 'string') throw new Error(parsed);
    expect(parsed.text).toBe(text);
    expect(parsed.entities.map(({ type, offset, length }) => [type, offset, length])).toEqual(entities);
  });

  it('keeps links, mentions, languages and custom emoji', () => {
    const source =
      '<a href="https://x.example/?a=1&amp;b=2">l</a><a href="tg://user?id=501000001">m</a>' +
      '<pre><code class="language-ts">c</code></pre><tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>';
    expect(parseHtml(source)).toEqual({
      text: 'lmc👍',
      entities: [
        { type: 'text_link', offset: 0, length: 1, url: 'https://x.example/?a=1&b=2' },
        { type: 'text_mention', offset: 1, length: 1, user: { id: 501_000_001 } },
        { type: 'pre', offset: 2, length: 1, language: 'ts' },
        { type: 'custom_emoji', offset: 3, length: 2, custom_emoji_id: '5368324170671202286' },
      ],
    });
  });

  it.each([
    ['汉<script>alert(1)</script>', 'Unsupported start tag "script" at byte offset 3'],
    ['a <x', 'Unclosed start tag at byte offset 2'],
    ['a < b', 'Unsupported start tag "" at byte offset 2'],
    ['🚀<b>a</i>', 'Unmatched end tag at byte offset 8, expected "</b>", found "</i>"'],
    ['a</b>', 'Unexpected end tag at byte offset 1'],
    ['<b>a</b', 'Unclosed end tag at byte offset 4'],
    ['<b><i>a</i>', 'Can\'t find end tag corresponding to start tag "b"'],
    ['<span class="big">a</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['<a href=x:y>a</a>', 'Unexpected end of name token at byte offset 8'],
    ['<a href="x>a</a>', 'Unclosed start tag at byte offset 0'],
    ['<a ="x">a</a>', 'Empty attribute name in the tag "a" at byte offset 0'],
    ['<br/>', 'Unsupported start tag "br/" at byte offset 0'],
  ])('refuses %s', (source, complaint) => {
    expect(parseHtml(source)).toBe(complaint);
  });
});
