import type { ChatMessage } from '../emulator.ts';
import { Avatar } from './avatar.tsx';
import { FormFields } from './form-fields.tsx';
import type { ChatLook } from './look.ts';
import { MessageButtons } from './message-button.tsx';
import { Parts } from './message-parts.tsx';
import { excerptOf, ReplyButton } from './reply-button.tsx';
import { clockTime, Time } from './time.tsx';

/** A channel as Discord's users know it: dark, round avatars, embeds with a colour bar, filled buttons. */
export const discordLook: ChatLook = {
  platform: 'discord',
  title: 'Discord',
  room: '#agents',
  Header: () => (
    <>
      <span class="room">
        <span class="hash">#</span> agents
      </span>
      <span class="room-about">Where agents ask people</span>
    </>
  ),
  Message: ({ message, byApp, repliesTo }) => (
    <>
      {repliesTo === undefined ? null : (
        <p class="reply-line">
          <b>@{repliesTo.author}</b> {excerptOf(repliesTo)}
        </p>
      )}
      <div class="row">
        <Avatar name={message.author} app={byApp} />
        <div class="row-body">
          <p class="who">
            <b class="author">{message.author}</b>
            {byApp ? <span class="app-badge">APP</span> : null}
            <Time at={message.at} text={`Today at ${clockTime(message.at)}`} />
            {message.edited ? <span class="edited">(edited)</span> : null}
          </p>
          {byApp ? <AppMessage message={message} /> : <Parts parts={message.parts} />}
          <MessageButtons message={message} />
        </div>
        <ReplyButton message={message} />
      </div>
    </>
  ),
  Note: ({ text, at }) => (
    <div class="row note">
      <Avatar name="Beckon" app />
      <div class="row-body">
        <p class="who">
          <b class="author">Beckon</b>
          <span class="app-badge">APP</span>
          <Time at={at} text={`Today at ${clockTime(at)}`} />
        </p>
        <p class={/interaction failed/i.test(text) ? 'note-text note-failed' : 'note-text'}>{text}</p>
        <p class="only-you">
          <span aria-hidden="true">👁</span> Only you can see this
        </p>
      </div>
    </div>
  ),
  Form: ({ form }) => (
    <>
      <header class="form-head">
        <Avatar name="Beckon" app />
        <h3>{form.title}</h3>
        <button type="button" class="form-x" data-act="close-form" aria-label="Close the form">
          ✕
        </button>
      </header>
      <FormFields form={form} submit="Submit" cancel="Cancel" />
    </>
  ),
};

/** The text of the message, where it has one, above its embed. */
function AppMessage({ message }: { readonly message: ChatMessage }) {
  const { parts } = message;
  const line = parts.findIndex((part) => part.style === 'divider');
  return (
    <>
      {line < 1 ? null : <Parts parts={parts.slice(0, line)} />}
      <div class={`embed embed-${moodOf(message)}`}>
        <Parts parts={parts.slice(line + 1)} />
      </div>
    </>
  );
}

/** Stands in for the embed's own colour, which the emulator's people side does not tell. */
function moodOf(message: ChatMessage): string {
  if (message.buttons.some((button) => button.look !== 'link')) return 'open';
  // Of the lines that begin with an outcome the first is ours: an agent's own text comes below it.
  const outcome = /^[^\p{L}\n]*(approved|denied|answered|expired|cancelled|withdrawn)\b/imu.exec(message.text)?.[1];
  return outcome?.toLowerCase() ?? 'open';
}
