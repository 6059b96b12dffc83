import type { JsonObject } from '../json.ts';
import { toText } from '../json.ts';
import type { Entity } from './entities.ts';
import { mostEntities, readEntities } from './entities.ts';
import { type Formatted, parseHtml } from './html.ts';
import { type Refusal, refuse } from './method.ts';

/** Counted after parsing, in UTF-16 units: the strictest reading of "1-4096 characters". */
export const mostText = 4_096;

/** Text and entities of sendMessage or editMessageText, parsed and limited as the Bot API does. */
export function readText(args: JsonObject): Formatted | Refusal {
  const source = toText(args.text);
  if (source === '') return refuse(400, 'Bad Request: message text is empty', { violates: true });
  const parsed = parse(source, args);
  if (typeof parsed === 'string') return refuse(400, `Bad Request: ${parsed}`, { violates: true });
  const { text, entities } = clean(parsed);
  if (text === '') return refuse(400, 'Bad Request: text must be non-empty', { violates: true });
  if (parsed.text.length > mostText) return refuse(400, 'Bad Request: message is too long', { violates: true });
  return { text, entities: entities.slice(0, mostEntities) };
}

function parse(source: string, args: JsonObject): Formatted | string {
  const mode = toText(args.parse_mode).toLowerCase();
  if (mode === 'html') {
    const parsed = parseHtml(source);
    return typeof parsed === 'string' ? `can't parse entities: ${parsed}` : parsed;
  }
  // Real, but not emulated: Beckon sends HTML, so a call with Markdown is a mistake.
  if (mode === 'markdown' || mode === 'markdownv2') return `can't parse entities: ${mode} is not emulated`;
  if (mode !== '' && mode !== 'none') return 'unsupported parse_mode';
  const entities = readEntities(args.entities, source);
  return typeof entities === 'string' ? entities : { text: source, entities };
}

/** Control characters become spaces, carriage returns and direction overrides go, and the ends are trimmed (td's misc.cpp). */
function clean({ text, entities }: Formatted): Formatted {
  const dropped = /[\r\u2028-\u202e]/g;
  const visible = text.replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, ' ');
  const keptBefore = (at: number) => visible.slice(0, at).replaceAll(dropped, '').length;
  const kept = visible.replaceAll(dropped, '');
  const start = kept.length - kept.trimStart().length;
  const end = kept.trimEnd().length;
  const within = (at: number) => Math.min(Math.max(keptBefore(at), start), end) - start;
  const moved = entities.map((entity): Entity => {
    const offset = within(entity.offset);
    return { ...entity, offset, length: within(entity.offset + entity.length) - offset };
  });
  return { text: kept.slice(start, Math.max(start, end)), entities: moved.filter(({ length }) => length > 0) };
}
