import type { ChatButton, ChatPart } from '../emulator.ts';
import { type JsonObject, toObject, toObjects, toText } from '../json.ts';
import { componentTypes, linkStyle } from './component-rules.ts';
import type { MarkdownContext } from './inline-markdown.ts';
import { drawMarkdown } from './markdown.ts';

/** A message as the app draws it: content, embeds, buttons. */
export interface Appearance {
  readonly text: string;
  readonly parts: readonly ChatPart[];
  readonly buttons: readonly ChatButton[];
}

export function drawMessage(
  message: {
    readonly content: string;
    readonly embeds: readonly JsonObject[];
    readonly components: readonly JsonObject[];
  },
  context: MarkdownContext,
): Appearance {
  const parts = [...drawMarkdown(message.content, context).parts];
  for (const embed of message.embeds) {
    if (parts.length > 0) parts.push({ style: 'divider', text: '' });
    parts.push(...drawEmbed(embed, context));
  }
  return {
    parts,
    buttons: message.components.flatMap((row) => toObjects(row.components)).map(drawButton),
    text: parts
      .filter((part) => part.style !== 'divider')
      .map((part) => (part.name === undefined ? part.text : `${part.name}\n${part.text}`))
      .join('\n'),
  };
}

/** Titles, descriptions and fields are parsed; the author's name and the footer are shown as they are. */
function drawEmbed(embed: JsonObject, context: MarkdownContext): ChatPart[] {
  const flat = (source: string) =>
    drawMarkdown(source, context)
      .parts.map((part) => part.text)
      .join('\n');
  const author = toText(toObject(embed.author).name);
  const title = toText(embed.title);
  const footer = toText(toObject(embed.footer).text);
  return [
    ...(author === '' ? [] : [{ style: 'strong' as const, text: author }]),
    ...(title === '' ? [] : [{ style: 'heading' as const, text: flat(title) }]),
    ...drawMarkdown(toText(embed.description), context).parts,
    ...toObjects(embed.fields).map((field) => ({
      style: 'field' as const,
      name: flat(toText(field.name)),
      text: flat(toText(field.value)),
    })),
    ...(footer === '' ? [] : [{ style: 'small' as const, text: footer }]),
  ];
}

function drawButton(button: JsonObject): ChatButton {
  const { style } = button;
  const label = toText(button.label);
  if (button.type !== componentTypes.button) return { id: '', label, look: 'plain' };
  if (style === linkStyle) return { id: `link:${toText(button.url)}`, label, look: 'link', url: toText(button.url) };
  const look = style === 1 || style === 3 ? 'primary' : style === 4 ? 'danger' : 'plain';
  return { id: toText(button.custom_id), label, look };
}
