import type { ChatPart } from '../emulator.ts';
import { type MarkdownContext, showInline } from './inline-markdown.ts';

/** A text as Discord's clients draw it. */
export interface Drawn {
  readonly parts: readonly ChatPart[];
  readonly mentions: readonly string[];
}

/** Applies Discord's Markdown: headings, subtext, lists and quotes by line, the rest within. */
export function drawMarkdown(source: string, context: MarkdownContext): Drawn {
  const parts: ChatPart[] = [];
  const mentions: string[] = [];
  let paragraph: string[] = [];
  const add = (style: ChatPart['style'], text: string, before = '') => {
    const shown = showInline(text, context);
    mentions.push(...shown.mentions);
    parts.push({ style, text: before + shown.text });
  };
  const flush = () => {
    const text = paragraph.join('\n');
    paragraph = [];
    if (text === '') return;
    add(/^\*\*(?:\\[\s\S]|[^\\*])+\*\*$/.test(text) ? 'strong' : 'text', text);
  };

  const lines = source.split('\n');
  let fenced = false;
  /** The number of the list item above; clients number a list on from its first item, whatever the others say. */
  let above: number | null = null;
  for (const [index, line] of lines.entries()) {
    const heading = /^ *#{1,3}(?!#)\s+(.+)/.exec(line);
    const small = /^ *-#\s+(.+)/.exec(line);
    const item = /^( *)(?:[*+-]|(\d{1,9})\.) +(.+)/.exec(line);
    const quote = /^ *>(>> |\s)(.*)/.exec(line);
    if (fenced || (heading ?? small ?? item ?? quote) === null) {
      paragraph.push(line);
      if (countFences(line) % 2 === 1) fenced = !fenced;
      above = null;
      continue;
    }
    flush();
    const number: number | null = item?.[2] === undefined ? null : above === null ? Number(item[2]) : above + 1;
    above = number;
    if (heading !== null) add('heading', heading[1] ?? '');
    else if (small !== null) add('small', small[1] ?? '');
    else if (item !== null) add('text', item[3] ?? '', `${item[1]}${number === null ? '•' : `${number}.`} `);
    else if (quote !== null && quote[1] === '>> ') {
      add('quote', [quote[2] ?? '', ...lines.slice(index + 1)].join('\n'));
      return { parts, mentions };
    } else if (quote !== null) add('quote', quote[2] ?? '');
  }
  flush();
  return { parts, mentions };
}

function countFences(line: string): number {
  return line.match(/(?<!\\)```/g)?.length ?? 0;
}
