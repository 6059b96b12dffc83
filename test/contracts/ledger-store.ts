import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import type { LedgerStore } from '../../src/ledger/store/store.ts';
import { addressesContract } from './ledger-store/addresses.ts';
import { chainsContract } from './ledger-store/chains.ts';
import { pagesContract } from './ledger-store/pages.ts';
import { requestsContract } from './ledger-store/requests.ts';
import { restartContract } from './ledger-store/restart.ts';
import { signInContract } from './ledger-store/sign-in.ts';

/** A kind of database. `start` runs once a test file. */
export interface DatabaseKind {
  /** False in memory, where a second store sees another database and closing loses it. */
  readonly isShared: boolean;
  start(): Promise<{
    /** A fresh, empty place for a database. */
    create(): Promise<Place>;
    stop(): Promise<void>;
  }>;
}

export interface Place {
  /** Every call opens another store, as another process would. */
  open(): Promise<LedgerStore>;
}

/** What a contract is written against. */
export interface Subject {
  /** One fresh database, seen by two stores where the kind can be shared; calls "at once" go through both. */
  stores(): Promise<readonly [LedgerStore, LedgerStore]>;
}

/** Everything a LedgerStore promises, twenty callers at once. Run it on every kind of database. */
export function ledgerStoreContract(name: string, { isShared, start }: DatabaseKind): void {
  describe(`the ledger's store on ${name}`, () => {
    let server: Awaited<ReturnType<typeof start>>;
    const opened: LedgerStore[] = [];
    beforeAll(async () => {
      server = await start();
    });
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });
    afterAll(() => server.stop());

    const open = async (place: Place): Promise<LedgerStore> => {
      const store = await place.open();
      opened.push(store);
      return store;
    };
    const subject: Subject = {
      async stores() {
        const place = await server.create();
        const first = await open(place);
        return [first, isShared ? await open(place) : first];
      },
    };

    requestsContract(subject);
    chainsContract(subject);
    pagesContract(subject);
    addressesContract(subject);
    signInContract(subject);
    if (isShared) restartContract({ create: () => server.create(), open });
  });
}
