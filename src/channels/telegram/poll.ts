import { TelegramError } from 'telegraf';
import type { ChannelLog } from '../channel-log.ts';
import type { ChannelState } from '../contract.ts';
import { backoffMs, pause, within } from '../waiting.ts';
import type { Api } from './api.ts';
import { scrub } from './send-errors.ts';
import type { TelegramTiming } from './timing.ts';
import { botUser, type Update, updates } from './updates.ts';

/** What a batch of updates may take before the next poll confirms them to Telegram; a slow answer is not waited for longer. */
const batchMs = 1_000;
const confirmMs = 1_000;

/** The inbound side: polls for as long as it is started, and says how it stands. Never throws. */
export interface Poll {
  start(): void;
  /** Ends the poll under way and confirms what was handed on. */
  stop(): Promise<void>;
  /** The bot's own account id, once Telegram has told it. */
  botId(): number | null;
}

export function createPoll(deps: {
  readonly api: Api;
  readonly timing: TelegramTiming;
  readonly log: ChannelLog;
  /** Hands one update on; resolves when it is dealt with. Never rejects. */
  readonly onUpdate: (update: Update) => Promise<void>;
  readonly onState: (state: ChannelState) => void;
}): Poll {
  const { api, timing, log, onUpdate, onState } = deps;
  const ending = new AbortController();
  let offset = 0;
  let confirmed = 0;
  let me: number | null = null;
  let looping: Promise<void> | null = null;

  const say = (status: ChannelState['status'], detail = '') => {
    if (!ending.signal.aborted) onState({ status, detail, at: new Date() });
  };

  const connect = async (): Promise<void> => {
    me = botUser.parse(await api.call('getMe', {}, timing.sendMs, ending.signal)).id;
    // A webhook that is set keeps polls from working. What waits behind it is kept.
    const { url = '' } = await api.call<{ url?: string }>('getWebhookInfo', {}, timing.sendMs, ending.signal);
    if (url !== '')
      log.warn({ channel: 'telegram' }, 'a webhook was set for this bot; it is removed, since Beckon polls');
    await api.call('deleteWebhook', { drop_pending_updates: false }, timing.sendMs, ending.signal);
  };

  const take = async (seconds: number): Promise<void> => {
    const payload = { offset, limit: 100, timeout: seconds, allowed_updates: ['message', 'callback_query'] };
    confirmed = offset;
    const raw = await api.call('getUpdates', payload, seconds * 1_000 + timing.sendMs, ending.signal);
    const batch = updates.parse(raw);
    const dealt = batch.map((update) => {
      // Not the highest ever seen: after a quiet week Telegram goes on with ids that may be lower.
      offset = update.update_id + 1;
      return onUpdate(update);
    });
    await within(batchMs, Promise.all(dealt));
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    while (!ending.signal.aborted) {
      try {
        if (failures === 0) say('connecting');
        await connect();
        // The first poll returns at once: only when it has worked are presses known to arrive.
        await take(0);
        say('up');
        failures = 0;
        while (!ending.signal.aborted) await take(timing.pollSeconds);
      } catch (error) {
        if (ending.signal.aborted) return;
        const { status, detail, waitMs } = explain(error, failures, timing);
        say(status, detail);
        failures += 1;
        await pause(waitMs, ending.signal);
      }
    }
  };

  return {
    start() {
      looping ??= run();
    },
    async stop() {
      ending.abort();
      await looping;
      // Without this Telegram would deliver the last batch again.
      if (offset === confirmed) return;
      await api.call('getUpdates', { offset, limit: 1, timeout: 0 }, confirmMs).catch((error: unknown) => {
        log.debug({ channel: 'telegram', err: error }, 'the last updates were not confirmed');
      });
    },
    botId: () => me,
  };
}

function explain(
  error: unknown,
  failures: number,
  timing: TelegramTiming,
): { readonly status: 'down' | 'misconfigured'; readonly detail: string; readonly waitMs: number } {
  const waitMs = backoffMs(failures, timing.retryMs, timing.retryMostMs);
  if (error instanceof TelegramError) {
    if (error.code === 401 || error.code === 404) {
      const detail = 'Telegram refused the token: check BECKON_TELEGRAM_TOKEN (@BotFather, /token)';
      return { status: 'misconfigured', detail, waitMs: timing.misconfiguredMs };
    }
    if (error.code === 409) {
      const detail = error.description.toLowerCase().includes('webhook')
        ? 'a webhook was set for this bot while Beckon polls: it is removed; find out who sets it'
        : 'another process polls with this token: stop it, or give Beckon a bot of its own';
      return { status: 'down', detail, waitMs: Math.max(waitMs, Math.min(3_000, timing.retryMostMs)) };
    }
    const retryAfterMs = (error.parameters?.retry_after ?? 0) * 1_000;
    return {
      status: 'down',
      detail: `Telegram said: ${error.description}; trying again`,
      waitMs: Math.max(waitMs, retryAfterMs),
    };
  }
  const why = error instanceof Error ? error.message : String(error);
  return { status: 'down', detail: `Telegram cannot be reached (${scrub(why)}); trying again`, waitMs };
}
