/** What goes wrong with a REST call, for tests and the demo. */
export type DiscordFault =
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number; readonly global?: boolean }
  | { readonly kind: 'status'; readonly status: number }
  /** A refusal in Discord's words, such as `{status: 403, code: 50013, message: 'Missing Permissions'}`. */
  | { readonly kind: 'error'; readonly status: number; readonly code: number; readonly message: string }
  /** Discord does what the call says, then the connection breaks before the response. */
  | { readonly kind: 'drop_after' }
  /** The connection breaks before anything was done. */
  | { readonly kind: 'drop_before' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** The call is taken and never answered. */
  | { readonly kind: 'black_hole' };

export interface DiscordFaults {
  /** The next `times` calls of the route (such as `POST /channels/:id/messages`; `*`: of any) go wrong so; they queue up. */
  next(route: string, times: number, fault: DiscordFault): void;
  /** Takes all pending faults back. */
  clear(): void;
}

export function createFaults(): DiscordFaults & { take(route: string): DiscordFault | null } {
  let waiting: { readonly route: string; readonly fault: DiscordFault; left: number }[] = [];
  return {
    next: (route, times, fault) => {
      waiting.push({ route, fault, left: times });
    },
    clear: () => {
      waiting = [];
    },
    take(route) {
      const found = waiting.find((entry) => entry.route === route || entry.route === '*');
      if (found === undefined) return null;
      found.left -= 1;
      if (found.left <= 0) waiting = waiting.filter((entry) => entry !== found);
      return found.fault;
    },
  };
}
