import type { types } from '@slack/bolt';
import { cutVisibly, toVisible, toVisibleLine } from '../visible-text.ts';

/** Slack's limit of a text object, in UTF-16 units (block-kit/composition-objects/text-object). */
export const mostInText = 3_000;

/**
 * The escapes of `mrkdwn` and of a message's `text`: exactly these three (messaging/formatting-message-text).
 * For our own sentences that hold a name; agent-written text goes into `plain_text` or rich text instead.
 */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text that Slack shows as it is: no markup, no mentions, no emoji codes. */
export function plain(text: string): types.PlainTextElement {
  return { type: 'plain_text', text: cutVisibly(text, mostInText), emoji: false };
}

/**
 * Agent- or person-written text of any length in one block. Up to the limit of a text object it is `plain_text`; longer
 * text (made so by characters that had to be made visible) is rich text, which takes several pieces without a gap.
 * @param most UTF-16 units to show before it is cut visibly
 */
export function verbatim(text: string, most: number): types.KnownBlock {
  const shown = cutVisibly(filled(toVisible(text)), most);
  return shown.length <= mostInText ? { type: 'section', text: plain(shown) } : rich(shown, {});
}

/** A heading: Slack's header where it fits its 150 units, else bold text. */
export function heading(text: string, most: number): types.KnownBlock {
  const shown = cutVisibly(filled(toVisibleLine(text)), most);
  return shown.length <= 150 ? { type: 'header', text: plain(shown) } : rich(shown, { bold: true });
}

/** A moment in the reader's own time zone, with a fallback for clients that cannot (messaging/formatting-message-text#date-formatting). */
export function moment(at: Date): string {
  const fallback = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.trunc(at.getTime() / 1_000)}^{date_short_pretty} {time}|${fallback}>`;
}

/** The address of a page of ours as Slack takes it; null where it is no web address. */
export function safeUrl(text: string | undefined): string | null {
  if (text === undefined || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const href = url.href.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E');
  return href.length <= mostInText ? href : null;
}

function rich(text: string, style: { readonly bold?: boolean }): types.RichTextBlock {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > 0) {
    const piece = cutVisibly(rest, mostInText, '');
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: pieces.map((piece) => ({
          type: 'text',
          text: piece,
          ...(style.bold ? { style: { bold: true } } : {}),
        })),
      },
    ],
  };
}

/** Slack refuses empty text. */
function filled(text: string): string {
  return text.trim() === '' ? '(empty)' : text;
}
