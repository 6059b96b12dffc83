import type { Board } from '../../ledger/index.ts';
import type { Assets } from '../assets.ts';
import type { Visit } from '../guard/visits.ts';
import type { FrameFacts } from '../parts/frame.tsx';

export type ReadFrameFacts = (visit: Visit) => Promise<FrameFacts>;

export function createReadFrameFacts(deps: {
  readonly board: Board;
  readonly assets: Assets;
  readonly clock: { now(): Date };
}): ReadFrameFacts {
  const { board, assets, clock } = deps;
  return async ({ session }) => {
    const [pending, warnings] = await Promise.all([board.list({ status: 'pending', limit: 100 }), board.warnings()]);
    return { session, pendingCount: pending.length, warnings, now: clock.now(), urlOf: assets.urlOf };
  };
}
