import type { Page } from './page.ts';

/**
 * The channel contract: what the engine asks of a chat platform. Few verbs; abilities are data.
 * An adapter never decides anything: it shows pages and hands on what people pressed or wrote.
 */
export interface Channel {
  readonly info: ChannelInfo;
  /**
   * Connects the inbound side and keeps it connected by itself until `stop()`. Returns at once; never throws or rejects:
   * every failure (bad token included) is a state told to `onState`, followed by another try after a bounded backoff.
   */
  start(handlers: ChannelHandlers): void;
  /** Closes everything within 5 s. Safe to call twice and before `start`. No handler is called afterwards. */
  stop(): Promise<void>;
  /**
   * Posts the page. May be called while the inbound side is down. Has its own deadline (10 s).
   * Calling it twice may post twice, except where `info.idempotentSend` is true (same `page.token` = same message).
   * @throws SendError with the fate that tells the engine what to do
   */
  send(page: Page, address: ChannelAddress): Promise<Receipt>;
  /**
   * Edits the posted message so that it shows `page` as it is now; repeating it is harmless ("not modified" is success).
   * Returns the receipt to keep (usually the same).
   * @throws SendError; fate `gone` means that the message no longer exists
   */
  update(receipt: Receipt, page: Page): Promise<Receipt>;
  /** Who the bot is and whether it can post at the address; for `doctor` and the dashboard. Never throws. */
  check(address: ChannelAddress): Promise<ChannelCheck>;
}

export type ChannelName = 'slack' | 'discord' | 'telegram';

export interface ChannelInfo {
  readonly name: ChannelName;
  /** As people write it: "Slack". */
  readonly title: string;
  /** Sending the same page token twice yields one message (within minutes). */
  readonly idempotentSend: boolean;
  /** Steady messages a minute for one chat, from the platform's documentation. */
  readonly messagesPerMinute: number;
}

/** One place a page can go. Ids are the platform's own immutable ones, as text. */
export interface ChannelAddress {
  readonly chatId: string;
  readonly threadId?: string;
}

/** Where a page was shown: what `update` needs, as plain JSON values. */
export interface Receipt {
  readonly chatId: string;
  readonly messageId: string;
  readonly threadId?: string;
}

export type Choice =
  | { readonly kind: 'approve' }
  /** `text` of the answer is the reason, if one was written. */
  | { readonly kind: 'deny' }
  /** Steering: index from 0. Not yet checked against the request. */
  | { readonly kind: 'option'; readonly index: number }
  /** Steering: free text in `text`. On a permission or plan page it decides nothing and the person is told so. */
  | { readonly kind: 'text' };

export interface Account {
  /** Immutable platform id as text; never a name or an e-mail address. */
  readonly id: string;
  readonly displayName: string;
}

/** What a person pressed or wrote. Not yet judged. */
export interface Answer {
  readonly channel: ChannelName;
  readonly pageToken: string;
  readonly choice: Choice;
  /** At most 2,000 code points; the engine refuses more. */
  readonly text?: string;
  readonly account: Account;
  /** The platform's id of this event, so that a redelivery is recognised. */
  readonly eventId: string;
  readonly at: Date;
}

/** What became of an answer. `text` is one line for that person alone. */
export interface AnswerReply {
  readonly fate:
    | 'accepted' // it settled the request (or counted towards it); the page's edit follows by itself
    | 'late' // somebody or something was first; text says who, where, when
    | 'refused' // this account may not answer
    | 'invalid' // the answer does not fit (too long, no such option, text where a button is needed)
    | 'unknown' // no such page
    | 'failed'; // we could not record it: nothing happened, try again
  readonly text: string;
}

export interface ChannelHandlers {
  /**
   * Judges and records an answer. Never rejects. May take long (a slow database): the adapter acknowledges the platform
   * within its deadline regardless, says nothing about success before this resolves, and then shows the reply privately.
   */
  onAnswer(answer: Answer): Promise<AnswerReply>;
  /**
   * A person wants to write (opens a form). Resolves with null when they may, else with the private refusal to show.
   * The adapter waits at most 1 s and then opens the form anyway: what is submitted is judged again.
   */
  onCompose(
    compose: Omit<Answer, 'choice' | 'text'> & { readonly choice: { kind: 'deny' | 'text' } },
  ): Promise<AnswerReply | null>;
  /** The token of the page shown as this message, for replies that carry no token (Telegram). Null when unknown. */
  findToken(receipt: Receipt): Promise<string | null>;
  onState(state: ChannelState): void;
}

export interface ChannelState {
  readonly status: 'connecting' | 'up' | 'down' | 'misconfigured';
  /** One line for the operator: what happened and what to do; no secrets. Empty when up. */
  readonly detail: string;
  readonly at: Date;
}

export interface ChannelCheck {
  readonly ok: boolean;
  /** "@beckon_bot in #ops", or what is wrong and what to do. */
  readonly detail: string;
}

/** What a failed send or update means for the caller. */
export type SendFate =
  /** Nothing is wrong with the page or the address: try again, not before `afterMs` (null: the caller's own backoff). */
  | { readonly kind: 'retry'; readonly afterMs: number | null }
  /** The message was deleted: on update, forget the copy (settled) or post again (pending). */
  | { readonly kind: 'gone' }
  /** The chat moved: use this chat id from now on, then try again. */
  | { readonly kind: 'moved'; readonly chatId: string }
  /** This address will not work again (kicked, archived, blocked): disable it and tell the owner. */
  | { readonly kind: 'dead' }
  /** Token or permissions are wrong: needs the operator; try again slowly. */
  | { readonly kind: 'misconfigured' };

export class SendError extends Error {
  readonly fate: SendFate;
  constructor(fate: SendFate, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'SendError';
    this.fate = fate;
  }
}
