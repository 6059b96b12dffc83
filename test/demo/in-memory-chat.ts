import type { ChatForm, ChatMessage, EmulatedChat } from '../../src/demo/emulator.ts';

/** A chat that only the page sees: it records what people did and shows what a test puts there. */
export interface InMemoryChat extends EmulatedChat {
  readonly did: unknown[];
  show(message: ChatMessage): void;
  note(personId: string, text: string): void;
  open(personId: string, form: ChatForm | null): void;
  listeners(): number;
}

export function createInMemoryChat(platform: EmulatedChat['platform']): InMemoryChat {
  const messages = new Map<string, ChatMessage>();
  const notes = new Map<string, string[]>();
  const forms = new Map<string, ChatForm>();
  const listeners = new Set<() => void>();
  const did: unknown[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  return {
    platform,
    apiUrl: 'http://127.0.0.1:1/',
    environment: { [`BECKON_${platform.toUpperCase()}_APPROVERS`]: 'ada,grace' },
    people: [
      { id: 'ada', name: 'Ada Lovelace' },
      { id: 'grace', name: 'Grace Hopper' },
      { id: 'mallory', name: 'Mallory Stranger' },
    ],
    did,
    messages: () => [...messages.values()],
    privateNotes: (personId) => notes.get(personId) ?? [],
    openForm: (personId) => forms.get(personId) ?? null,
    async press(personId, messageId, buttonId) {
      if (messages.get(messageId)?.buttons.every((button) => button.id !== buttonId) ?? true) {
        throw new Error(`There is no button ${buttonId} on message ${messageId} any more.`);
      }
      did.push({ press: buttonId, on: messageId, by: personId });
    },
    async submitForm(personId, text) {
      did.push({ form: text, by: personId });
      forms.delete(personId);
      changed();
    },
    async write(personId, text, replyTo) {
      did.push({ write: text, by: personId, ...(replyTo === undefined ? {} : { replyTo }) });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    violations: () => [],
    stop: async () => {},
    show(message) {
      messages.set(message.id, message);
      changed();
    },
    note(personId, text) {
      notes.set(personId, [...(notes.get(personId) ?? []), text]);
      changed();
    },
    open(personId, form) {
      if (form === null) forms.delete(personId);
      else forms.set(personId, form);
      changed();
    },
    listeners: () => listeners.size,
  };
}
