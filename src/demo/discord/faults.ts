import { createFaultQueue, type FaultQueue } from '../fault-queue.ts';
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

export type DiscordFaults = FaultQueue<DiscordFault>;

export const createFaults = () => createFaultQueue<DiscordFault>();
