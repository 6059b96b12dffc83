import { type LedgerStore, notConfigured } from '../ledger/store/store.ts';
import type { Changes } from './changes.ts';
import type { ConfiguredChannel } from './channel-set.ts';
import type { Log } from './log.ts';

const everyMs = 60_000;

/** Looks each minute whether addresses that a platform refused work again: the bot was invited, the channel is back. */
export interface Reviver {
  start(): void;
  /** One look; never rejects. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

export function createReviver(deps: {
  readonly store: LedgerStore;
  readonly configured: readonly ConfiguredChannel[];
  readonly changes: Changes;
  readonly clock: { now(): Date };
  /** Pages are due. */
  readonly onRevived: () => void;
  readonly log: Log;
}): Reviver {
  const { store, configured, changes, clock, onRevived, log } = deps;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;

  const look = async (): Promise<void> => {
    const refused = (await store.listAddresses()).filter(
      ({ disabledReason }) => disabledReason !== null && disabledReason !== notConfigured,
    );
    for (const { id, channel: name, chatId, threadId } of refused) {
      const channel = configured.find(({ channel }) => channel.info.name === name)?.channel;
      const check = await channel?.check({ chatId, ...(threadId === null ? {} : { threadId }) });
      if (check?.ok !== true || !(await store.enableAddress(id, clock.now()))) continue;
      log.info({ channel: name }, `${name} can be paged again: ${check.detail}`);
      changes.publish({ kind: 'channel' });
      onRevived();
    }
  };

  const tick = (): Promise<void> => {
    running ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'refused addresses could not be looked at'))
      .finally(() => {
        running = null;
      });
    return running;
  };

  return {
    start() {
      timer ??= setInterval(() => void tick(), everyMs);
    },
    tick,
    async stop() {
      if (timer !== null) clearInterval(timer);
      await running;
    },
  };
}
