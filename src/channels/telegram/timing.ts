/** How long the adapter waits, in milliseconds. Tests shorten the retries. */
export interface TelegramTiming {
  /** One send, edit or other call, everything included; the library's own limit is 500 s. */
  readonly sendMs: number;
  /** How long Telegram holds a poll that brings nothing, seconds; the platform's cap is 50. */
  readonly pollSeconds: number;
  /** First and longest pause between tries to connect. */
  readonly retryMs: number;
  readonly retryMostMs: number;
  /** Pause after a fault that only an operator can mend: a wrong token, a second poller. */
  readonly misconfiguredMs: number;
  /** A press spins on the phone until it is answered; an answer that takes longer is told afterwards. */
  readonly ackMs: number;
  /** What may be asked before a writing prompt is sent. */
  readonly composeMs: number;
}

export const defaultTiming: TelegramTiming = {
  sendMs: 10_000,
  pollSeconds: 30,
  retryMs: 500,
  retryMostMs: 30_000,
  misconfiguredMs: 60_000,
  ackMs: 2_500,
  composeMs: 1_000,
};
