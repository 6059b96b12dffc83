import type { ChatMessage, ChatPerson } from '../emulator.ts';
import { type JsonObject, toObjects, toText } from '../json.ts';
import { toPinged } from './allowed-mentions.ts';
import { drawMessage } from './appearance.ts';
import { drawMarkdown } from './markdown.ts';

export const bot = { userId: '110000000000000001', applicationId: '110000000000000002', name: 'Beckon' } as const;
export const guildId = '120000000000000001';

export interface DiscordRoom {
  readonly id: string;
  readonly name: string;
  /** 0: text channel of the guild; 1: direct messages. */
  readonly type: 0 | 1;
  /** False: the bot may not see it (50001). */
  visible: boolean;
  /** False: the bot may see it but not write (50013). */
  writable: boolean;
  /** Direct messages only. */
  readonly with?: string;
}

export interface DiscordMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly at: Date;
  readonly nonce?: string;
  readonly replyTo?: string;
  /** Ephemeral: only this person sees it. */
  readonly onlyFor?: string;
  content: string;
  embeds: readonly JsonObject[];
  components: readonly JsonObject[];
  editedAt: Date | null;
  /** A deferred response that has no content yet: "Beckon is thinking…". */
  loading: boolean;
  /** Rows of buttons before its edits: an app that has not seen the edit yet still shows them. */
  earlier?: readonly JsonObject[];
}

/** Somebody was notified by what a message says. */
export interface DiscordPing {
  /** A person's id, a role's id as `&id`, `@everyone` or `@here`. */
  readonly who: string;
  readonly messageId: string;
}

export type MessageBody = Pick<DiscordMessage, 'content' | 'embeds' | 'components'>;

/** What the emulated server holds; knows nothing of HTTP or sockets. */
export interface Guild {
  readonly people: readonly ChatPerson[];
  readonly rooms: Map<string, DiscordRoom>;
  nameOf(userId: string): string | null;
  openRoomWith(userId: string): DiscordRoom;
  post(message: Omit<DiscordMessage, 'id' | 'at' | 'editedAt'>, mentions: unknown): DiscordMessage;
  edit(message: DiscordMessage, change: Partial<MessageBody>, mentions: unknown): void;
  remove(message: DiscordMessage): void;
  find(channelId: string, messageId: string): DiscordMessage | null;
  findByNonce(channelId: string, nonce: string): DiscordMessage | null;
  messagesIn(channelId: string): readonly DiscordMessage[];
  draw(message: DiscordMessage): ChatMessage;
  /** A mark of the app's own that only this person sees. */
  note(userId: string, text: string): void;
  notesOf(userId: string): readonly string[];
  pings(): readonly DiscordPing[];
  violate(what: string): void;
  violations(): readonly string[];
  changed(): void;
  onChange(listener: () => void): () => void;
}

/** "Past few minutes" in Discord's words (resources/message.mdx#create-message). */
const nonceLifeMs = 5 * 60_000;

export function createGuild(deps: {
  readonly now: () => Date;
  readonly newId: () => string;
  readonly people: readonly ChatPerson[];
  readonly rooms: readonly DiscordRoom[];
}): Guild {
  const { now, newId, people } = deps;
  const rooms = new Map(deps.rooms.map((room) => [room.id, room]));
  let messages: DiscordMessage[] = [];
  const notes = new Map<string, (string | DiscordMessage)[]>();
  const pings: DiscordPing[] = [];
  const violations: string[] = [];
  const listeners = new Set<() => void>();

  const nameOf = (id: string) =>
    id === bot.userId ? bot.name : (people.find((person) => person.id === id)?.name ?? null);
  const context = () => ({ now: now(), nameOf: (id: string) => nameOf(id) ?? rooms.get(id)?.name ?? null });
  const changed = () => {
    for (const listener of listeners) listener();
  };
  /** Only `content` notifies; embeds never do. */
  const notePings = (message: DiscordMessage, allowed: unknown) => {
    for (const found of drawMarkdown(message.content, context()).mentions) {
      const who = toPinged(found, allowed);
      if (who !== null) pings.push({ who, messageId: message.id });
    }
  };
  const noteOf = (userId: string, note: string | DiscordMessage) => {
    notes.set(userId, [...(notes.get(userId) ?? []), note]);
  };

  return {
    people,
    rooms,
    nameOf,
    openRoomWith(userId) {
      const known = [...rooms.values()].find((room) => room.with === userId);
      if (known !== undefined) return known;
      const room: DiscordRoom = { id: newId(), name: '', type: 1, visible: true, writable: true, with: userId };
      rooms.set(room.id, room);
      return room;
    },
    post(parts, allowed) {
      const message: DiscordMessage = { ...parts, ...trimmed(parts), id: newId(), at: now(), editedAt: null };
      messages.push(message);
      if (message.onlyFor !== undefined) noteOf(message.onlyFor, message);
      notePings(message, allowed);
      changed();
      return message;
    },
    edit(message, change, allowed) {
      message.earlier = [...(message.earlier ?? []), ...message.components];
      Object.assign(message, trimmed({ ...message, ...change }), { editedAt: now(), loading: false });
      notePings(message, allowed);
      changed();
    },
    remove(message) {
      messages = messages.filter((kept) => kept !== message);
      for (const [id, list] of notes)
        notes.set(
          id,
          list.filter((note) => note !== message),
        );
      changed();
    },
    find: (channelId, id) => messages.find((message) => message.channelId === channelId && message.id === id) ?? null,
    findByNonce(channelId, nonce) {
      const since = now().getTime() - nonceLifeMs;
      return (
        messages.find((one) => one.channelId === channelId && one.nonce === nonce && one.at.getTime() >= since) ?? null
      );
    },
    messagesIn: (channelId) => messages.filter((one) => one.channelId === channelId && one.onlyFor === undefined),
    draw(message) {
      return {
        id: message.id,
        author: nameOf(message.authorId) ?? message.authorId,
        at: message.at,
        edited: message.editedAt !== null,
        ...drawMessage(message, context()),
        ...(message.replyTo === undefined ? {} : { replyTo: message.replyTo }),
      };
    },
    note(userId, text) {
      noteOf(userId, text);
      changed();
    },
    notesOf: (userId) =>
      (notes.get(userId) ?? []).map((note) => {
        if (typeof note === 'string') return note;
        return note.loading ? `${bot.name} is thinking…` : drawMessage(note, context()).text;
      }),
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

/** Discord drops space around each text. */
function trimmed({ content, embeds, components }: MessageBody): MessageBody {
  return {
    content: content.trim(),
    components,
    embeds: embeds.map((embed) => ({
      ...embed,
      ...(embed.title === undefined ? {} : { title: toText(embed.title).trim() }),
      ...(embed.description === undefined ? {} : { description: toText(embed.description).trim() }),
      ...(embed.fields === undefined
        ? {}
        : {
            fields: toObjects(embed.fields).map((field) => ({
              ...field,
              name: toText(field.name).trim(),
              value: toText(field.value).trim(),
            })),
          }),
    })),
  };
}
