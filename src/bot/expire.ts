import cron, { type ScheduledTask } from 'node-cron';
import type { LedgerStore } from '../ledger/store/store.ts';
import { createAlarm } from './alarm.ts';
import type { Changes } from './changes.ts';
import type { Log } from './log.ts';

/** Requests expired in one go; the rest follow at once. */
const batch = 100;
const retryMs = 1_000;

/** Settles requests whose time is over: woken by the nearest deadline, with a sweep each minute as a safety net. */
export interface Expirer {
  /** Expires what is overdue already, then keeps watch. */
  start(): Promise<void>;
  /** A request with this deadline was opened. */
  arm(expiresAt: Date): void;
  /** Expires what is overdue now and arms the next deadline. Never rejects. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

export function createExpirer(deps: {
  readonly store: LedgerStore;
  readonly changes: Changes;
  readonly clock: { now(): Date };
  readonly log: Log;
}): Expirer {
  const { store, changes, clock, log } = deps;
  let stopped = false;
  let next: Date | null = null;
  let running: Promise<void> | null = null;
  let sweep: ScheduledTask | null = null;
  const alarm = createAlarm({ clock, ring: () => void tick() });

  const setNext = (at: Date | null) => {
    next = at;
    if (!stopped) alarm.set(at);
  };

  const expireOverdue = async (): Promise<void> => {
    for (;;) {
      const overdue = await store.listOverdue(clock.now(), batch);
      for (const request of overdue) {
        const settled = await store.settleRequest({
          requestId: request.id,
          outcome: { status: 'expired', words: null, chosenOption: null, via: null, by: null, account: null },
          at: clock.now(),
          decision: null,
          when: 'overdue',
        });
        if (settled.settled) changes.publish({ kind: 'request', requestId: request.id, status: 'expired' });
      }
      if (overdue.length < batch || stopped) return;
    }
  };

  const once = async (): Promise<void> => {
    try {
      await expireOverdue();
      setNext(await store.nextExpiry());
    } catch (error) {
      log.error({ err: error }, 'overdue requests could not be expired; trying again');
      setNext(new Date(clock.now().getTime() + retryMs));
    }
  };

  const tick = (): Promise<void> => {
    running ??= once().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    async start() {
      await tick();
      sweep = cron.schedule('* * * * *', () => void tick(), { suppressMissedWarning: true });
    },
    arm(expiresAt) {
      if (next === null || expiresAt < next) setNext(expiresAt);
    },
    tick,
    async stop() {
      stopped = true;
      alarm.clear();
      await sweep?.destroy();
      await running;
    },
  };
}
