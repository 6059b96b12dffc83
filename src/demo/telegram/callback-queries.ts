/** Presses the bot has not answered yet. */
export interface CallbackQueries {
  /** @returns the query's id, and a promise of whether the bot answered before the person's app gave up */
  create(personId: string): { readonly id: string; readonly answered: Promise<boolean> };
  /** @returns who pressed; null: too old, or no such query. Answering again within the time is taken and shows nothing. */
  answer(id: string): { readonly personId: string; readonly first: boolean } | null;
  /** Lets everybody who waits go. */
  stop(): void;
}

/** How long a press can be answered. */
const answerMs = 15_000;

interface Query {
  readonly personId: string;
  readonly at: number;
  answered: boolean;
  readonly settle: (answered: boolean) => void;
}

export function createCallbackQueries(now: () => Date): CallbackQueries {
  const queries = new Map<string, Query>();
  let last = 3_012_345_678_900_000_000n;
  return {
    create(personId) {
      last += 1n;
      const id = String(last);
      const answered = new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), answerMs);
        const settle = (value: boolean) => {
          clearTimeout(timer);
          resolve(value);
        };
        queries.set(id, { personId, at: now().getTime(), answered: false, settle });
      });
      return { id, answered };
    },
    answer(id) {
      const query = queries.get(id);
      if (query === undefined || now().getTime() - query.at >= answerMs) return null;
      const first = !query.answered;
      query.answered = true;
      query.settle(true);
      return { personId: query.personId, first };
    },
    stop() {
      for (const query of queries.values()) query.settle(false);
    },
  };
}
