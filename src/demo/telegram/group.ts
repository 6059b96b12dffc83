import type { ChatMessage, ChatPerson } from '../emulator.ts';
import type { JsonObject } from '../json.ts';
import { drawMessage } from './appearance.ts';
import { type Entity, mentionedIn } from './entities.ts';

export const bot = { id: 7_000_000_001, name: 'Beckon', username: 'beckon_bot' } as const;

export interface TelegramPerson extends ChatPerson {
  readonly username: string;
}

/** The supergroup, or one person's private chat with the bot. */
export interface TelegramChat {
  /** Negative for a group. */
  id: number;
  readonly type: 'supergroup' | 'private';
  readonly title: string;
  /** What the bot may do here; all but `member` answer 403. */
  access: 'member' | 'blocked' | 'kicked';
  /** Topics by `message_thread_id`; none: the group is no forum. */
  readonly topics: Set<number>;
}

export type Keyboard = readonly (readonly JsonObject[])[];

/** A request to reply that the app opens for whom it is addressed to. */
export interface ForceReply {
  readonly selective: boolean;
  readonly placeholder: string | null;
}

export interface TelegramMessage {
  readonly chatId: number;
  readonly id: number;
  readonly authorId: number;
  readonly date: Date;
  readonly threadId?: number;
  readonly replyTo?: number;
  readonly forceReply?: ForceReply;
  text: string;
  entities: readonly Entity[];
  keyboard: Keyboard;
  editedAt?: Date;
  /** Keyboards before the edits, newest first: a person's app may not have drawn an edit yet. */
  earlier?: readonly Keyboard[];
}

/** Somebody was notified by what a message of the bot says. */
export interface TelegramPing {
  readonly who: string;
  readonly chatId: number;
  readonly messageId: number;
}

/** What the emulated group and its people hold; knows nothing of HTTP or updates. */
export interface Group {
  readonly people: readonly TelegramPerson[];
  readonly main: TelegramChat;
  personOf(id: number): TelegramPerson | null;
  /** By the id as a call gives it; null: none such, or one the bot does not know. */
  chatOf(id: unknown): TelegramChat | null;
  /** The chat that the given id was upgraded to; null where it was not. */
  migratedFrom(id: unknown): number | null;
  migrate(newId: number): void;
  post(message: Omit<TelegramMessage, 'id' | 'date'>): TelegramMessage;
  edit(message: TelegramMessage, change: Pick<TelegramMessage, 'text' | 'entities' | 'keyboard'>): void;
  remove(message: TelegramMessage): void;
  find(chatId: number, id: number): TelegramMessage | null;
  /** Every message that stands, oldest first. */
  messages(): readonly TelegramMessage[];
  draw(message: TelegramMessage): ChatMessage;
  /** Adds a line that only this person sees. */
  note(personId: string, text: string): void;
  notesOf(personId: string): readonly string[];
  pings(): readonly TelegramPing[];
  violate(what: string): void;
  violations(): readonly string[];
  changed(): void;
  onChange(listener: () => void): () => void;
}

export function createGroup(deps: {
  readonly now: () => Date;
  readonly people: readonly TelegramPerson[];
  readonly main: TelegramChat;
}): Group {
  const { now, people, main } = deps;
  const formerIds = new Set<number>();
  const notes = new Map<string, string[]>();
  const pings: TelegramPing[] = [];
  const violations: string[] = [];
  const listeners = new Set<() => void>();
  let messages: TelegramMessage[] = [];
  let lastId = 100;

  const personOf = (id: number) => people.find((person) => person.id === String(id)) ?? null;
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const notePings = ({ authorId, chatId, id, text, entities }: TelegramMessage) => {
    if (authorId !== bot.id) return;
    for (const who of mentionedIn(text, entities, people)) pings.push({ who, chatId, messageId: id });
  };

  return {
    people,
    main,
    personOf,
    chatOf: (id) => (toChatId(id) === main.id ? main : null),
    migratedFrom: (id) => (formerIds.has(toChatId(id) ?? 0) ? main.id : null),
    migrate(newId) {
      formerIds.add(main.id);
      main.id = newId;
    },
    post(parts) {
      lastId += 1;
      const message: TelegramMessage = { ...parts, id: lastId, date: now() };
      messages.push(message);
      notePings(message);
      changed();
      return message;
    },
    edit(message, change) {
      const earlier = [message.keyboard, ...(message.earlier ?? [])].slice(0, 5);
      Object.assign(message, change, { editedAt: now(), earlier });
      changed();
    },
    remove(message) {
      messages = messages.filter((kept) => kept !== message);
      changed();
    },
    find: (chatId, id) => messages.find((message) => message.chatId === chatId && message.id === id) ?? null,
    messages: () => messages,
    draw(message) {
      return {
        id: String(message.id),
        author: message.authorId === bot.id ? bot.name : (personOf(message.authorId)?.name ?? 'Deleted Account'),
        at: message.date,
        edited: message.editedAt !== undefined,
        text: message.text,
        ...drawMessage(message.text, message.entities, message.keyboard),
        ...(message.replyTo === undefined ? {} : { replyTo: String(message.replyTo) }),
      };
    },
    note(personId, text) {
      notes.set(personId, [...(notes.get(personId) ?? []), text]);
      changed();
    },
    notesOf: (personId) => notes.get(personId) ?? [],
    pings: () => [...pings],
    violate: (what) => {
      violations.push(what);
    },
    violations: () => [...violations],
    changed,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function toChatId(id: unknown): number | null {
  const number = typeof id === 'string' && /^-?\d+$/.test(id) ? Number(id) : id;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
