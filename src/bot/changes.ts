import type { BoardChange } from '../ledger/index.ts';

/** Tells everybody in this process what has just been committed. Never before the commit. */
export interface Changes {
  publish(change: BoardChange): void;
  subscribe(listener: (change: BoardChange) => void): () => void;
}

export function createChanges({ onListenerError }: { onListenerError: (error: unknown) => void }): Changes {
  const listeners = new Set<(change: BoardChange) => void>();
  return {
    publish(change) {
      for (const listener of [...listeners]) {
        try {
          listener(change);
        } catch (error) {
          onListenerError(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
