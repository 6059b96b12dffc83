import type { Entry, Request, RequestStatus } from './request.ts';

/** The people's side of the engine: what the dashboard is a function of. Implemented in `bot/board.ts`. */
export interface Board {
  list(filter: { readonly status: 'pending' | 'settled'; readonly limit: number }): Promise<readonly Request[]>;
  find(requestId: string): Promise<RequestDetail | null>;
  /** Judges and records an answer given on the dashboard. Never rejects; the same judgement as every channel. */
  answer(input: BoardAnswer): Promise<BoardReply>;
  channels(): readonly BoardChannel[];
  readSettings(): Promise<Settings>;
  /** @throws InvalidPayload */
  changeSettings(change: Partial<Settings>, by: string): Promise<Settings>;
  /** Warnings an owner should see: nobody may answer on Slack, no channel configured, disabled addresses. Our own sentences. */
  warnings(): Promise<readonly string[]>;
  /** Calls the listener after every visible change (request opened or settled, page shown, channel state, setting). */
  subscribe(listener: (change: BoardChange) => void): () => void;
}

export interface RequestDetail {
  readonly request: Request;
  readonly pages: readonly {
    readonly channel: string;
    readonly chatId: string;
    /** `waiting` to be sent, `shown` up to date, `behind` shows an older state, `failed` with the reason. */
    readonly state: 'waiting' | 'shown' | 'behind' | 'failed';
    readonly detail: string;
  }[];
  readonly entries: readonly Entry[];
}

/** What a person chose. `option` counts from 0 and is not yet checked; `text` stands beside it, as reason or free text. */
export type AnswerChoice =
  | { readonly kind: 'approve' }
  | { readonly kind: 'deny' }
  | { readonly kind: 'option'; readonly index: number }
  | { readonly kind: 'text' };

export interface BoardAnswer {
  readonly requestId: string;
  readonly choice: AnswerChoice;
  readonly text?: string;
  /** Who is signed in. */
  readonly by: { readonly account: string; readonly displayName: string };
}

export interface BoardReply {
  readonly fate: 'accepted' | 'late' | 'refused' | 'invalid' | 'unknown' | 'failed';
  readonly text: string;
}

export interface BoardChannel {
  readonly name: string;
  readonly title: string;
  readonly status: 'connecting' | 'up' | 'down' | 'misconfigured';
  readonly detail: string;
  readonly since: Date;
  readonly chatId: string;
  /** How many accounts may answer there. */
  readonly approvers: number;
}

export interface Settings {
  /** Life of a request, seconds; 10 to 604,800. */
  readonly ttlSeconds: number;
}

export interface BoardChange {
  readonly kind: 'request' | 'page' | 'channel' | 'setting';
  readonly requestId?: string;
  readonly status?: RequestStatus;
}
