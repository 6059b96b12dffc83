/** How long the adapter waits, in milliseconds. Tests shorten the retries; the deadlines follow from the platform's. */
export interface SlackTiming {
  /** One send or update, everything included. */
  readonly sendMs: number;
  /** From opening a socket to Slack's `hello`, for which the library has no limit. */
  readonly helloMs: number;
  /** How much later the second connection is opened, so that Slack, which refreshes by age, does not take both at once. */
  readonly staggerMs: number;
  /** First and longest pause between tries to connect. */
  readonly retryMs: number;
  readonly retryMostMs: number;
  /** Pause after a fault that only an operator can mend. */
  readonly misconfiguredMs: number;
  /** Slack wants its acknowledgement within 3 s; this leaves the rest to the network. */
  readonly ackMs: number;
  /** A form's trigger lives 3 s; what may be asked before it is opened has this long. */
  readonly composeMs: number;
  readonly nameMs: number;
}

export const defaultTiming: SlackTiming = {
  sendMs: 10_000,
  helloMs: 10_000,
  staggerMs: 5_000,
  retryMs: 500,
  retryMostMs: 30_000,
  misconfiguredMs: 60_000,
  ackMs: 1_500,
  composeMs: 1_000,
  nameMs: 400,
};
