/** What the channels show, in plain values. The engine builds a `Page`; an adapter renders it. Nothing here knows the ledger. */

export type PageKind = 'permission' | 'plan_check' | 'steering' | 'access';
export type DangerLevel = 'low' | 'medium' | 'high';

/** Where an answer came from, as recorded and shown. */
export type AnswerPlace = 'slack' | 'discord' | 'telegram' | 'dashboard' | 'api' | 'policy' | 'terminal';

export interface PageOption {
  /** Agent-written, up to 200 code points. */
  readonly label: string;
  readonly recommended: boolean;
}

/** How a request ended, as every copy of its page shows it. */
export interface PageOutcome {
  readonly status: 'approved' | 'denied' | 'answered' | 'expired' | 'cancelled';
  /** The person's free text, or the reason of a denial. Hostile like agent text: show it verbatim, never as markup. */
  readonly words?: string;
  readonly chosenOption?: { readonly index: number; readonly label: string };
  /** Display name of who decided; absent for `expired` and for an agent's own withdrawal. */
  readonly by?: string;
  readonly via?: AnswerPlace;
  readonly at: Date;
}

/** One request as it is now, ready to be rendered. The same value shows on every channel. */
export interface Page {
  /** Opaque, at most 40 bytes, `[A-Za-z0-9_-]`. Every button of this page carries it; a press is matched by it alone. */
  readonly token: string;
  readonly kind: PageKind;
  /** The asking agent, `folder · branch`. */
  readonly instanceLabel: string;
  readonly title: string;
  readonly gist: string;
  readonly danger?: DangerLevel;
  /** Steering only: 0 to 4. Free text is possible besides. */
  readonly options: readonly PageOption[];
  /** The detail page; absent when no address of the dashboard is known that another machine could open. */
  readonly detailUrl?: string;
  /** True when the detail page holds `extended` text that the chat does not show. */
  readonly hasExtended: boolean;
  readonly askedAt: Date;
  readonly expiresAt: Date;
  /** Product-written lines such as "1 of 2 (Ada)" or "the agent is offline"; short. */
  readonly notes: readonly string[];
  /** Absent while the request is pending: show buttons. Present: show the outcome and no button. */
  readonly outcome?: PageOutcome;
}
