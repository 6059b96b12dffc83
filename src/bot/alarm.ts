/** Rings once at a time that may be moved; never more than a minute is slept at once, so that a jump of the clock is noticed. */
export interface Alarm {
  /** Null: no ring. An earlier setting is replaced. */
  set(at: Date | null): void;
  clear(): void;
}

const longestMs = 60_000;

export function createAlarm(deps: { readonly clock: { now(): Date }; readonly ring: () => void }): Alarm {
  let timer: NodeJS.Timeout | null = null;
  const clear = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const set = (at: Date | null): void => {
    clear();
    if (at === null) return;
    const leftMs = at.getTime() - deps.clock.now().getTime();
    timer = setTimeout(() => (leftMs > longestMs ? set(at) : deps.ring()), Math.min(Math.max(leftMs, 0), longestMs));
  };
  return { set, clear };
}
