import { type Channel, type Receipt, SendError } from '../channels/contract.ts';
import type { Page } from '../channels/page.ts';
import type { Request } from '../ledger/index.ts';
import type { ClaimedPage, LedgerStore } from '../ledger/store/store.ts';
import { createAlarm } from './alarm.ts';
import type { Changes } from './changes.ts';
import type { Log } from './log.ts';

/** How many pages are on their way at once; one address never has two. */
const lanes = 8;
/** Longer than every deadline of a channel call, so that a live claimer's page is never claimed again. */
const leaseMs = 30_000;
/** The least time between two looks that found nothing to take. */
const floorMs = 250;
const backoffMs = { first: 1_000, most: 60_000, misconfigured: 60_000 };

/**
 * Makes pages converge: every page that shows less than its request's revision is posted or edited from the request as it is
 * now. Level-triggered, so a crash, a retry and several changes in a row are one case.
 */
export interface Deliverer {
  start(): void;
  /** Something was committed: look now. */
  kick(): void;
  /** Claims and shows what is due now; resolves when nothing more was due. For tests and `kick`. */
  tick(): Promise<void>;
  /** Takes nothing new and waits for what is on its way. */
  stop(): Promise<void>;
}

export function createDeliverer(deps: {
  readonly store: LedgerStore;
  readonly channels: ReadonlyMap<string, Channel>;
  readonly pageOf: (request: Request, token: string) => Page;
  readonly changes: Changes;
  /** Tells how the last send or edit on a channel went; null: well. */
  readonly onSent: (channel: string, fault: string | null) => void;
  readonly clock: { now(): Date };
  /** Names this process in leases. */
  readonly owner: string;
  readonly log: Log;
}): Deliverer {
  const { store, channels, pageOf, changes, onSent, clock, owner, log } = deps;
  /** Addresses that the platform told us to leave alone, until when. */
  const pausedUntil = new Map<string, number>();
  let stopped = false;
  let again = false;
  let filling: Promise<void> | null = null;
  const inFlight = new Set<Promise<void>>();
  const alarm = createAlarm({ clock, ring: () => kick() });

  const show = async ({ page, request }: ClaimedPage): Promise<void> => {
    const channel = channels.get(page.address.channel);
    const receipt = parseReceipt(page.receipt);
    const paused = pausedUntil.get(page.address.id) ?? 0;
    if (paused > clock.now().getTime()) {
      return store.recordFailure({
        pageId: page.id,
        error: page.lastError ?? 'the platform asked us to wait',
        retryAt: new Date(paused),
        dropReceipt: false,
      });
    }
    if (channel === undefined) {
      return store.recordFailure({
        pageId: page.id,
        error: `${page.address.channel} is not set up any more`,
        retryAt: null,
        dropReceipt: false,
      });
    }
    if (receipt === null && request.status !== 'pending') {
      return store.recordFailure({
        pageId: page.id,
        error: 'settled before it was shown',
        retryAt: null,
        dropReceipt: false,
      });
    }
    const document = pageOf(request, page.token);
    const shown =
      receipt === null ? await channel.send(document, toAddress(page)) : await channel.update(receipt, document);
    onSent(page.address.channel, null);
    await store.recordShown({
      pageId: page.id,
      revision: request.revision,
      receipt: JSON.stringify(shown),
      at: clock.now(),
    });
    changes.publish({ kind: 'page', requestId: request.id });
  };

  const fail = async (claimed: ClaimedPage, error: unknown): Promise<void> => {
    const { page, request } = claimed;
    const fate = error instanceof SendError ? error.fate : ({ kind: 'retry', afterMs: null } as const);
    const now = clock.now().getTime();
    const later = (ms: number) => new Date(now + ms);
    const reason = error instanceof Error ? error.message : String(error);
    const fields = {
      requestId: request.id,
      channel: page.address.channel,
      attempt: page.attempts + 1,
      fate: fate.kind,
      reason,
    };
    if (error instanceof SendError) log.warn(fields, 'a page could not be shown');
    else log.error({ ...fields, err: error }, 'a page could not be shown');
    if (fate.kind !== 'gone' && fate.kind !== 'moved') onSent(page.address.channel, reason);
    const record = (retryAt: Date | null, dropReceipt = false) =>
      store.recordFailure({ pageId: page.id, error: reason, retryAt, dropReceipt });
    switch (fate.kind) {
      case 'retry':
        if (fate.afterMs !== null) pausedUntil.set(page.address.id, now + fate.afterMs);
        await record(later(fate.afterMs ?? backoff(page.attempts)));
        break;
      case 'gone':
        await record(request.status === 'pending' ? later(0) : null, true);
        break;
      case 'moved':
        await store.moveAddress(page.address.id, fate.chatId, clock.now());
        await record(later(0));
        break;
      case 'dead':
        // The page stays due: it is shown when the address works again, and no claim takes it before.
        await store.disableAddress(page.address.id, reason, clock.now());
        await record(later(backoffMs.misconfigured));
        changes.publish({ kind: 'channel' });
        break;
      case 'misconfigured':
        await record(later(backoffMs.misconfigured));
        break;
    }
    changes.publish({ kind: 'page', requestId: request.id });
  };

  const deliver = async (claimed: ClaimedPage): Promise<void> => {
    try {
      await show(claimed);
    } catch (error) {
      // A failure that cannot be recorded leaves the lease to run out: the page is due again then.
      await fail(claimed, error).catch((cause) =>
        log.error({ err: cause, pageId: claimed.page.id }, 'a failed page could not be recorded'),
      );
    }
  };

  const launch = (claimed: ClaimedPage): void => {
    const flight = deliver(claimed).finally(() => {
      inFlight.delete(flight);
      kick();
    });
    inFlight.add(flight);
  };

  const fill = async (): Promise<void> => {
    try {
      while (again && !stopped && inFlight.size < lanes) {
        again = false;
        const claimed = await store.claimPages({ now: clock.now(), owner, limit: lanes - inFlight.size, leaseMs });
        claimed.forEach(launch);
        if (claimed.length > 0) again = true;
      }
      const due = await store.nextPageDue();
      // A due page whose address is busy is taken when that page lands; the floor keeps the alarm from spinning meanwhile.
      if (!stopped) alarm.set(due === null ? null : new Date(Math.max(due.getTime(), clock.now().getTime() + floorMs)));
    } catch (error) {
      log.error({ err: error }, 'pages could not be claimed; trying again');
      if (!stopped) alarm.set(new Date(clock.now().getTime() + backoffMs.first));
    }
  };

  const kick = (): void => {
    again = true;
    if (stopped || filling !== null) return;
    filling = fill().finally(() => {
      filling = null;
      if (again && inFlight.size < lanes) kick();
    });
  };

  const settle = async (): Promise<void> => {
    while (filling !== null || inFlight.size > 0) await Promise.allSettled([filling, ...inFlight]);
  };

  return {
    start: kick,
    kick,
    async tick() {
      kick();
      await settle();
    },
    async stop() {
      stopped = true;
      alarm.clear();
      await settle();
      alarm.clear();
    },
  };
}

/** Full jitter up to the exponential bound, at least a quarter of it. */
function backoff(attempts: number): number {
  const bound = Math.min(backoffMs.most, backoffMs.first * 2 ** attempts);
  return bound * (0.25 + 0.75 * Math.random());
}

function toAddress({ address }: ClaimedPage['page']) {
  return { chatId: address.chatId, ...(address.threadId === null ? {} : { threadId: address.threadId }) };
}

function parseReceipt(text: string | null): Receipt | null {
  return text === null ? null : (JSON.parse(text) as Receipt);
}
