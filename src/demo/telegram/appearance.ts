import type { ChatButton, ChatPart } from '../emulator.ts';
import { toText } from '../json.ts';
import type { Entity } from './entities.ts';

type Style = Extract<ChatPart['style'], 'strong' | 'small' | 'quote' | 'code' | 'text'>;

const styles: readonly (readonly [style: Style, types: readonly string[]])[] = [
  ['code', ['pre', 'code']],
  ['quote', ['blockquote', 'expandable_blockquote']],
  ['strong', ['bold']],
  ['small', ['italic']],
];

/** Draws a message as the app does, line by line: a line whose every word is formatted alike gets that style. */
export function drawMessage(
  text: string,
  entities: readonly Entity[],
  keyboard: readonly (readonly Readonly<Record<string, unknown>>[])[],
): { readonly parts: readonly ChatPart[]; readonly buttons: readonly ChatButton[] } {
  const parts: { style: Style; text: string }[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const style = styleOf(line, at, entities);
    const last = parts.at(-1);
    if (last !== undefined && (last.style === style || line.trim() === '')) last.text += `\n${line}`;
    else parts.push({ style, text: line });
    at += line.length + 1;
  }
  return {
    parts: parts.map((part) => ({ ...part, text: part.text.replace(/^\n+|\n+$/g, '') })),
    buttons: keyboard.flatMap((row, index) => row.map((button) => ({ ...drawButton(button), row: index }))),
  };
}

function styleOf(line: string, at: number, entities: readonly Entity[]): Style {
  const words = Array.from(line.matchAll(/[\p{L}\p{N}]+/gu), (match) => at + match.index);
  if (words.length === 0) return 'text';
  const found = styles.find(([, types]) => {
    const covering = entities.filter((entity) => types.includes(entity.type));
    return words.every((word) => covering.some(({ offset, length }) => word >= offset && word < offset + length));
  });
  return found?.[0] ?? 'text';
}

function drawButton(button: Readonly<Record<string, unknown>>): ChatButton {
  const { url, style } = button;
  const label = toText(button.text);
  if (typeof url === 'string') return { id: url, label, look: 'link', url };
  const look = style === 'danger' ? 'danger' : style === 'primary' || style === 'success' ? 'primary' : 'plain';
  return { id: toText(button.callback_data), label, look };
}
