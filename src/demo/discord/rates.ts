/** Discord's rate limits (topics/rate-limits.mdx): a bucket for each route and channel, and a global one. */
export interface DiscordRates {
  /** Posts to one channel within `perMs`. Discord: 5 in 5 s. */
  readonly posts: number;
  /** Edits in one channel within `perMs`. Discord: 5 in 5 s. */
  readonly edits: number;
  readonly perMs: number;
  /** All calls of a bot but interaction responses, a second. Discord: 50. */
  readonly globalPerSecond: number;
}

/** Real buckets, so generous that a test only meets the limit on purpose. */
export const defaultRates: DiscordRates = { posts: 200, edits: 200, perMs: 5_000, globalPerSecond: 500 };

export interface Bucket {
  readonly id: string;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAfterMs: number;
  /** True: this call is one too many. */
  readonly exceeded: boolean;
  readonly global: boolean;
}

export interface RateLimits {
  take(route: string, channelId: string): Bucket;
}

export function createRateLimits(rates: DiscordRates, nowMs: () => number): RateLimits {
  const windows = new Map<string, { used: number; endsAt: number }>();
  const use = (key: string, limit: number, perMs: number) => {
    const at = nowMs();
    let window = windows.get(key);
    if (window === undefined || at >= window.endsAt) {
      window = { used: 0, endsAt: at + perMs };
      windows.set(key, window);
    }
    window.used += 1;
    return {
      exceeded: window.used > limit,
      remaining: Math.max(0, limit - window.used),
      resetAfterMs: window.endsAt - at,
    };
  };
  const limitOf = (route: string): number => {
    if (route === 'POST /channels/:id/messages') return rates.posts;
    if (route === 'PATCH /channels/:id/messages/:id') return rates.edits;
    return 1_000;
  };
  return {
    take(route, channelId) {
      const global = use('global', rates.globalPerSecond, 1_000);
      if (global.exceeded) return { id: 'global', limit: rates.globalPerSecond, global: true, ...global };
      const limit = limitOf(route);
      const id = Buffer.from(route).toString('hex').slice(-20);
      return { id, limit, global: false, ...use(`${route} ${channelId}`, limit, rates.perMs) };
    },
  };
}
