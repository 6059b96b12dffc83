import { createFaultQueue, type FaultQueue } from '../fault-queue.ts';
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

export type SlackFaults = FaultQueue<SlackFault>;

export const createFaults = () => createFaultQueue<SlackFault>();
