import { isObject, type JsonObject, toObject, toObjects, toText } from '../json.ts';

/** A stretch of formatted text; `offset` and `length` in UTF-16 units (core.telegram.org/bots/api#messageentity). */
export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly user?: JsonObject;
  readonly language?: string;
  readonly custom_emoji_id?: string;
}

/** The server keeps 100 entities of a message and drops the rest without a word. */
export const mostEntities = 100;

const known = new Set([
  ...['bold', 'italic', 'underline', 'strikethrough', 'spoiler', 'code', 'pre', 'blockquote', 'expandable_blockquote'],
  ...['text_link', 'text_mention', 'custom_emoji'],
]);
/** Found by the server itself: given ones are ignored. */
const automatic = new Set([
  ...['mention', 'hashtag', 'cashtag', 'bot_command', 'url', 'email', 'phone_number', 'bank_card_number'],
]);

/** Reads the `entities` of a call. @returns the platform's complaint where they are malformed */
export function readEntities(value: unknown, text: string): readonly Entity[] | string {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isObject)) return "can't parse MessageEntity: expected an Array of objects";
  const entities: Entity[] = [];
  for (const entity of toObjects(value)) {
    const { type, offset, length } = entity;
    if (typeof offset !== 'number' || typeof length !== 'number') {
      return `can't parse MessageEntity: Field "${typeof offset === 'number' ? 'length' : 'offset'}" must be a Number`;
    }
    const name = toText(type);
    if (automatic.has(name)) continue;
    if (!known.has(name)) return "can't parse MessageEntity: Unsupported type specified";
    if (offset < 0 || length <= 0 || offset + length > text.length) {
      return `entity of length ${length} at offset ${offset} is outside of the text`;
    }
    const details =
      name === 'text_link'
        ? { url: toText(entity.url) }
        : name === 'text_mention'
          ? { user: toObject(entity.user) }
          : {};
    entities.push({ type: name, offset, length, ...details });
  }
  return sortEntities(entities).slice(0, mostEntities);
}

/** Outer before inner, as the server hands them out. */
export function sortEntities(entities: readonly Entity[]): Entity[] {
  return [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
}

/** Whom a text notifies: links to an account, and every `@username` outside of code. Ids of people of the chat. */
export function mentionedIn(
  text: string,
  entities: readonly Entity[],
  people: readonly { readonly id: string; readonly username: string }[],
): readonly string[] {
  const named = entities.filter(({ type }) => type === 'text_mention').map(({ user }) => String(user?.id));
  const code = entities.filter(({ type }) => type === 'code' || type === 'pre');
  const isCode = (at: number) => code.some(({ offset, length }) => at >= offset && at < offset + length);
  for (const match of text.matchAll(/(?<![\w@])@(\w{4,32})/g)) {
    const person = people.find(({ username }) => username.toLowerCase() === match[1]?.toLowerCase());
    if (person !== undefined && !isCode(match.index)) named.push(person.id);
  }
  return named.filter((id) => people.some((person) => person.id === id));
}

/** Commands that the server marks in what people write. */
export function commandsIn(text: string): readonly Entity[] {
  return Array.from(text.matchAll(/(?<![\w/@])\/\w{1,32}(?:@\w+)?/g), (match) => ({
    type: 'bot_command',
    offset: match.index,
    length: match[0].length,
  }));
}
