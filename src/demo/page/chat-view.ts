import type { ChatForm, ChatMessage, ChatPerson, EmulatedChat } from '../emulator.ts';

/** One thing in the chat as one person sees it, in the order of time. */
export type SeenItem =
  | { readonly kind: 'message'; readonly at: Date; readonly message: ChatMessage }
  | { readonly kind: 'note'; readonly at: Date; readonly id: string; readonly text: string };

/** A chat as one of its people sees it now. */
export interface ChatView {
  readonly platform: EmulatedChat['platform'];
  readonly person: ChatPerson;
  readonly people: readonly (ChatPerson & { readonly mayAnswer: boolean })[];
  readonly items: readonly SeenItem[];
  readonly form: ChatForm | null;
  /** How many messages still ask something. */
  readonly open: number;
}

/** Remembers, beside the emulator, when private notes came up and which forms were closed without sending. */
export interface ChatViews {
  /** @param personId a person of the chat; anybody else: the first one */
  view(personId: string): ChatView;
  /** The person closes the form; pressing the button again opens it anew. */
  closeForm(personId: string): void;
  reopenForm(personId: string): void;
  stop(): void;
}

export function createChatViews(deps: { readonly chat: EmulatedChat; readonly now: () => Date }): ChatViews {
  const { chat, now } = deps;
  const noteTimes = new Map<string, Date[]>();
  const closed = new Set<string>();
  const approvers = approversOf(chat);
  const noteWhen = () => {
    for (const { id } of chat.people) {
      const times = noteTimes.get(id) ?? [];
      while (times.length < chat.privateNotes(id).length) times.push(now());
      noteTimes.set(id, times);
      if (chat.openForm(id) === null) closed.delete(id);
    }
  };
  noteWhen();
  const unsubscribe = chat.onChange(noteWhen);

  return {
    view(personId) {
      const person = chat.people.find(({ id }) => id === personId) ?? chat.people[0] ?? { id: '', name: 'nobody' };
      const messages = chat.messages();
      const notes = chat.privateNotes(person.id).map((text, index): SeenItem => {
        const at = noteTimes.get(person.id)?.[index] ?? now();
        return { kind: 'note', at, id: `${person.id}-${index}`, text };
      });
      const items = [...messages.map((message): SeenItem => ({ kind: 'message', at: message.at, message })), ...notes];
      return {
        platform: chat.platform,
        person,
        people: chat.people.map((one) => ({ ...one, mayAnswer: approvers.has(one.id) })),
        items: items.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
        form: closed.has(person.id) ? null : chat.openForm(person.id),
        open: messages.filter((message) => message.buttons.some((button) => button.look !== 'link')).length,
      };
    },
    closeForm: (personId) => void closed.add(personId),
    reopenForm: (personId) => void closed.delete(personId),
    stop: unsubscribe,
  };
}

function approversOf(chat: EmulatedChat): ReadonlySet<string> {
  const list = Object.entries(chat.environment).find(([name]) => name.endsWith('_APPROVERS'))?.[1] ?? '';
  return new Set(list.split(',').map((id) => id.trim()));
}
