import type { JsonObject } from './json.ts';
import { type Outcome, refuse } from './method.ts';

export type UpdateKind = 'message' | 'callback_query';

/** What waits for the bot, and the one long poll that may wait for it. */
export interface Updates {
  /** Queues an update; it is dropped after `lifeMs` on the emulator's clock. */
  add(kind: UpdateKind, body: JsonObject, lifeMs: number): void;
  /** One getUpdates call. A call that is already waiting ends with 409: the newer one wins. */
  poll(args: JsonObject, ended: AbortSignal): Promise<Outcome>;
  webhookUrl(): string;
  setWebhook(url: string, dropPending: boolean): void;
  pending(): number;
  isPolled(): boolean;
  /** Ends the waiting call, if any. */
  stop(): void;
}

interface Queued {
  readonly id: number;
  readonly kind: UpdateKind;
  readonly body: JsonObject;
  readonly expiresAtMs: number;
}

const mostSeconds = 50;
const mostUpdates = 100;
const conflictEveryMs = 3_000;
const byOther = 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';
const byWebhook =
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";

/** @param now dates the expiry; waiting runs on real time. Rules of telegram-bot-api's process_get_updates_query. */
export function createUpdates(now: () => Date): Updates {
  let queue: Queued[] = [];
  let lastId = 41_000_000;
  let allowed: ReadonlySet<unknown> | null = null;
  let webhookUrl = '';
  let waiting: { wake(): void; end(outcome: Outcome): void } | null = null;
  let nextConflictAt = 0;
  let previous = { offset: Number.NaN, at: Number.NEGATIVE_INFINITY };

  const conflict = (description: string): Promise<Outcome> => {
    // Repeated conflicts are answered every 3 s, so that two pollers do not busy the server.
    const delayMs = Math.max(0, nextConflictAt - performance.now());
    nextConflictAt = performance.now() + delayMs + conflictEveryMs;
    return new Promise((resolve) => {
      setTimeout(() => resolve(refuse(409, description)), delayMs).unref();
    });
  };
  const purge = () => {
    queue = queue.filter(({ expiresAtMs }) => expiresAtMs > now().getTime());
  };
  const read = (offset: number, limit: number) => {
    purge();
    const found = queue.filter(({ id }) => id >= offset).slice(0, limit);
    return found.map(({ id, kind, body }) => ({ update_id: id, [kind]: body }));
  };
  /** Forgets what the call confirms. @returns the first id to hand out */
  const confirm = (offset: number): number => {
    purge();
    if (offset < 0) queue = queue.slice(offset);
    else queue = queue.filter(({ id }) => id >= offset);
    return offset < 0 ? (queue[0]?.id ?? 0) : offset;
  };

  return {
    add(kind, body, lifeMs) {
      if (allowed !== null && !allowed.has(kind)) return;
      lastId += 1;
      queue.push({ id: lastId, kind, body, expiresAtMs: now().getTime() + lifeMs });
      waiting?.wake();
    },
    async poll(args, ended) {
      if (webhookUrl !== '') return conflict(byWebhook);
      if (Array.isArray(args.allowed_updates)) {
        allowed = args.allowed_updates.length === 0 ? null : new Set(args.allowed_updates);
      }
      waiting?.end(await Promise.resolve(refuse(409, byOther)));
      const asked = toInteger(args.offset) ?? 0;
      const soon = asked === previous.offset ? performance.now() - previous.at : Number.POSITIVE_INFINITY;
      const seconds = Math.min(mostSeconds, Math.max(0, toInteger(args.timeout) ?? 0));
      // The same offset again at once: answered slowly and scantily.
      const waitMs = (soon < 3_000 ? Math.max(3, seconds) : seconds) * 1_000;
      const given = toInteger(args.limit) ?? mostUpdates;
      const limit = soon < 500 ? 1 : given < 1 || given > mostUpdates ? mostUpdates : given;
      previous = { offset: asked, at: performance.now() };
      const offset = confirm(asked);
      const ready = read(offset, limit);
      if (ready.length > 0 || waitMs === 0) return { result: ready };
      return new Promise<Outcome>((resolve) => {
        const finish = (outcome: Outcome) => {
          clearTimeout(timer);
          ended.removeEventListener('abort', hangUp);
          if (waiting === own) waiting = null;
          resolve(outcome);
        };
        const own = {
          wake: () => {
            const found = read(offset, limit);
            if (found.length > 0) finish({ result: found });
          },
          end: (outcome: Outcome) => {
            if ('refused' in outcome) void conflict(outcome.description).then(finish);
            else finish(outcome);
          },
        };
        const hangUp = () => finish({ result: [] });
        const timer = setTimeout(() => finish({ result: read(offset, limit) }), waitMs);
        ended.addEventListener('abort', hangUp, { once: true });
        waiting = own;
      });
    },
    webhookUrl: () => webhookUrl,
    setWebhook(url, dropPending) {
      webhookUrl = url;
      if (dropPending) queue = [];
      if (url !== '') waiting?.end(refuse(409, 'Conflict: terminated by setWebhook request'));
    },
    pending() {
      purge();
      return queue.length;
    },
    isPolled: () => waiting !== null,
    stop() {
      waiting?.end({ result: [] });
    },
  };
}

function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : null;
}
