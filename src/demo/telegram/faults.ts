import { createFaultQueue, type FaultQueue } from '../fault-queue.ts';
import type { JsonObject } from '../json.ts';

/** What goes wrong with a call, for tests and the demo. */
export type TelegramFault =
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number }
  /** A 5xx with an HTML body, as the proxies before the Bot API answer. */
  | { readonly kind: 'status'; readonly status: number }
  /** An answer of the Bot API, such as 400 `Bad Request: chat not found`. */
  | {
      readonly kind: 'error';
      readonly code: number;
      readonly description: string;
      readonly parameters?: JsonObject;
    }
  /** The server does what the call says, then the connection breaks before the response. */
  | { readonly kind: 'drop_after' }
  /** The connection breaks before anything was done. */
  | { readonly kind: 'drop_before' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** The call is taken and never answered. */
  | { readonly kind: 'black_hole' };

export type TelegramFaults = FaultQueue<TelegramFault>;

export const createFaults = () => createFaultQueue<TelegramFault>();
