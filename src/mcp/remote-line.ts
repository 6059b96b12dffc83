import type { z } from 'zod';
import { exchange, PassingFailure, type RemoteCall } from './remote-call.ts';
import type { Log } from './tool-deps.ts';

/** The way to one server: calls it, and knows whether it is there. */
export interface RemoteLine {
  readonly baseUrl: string;
  /** @throws as `exchange` does */
  call<T>(remote: RemoteCall, schema: z.ZodType<T>): Promise<T>;
  /** For how long nothing has come through; null while the server is there. */
  lostForMs(): number | null;
}

export function createRemoteLine(deps: {
  readonly baseUrl: string;
  readonly key: string | (() => Promise<string>);
  readonly keyName: string;
  readonly fetch: typeof fetch;
  readonly log: Log;
}): RemoteLine {
  const { baseUrl, keyName, log } = deps;
  let lostAt: number | null = null;
  return {
    baseUrl,
    async call(remote, schema) {
      const key = typeof deps.key === 'string' ? deps.key : await deps.key();
      try {
        const answer = await exchange({ baseUrl, key, keyName, fetch: deps.fetch }, remote, schema);
        if (lostAt !== null) log.info({ baseUrl }, 'the server is back');
        lostAt = null;
        return answer;
      } catch (error) {
        if (error instanceof PassingFailure && lostAt === null) {
          lostAt = performance.now();
          log.warn({ baseUrl, why: error.message }, 'the server cannot be reached');
        }
        throw error;
      }
    },
    lostForMs: () => (lostAt === null ? null : performance.now() - lostAt),
  };
}
