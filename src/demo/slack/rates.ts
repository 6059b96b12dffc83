/** Slack's rate limits as token buckets (docs.slack.dev/apis/web-api/rate-limits): a steady rate and a short burst. */
export interface SlackRates {
  /** chat.postMessage, for each channel. Slack: about 1. */
  readonly postsPerSecond: number;
  readonly postBurst: number;
  /** Every other method, for the workspace. Slack: 20 to 100 by tier. */
  readonly callsPerMinute: number;
  readonly callBurst: number;
}

/** The platform's steady rates, with a burst so generous that a test only meets the limit on purpose. */
export const defaultRates: SlackRates = { postsPerSecond: 1, postBurst: 200, callsPerMinute: 50, callBurst: 1_000 };

export interface RateLimits {
  /** Null: go on; else whole seconds to wait. */
  take(method: string, channel: string): number | null;
}

export function createRateLimits(rates: SlackRates, nowMs: () => number): RateLimits {
  const buckets = new Map<string, { level: number; at: number }>();
  return {
    take(method, channel) {
      const posts = method === 'chat.postMessage';
      const perMs = posts ? rates.postsPerSecond / 1_000 : rates.callsPerMinute / 60_000;
      const size = posts ? rates.postBurst : rates.callBurst;
      const key = posts ? `${method} ${channel}` : method;
      const at = nowMs();
      const before = buckets.get(key) ?? { level: size, at };
      const level = Math.min(size, before.level + (at - before.at) * perMs);
      if (level < 1) {
        buckets.set(key, { level, at });
        return Math.max(1, Math.ceil((1 - level) / perMs / 1_000));
      }
      buckets.set(key, { level: level - 1, at });
      return null;
    },
  };
}
