import type { ChatMessage, ChatPerson } from '../emulator.ts';
import type { JsonObject } from '../json.ts';
import { drawMessage } from './appearance.ts';

export const bot = {
  userId: 'U0BECKON',
  botId: 'B0BECKON',
  appId: 'A0BECKON',
  name: 'Beckon',
  handle: 'beckon',
} as const;
export const team = { id: 'T0DEMO', name: 'Demo', domain: 'demo' } as const;

export interface SlackRoom {
  readonly id: string;
  readonly name: string;
  readonly members: Set<string>;
  archived: boolean;
  /** Direct messages only. */
  readonly with?: string;
}

export interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly author: string;
  text: string;
  blocks: readonly JsonObject[];
  metadata: JsonObject | null;
  edited: boolean;
  /** Blocks before the edits, newest first: a person's app may not have drawn an edit yet. */
  earlier?: readonly (readonly JsonObject[])[];
}

/** Somebody was notified by what a message says. */
export interface SlackPing {
  readonly who: string;
  readonly channel: string;
  readonly ts: string;
}

/** What the emulated workspace holds; knows nothing of HTTP or sockets. */
export interface Workspace {
  readonly people: readonly ChatPerson[];
  readonly rooms: Map<string, SlackRoom>;
  nameOf(userId: string): string | null;
  /** The direct-message room with a person, made when it is first asked for. */
  openRoomWith(userId: string): SlackRoom;
  post(message: Omit<SlackMessage, 'ts' | 'edited'>): SlackMessage;
  edit(message: SlackMessage, change: Partial<Pick<SlackMessage, 'text' | 'blocks' | 'metadata'>>): void;
  remove(message: SlackMessage): void;
  find(channel: string, ts: string): SlackMessage | null;
  messagesIn(channel: string): readonly SlackMessage[];
  draw(message: SlackMessage): ChatMessage;
  /** Adds a line that only this person sees; visible text, already parsed. */
  note(userId: string, text: string): void;
  notesOf(userId: string): readonly string[];
  pings(): readonly SlackPing[];
  violate(what: string): void;
  violations(): readonly string[];
  changed(): void;
  onChange(listener: () => void): () => void;
}

export function createWorkspace(deps: {
  readonly now: () => Date;
  readonly people: readonly ChatPerson[];
  readonly rooms: readonly SlackRoom[];
}): Workspace {
  const { now, people } = deps;
  const rooms = new Map(deps.rooms.map((room) => [room.id, room]));
  let messages: SlackMessage[] = [];
  const notes = new Map<string, string[]>();
  const pings: SlackPing[] = [];
  const violations: string[] = [];
  const listeners = new Set<() => void>();
  let lastTs = 0n;

  const nameOf = (id: string) =>
    id === bot.userId ? bot.name : (people.find((person) => person.id === id)?.name ?? null);
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const notePings = ({ channel, ts, text, blocks }: SlackMessage) => {
    for (const who of drawMessage(text, blocks, nameOf).pings) pings.push({ who, channel, ts });
  };
  /** Seconds and microseconds; unique and rising within the workspace. */
  const nextTs = () => {
    const wanted = BigInt(now().getTime()) * 1_000n;
    lastTs = wanted > lastTs ? wanted : lastTs + 1n;
    return `${lastTs / 1_000_000n}.${String(lastTs % 1_000_000n).padStart(6, '0')}`;
  };

  return {
    people,
    rooms,
    nameOf,
    openRoomWith(userId) {
      const known = [...rooms.values()].find((room) => room.with === userId);
      if (known !== undefined) return known;
      const room = {
        id: `D${userId.slice(1)}`,
        name: '',
        members: new Set([userId, bot.userId]),
        archived: false,
        with: userId,
      };
      rooms.set(room.id, room);
      return room;
    },
    post(parts) {
      const message: SlackMessage = { ...parts, ts: nextTs(), edited: false };
      messages.push(message);
      notePings(message);
      changed();
      return message;
    },
    edit(message, change) {
      const earlier = [message.blocks, ...(message.earlier ?? [])].slice(0, 5);
      Object.assign(message, change, { edited: true, earlier });
      notePings(message);
      changed();
    },
    remove(message) {
      messages = messages.filter((kept) => kept !== message);
      changed();
    },
    find: (channel, ts) => messages.find((message) => message.channel === channel && message.ts === ts) ?? null,
    messagesIn: (channel) => messages.filter((message) => message.channel === channel),
    draw(message) {
      const { parts, buttons } = drawMessage(message.text, message.blocks, nameOf);
      return {
        id: message.ts,
        author: nameOf(message.author) ?? message.author,
        at: new Date(Number(message.ts) * 1_000),
        edited: message.edited,
        text: parts
          .map((part) => part.text)
          .filter((text) => text !== '')
          .join('\n'),
        parts,
        buttons,
        ...(message.threadTs === undefined ? {} : { replyTo: message.threadTs }),
      };
    },
    note(userId, text) {
      notes.set(userId, [...(notes.get(userId) ?? []), text]);
      changed();
    },
    notesOf: (userId) => notes.get(userId) ?? [],
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
