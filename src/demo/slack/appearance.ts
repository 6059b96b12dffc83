import type { ChatButton, ChatPart } from '../emulator.ts';
import { type JsonObject, toObject, toObjects, toText } from '../json.ts';
import { parseMrkdwn, withEmoji } from './mrkdwn.ts';

/** A message as the app draws it. */
export interface Appearance {
  readonly parts: readonly ChatPart[];
  readonly buttons: readonly ChatButton[];
  /** Whom the blocks and the text notify. */
  readonly pings: readonly string[];
}

/** Draws a message: its blocks where it has any, else its text. The text pings either way. */
export function drawMessage(
  text: string,
  blocks: readonly JsonObject[],
  nameOf: (userId: string) => string | null,
): Appearance {
  const parts: ChatPart[] = [];
  const buttons: ChatButton[] = [];
  const fallback = parseMrkdwn(text, nameOf);
  const pings: string[] = [...fallback.pings];
  const read = (value: unknown): string => {
    const object = toObject(value);
    const raw = toText(object.text);
    if (object.type === 'plain_text') return object.emoji === false ? raw : withEmoji(raw);
    const parsed = parseMrkdwn(raw, nameOf);
    pings.push(...parsed.pings);
    return parsed.visible;
  };

  if (blocks.length === 0) parts.push({ style: 'text', text: fallback.visible });
  for (const block of blocks) {
    switch (block.type) {
      case 'header':
        parts.push({ style: 'heading', text: read(block.text) });
        break;
      case 'section':
        if (block.text !== undefined) parts.push({ style: 'text', text: read(block.text) });
        for (const field of toObjects(block.fields)) parts.push({ style: 'field', text: read(field) });
        break;
      case 'context':
        parts.push({ style: 'small', text: toObjects(block.elements).map(read).join('  ') });
        break;
      case 'divider':
        parts.push({ style: 'divider', text: '' });
        break;
      case 'rich_text':
        for (const section of toObjects(block.elements)) parts.push(drawRich(section, pings, nameOf));
        break;
      case 'actions':
        for (const element of toObjects(block.elements)) buttons.push(drawButton(element, read(element.text)));
        break;
    }
  }
  return { parts, buttons, pings };
}

function drawButton(element: JsonObject, label: string): ChatButton {
  const { action_id: id, url, style } = element;
  if (typeof url === 'string') return { id: toText(id), label, look: 'link', url };
  return { id: toText(id), label, look: style === 'primary' || style === 'danger' ? style : 'plain' };
}

function drawRich(section: JsonObject, pings: string[], nameOf: (userId: string) => string | null): ChatPart {
  const leaves = toObjects(section.elements);
  const text = leaves
    .map((leaf) => {
      switch (leaf.type) {
        case 'user':
          pings.push(toText(leaf.user_id));
          return `@${nameOf(toText(leaf.user_id)) ?? 'unknown'}`;
        case 'broadcast':
          pings.push(toText(leaf.range));
          return `@${toText(leaf.range)}`;
        case 'link':
          return toText(leaf.text ?? leaf.url);
        case 'emoji':
          return withEmoji(`:${toText(leaf.name)}:`);
        default:
          return toText(leaf.text);
      }
    })
    .join('');
  const strong = leaves.length > 0 && leaves.every((leaf) => toObject(leaf.style).bold === true);
  const styles = { rich_text_quote: 'quote', rich_text_preformatted: 'code' } as const;
  const type = toText(section.type);
  if (type === 'rich_text_quote' || type === 'rich_text_preformatted') return { style: styles[type], text };
  return { style: strong ? 'strong' : 'text', text };
}
