import type { ChatButton, ChatMessage } from '../emulator.ts';

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
    <button
      type="button"
      class={`btn btn-${button.look}`}
      data-act="press"
      data-message={messageId}
      data-button={button.id}
    >
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

function safeHref(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}
