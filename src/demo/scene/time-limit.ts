/** A signal that aborts with another one or when the time is over, whichever comes first. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Ends the timer; the signal does not abort any more by itself. */
  lift(): void;
}

/** By hand: Node 20 may collect `AbortSignal.any([…, AbortSignal.timeout()])` before it fires. */
export function limitTime(parent: AbortSignal, ms: number): TimeLimit {
  const controller = new AbortController();
  const onParent = () => controller.abort(parent.reason);
  const timer = setTimeout(() => controller.abort(new Error(`not done within ${ms / 1_000} s`)), ms);
  if (parent.aborted) onParent();
  else parent.addEventListener('abort', onParent, { once: true });
  return {
    signal: controller.signal,
    lift() {
      clearTimeout(timer);
      parent.removeEventListener('abort', onParent);
    },
  };
}
