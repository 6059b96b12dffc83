import { isWriteConflict, toStoreFailure } from './failures.ts';
import type { Prisma, PrismaClient } from './generated/sqlite/client.ts';
import { StoreUnavailable } from './store.ts';

export type Tx = Prisma.TransactionClient;

/** How the store's verbs reach the database. Both turn the database's failures into StoreUnavailable. */
export interface Moves {
  /** One statement, or several that need not agree with each other. */
  read<T>(work: (client: PrismaClient) => Promise<T>): Promise<T>;
  /**
   * One transaction. Its first statement must be a write that carries the move's guard: it takes the row's lock, and what is
   * read after it is up to date on Postgres too. Runs `work` again when the database broke a deadlock.
   */
  move<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Refuses everything from now on. The client alone would open the database again. */
  shut(): void;
}

const attempts = 5;

export function createMoves(client: PrismaClient): Moves {
  let isShut = false;
  const mapped = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isShut) throw new StoreUnavailable('the database is closed');
    try {
      return await work();
    } catch (error) {
      throw toStoreFailure(error);
    }
  };
  const retried = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt === attempts || !isWriteConflict(error)) throw error;
      }
    }
  };
  return {
    read: (work) => mapped(() => work(client)),
    move: (work) => mapped(() => retried(() => client.$transaction(work))),
    shut() {
      isShut = true;
    },
  };
}
