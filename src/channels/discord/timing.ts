/** How long the adapter waits, in milliseconds. Tests shorten the retries; the deadlines follow from the platform's. */
export interface DiscordTiming {
  /** One send or update, everything included. */
  readonly sendMs: number;
  /** A gateway that is not (back) up after this long gets a new client: the library may try for ever in vain. */
  readonly backMs: number;
  /** From a new socket to Discord's HELLO. */
  readonly helloMs: number;
  /** First and longest pause between clients. The longest keeps us under 1,000 IDENTIFYs a day, beyond which Discord resets the token. */
  readonly retryMs: number;
  readonly retryMostMs: number;
  /** Pause after a fault that only an operator can mend. */
  readonly misconfiguredMs: number;
  /** Discord wants its first response within 3 s; this leaves the rest to the network. */
  readonly ackMs: number;
  /** A form is a first response too; what may be asked before it is opened has this long. */
  readonly composeMs: number;
  /** One response to an interaction. */
  readonly respondMs: number;
  /** Closing the gateway politely. */
  readonly closeMs: number;
}

export const defaultTiming: DiscordTiming = {
  sendMs: 10_000,
  backMs: 60_000,
  helloMs: 15_000,
  retryMs: 1_000,
  retryMostMs: 120_000,
  misconfiguredMs: 300_000,
  ackMs: 1_500,
  composeMs: 1_000,
  respondMs: 10_000,
  closeMs: 2_000,
};
