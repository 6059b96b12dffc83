import { Avatar } from './avatar.tsx';
import { FormFields } from './form-fields.tsx';
import type { ChatLook } from './look.ts';
import { MessageButtons } from './message-button.tsx';
import { Parts } from './message-parts.tsx';
import { excerptOf, ReplyButton } from './reply-button.tsx';
import { Time } from './time.tsx';

/** A channel as Slack's users know it: light, square avatars, bordered buttons, a white modal. */
export const slackLook: ChatLook = {
  platform: 'slack',
  title: 'Slack',
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
    <div class="row">
      <Avatar name={message.author} app={byApp} />
      <div class="row-body">
        <p class="who">
          <b class="author">{message.author}</b>
          {byApp ? <span class="app-badge">APP</span> : null}
          <Time at={message.at} />
        </p>
        {repliesTo === undefined ? null : <p class="thread">replied to a thread: {excerptOf(repliesTo)}</p>}
        <Parts parts={message.parts} />
        {message.edited ? <span class="edited">(edited)</span> : null}
        <MessageButtons message={message} />
      </div>
      <ReplyButton message={message} />
    </div>
  ),
  Note: ({ text, at }) => (
    <div class="row note">
      <Avatar name="Beckon" app />
      <div class="row-body">
        <p class="only-you">
          <span aria-hidden="true">👁</span> Only visible to you
        </p>
        <p class="who">
          <b class="author">Beckon</b>
          <span class="app-badge">APP</span>
          <Time at={at} />
        </p>
        <p class="note-text">{text}</p>
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
