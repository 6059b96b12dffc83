import { InvalidPayload, type Settings } from '../ledger/index.ts';
import type { LedgerStore } from '../ledger/store/store.ts';

/** Life of a request, in seconds: what people may set. */
export const ttlRange = { least: 10, most: 604_800 } as const;

/** Settings as typed values over the ledger's rows; a row that does not parse counts as unset. */
export interface SettingsDesk {
  read(): Promise<Settings>;
  /** @throws InvalidPayload */
  change(change: Partial<Settings>, by: string): Promise<Settings>;
}

export function createSettings(deps: {
  readonly store: LedgerStore;
  readonly clock: { now(): Date };
  readonly defaults: Settings;
}): SettingsDesk {
  const { store, clock, defaults } = deps;
  const read = async (): Promise<Settings> => {
    const rows = await store.readSettings();
    const ttl = Number(rows.ttl_seconds);
    return { ttlSeconds: Number.isInteger(ttl) && ttl >= 1 && ttl <= ttlRange.most ? ttl : defaults.ttlSeconds };
  };
  return {
    read,
    async change(change, by) {
      if (change.ttlSeconds !== undefined) {
        const ttl = change.ttlSeconds;
        if (!Number.isInteger(ttl) || ttl < ttlRange.least || ttl > ttlRange.most) {
          throw new InvalidPayload([
            `ttlSeconds: must be a whole number of seconds from ${ttlRange.least} to ${ttlRange.most} (a week)`,
          ]);
        }
        await store.changeSetting({ name: 'ttl_seconds', value: String(ttl), by, at: clock.now() });
      }
      return read();
    },
  };
}
