import type { ChatMessage } from '../emulator.ts';

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

/** One line of what a message says, for reply strips and names of controls. */
export function excerptOf(message: ChatMessage): string {
  const line = message.text.replaceAll(/\s+/g, ' ').trim();
  return [...line].length > 60 ? `${[...line].slice(0, 59).join('')}…` : line;
}
