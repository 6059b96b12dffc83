/** What the scene holds to be true, and what of it was not. */
export interface Checks {
  /** Notes whether it held; the detail says what was seen instead. Returns `held`. */
  that(what: string, held: boolean, seen?: string): boolean;
  /** Holds when `look` finds something within the time; returns what it found, else null. */
  within<T>(what: string, timeoutMs: number, look: () => T | null): Promise<T | null>;
  held(): number;
  failures(): readonly string[];
}

const everyMs = 25;

export function createChecks(deps: { readonly signal: AbortSignal }): Checks {
  const failures: string[] = [];
  let held = 0;
  const that: Checks['that'] = (what, holds, seen) => {
    if (holds) held += 1;
    else failures.push(seen === undefined ? what : `${what} (seen: ${seen})`);
    return holds;
  };
  return {
    that,
    async within(what, timeoutMs, look) {
      const found = await waitFor(timeoutMs, deps.signal, look);
      that(what, found !== null, `not within ${timeoutMs / 1_000} s`);
      return found;
    },
    held: () => held,
    failures: () => [...failures],
  };
}

/** Looks again and again until there is something, the time is over or the signal aborts (null). */
export async function waitFor<T>(timeoutMs: number, signal: AbortSignal, look: () => T | null): Promise<T | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = look();
    if (found !== null || performance.now() > deadline || signal.aborted) return found;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
