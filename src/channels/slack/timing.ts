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

/** Waits, but not beyond the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
  });
}

/** The value if it comes in time, else null; what comes later is left to the caller, who still holds the promise. */
export async function within<T>(ms: number, value: Promise<T>): Promise<{ readonly value: T } | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([value.then((found) => ({ value: found })), late]);
  } finally {
    clearTimeout(timer);
  }
}
