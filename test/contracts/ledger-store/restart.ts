import { describe, expect, test } from 'vitest';
import type { LedgerStore } from '../../../src/ledger/store/store.ts';
import type { Place } from '../ledger-store.ts';
import { expectWhole } from './chains.ts';
import { at, opened, settling, withAddresses } from './given.ts';

export function restartContract({
  create,
  open,
}: {
  create(): Promise<Place>;
  open(place: Place): Promise<LedgerStore>;
}): void {
  describe('starting', () => {
    test('closing and opening again loses nothing', async () => {
      const place = await create();
      const before = await open(place);
      await withAddresses(before, 2);
      const { id } = await opened(before);
      const pending = await opened(before, { title: 'pending' });
      await before.settleRequest(settling(id));
      const look = async (store: LedgerStore) => ({
        requests: await store.listRequests({ limit: 10 }),
        pages: [...(await store.pagesOf(id)), ...(await store.pagesOf(pending.id))],
        entries: [...(await store.entriesOf(id)), ...(await store.entriesOf('workspace'))],
        addresses: await store.listAddresses(),
        due: [await store.nextExpiry(), await store.nextPageDue()],
      });
      const seen = await look(before);
      await before.close();
      const after = await open(place);
      expect(await look(after)).toEqual(seen);
      await after.markDelivered(id, at(9));
      expectWhole(await after.entriesOf(id));
    });

    test('eight processes may start on an empty database at once', async () => {
      const place = await create();
      const stores = await Promise.all(Array.from({ length: 8 }, () => open(place)));
      const { id } = await opened(stores[0] as LedgerStore);
      for (const store of stores) expect(await store.findRequest(id)).not.toBeNull();
    });
  });
}
