/** Faults that wait for calls of an emulator, oldest first. */
export interface FaultQueue<F> {
  /** The next `times` calls of this method or route (`*`: of any) go wrong so; several faults of one call queue up. */
  next(call: string, times: number, fault: F): void;
  /** Takes all pending faults back. */
  clear(): void;
}

export function createFaultQueue<F>(): FaultQueue<F> & { take(call: string): F | null } {
  let waiting: { readonly call: string; readonly fault: F; left: number }[] = [];
  return {
    next: (call, times, fault) => {
      waiting.push({ call, fault, left: times });
    },
    clear: () => {
      waiting = [];
    },
    take(call) {
      const found = waiting.find((entry) => entry.call === call || entry.call === '*');
      if (found === undefined) return null;
      found.left -= 1;
      if (found.left <= 0) waiting = waiting.filter((entry) => entry !== found);
      return found.fault;
    },
  };
}
