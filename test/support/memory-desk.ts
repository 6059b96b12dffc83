import {
  type Caller,
  type Desk,
  DeskError,
  digestOf,
  type Instance,
  type Outcome,
  type Request,
} from '../../src/ledger/index.ts';

/** A desk in memory with hands to play the person: the edge that the MCP tools are driven against. */
export interface MemoryDesk extends Desk {
  readonly requests: Map<string, Request>;
  /** How many requests paged people. */
  readonly paged: () => number;
  /** What each call of `cancel` resolved with, in order. */
  readonly withdrawals: () => readonly Request['status'][];
  settle(requestId: string, outcome: Partial<Outcome> & { readonly status: Outcome['status'] }): void;
  /** The first request with this title that is pending, once it is there; rejects after 5 s. */
  pending(title: string): Promise<Request>;
  /** Rejects when the request does not come to this state within 5 s. */
  until(requestId: string, test: (request: Request) => boolean): Promise<Request>;
  /** What the next calls of a verb throw; cleared by null. */
  fail(verb: 'ask' | 'wait' | 'sync', error: Error | null): void;
}

export function createMemoryDesk(options: { readonly ttlSeconds?: number } = {}): MemoryDesk {
  const requests = new Map<string, Request>();
  const listeners = new Set<() => void>();
  const failures = new Map<string, Error>();
  /** How many wait, by request. */
  const waiting = new Map<string, number>();
  const withdrawals: Request['status'][] = [];
  let pages = 0;

  const change = (request: Request) => {
    requests.set(request.id, request);
    for (const listener of [...listeners]) listener();
  };
  const own = (requestId: string, caller: Caller): Request => {
    const request = requests.get(requestId);
    if (request === undefined || request.keyId !== caller.keyId)
      throw new DeskError('not_found', `There is no request ${requestId} of this key.`);
    return request;
  };
  const failIfTold = (verb: string) => {
    const failure = failures.get(verb);
    if (failure !== undefined) throw failure;
  };
  const nextChange = (timeoutMs: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        listeners.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      listeners.add(done);
      signal?.addEventListener('abort', done);
      if (signal?.aborted) done();
    });
  const settled = (request: Request, outcome: Outcome): Request => ({
    ...request,
    status: outcome.status,
    outcome,
    revision: request.revision + 1,
    settledAt: new Date(),
  });
  const nobody = { words: null, chosenOption: null, via: null, by: null, account: null };
  const poll = async (find: () => Request | undefined, what: string) => {
    const deadline = performance.now() + 5_000;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (performance.now() > deadline) throw new Error(`${what} did not happen within 5 s`);
      await nextChange(50);
    }
  };

  return {
    requests,
    paged: () => pages,
    withdrawals: () => withdrawals,
    settle(requestId, outcome) {
      const request = requests.get(requestId);
      if (request?.status !== 'pending') throw new Error(`request ${requestId} is not pending`);
      change(settled(request, { ...nobody, ...outcome }));
    },
    pending: (title) =>
      poll(
        () => [...requests.values()].find((request) => request.title === title && request.status === 'pending'),
        `a pending request ${JSON.stringify(title)}`,
      ),
    until: (requestId, test) =>
      poll(() => [...requests.values()].find((request) => request.id === requestId && test(request)), requestId),
    fail(verb, error) {
      if (error === null) failures.delete(verb);
      else failures.set(verb, error);
    },
    async ask({ id, ask, instance, caller }) {
      failIfTold('ask');
      const digest = digestOf(instance.id, ask);
      const same = requests.get(id);
      if (same !== undefined) {
        if (same.digest !== digest) throw new DeskError('id_taken', `A request with the id ${id} exists.`);
        return { request: same, joined: 'same_id' };
      }
      const alike = [...requests.values()].reverse().find((request) => request.digest === digest);
      if (alike?.status === 'pending') return { request: alike, joined: 'same_digest' };
      if (alike !== undefined && alike.deliveredAt === null) return { request: alike, joined: 'kept_answer' };
      const createdAt = new Date();
      const request: Request = {
        ...ask,
        id,
        digest,
        status: 'pending',
        revision: 1,
        instanceId: instance.id,
        instanceLabel: instance.label,
        keyId: caller.keyId,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + (options.ttlSeconds ?? 21_600) * 1_000),
        settledAt: null,
        outcome: null,
        deliveredAt: null,
      };
      pages += 1;
      change(request);
      return { request, joined: 'new' };
    },
    async wait(requestId, caller, { timeoutMs, signal }) {
      const deadline = performance.now() + timeoutMs;
      waiting.set(requestId, (waiting.get(requestId) ?? 0) + 1);
      try {
        for (;;) {
          failIfTold('wait');
          const request = own(requestId, caller);
          const leftMs = deadline - performance.now();
          if (request.status !== 'pending' || leftMs <= 0 || signal?.aborted === true) return request;
          await nextChange(leftMs, signal);
        }
      } finally {
        waiting.set(requestId, (waiting.get(requestId) ?? 0) - 1);
      }
    },
    find: async (requestId, caller) => own(requestId, caller),
    async cancel(requestId, caller, reason, { unlessAwaited } = {}) {
      // As the server's own desk: a call that is withdrawn over HTTP needs a moment to leave.
      const deadline = performance.now() + 500;
      while (unlessAwaited && (waiting.get(requestId) ?? 0) > 0) {
        if (performance.now() > deadline) {
          withdrawals.push('pending');
          return own(requestId, caller);
        }
        await nextChange(20);
      }
      const request = own(requestId, caller);
      if (request.status === 'pending') change(settled(request, { ...nobody, status: 'cancelled', words: reason }));
      withdrawals.push(own(requestId, caller).status);
      return own(requestId, caller);
    },
    async markDelivered(requestId, caller) {
      const request = own(requestId, caller);
      if (request.deliveredAt === null) change({ ...request, deliveredAt: new Date() });
    },
    async sync(instance: Instance, caller: Caller, known: readonly string[]) {
      failIfTold('sync');
      const found = [...requests.values()].filter(
        (request) =>
          request.keyId === caller.keyId &&
          (known.includes(request.id) ||
            (request.instanceId === instance.id && (request.status === 'pending' || request.deliveredAt === null))),
      );
      return { instance, requests: found };
    },
    progressOf: async (requestId, caller) => `paged on Slack as ${own(requestId, caller).title.slice(0, 20)}`,
  };
}
