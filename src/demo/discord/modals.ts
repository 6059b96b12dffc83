import type { ChatForm } from '../emulator.ts';
import type { JsonObject } from '../json.ts';
import type { DiscordMessage } from './guild.ts';
import { readModalInput } from './modal-rules.ts';

/** A modal open in somebody's app. */
export interface OpenModal {
  readonly data: JsonObject;
  readonly channelId: string;
  readonly source: DiscordMessage | null;
}

export interface Modals {
  open(personId: string, modal: OpenModal): void;
  of(personId: string): OpenModal | null;
  close(personId: string): void;
}

export function createModals(): Modals {
  const open = new Map<string, OpenModal>();
  return {
    open: (personId, modal) => void open.set(personId, modal),
    of: (personId) => open.get(personId) ?? null,
    close: (personId) => void open.delete(personId),
  };
}

export function toForm({ data }: OpenModal): ChatForm | null {
  const input = readModalInput(data);
  if (input === null) return null;
  return { title: String(data.title), label: input.label, maxLength: input.most };
}
