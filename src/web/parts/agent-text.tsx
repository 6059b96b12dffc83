import type { ComponentChildren } from 'preact';

/** Controls (but newline and tab), zero-width, bidirectional, tag, filler and line-separator characters (Unicode TR36, TR9). */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|[\u180b-\u180f]|[\ufe00-\ufe0e]|\u2800|[\u{13430}-\u{1343f}]|[\u{1bca0}-\u{1bca3}]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

const pictograph = /(\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;

/**
 * Text that somebody outside wrote, exactly as it is: never markup, and every character that would hide or reorder it shown
 * by its code point. Belongs inside an `AgentBlock`, so that nobody takes it for Beckon's own words.
 */
export function OutsideText({ text }: { readonly text: string }) {
  return <bdi>{toParts(text.replaceAll(/\r\n?/g, '\n'))}</bdi>;
}

/** The same for titles and attributes, as plain text. */
export function toPlainVisible(text: string): string {
  return text
    .replaceAll(hidden, (found, at: number) => (isJoiner(text, at) ? found : `⟨${codePointOf(found)}⟩`))
    .replaceAll(/\s*\n\s*/g, ' ⏎ ');
}

/** A visibly bordered block that names who wrote what is in it. */
export function AgentBlock(props: {
  readonly id?: string;
  readonly label: string;
  readonly look?: 'prose' | 'code' | 'line';
  readonly children: ComponentChildren;
}) {
  return (
    <figure class={`agent agent-${props.look ?? 'prose'}`} id={props.id}>
      <figcaption class="agent-label">{props.label}</figcaption>
      <div class="agent-body" dir="auto">
        {props.children}
      </div>
    </figure>
  );
}

function toParts(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    if (isJoiner(text, match.index)) continue;
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push(
      <span class="hidden-character" title="a character that does not show by itself">
        ⟨{codePointOf(match[0])}⟩
      </span>,
    );
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** A zero-width joiner between two pictographs builds one emoji and hides nothing. */
function isJoiner(text: string, at: number): boolean {
  if (text[at] !== '\u200d') return false;
  return pictograph.test(text.slice(Math.max(0, at - 4), at)) && /^\p{Extended_Pictographic}/u.test(text.slice(at + 1));
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
