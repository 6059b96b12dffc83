/**
 * Agent-written text is hostile: it may hide or reorder itself. These turn it into text that shows what it holds.
 * Sources: Unicode TR36 (security), TR9 (bidirectional controls).
 */

const emoji = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;

/** Controls (but newline and tab), zero-width, bidirectional, tag, filler and line-separator characters. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0e]|\u2800|[\u{13430}-\u{1343f}]|[\u{1bca0}-\u{1bca3}]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

/** Shows every character that would hide or reorder text as `⟨U+202E⟩`. A joiner inside an emoji stays. Idempotent. */
export function toVisible(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(hidden, (found, at: number, whole: string) => {
    if (found === '\u200d' && isInsideEmoji(whole, at)) return found;
    return `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** The same on one line, for titles and labels. */
export function toVisibleLine(text: string): string {
  return toVisible(text).replaceAll(/\s*\n\s*/g, ' ⏎ ');
}

/** Unicode code points, the unit of every cap in Beckon. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Cuts to at most `limit` UTF-16 units (the unit of Slack's, Discord's and Telegram's limits as their libraries count),
 * never inside a code point, and says so with `mark` at the end. Text that fits is returned unchanged.
 */
export function cutVisibly(text: string, limit: number, mark = '… (cut)'): string {
  if (text.length <= limit) return text;
  let end = Math.max(0, limit - mark.length);
  const code = text.charCodeAt(end - 1);
  if (code >= 0xd800 && code <= 0xdbff) end -= 1;
  return text.slice(0, end) + mark.slice(0, limit);
}

function isInsideEmoji(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 4), at)].at(-1) ?? '';
  const after = [...text.slice(at + 1, at + 3)][0] ?? '';
  return emoji.test(before) && emoji.test(after);
}
