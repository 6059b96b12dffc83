import { type Entity, sortEntities } from './entities.ts';
import { decodeHtmlEntity, fromBytes, isSpace, toBytes } from './html-entities.ts';
import { readStartTag, type StartTag } from './html-tags.ts';
import { checkLink, userOfLink } from './url-rules.ts';

export interface Formatted {
  readonly text: string;
  readonly entities: readonly Entity[];
}

interface OpenTag extends StartTag {
  /** In UTF-16 units of the parsed text. */
  readonly offset: number;
}

const types: Readonly<Record<string, string>> = {
  ...{ b: 'bold', strong: 'bold', i: 'italic', em: 'italic', u: 'underline', ins: 'underline' },
  ...{ s: 'strikethrough', strike: 'strikethrough', del: 'strikethrough', 'tg-spoiler': 'spoiler', span: 'spoiler' },
};

/** Parses `parse_mode: HTML` as the Bot API does. @returns the platform's complaint where the text is malformed */
export function parseHtml(source: string): Formatted | string {
  const bytes = toBytes(source);
  const open: OpenTag[] = [];
  const entities: Entity[] = [];
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    const next = nextSpecial(bytes, at);
    text += fromBytes(bytes.slice(at, next));
    at = next;
    if (bytes[at] === '&') {
      const decoded = decodeHtmlEntity(bytes, at);
      text += decoded === null ? '&' : String.fromCodePoint(decoded.code);
      at = decoded?.end ?? at + 1;
    } else if (bytes[at] === '<' && bytes[at + 1] !== '/') {
      const tag = readStartTag(bytes, at);
      if (typeof tag === 'string') return fromBytes(tag);
      open.push({ ...tag, offset: text.length });
      at = tag.end;
    } else if (bytes[at] === '<') {
      const tag = open.pop();
      const end = readEndTag(bytes, at, tag?.name);
      if (typeof end === 'string' || tag === undefined) return fromBytes(String(end));
      const complaint = close(tag, text, entities);
      if (complaint !== null) return complaint;
      at = end;
    }
  }
  const left = open.at(-1);
  if (left !== undefined) return `Can't find end tag corresponding to start tag "${left.name}"`;
  if (!text.isWellFormed()) {
    return 'Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units';
  }
  return { text, entities: sortEntities(entities) };
}

function nextSpecial(bytes: string, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if (bytes[at] === '<' || bytes[at] === '&') return at;
  return bytes.length;
}

/** @returns where the byte after the tag is, or the complaint */
function readEndTag(bytes: string, begin: number, expected: string | undefined): number | string {
  if (expected === undefined) return `Unexpected end tag at byte offset ${begin}`;
  let at = begin + 1;
  while (!isSpace(bytes[at]) && bytes[at] !== '>') at += 1;
  const name = bytes.slice(begin + 2, at).toLowerCase();
  while (bytes[at] !== undefined && isSpace(bytes[at])) at += 1;
  if (bytes[at] !== '>') return `Unclosed end tag at byte offset ${begin}`;
  if (name !== '' && name !== expected) {
    return `Unmatched end tag at byte offset ${begin}, expected "</${expected}>", found "</${name}>"`;
  }
  return at + 1;
}

/** Adds what a closed tag means. @returns a complaint where its argument is wrong */
function close(tag: OpenTag, text: string, entities: Entity[]): string | null {
  const { name, offset } = tag;
  const length = text.length - offset;
  if (length <= 0) return null;
  const argument = fromBytes(tag.argument);
  const simple = types[name];
  const last = entities.at(-1);
  const same = last?.offset === offset && last.length === length ? last : null;
  if (simple !== undefined) entities.push({ type: simple, offset, length });
  else if (name === 'blockquote') {
    entities.push({ type: argument === '' ? 'blockquote' : 'expandable_blockquote', offset, length });
  } else if (name === 'tg-emoji') {
    if (!/^[1-9]\d{0,18}$/.test(argument)) return 'Invalid custom emoji identifier specified';
    entities.push({ type: 'custom_emoji', offset, length, custom_emoji_id: argument });
  } else if (name === 'pre' || name === 'code') {
    if (same?.type === 'pre' || same?.type === 'code') entities.pop();
    const language = name === 'code' ? argument : (same?.language ?? '');
    const type = name === 'pre' || same?.type === 'pre' ? 'pre' : 'code';
    entities.push({ type, offset, length, ...(language === '' ? {} : { language }) });
  } else {
    const link = argument === '' ? text.slice(offset) : argument;
    const user = userOfLink(link);
    const url = checkLink(link);
    if (user !== null) entities.push({ type: 'text_mention', offset, length, user: { id: user } });
    else if (url !== null) entities.push({ type: 'text_link', offset, length, url });
  }
  return null;
}
