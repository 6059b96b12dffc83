import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Desk } from '../ledger/index.ts';

/** The waits of this process, by request. Between two polls the server sees nobody wait; this process knows better. */
export interface CountedWaits {
  readonly wait: Desk['wait'];
  /** True while a call of this process waits for the request. */
  isAwaited(requestId: string): Promise<boolean>;
}

export function countWaits(wait: Desk['wait']): CountedWaits {
  const waiting = new Map<string, number>();
  const count = (requestId: string, by: 1 | -1) => {
    const now = (waiting.get(requestId) ?? 0) + by;
    if (now === 0) waiting.delete(requestId);
    else waiting.set(requestId, now);
  };
  return {
    async wait(requestId, caller, options) {
      count(requestId, 1);
      try {
        return await wait(requestId, caller, options);
      } finally {
        count(requestId, -1);
      }
    },
    async isAwaited(requestId) {
      // A call that waits in several turns is between two of them for less than one turn of the event loop.
      await nextTurn();
      return waiting.has(requestId);
    },
  };
}
