import { describe, expect, it } from 'vitest';
import { drawMarkdown } from '../../../src/demo/discord/markdown.ts';

const names: Readonly<Record<string, string>> = { '130000000000000001': 'Ada', '140000000000000001': 'agents' };
const draw = (source: string) =>
  drawMarkdown(source, { now: new Date('2026-12-01T10:00:00Z'), nameOf: (id) => names[id] ?? null });
const text = (source: string) =>
  draw(source)
    .parts.map((part) => part.text)
    .join('\n');

describe('Discord’s Markdown', () => {
  it.each([
    ['**b** *i* _i_ __u__ ~~s~~ ||sp||', 'b i i u s sp'],
    ['***both***', 'both'],
    ['`a*b*` ``c`d``', 'a*b* c`d'],
    ['```js\ncode **x**\n```', 'code **x**\n'],
    ['[name](https://evil.example)', 'name'],
    ['<https://x.example> https://x.example/a_b_c', 'https://x.example https://x.example/a_b_c'],
    ['https://x.example/a\\_b', 'https://x.example/a\\_b'],
    ['<@130000000000000001> <#140000000000000001> <@&1>', '@Ada #agents <@&1>'],
    ['<:name:130000000000000001> :fire: :nope:', ':name: 🔥 :nope:'],
    ['<t:1764583200:f> <t:1764583200:R>', '2025-12-01 10:00 UTC 365 days ago'],
    ['</ask:130000000000000001>', '/ask'],
    ['# h\n## h2\n-# small\n> quote', 'h\nh2\nsmall\nquote'],
    ['- a\n* b\n1. c', '• a\n• b\n1. c'],
    ['3. c\n7. d\n\n7. e', '3. c\n4. d\n7. e'],
    ['>>> one\ntwo', 'one\ntwo'],
    ['a\\*b\\* \\# \\<@130000000000000001> \\\\', 'a*b* # <@130000000000000001> \\'],
    ['snake_case_name 2 * 3 * 4 #no', 'snake_case_name 2 * 3 * 4 #no'],
    ['\\a \\1', '\\a \\1'],
  ])('%j reads %j', (source, shown) => expect(text(source)).toBe(shown));

  it('names whom it mentions', () => {
    expect(draw('@everyone <@130000000000000001> \\@here').mentions).toEqual(['@everyone', '<@130000000000000001>']);
  });
});
