import { WebClient } from '@slack/web-api';
import type { ChannelLog } from '../channel-log.ts';
import { within } from '../waiting.ts';
import type { SlackConfig } from './config.ts';
import { createBoltLog } from './log.ts';

/** Calls to Slack's Web API: each with a deadline, none repeated behind our back. */
export interface Web {
  /** @throws the library's error, or an Error when the deadline passed; then Slack may still have done it */
  call<T>(deadlineMs: number, run: (client: WebClient) => Promise<T>): Promise<T>;
  /** Resolves when no call is under way any more, or after `ms`. */
  settle(ms: number): Promise<void>;
}

/**
 * The library would repeat a post that Slack has taken (two messages) and would hold every call back while one is rate
 * limited, so it does neither here: the engine's queue knows the addresses and their order.
 */
export function createWeb(deps: {
  readonly config: SlackConfig;
  readonly timeoutMs: number;
  readonly log: ChannelLog;
}): Web {
  const { config, timeoutMs, log } = deps;
  const client = new WebClient(config.botToken, {
    ...(config.apiUrl === undefined ? {} : { slackApiUrl: config.apiUrl }),
    logger: createBoltLog(log),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
  });
  const underWay = new Set<Promise<unknown>>();
  return {
    async call(deadlineMs, run) {
      const work = run(client);
      underWay.add(work);
      const forget = () => underWay.delete(work);
      work.then(forget, forget);
      const done = await within(deadlineMs, work);
      if (done === null) throw new Error(`Slack did not answer within ${deadlineMs / 1_000} s`);
      return done.value;
    },
    async settle(ms) {
      await within(ms, Promise.allSettled([...underWay]));
    },
  };
}
