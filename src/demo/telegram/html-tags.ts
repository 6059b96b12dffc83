import { decodeHtmlEntity, isSpace, toBytes } from './html-entities.ts';

export interface StartTag {
  readonly name: string;
  /** The attribute that matters for this tag: href, language, class, emoji id, "1" of an expandable quote; else empty. */
  readonly argument: string;
  /** Of the byte after `>`. */
  readonly end: number;
}

const supported = new Set([
  ...['a', 'b', 'strong', 'i', 'em', 's', 'strike', 'del', 'u', 'ins', 'tg-spoiler', 'tg-emoji', 'span'],
  ...['pre', 'code', 'blockquote'],
]);

/** Reads the start tag at `begin` of a binary string. @returns the platform's complaint, as td's MessageEntity.cpp words it */
export function readStartTag(bytes: string, begin: number): StartTag | string {
  let at = begin + 1;
  while (!isSpace(bytes[at]) && bytes[at] !== '>') at += 1;
  if (bytes[at] === undefined) return `Unclosed start tag at byte offset ${begin}`;
  const name = bytes.slice(begin + 1, at).toLowerCase();
  if (!supported.has(name)) return `Unsupported start tag "${name}" at byte offset ${begin}`;

  let argument = '';
  while (true) {
    while (bytes[at] !== undefined && isSpace(bytes[at])) at += 1;
    if (bytes[at] === '>') break;
    const attributeBegin = at;
    while (!isSpace(bytes[at]) && !`=>/"'`.includes(bytes[at] ?? '')) at += 1;
    const attribute = bytes.slice(attributeBegin, at);
    if (attribute === '') return `Empty attribute name in the tag "${name}" at byte offset ${begin}`;
    while (bytes[at] !== undefined && isSpace(bytes[at])) at += 1;
    if (bytes[at] === undefined) return `Unclosed start tag "${name}" at byte offset ${begin}`;
    if (bytes[at] !== '=') {
      if (name === 'blockquote' && attribute === 'expandable') argument = '1';
      continue;
    }
    at += 1;
    while (bytes[at] !== undefined && isSpace(bytes[at])) at += 1;
    if (bytes[at] === undefined) return `Unclosed start tag "${name}" at byte offset ${begin}`;
    const value = readValue(bytes, at);
    if (typeof value === 'string') return value;
    at = value.end;
    if (bytes[at] === undefined) return `Unclosed start tag at byte offset ${begin}`;
    argument = toArgument(name, attribute, value.text) ?? argument;
  }
  if (name === 'span' && argument !== 'spoiler')
    return `Tag "span" must have class "tg-spoiler" at byte offset ${begin}`;
  return { name, argument, end: at + 1 };
}

function toArgument(tag: string, attribute: string, value: string): string | null {
  if (tag === 'a' && attribute === 'href') return value;
  if (tag === 'code' && attribute === 'class' && value.startsWith('language-')) return value.slice(9);
  if (tag === 'span' && attribute === 'class' && value.startsWith('tg-')) return value.slice(3);
  if (tag === 'tg-emoji' && attribute === 'emoji-id') return value;
  return tag === 'blockquote' && attribute === 'expandable' ? '1' : null;
}

function readValue(bytes: string, begin: number): { readonly text: string; readonly end: number } | string {
  let at = begin;
  const quote = bytes[at];
  if (quote !== '"' && quote !== "'") {
    while (/^[A-Za-z0-9.-]$/.test(bytes[at] ?? '')) at += 1;
    if (!isSpace(bytes[at]) && bytes[at] !== '>') return `Unexpected end of name token at byte offset ${begin}`;
    return { text: bytes.slice(begin, at).toLowerCase(), end: at };
  }
  at += 1;
  let text = '';
  while (bytes[at] !== quote && bytes[at] !== undefined) {
    const decoded = bytes[at] === '&' ? decodeHtmlEntity(bytes, at) : null;
    text += decoded === null ? bytes[at] : toBytes(String.fromCodePoint(decoded.code));
    at = decoded?.end ?? at + 1;
  }
  return { text, end: bytes[at] === quote ? at + 1 : at };
}
