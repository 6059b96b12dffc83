import { cutVisibly, toVisible, toVisibleLine } from '../visible-text.ts';

/**
 * Escapes text so that Discord shows these very characters. Its clients take a backslash before any character that is no
 * letter, digit or space (SimpleMarkdown), so nothing here depends on which construct a mark would have opened. discord.js's
 * `escapeMarkdown` is not used: it leaves links, quotes, mentions, timestamps, emoji codes and everything inside URLs alone.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\*_~`|[<@]/g, '\\$&')
    .replaceAll(/:(?=\S)/g, '\\:') // emoji codes, and `https://`, inside which backslashes would be shown
    .replaceAll(/^([^\S\n]*)([#>+-])/gm, '$1\\$2') // headings, quotes, lists, subtext
    .replaceAll(/^([^\S\n]*\d+)\.(?=\s)/gm, '$1\\.'); // numbered lists
}

/** Hostile text of several lines, made visible; never empty, which Discord would refuse. */
export function visibleText(text: string): string {
  return filled(toVisible(text));
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return filled(toVisibleLine(text));
}

/** One line of a name: cut to `most` UTF-16 units, then escaped. */
export function escapedLine(text: string, most: number): string {
  return escapeMarkdown(cutVisibly(visibleLine(text), most, '…'));
}

/**
 * Takes from the front of visible text as much as fits into `room` UTF-16 units once it is escaped. What is cut off starts
 * a line of its own elsewhere, so the cut is made in the text and not in its escaped form.
 */
export function takeEscaped(text: string, room: number): { readonly escaped: string; readonly rest: string } {
  const whole = escapeMarkdown(text);
  if (whole.length <= room) return { escaped: whole, rest: '' };
  let fits = 0;
  let tooMany = text.length;
  while (tooMany - fits > 1) {
    const middle = Math.trunc((fits + tooMany) / 2);
    if (escapeMarkdown(text.slice(0, middle)).length <= room) fits = middle;
    else tooMany = middle;
  }
  const end = goodEnd(text, fits);
  return { escaped: escapeMarkdown(text.slice(0, end)), rest: text.slice(end) };
}

/** Escaped text that fits into `room`, cut visibly where it does not. */
export function fitEscaped(text: string, room: number): string {
  const whole = escapeMarkdown(text);
  if (whole.length <= room) return whole;
  const mark = '… (cut)';
  return takeEscaped(text, Math.max(0, room - mark.length)).escaped + mark;
}

/** Escaped text in pieces of at most `size` (the first one of at most `first`), together at most `room`. */
export function splitEscaped(
  text: string,
  { size, first = size }: { readonly size: number; readonly first?: number },
  room: number,
): string[] {
  const pieces: string[] = [];
  let rest = text;
  let left = room;
  while (rest !== '') {
    const most = pieces.length === 0 ? first : size;
    if (left <= most) return [...pieces, fitEscaped(rest, left)];
    const taken = takeEscaped(rest, most);
    pieces.push(taken.escaped);
    rest = taken.rest;
    left -= taken.escaped.length;
  }
  return pieces;
}

/** An end at or before `most`: never inside a code point, and not beside a space, which Discord would drop there. */
function goodEnd(text: string, most: number): number {
  const line = text.lastIndexOf('\n', most - 1);
  if (line > most * 0.7 && !/\s/.test(text.charAt(line - 1)) && !/\s/.test(text.charAt(line + 1))) return line;
  let end = most;
  while (end > most * 0.9 && (/\s/.test(text.charAt(end - 1)) || /\s/.test(text.charAt(end)))) end -= 1;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

function filled(text: string): string {
  return text.trim() === '' ? '(empty)' : text;
}
