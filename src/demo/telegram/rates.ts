/** Telegram's rate limits as token buckets (core.telegram.org/bots/faq): a steady rate and a short burst. Edits count as sends. */
export interface TelegramRates {
  /** For each chat. Telegram: about 1. */
  readonly perSecond: number;
  readonly burst: number;
  /** For each group besides. Telegram: 20. */
  readonly perMinuteInGroup: number;
  readonly groupBurst: number;
}

/** The platform's steady rates, with a burst so generous that a test only meets the limit on purpose. */
export const defaultRates: TelegramRates = { perSecond: 1, burst: 200, perMinuteInGroup: 20, groupBurst: 200 };

export interface RateLimits {
  /** Null: go on; else whole seconds to wait. */
  take(method: string, chatId: string): number | null;
}

const counted = new Set(['sendMessage', 'editMessageText', 'editMessageReplyMarkup']);

export function createRateLimits(rates: TelegramRates, nowMs: () => number): RateLimits {
  const perChat = createBuckets(rates.perSecond / 1_000, rates.burst, nowMs);
  const perGroup = createBuckets(rates.perMinuteInGroup / 60_000, rates.groupBurst, nowMs);
  return {
    take(method, chatId) {
      if (!counted.has(method)) return null;
      return perChat(chatId) ?? (chatId.startsWith('-') ? perGroup(chatId) : null);
    },
  };
}

function createBuckets(perMs: number, size: number, nowMs: () => number): (key: string) => number | null {
  const buckets = new Map<string, { level: number; at: number }>();
  return (key) => {
    const at = nowMs();
    const before = buckets.get(key) ?? { level: size, at };
    const level = Math.min(size, before.level + (at - before.at) * perMs);
    const taken = level >= 1;
    buckets.set(key, { level: taken ? level - 1 : level, at });
    return taken ? null : Math.max(1, Math.ceil((1 - level) / perMs / 1_000));
  };
}
