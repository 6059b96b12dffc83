import { REST } from 'discord.js';
import { within } from '../waiting.ts';
import type { DiscordConfig } from './config.ts';

/** Calls to Discord's REST API with the bot's token: each with a deadline, none repeated behind our back. */
export interface Api {
  /** @throws the library's error; an AbortError when the deadline passed: then Discord may still have done it */
  call<T>(deadlineMs: number, run: (rest: REST, signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Resolves when no call is under way any more, or after `ms`, and drops the library's timers. */
  settle(ms: number): Promise<void>;
}

/**
 * Apart from the gateway's client, so that pages go out while the gateway is down. The library would repeat a call on
 * 5xx without a pause and hold calls back silently while rate limited, so it does neither here: the engine's queue knows
 * the addresses and their order.
 */
export function createApi(deps: { readonly config: DiscordConfig; readonly timeoutMs: number }): Api {
  const { config, timeoutMs } = deps;
  const rest = new REST({
    version: '10',
    ...(config.apiUrl === undefined ? {} : { api: config.apiUrl }),
    timeout: timeoutMs,
    retries: 0,
    rejectOnRateLimit: () => true,
  });
  const underWay = new Set<Promise<unknown>>();
  return {
    async call(deadlineMs, run) {
      // A single 401 makes the library forget the token.
      rest.setToken(config.token);
      const work = run(rest, AbortSignal.timeout(Math.max(1, Math.trunc(deadlineMs))));
      underWay.add(work);
      try {
        return await work;
      } finally {
        underWay.delete(work);
      }
    },
    async settle(ms) {
      await within(ms, Promise.allSettled([...underWay]));
      rest.clearHandlerSweeper();
      rest.clearHashSweeper();
    },
  };
}
