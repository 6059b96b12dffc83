import type { JsonObject } from '../json.ts';

/** Kinds that are delivered: all the emulator has. */
export type UpdateKind = 'message' | 'callback_query';

/** How long the server keeps an update for a bot that does not fetch it (telegram-bot-api's Client.cpp). */
const keptSeconds: Readonly<Record<UpdateKind, number>> = { message: 86_400, callback_query: 150 };

/** The server cuts longer polls. */
const longestPollSeconds = 50;

interface Waiting {
  readonly updateId: number;
  readonly kind: UpdateKind;
  readonly body: JsonObject;
  readonly until: number;
}

export interface PollArgs {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutSeconds: number;
  readonly allowed: readonly string[] | null;
}

/** How a poll ended: with updates, by another poller, by a webhook, by the bot's token, or because nobody listens any more. */
export type PollEnd =
  | { readonly kind: 'updates'; readonly updates: readonly JsonObject[] }
  | { readonly kind: 'conflict' | 'webhook' | 'unauthorized' | 'gone' };

/** The queue of one bot's updates, and the one poll that may wait on it. */
export interface Updates {
  add(kind: UpdateKind, body: JsonObject): void;
  /** Confirms what is before the offset, then waits for updates. A poll that waits already ends with `conflict`. */
  poll(args: PollArgs, ended: AbortSignal): Promise<PollEnd>;
  /** Polls as another process with the same token would, and takes nothing; returns what stops it. */
  startRival(): () => void;
  /** Forgets everything. */
  drop(): void;
  /** Not yet confirmed and not yet expired, oldest first. */
  pending(): readonly JsonObject[];
  polling(): boolean;
  /** Ends the waiting poll. */
  end(kind: 'webhook' | 'unauthorized' | 'gone'): void;
}

export function createUpdates(now: () => Date): Updates {
  let queue: Waiting[] = [];
  let lastId = 900_000_000;
  let allowed: readonly string[] = [];
  let current: { readonly finish: (end: PollEnd) => void; readonly limit: number; readonly takes: boolean } | null =
    null;

  const fresh = () => {
    queue = queue.filter((entry) => entry.until > now().getTime());
    return queue;
  };
  const toJson = ({ updateId, kind, body }: Waiting): JsonObject => ({ update_id: updateId, [kind]: body });
  const take = (limit: number) => fresh().slice(0, limit).map(toJson);

  const confirm = (offset: number) => {
    if (offset > 0) queue = queue.filter((entry) => entry.updateId >= offset);
    else if (offset < 0) queue = fresh().slice(offset);
  };
  /** Waits until it is finished, hung up on, or its time is over; the poll before it loses. */
  const wait = (limit: number, seconds: number, takes: boolean, ended: AbortSignal) => {
    current?.finish({ kind: 'conflict' });
    return new Promise<PollEnd>((resolve) => {
      const finish = (end: PollEnd) => {
        clearTimeout(timer);
        ended.removeEventListener('abort', hangUp);
        if (current?.finish === finish) current = null;
        resolve(end);
      };
      const hangUp = () => finish({ kind: 'gone' });
      const timer = setTimeout(() => finish({ kind: 'updates', updates: [] }), seconds * 1_000);
      current = { finish, limit, takes };
      if (ended.aborted) hangUp();
      else ended.addEventListener('abort', hangUp, { once: true });
    });
  };

  return {
    add(kind, body) {
      if (allowed.length > 0 && !allowed.includes(kind)) return;
      lastId += 1;
      queue.push({ updateId: lastId, kind, body, until: now().getTime() + keptSeconds[kind] * 1_000 });
      if (current?.takes === true) current.finish({ kind: 'updates', updates: take(current.limit) });
    },
    async poll({ offset, limit, timeoutSeconds, allowed: wanted }, ended) {
      if (wanted !== null) allowed = wanted;
      confirm(offset);
      const ready = take(limit);
      if (ready.length === 0 && timeoutSeconds > 0) {
        return wait(limit, Math.min(timeoutSeconds, longestPollSeconds), true, ended);
      }
      current?.finish({ kind: 'conflict' });
      return { kind: 'updates', updates: ready };
    },
    startRival() {
      const stopping = new AbortController();
      const pollOn = async () => {
        while (!stopping.signal.aborted) {
          const end = await wait(100, longestPollSeconds, false, stopping.signal);
          if (end.kind !== 'conflict' && end.kind !== 'updates') return;
          // Beaten by the other poller: it comes back, as a second process under a supervisor does.
          if (end.kind === 'conflict') await pause(1_000, stopping.signal);
        }
      };
      void pollOn();
      return () => stopping.abort();
    },
    drop: () => {
      queue = [];
    },
    pending: () => fresh().map(toJson),
    polling: () => current !== null,
    end: (kind) => current?.finish({ kind }),
  };
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    const stopped = () => {
      clearTimeout(timer);
      resolve();
    };
    if (stop.aborted) stopped();
    else stop.addEventListener('abort', stopped, { once: true });
  });
}
