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

/** Bounded exponential pause with jitter, for the n-th failure in a row (from 0). */
export function backoffMs(failures: number, first: number, most: number): number {
  const bound = Math.min(most, first * 2 ** Math.min(failures, 16));
  return bound * (0.5 + 0.5 * Math.random());
}
