import type { Page, PageOutcome } from '../page.ts';
import { dangerWords, kindWords, outcomeMarks, outcomeSentence } from '../page-words.ts';
import { cutVisibly, toVisible, toVisibleLine } from '../visible-text.ts';
import { escapeHtml, parsedLength, toHtml } from './html.ts';
import { isPublicUrl, renderKeyboard } from './keyboard.ts';

/** A message as sendMessage and editMessageText take it, in HTML parse mode. */
export interface TelegramContent {
  readonly text: string;
  /** Absent: the edit removes the keyboard. */
  readonly reply_markup?: ReturnType<typeof renderKeyboard>;
  /** What of the gist did not fit, for messages of its own after the first post; empty nearly always. */
  readonly rest: readonly string[];
}

/** Telegram's limit after parsing, counted in UTF-16 units as the strictest reading; some is kept for our own words. */
const limit = 4_096;
const room = { label: 120, title: 800, option: 420, by: 120, note: 300 } as const;
const mostRests = 4;

/** The page as it is now. Agent- and person-written text is escaped, never markup. */
export function renderPage(page: Page): TelegramContent {
  return page.outcome === undefined ? renderPending(page) : renderSettled(page, page.outcome);
}

export function renderPending(page: Page): TelegramContent {
  const before = [...top(page), ...danger(page)];
  const after = [...options(page), ...notes(page), ...link(page), `⏳ Expires ${moment(page.expiresAt)}`];
  const gist = toVisible(page.gist);
  const left = limit - plainLength([...before, '', ...after]) - 2;
  const first = gist.length <= left ? gist : headOf(gist, left - continues.length);
  const shown = first === gist ? toHtml(gist) : toHtml(first) + continues;
  return {
    text: [...before, shown, ...after].join('\n\n'),
    reply_markup: renderKeyboard(page),
    rest: first === gist ? [] : restOf(gist.slice(first.length)),
  };
}

export function renderSettled(page: Page, outcome: PageOutcome): TelegramContent {
  const head = `${outcomeMarks[outcome.status]} <b>${toHtml(toHeadline(outcome))}</b>\n${moment(outcome.at)}`;
  const before = [head, ...top(page)];
  const after = [...options(page), ...notes(page), ...link(page)];
  const left = Math.max(0, limit - plainLength([...before, '', '', ...danger(page), ...after]) - 4);
  const words = outcome.words === undefined ? null : cutVisibly(toVisible(outcome.words), left);
  const gist = cutVisibly(toVisible(page.gist), Math.max(0, left - (words?.length ?? 0)));
  const said = words === null ? [] : [`<blockquote>${toHtml(words)}</blockquote>`];
  const parts = [head, ...said, ...top(page), ...danger(page), toHtml(gist), ...after];
  return { text: parts.filter((part) => part !== '').join('\n\n'), rest: [] };
}

const continues = '… (continues below)';

function top(page: Page): string[] {
  const { mark, name } = kindWords[page.kind];
  const label = toHtml(cutVisibly(toVisibleLine(page.instanceLabel), room.label));
  return [`${mark} ${name} · ${label}`, `<b>${toHtml(cutVisibly(toVisibleLine(page.title), room.title))}</b>`];
}

function danger(page: Page): string[] {
  return page.danger === undefined ? [] : [`${dangerWords[page.danger].mark} ${dangerWords[page.danger].name}`];
}

/** Every option in full, numbered; the star before the number, where no label can forge it. */
function options(page: Page): string[] {
  if (page.options.length === 0) return [];
  const chosen = page.outcome?.chosenOption?.index;
  const lines = page.options.map(({ label, recommended }, index) => {
    const mark = `${chosen === index ? '✔ ' : ''}${recommended ? '⭐ ' : ''}`;
    const text = toHtml(cutVisibly(toVisibleLine(label), room.option));
    return `${mark}${index + 1}. ${text}${recommended ? ' (recommended)' : ''}`;
  });
  return [lines.join('\n')];
}

function notes(page: Page): string[] {
  return page.notes.map((note) => `<i>${toHtml(cutVisibly(toVisibleLine(note), room.note))}</i>`);
}

function link(page: Page): string[] {
  const { detailUrl } = page;
  if (detailUrl === undefined || !URL.canParse(detailUrl) || !/^https?:/.test(new URL(detailUrl).protocol)) return [];
  // A public address has a button while the page is pending.
  if (page.outcome === undefined && isPublicUrl(detailUrl)) return [];
  return [`${page.hasExtended ? 'Read it all' : 'Details'}: ${escapeHtml(detailUrl)}`];
}

function toHeadline(outcome: PageOutcome): string {
  const { by, chosenOption } = outcome;
  const sentence = outcomeSentence(outcome, by === undefined ? undefined : cutVisibly(toVisibleLine(by), room.by));
  return chosenOption === undefined ? sentence : `${sentence}: option ${chosenOption.index + 1}`;
}

function plainLength(parts: readonly string[]): number {
  return parsedLength(parts.join('\n\n'));
}

function restOf(text: string): string[] {
  const chunks: string[] = [];
  let left = text;
  while (left !== '' && chunks.length < mostRests) {
    const chunk = headOf(left, 3_900);
    // Our own words first: a message that is agent text alone could pass for one of ours, a prompt for an answer.
    chunks.push(`… (continued)\n\n${toHtml(chunk)}`);
    left = left.slice(chunk.length);
  }
  return chunks;
}

/** At most `most` UTF-16 units, never half a code point and never half of a `⟨U+202E⟩`. */
function headOf(text: string, most: number): string {
  const head = text.slice(0, Math.max(1, most));
  const last = head.charCodeAt(head.length - 1);
  if (last >= 0xd800 && last <= 0xdbff) return head.slice(0, -1);
  const opened = head.lastIndexOf('⟨U+');
  const isHalf = opened > 0 && head.length - opened < 10 && !head.includes('⟩', opened) && text.length > head.length;
  return isHalf ? head.slice(0, opened) : head;
}

function moment(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
