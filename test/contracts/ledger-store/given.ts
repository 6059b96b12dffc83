import { digestOf } from '../../../src/ledger/digest.ts';
import type { Ask, Outcome, Request } from '../../../src/ledger/request.ts';
import { newId, newToken } from '../../../src/ledger/runtime.ts';
import type { LedgerStore, OpenRequest, SettleRequest } from '../../../src/ledger/store/store.ts';

/** Noon of an ordinary day; `at(5)` is five seconds later. */
export function at(seconds: number): Date {
  return new Date(Date.UTC(2026, 4, 4, 12, 0, 0) + seconds * 1_000);
}

export const ttlSeconds = 600;

export const steering: Ask = {
  kind: 'steering',
  title: 'Which colour? «ß» 👩‍💻',
  gist: 'Line one\nline two; "quotes" and \\ back',
  extended: null,
  dangerLevel: null,
  options: [
    { label: 'Red', recommended: false },
    { label: 'Blue', recommended: true },
  ],
};

export function asking(change: Partial<OpenRequest> & { readonly title?: string } = {}): OpenRequest {
  const { title, ...rest } = change;
  const ask = { ...(change.ask ?? steering), ...(title === undefined ? {} : { title }) };
  const instance = change.instance ?? { id: 'instance-1', label: 'shop · main' };
  const when = change.at ?? at(0);
  return {
    id: newId(),
    digest: digestOf(instance.id, ask),
    caller: { keyId: 'key-1', name: 'local', scopes: [] },
    at: when,
    expiresAt: new Date(when.getTime() + ttlSeconds * 1_000),
    newToken,
    ...rest,
    ask,
    instance,
  };
}

/** Opens a request that must be new. */
export async function opened(store: LedgerStore, change: Parameters<typeof asking>[0] = {}): Promise<Request> {
  const result = await store.openRequest(asking(change));
  if (result.joined !== 'new') throw new Error(`expected a new request, got ${result.joined}`);
  return result.request;
}

export function answerBy(name: string): Outcome {
  return {
    status: 'answered',
    words: `says ${name}`,
    chosenOption: null,
    via: 'slack',
    by: name,
    account: `slack:${name}`,
  };
}

export const expiry: Outcome = {
  status: 'expired',
  words: null,
  chosenOption: null,
  via: null,
  by: null,
  account: null,
};
export const withdrawal: Outcome = { ...expiry, status: 'cancelled', words: 'not needed any more' };

export function settling(requestId: string, change: Partial<SettleRequest> = {}): SettleRequest {
  const outcome = change.outcome ?? answerBy('Ada');
  const isAnswer = outcome.account !== null;
  return {
    requestId,
    outcome,
    at: at(1),
    when: 'in_time',
    decision: isAnswer ? { choice: 'text', optionIndex: null, text: outcome.words, eventId: 'E1' } : null,
    ...change,
  };
}

/** Calls twenty times at once, in turn through each store. */
export function twentyTimes<T>(
  stores: readonly [LedgerStore, LedgerStore],
  call: (store: LedgerStore, index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(Array.from({ length: 20 }, (_, index) => call(stores[index % 2 === 0 ? 0 : 1], index)));
}

export async function withAddresses(store: LedgerStore, count: number): Promise<void> {
  const wanted = Array.from({ length: count }, (_, index) => ({
    channel: 'slack',
    chatId: `C${index}`,
    threadId: null,
  }));
  await store.replaceAddresses(wanted, at(0));
}
