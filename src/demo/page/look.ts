import type { JSX } from 'preact';
import type { ChatForm, ChatMessage, EmulatedChat } from '../emulator.ts';

/** A message with what its drawing needs to know besides. */
export interface MessageProps {
  readonly message: ChatMessage;
  /** True: written by the app and not by a person of the chat. */
  readonly byApp: boolean;
  /** True: written by whom the viewer is. */
  readonly own: boolean;
  /** The message that this one replies to. */
  readonly repliesTo?: ChatMessage | undefined;
}

/** How one platform draws a chat. The panes have the same frame; everything that users recognise is in here. */
export interface ChatLook {
  readonly platform: EmulatedChat['platform'];
  readonly title: string;
  /** As people write the room: "#agents". */
  readonly room: string;
  Header(): JSX.Element;
  Message(props: MessageProps): JSX.Element;
  /** What only the viewer sees. */
  Note(props: { readonly text: string; readonly at: Date }): JSX.Element;
  Form(props: { readonly form: ChatForm }): JSX.Element;
}
