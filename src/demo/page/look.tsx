import type { ComponentChildren, JSX } from 'preact';
import type { ChatButton, ChatForm, ChatMessage, ChatPart, EmulatedChat } from '../emulator.ts';

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

/** A button or link below a message. Presses go to the page's script by its data attributes. */
export function MessageButton(props: { readonly messageId: string; readonly button: ChatButton }) {
  const { messageId, button } = props;
  if (button.look === 'link') {
    const href = safeHref(button.url);
    return href === null ? (
      <span class="btn btn-link">{button.label}</span>
    ) : (
      <a class="btn btn-link" href={href} target="_blank" rel="noopener noreferrer">
        {button.label}
      </a>
    );
  }
  return (
    <button type="button" class={`btn btn-${button.look}`} data-act="press" data-message={messageId} data-button={button.id}>
      {button.label}
    </button>
  );
}

export function MessageButtons({ message }: { readonly message: ChatMessage }) {
  if (message.buttons.length === 0) return null;
  return (
    <div class="btns">
      {message.buttons.map((button) => (
        <MessageButton messageId={message.id} button={button} />
      ))}
    </div>
  );
}

/** The text parts of a message; neighbouring fields stand in one grid, as on all platforms that have them. */
export function Parts({ parts }: { readonly parts: readonly ChatPart[] }) {
  const drawn: ComponentChildren[] = [];
  let fields: ChatPart[] = [];
  const flush = () => {
    if (fields.length > 0) drawn.push(<Fields fields={fields} />);
    fields = [];
  };
  for (const part of parts) {
    if (part.style === 'field') fields.push(part);
    else {
      flush();
      drawn.push(<Part part={part} />);
    }
  }
  flush();
  return <div class="parts">{drawn}</div>;
}

function Fields({ fields }: { readonly fields: readonly ChatPart[] }) {
  return (
    <div class="fields">
      {fields.map((field) => (
        <div class="field" dir="auto">
          {field.name === undefined ? null : <b>{field.name}</b>}
          <span>{field.text}</span>
        </div>
      ))}
    </div>
  );
}

function Part({ part }: { readonly part: ChatPart }) {
  switch (part.style) {
    case 'heading':
      return (
        <p class="part-heading" dir="auto">
          {part.text}
        </p>
      );
    case 'strong':
      return (
        <p dir="auto">
          <strong>{part.text}</strong>
        </p>
      );
    case 'small':
      return (
        <p class="part-small" dir="auto">
          {part.text}
        </p>
      );
    case 'quote':
      return <blockquote dir="auto">{part.text}</blockquote>;
    case 'code':
      return <pre dir="auto">{part.text}</pre>;
    case 'divider':
      return <hr />;
    default:
      return <p dir="auto">{part.text}</p>;
  }
}

/** Lets the viewer answer this very message; the page's script then shows the strip above the composer. */
export function ReplyButton({ message }: { readonly message: ChatMessage }) {
  return (
    <button
      type="button"
      class="reply"
      data-act="reply"
      data-message={message.id}
      data-author={message.author}
      data-excerpt={excerptOf(message)}
      aria-label={`Reply to ${message.author}: ${excerptOf(message)}`}
      title="Reply"
    >
      ↩
    </button>
  );
}

export function FormFields(props: { readonly form: ChatForm; readonly submit: string; readonly cancel: string }) {
  const { form } = props;
  return (
    <>
      <label class="form-field">
        <span class="form-label">{form.label}</span>
        <textarea name="text" rows={4} maxLength={form.maxLength} />
      </label>
      <p class="form-hint">Up to {form.maxLength.toLocaleString('en')} characters</p>
      <div class="form-acts">
        <button type="button" class="form-cancel" data-act="close-form">
          {props.cancel}
        </button>
        <button type="submit" class="form-submit">
          {props.submit}
        </button>
      </div>
    </>
  );
}

/** One line of what a message says, for reply strips and names of controls. */
export function excerptOf(message: ChatMessage): string {
  const line = message.text.replaceAll(/\s+/g, ' ').trim();
  return [...line].length > 60 ? `${[...line].slice(0, 59).join('')}…` : line;
}

/** `14:02`, in the time zone of this machine, which is the viewer's too. */
export function clockTime(at: Date): string {
  return at.toTimeString().slice(0, 5);
}

export function Time({ at, text }: { readonly at: Date; readonly text?: string }) {
  return (
    <time class="at" dateTime={at.toISOString()}>
      {text ?? clockTime(at)}
    </time>
  );
}

/** Initials on a colour that goes with the name: the same person looks the same in every chat. */
export function Avatar(props: { readonly name: string; readonly app: boolean }) {
  const initials = props.name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('');
  const hue = [...props.name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 6;
  return (
    <span class={props.app ? 'avatar avatar-app' : `avatar avatar-${hue}`} aria-hidden="true">
      {props.app ? <AppSign /> : initials}
    </span>
  );
}

/** Beckon's own sign, as in its icon. */
function AppSign() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" role="presentation">
      <circle cx="11" cy="21" r="3.4" fill="currentColor" />
      <path
        d="M11 13.2a7.8 7.8 0 0 1 7.8 7.8M11 7.6A13.4 13.4 0 0 1 24.4 21"
        fill="none"
        stroke="currentColor"
        stroke-width="2.6"
        stroke-linecap="round"
      />
    </svg>
  );
}

function safeHref(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}
