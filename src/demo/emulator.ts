/**
 * What the demo page and the tests see of an emulated chat platform: a chat as its users know it.
 * The adapter side of an emulator speaks the platform's real protocol; this is the people's side.
 */
export interface EmulatedChat {
  readonly platform: 'slack' | 'discord' | 'telegram';
  /** Value for `BECKON_<PLATFORM>_API_URL`. */
  readonly apiUrl: string;
  /** The other `BECKON_…` variables that connect the real library to this emulator (tokens, chat id), by full name. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ids of people in the chat, first one is the usual approver. */
  readonly people: readonly ChatPerson[];
  /** Messages of the chat in order, as they look now. */
  messages(): readonly ChatMessage[];
  /** What only this person sees, oldest first: ephemerals, toasts, private replies, failure marks ("This interaction failed"). */
  privateNotes(personId: string): readonly string[];
  /** The form (modal) open for this person, if any. */
  openForm(personId: string): ChatForm | null;
  /** Presses a button as a person; resolves when the platform has its acknowledgement or gave up waiting for it. */
  press(personId: string, messageId: string, buttonId: string): Promise<void>;
  /** Submits the open form. @throws when none is open */
  submitForm(personId: string, text: string): Promise<void>;
  /** Writes a message, as a reply to another where `replyTo` is given. */
  write(personId: string, text: string, replyTo?: string): Promise<void>;
  /** Called after every visible change; returns the unsubscriber. */
  onChange(listener: () => void): () => void;
  /** Calls of the adapter that the emulator does not know or that broke a limit of the platform, oldest first. Empty in a good test. */
  violations(): readonly string[];
  stop(): Promise<void>;
}

export interface ChatPerson {
  readonly id: string;
  readonly name: string;
}

export interface ChatMessage {
  readonly id: string;
  readonly author: string;
  readonly at: Date;
  readonly edited: boolean;
  /** Every visible character of the message in reading order, newline-separated parts, after the platform's own parsing. */
  readonly text: string;
  /** The same in parts, for drawing. */
  readonly parts: readonly ChatPart[];
  readonly buttons: readonly ChatButton[];
  readonly replyTo?: string;
}

export interface ChatPart {
  readonly style: 'heading' | 'text' | 'strong' | 'small' | 'quote' | 'code' | 'field' | 'divider';
  readonly text: string;
  /** Field name where `style` is `field`. */
  readonly name?: string;
}

export interface ChatButton {
  readonly id: string;
  readonly label: string;
  readonly look: 'plain' | 'primary' | 'danger' | 'link';
  /** Link buttons only. */
  readonly url?: string;
  /** Where the bot lays its buttons out in rows (Telegram): the row, from 0. */
  readonly row?: number;
}

export interface ChatForm {
  readonly title: string;
  readonly label: string;
  readonly maxLength: number;
}
