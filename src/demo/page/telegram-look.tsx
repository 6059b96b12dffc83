import type { ChatButton } from '../emulator.ts';
import { Avatar } from './avatar.tsx';
import type { ChatLook } from './look.ts';
import { MessageButton } from './message-button.tsx';
import { Parts } from './message-parts.tsx';
import { excerptOf, ReplyButton } from './reply-button.tsx';
import { Time } from './time.tsx';

/** A group as Telegram's users know it: bubbles, an inline keyboard below, replies with a strip, toasts. */
export const telegramLook: ChatLook = {
  platform: 'telegram',
  title: 'Telegram',
  room: 'Agents',
  Header: () => (
    <>
      <Avatar name="Agents" app={false} />
      <span class="room">
        Agents
        <small>group, 4 members</small>
      </span>
    </>
  ),
  Message: ({ message, byApp, own, repliesTo }) => (
    <div class={own ? 'row own' : 'row'}>
      {own ? null : <Avatar name={message.author} app={byApp} />}
      <div class="row-body">
        <div class="bubble">
          {own ? null : <b class="author">{message.author}</b>}
          {repliesTo === undefined ? null : (
            <p class="reply-line">
              <b>{repliesTo.author}</b>
              {excerptOf(repliesTo)}
            </p>
          )}
          <Parts parts={message.parts} />
          <span class="meta">
            {message.edited ? <span class="edited">edited</span> : null}
            <Time at={message.at} />
            {own ? <span aria-hidden="true"> ✓✓</span> : null}
          </span>
        </div>
        {rowsOf(message.buttons).map((row) => (
          <div class="btns">
            {row.map((button) => (
              <MessageButton messageId={message.id} button={button} />
            ))}
          </div>
        ))}
      </div>
      <ReplyButton message={message} />
    </div>
  ),
  Note: ({ text }) => (
    <div class="note">
      <p class="toast">
        <span class="only-you">Only you saw this</span>
        <span class="note-text">{text}</span>
      </p>
    </div>
  ),
  // Telegram has no forms: the app opens a reply to the message that asks for one, in place of the composer.
  Form: ({ form }) => (
    <>
      <p class="replying">
        <span class="replying-to">
          <b>Reply to Beckon</b> {form.title}
        </span>
        <button type="button" data-act="close-form" aria-label="Do not reply">
          ✕
        </button>
      </p>
      <div class="force-reply">
        <textarea name="text" rows={2} maxLength={form.maxLength} placeholder={form.label} aria-label={form.label} />
        <button type="submit" aria-label="Send the reply">
          <span aria-hidden="true">➤</span>
        </button>
      </div>
    </>
  ),
};

function rowsOf(buttons: readonly ChatButton[]): ChatButton[][] {
  const rows: ChatButton[][] = [];
  for (const button of buttons) {
    const index = button.row ?? 0;
    rows[index] = [...(rows[index] ?? []), button];
  }
  return rows;
}
