import type { ChatMessage, ChatPerson, EmulatedChat } from '../emulator.ts';
import type { ChatView } from './chat-view.ts';
import { discordLook } from './discord-look.tsx';
import type { ChatLook } from './look.ts';
import { slackLook } from './slack-look.tsx';
import { telegramLook } from './telegram-look.tsx';
import { clockTime } from './time.tsx';

export type Platform = EmulatedChat['platform'];

export const looks: Readonly<Record<Platform, ChatLook>> = {
  slack: slackLook,
  discord: discordLook,
  telegram: telegramLook,
};

/** A chat in its window: who you are, what you see, a place to write. The log and the form are exchanged by the page's script. */
export function ChatPane({ view }: { readonly view: ChatView }) {
  const look = looks[view.platform];
  return (
    <section
      class={`pane chat ${view.platform}`}
      id={`pane-${view.platform}`}
      data-testid={`pane-${view.platform}`}
      data-chat={view.platform}
      aria-label={look.title}
    >
      <div class="titlebar">
        <h2>{look.title}</h2>
        <label class="you">
          <span>You are</span>
          <select data-act="person" aria-label={`Who you are in ${look.title}`} data-testid={`person-${view.platform}`}>
            <People label="May answer" people={view.people.filter((person) => person.mayAnswer)} />
            <People label="Strangers" people={view.people.filter((person) => !person.mayAnswer)} />
          </select>
        </label>
      </div>
      <header class="room-head">
        <look.Header />
      </header>
      <div class="log" data-part="log" role="log" aria-label={`Messages in ${look.title}`}>
        <ChatLog view={view} />
      </div>
      <form class="composer" data-act="write">
        <p class="replying" hidden>
          <span class="replying-to" />
          <button type="button" data-act="no-reply" aria-label="Do not reply to this message">
            ✕
          </button>
        </p>
        <input
          name="text"
          autocomplete="off"
          maxLength={2_000}
          placeholder={look.platform === 'telegram' ? 'Message' : `Message ${look.room}`}
          aria-label={`Write in ${look.title}`}
        />
        <button type="submit" aria-label={`Send in ${look.title}`}>
          <span aria-hidden="true">➤</span>
        </button>
      </form>
      <div class="overlay" data-part="form">
        <ChatFormView view={view} />
      </div>
      <p class="fault" data-part="fault" role="alert" hidden />
    </section>
  );
}

function People(props: { readonly label: string; readonly people: readonly ChatPerson[] }) {
  return (
    <optgroup label={props.label}>
      {props.people.map((person) => (
        <option value={person.id}>{person.name}</option>
      ))}
    </optgroup>
  );
}

/** Everything that was said, as the viewer sees it. */
export function ChatLog({ view }: { readonly view: ChatView }) {
  const look = looks[view.platform];
  const names = new Set(view.people.map((person) => person.name));
  const byId = new Map<string, ChatMessage>();
  for (const item of view.items) if (item.kind === 'message') byId.set(item.message.id, item.message);
  if (view.items.length === 0) return <p class="empty">Nothing here yet. Let the agent ask something.</p>;
  return (
    <ol>
      {view.items.map((item) => {
        if (item.kind === 'note') {
          return (
            <li class="item item-note" data-testid="note">
              <look.Note text={item.text} at={item.at} />
            </li>
          );
        }
        const { message } = item;
        return (
          <li class="item" data-testid="message" data-message={message.id}>
            <article aria-label={`${message.author} at ${clockTime(message.at)}`}>
              <look.Message
                message={message}
                byApp={!names.has(message.author)}
                own={message.author === view.person.name}
                repliesTo={message.replyTo === undefined ? undefined : byId.get(message.replyTo)}
              />
            </article>
          </li>
        );
      })}
    </ol>
  );
}

/** The form that the viewer has open, if any. */
export function ChatFormView({ view }: { readonly view: ChatView }) {
  if (view.form === null) return null;
  const look = looks[view.platform];
  return (
    <form class="modal" data-act="form" role="dialog" aria-label={view.form.title} data-testid="form">
      <look.Form form={view.form} />
    </form>
  );
}
