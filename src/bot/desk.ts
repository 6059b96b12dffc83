import { setTimeout as sleep } from 'node:timers/promises';
import { type AskInput, type Caller, type Desk, DeskError, digestOf, type Request } from '../ledger/index.ts';
import { type LedgerStore, StoreUnavailable } from '../ledger/store/store.ts';
import type { Changes } from './changes.ts';
import { describeProgress } from './describe-progress.ts';
import type { SettingsDesk } from './settings.ts';
import type { Waiters } from './waiters.ts';

/** A call that is withdrawn over HTTP ends its wait a moment before or after its withdrawal arrives. */
const leaveMs = 500;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The agents' side of the engine, in the server's own process. */
export function createDesk(deps: {
  readonly store: LedgerStore;
  readonly settings: SettingsDesk;
  readonly waiters: Waiters;
  readonly changes: Changes;
  readonly clock: { now(): Date };
  readonly newToken: () => string;
  readonly channelTitle: (name: string) => string;
  /** Titles of the chats that are set up. */
  readonly chats: readonly string[];
  /** A new request is committed: its deadline counts from now. */
  readonly onOpened: (request: Request) => void;
}): Desk {
  const { store, settings, waiters, changes, clock, newToken, channelTitle, chats, onOpened } = deps;

  const ownRequest = async (requestId: string, caller: Caller): Promise<Request> => {
    const request = await store.findRequest(requestId);
    if (request === null || request.keyId !== caller.keyId) {
      throw new DeskError(
        'not_found',
        `There is no request ${requestId} of this key. Check the id, or call sync to list this instance's requests.`,
      );
    }
    return request;
  };

  const ask = async (input: AskInput) => {
    if (!uuid.test(input.id)) throw new DeskError('invalid_payload', 'id: must be a UUID (version 7 is best)');
    const at = clock.now();
    const ttlSeconds = input.ttlSeconds ?? (await settings.read()).ttlSeconds;
    await store.touchInstance(input.instance, input.caller.keyId, at);
    const opened = await store.openRequest({
      id: input.id,
      digest: digestOf(input.instance.id, input.ask),
      ask: input.ask,
      instance: input.instance,
      caller: input.caller,
      at,
      expiresAt: new Date(at.getTime() + ttlSeconds * 1_000),
      newToken,
    });
    if (opened.joined === 'id_taken') {
      throw new DeskError(
        'id_taken',
        `A request with the id ${input.id} exists with other content. Use a new id; nobody was paged for this one.`,
      );
    }
    if (opened.joined === 'new') {
      onOpened(opened.request);
      changes.publish({ kind: 'request', requestId: opened.request.id, status: 'pending' });
    }
    return opened;
  };

  const wait: Desk['wait'] = async (requestId, caller, { timeoutMs, signal }) => {
    const waiter = waiters.register(requestId);
    try {
      const request = await ownRequest(requestId, caller);
      if (request.status !== 'pending' || signal?.aborted === true) return request;
      await waiter.sleep(timeoutMs, signal);
      return await ownRequest(requestId, caller);
    } finally {
      waiter.done();
    }
  };

  /** True when calls still wait once the withdrawn one has had time to leave, and others, between two polls, to come back. */
  const isAwaited = async (requestId: string): Promise<boolean> => {
    await sleep(leaveMs);
    return waiters.countOf(requestId) > 0;
  };

  const cancel: Desk['cancel'] = async (requestId, caller, reason, options = {}) => {
    const request = await ownRequest(requestId, caller);
    if (options.unlessAwaited === true && request.status === 'pending' && (await isAwaited(requestId))) return request;
    const settled = await store.settleRequest({
      requestId: request.id,
      outcome: {
        status: 'cancelled',
        words: reason === '' ? null : reason,
        chosenOption: null,
        via: null,
        by: null,
        account: null,
      },
      at: clock.now(),
      decision: null,
      when: 'any',
    });
    if (settled.settled) changes.publish({ kind: 'request', requestId, status: 'cancelled' });
    return settled.request ?? request;
  };

  const sync: Desk['sync'] = async (instance, caller, known) => {
    await store.touchInstance(instance, caller.keyId, clock.now());
    const own = { keyId: caller.keyId, limit: 200 } as const;
    const [pending, undelivered, named] = await Promise.all([
      store.listRequests({ ...own, instanceId: instance.id, status: 'pending' }),
      store.listRequests({ ...own, instanceId: instance.id, status: 'settled', undeliveredOnly: true }),
      known.length === 0 ? [] : store.listRequests({ ...own, ids: known.slice(0, 200) }),
    ]);
    const byId = new Map([...pending, ...undelivered, ...named].map((request) => [request.id, request]));
    const requests = [...byId.values()].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    return { instance, requests };
  };

  return guarded({
    ask,
    wait,
    find: ownRequest,
    cancel,
    async markDelivered(requestId, caller) {
      await ownRequest(requestId, caller);
      await store.markDelivered(requestId, clock.now());
    },
    sync,
    async progressOf(requestId, caller) {
      await ownRequest(requestId, caller);
      return describeProgress(await store.pagesOf(requestId), chats, channelTitle);
    },
  });
}

/** A database that cannot do it becomes a sentence for the agent. */
function guarded(desk: Desk): Desk {
  const guard =
    <A extends unknown[], R>(verb: (...args: A) => Promise<R>, consequence: string) =>
    async (...args: A): Promise<R> => {
      try {
        return await verb(...args);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        throw new DeskError('unavailable', `Beckon's database did not do it (${error.message}). ${consequence}`, {
          cause: error,
        });
      }
    };
  const nothing = 'Nothing was changed; try again in a moment.';
  return {
    ask: guard(desk.ask, 'Nobody was paged and nothing was approved; try again in a moment.'),
    wait: guard(desk.wait, 'The request stays open; wait again in a moment.'),
    find: guard(desk.find, nothing),
    cancel: guard(desk.cancel, nothing),
    markDelivered: guard(desk.markDelivered, nothing),
    sync: guard(desk.sync, nothing),
    progressOf: guard(desk.progressOf, nothing),
  };
}
