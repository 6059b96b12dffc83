import { REST, type RESTOptions } from 'discord.js';
import { within } from '../waiting.ts';
import type { DiscordConfig } from './config.ts';

/** Calls to Discord's REST API: each with a deadline, none repeated behind our back. Works while the gateway is down. */
export interface Api {
  /** @throws the library's error, or an Error when the deadline passed; then Discord may still have done it */
  call<T>(run: (rest: REST, signal: AbortSignal) => Promise<unknown>, read: (body: unknown) => T): Promise<T>;
  /** Resolves when no call is under way any more, or after `ms`. */
  settle(ms: number): Promise<void>;
}

/**
 * The library would repeat a failed call four times within milliseconds and would hold calls back while one is rate
 * limited, so it does neither here: the engine's queue knows the addresses and their order.
 */
export function toRestOptions(config: DiscordConfig, timeout: number): Partial<RESTOptions> {
  return {
    ...(config.apiUrl === undefined ? {} : { api: config.apiUrl }),
    retries: 0,
    timeout,
    rejectOnRateLimit: () => true,
  };
}

export function createApi(deps: { readonly config: DiscordConfig; readonly sendMs: number }): Api {
  const { config, sendMs } = deps;
  const rest = new REST({ ...toRestOptions(config, sendMs), hashSweepInterval: 0, handlerSweepInterval: 0 });
  const underWay = new Set<Promise<unknown>>();
  return {
    async call(run, read) {
      // The library forgets the token for good after one 401.
      rest.setToken(config.token);
      const abort = new AbortController();
      const work = run(rest, abort.signal);
      underWay.add(work);
      const forget = () => underWay.delete(work);
      work.then(forget, forget);
      const done = await within(sendMs, work);
      if (done === null) {
        abort.abort();
        throw new Error(`Discord did not answer within ${sendMs / 1_000} s`);
      }
      return read(done.value);
    },
    async settle(ms) {
      await within(ms, Promise.allSettled([...underWay]));
    },
  };
}
