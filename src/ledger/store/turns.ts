/** A queue for one thing that only one may use at a time. */
export interface Turns {
  /** Resolves when it is this caller's turn; the turn lasts until the returned function is called. */
  take(): Promise<() => void>;
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let taken = false;

  const next = () => {
    const turn = waiting.shift();
    if (turn === undefined) taken = false;
    else turn();
  };

  const take = async (): Promise<() => void> => {
    if (taken) await new Promise<void>((resolve) => waiting.push(resolve));
    taken = true;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      next();
    };
  };

  return {
    take,
    async run(work) {
      const release = await take();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
