/** Blocked calls of this process, by request. A waiter registers before it reads the row, so no answer falls between. */
export interface Waiters {
  register(requestId: string): Waiter;
  wake(requestId: string): void;
  /** Wakes everybody (a stop, a lost notification channel): each looks at its row again. */
  wakeAll(): void;
  readonly count: number;
  /** How many wait for this request. */
  countOf(requestId: string): number;
}

export interface Waiter {
  /** Resolves at the next wake, after `timeoutMs`, or when the signal aborts; which one does not matter: read the row. */
  sleep(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  done(): void;
}

export function createWaiters(): Waiters {
  const waiting = new Map<string, Set<() => void>>();
  let count = 0;

  return {
    register(requestId) {
      let woken = false;
      let resume: (() => void) | null = null;
      const wake = () => {
        woken = true;
        resume?.();
      };
      const others = waiting.get(requestId) ?? new Set();
      waiting.set(requestId, others.add(wake));
      count += 1;
      return {
        async sleep(timeoutMs, signal) {
          if (!woken && signal?.aborted !== true) {
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, timeoutMs);
              resume = () => {
                clearTimeout(timer);
                signal?.removeEventListener('abort', wake);
                resolve();
              };
              signal?.addEventListener('abort', wake, { once: true });
            });
            resume = null;
            signal?.removeEventListener('abort', wake);
          }
          woken = false;
        },
        done() {
          if (!others.delete(wake)) return;
          count -= 1;
          if (others.size === 0) waiting.delete(requestId);
        },
      };
    },
    wake(requestId) {
      for (const wake of waiting.get(requestId) ?? []) wake();
    },
    wakeAll() {
      for (const wakes of waiting.values()) for (const wake of wakes) wake();
    },
    get count() {
      return count;
    },
    countOf: (requestId) => waiting.get(requestId)?.size ?? 0,
  };
}
