import type { ServerContext } from '@modelcontextprotocol/server';
import type { Request } from '../../ledger/index.ts';
import type { ToolDeps } from '../tool-deps.ts';

/** What clients show of a progress message, in characters. */
const messageCap = 200;
const everyMsByDefault = 20_000;
/** By then the first sends have worked or failed: whether anybody could be reached is told soon, not at the next beat. */
const firstSendsMs = 2_000;

/** The heartbeat of one blocked call. */
export interface CallProgress {
  /** Tells at once, and from now on, where this request stands. */
  follow(request: Request): void;
  /** Nothing is sent after this; the protocol forbids progress after the result. */
  stop(): void;
}

/** Sends progress at once (so that the response head leaves and a cut stream has a place to resume from), then regularly. */
export function startProgress(
  deps: ToolDeps,
  ctx: ServerContext,
  progressToken: string | number | undefined,
): CallProgress {
  if (progressToken === undefined) return { follow: () => {}, stop: () => {} };
  const { desk, caller, clock, log, progressEveryMs = everyMsByDefault } = deps;
  const startedAt = clock.now();
  let followed: Request | null = null;
  let progress = 0;
  let stopped = false;

  const where = async (request: Request) => {
    try {
      return await desk.progressOf(request.id, caller);
    } catch (error) {
      log.debug({ err: error, requestId: request.id }, 'no progress to tell');
      return 'waiting for an answer';
    }
  };
  const describe = async () => {
    if (followed === null) return 'Asking people…';
    const now = clock.now();
    return [
      `Waited ${inWords(now.getTime() - startedAt.getTime())}`,
      `${inWords(followed.expiresAt.getTime() - now.getTime())} left`,
      await where(followed),
    ].join('; ');
  };
  const beat = async () => {
    const message = [...(await describe())].slice(0, messageCap).join('');
    if (stopped || ctx.mcpReq.signal.aborted) return;
    const params = { progressToken, progress, message };
    progress += 1;
    await ctx.mcpReq.notify({ method: 'notifications/progress', params });
  };
  const beatSafely = () => {
    beat().catch((error: unknown) => log.debug({ err: error }, 'progress could not be sent'));
  };
  beatSafely();
  const timer = setInterval(beatSafely, progressEveryMs);
  let soon: NodeJS.Timeout | undefined;
  return {
    follow(request) {
      followed = request;
      beatSafely();
      if (progressEveryMs > firstSendsMs) soon = setTimeout(beatSafely, firstSendsMs);
    },
    stop() {
      stopped = true;
      clearInterval(timer);
      clearTimeout(soon);
    },
  };
}

/** `0 s`, `3 min`, `5 h 59 min`. */
function inWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
