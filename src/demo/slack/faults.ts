/** What goes wrong with a call, for tests and the demo. */
export type SlackFault =
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'status'; readonly status: number }
  /** HTTP 200 with `{ok: false, error}`, such as `invalid_auth`, `is_archived`. */
  | { readonly kind: 'error'; readonly error: string }
  /** The server does what the call says, then the connection breaks before the response. */
  | { readonly kind: 'drop_after' }
  /** The connection breaks before anything was done. */
  | { readonly kind: 'drop_before' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** The call is taken and never answered. */
  | { readonly kind: 'black_hole' };

export interface SlackFaults {
  /** The next `times` calls of the method (`*`: of any) go wrong so; several faults of one method queue up. */
  next(method: string, times: number, fault: SlackFault): void;
  /** Takes all pending faults back. */
  clear(): void;
}

export function createFaults(): SlackFaults & { take(method: string): SlackFault | null } {
  let waiting: { readonly method: string; readonly fault: SlackFault; left: number }[] = [];
  return {
    next: (method, times, fault) => {
      waiting.push({ method, fault, left: times });
    },
    clear: () => {
      waiting = [];
    },
    take(method) {
      const found = waiting.find((entry) => entry.method === method || entry.method === '*');
      if (found === undefined) return null;
      found.left -= 1;
      if (found.left <= 0) waiting = waiting.filter((entry) => entry !== found);
      return found.fault;
    },
  };
}
