import type { ChannelLog } from '../channel-log.ts';
import type { ChannelHandlers } from '../contract.ts';
import type { Api } from './api.ts';
import { createPresses } from './presses.ts';
import { createReplies } from './replies.ts';
import { createTelling } from './telling.ts';
import type { TelegramTiming } from './timing.ts';
import type { Update } from './updates.ts';

/** Hands presses and replies on and shows each person what became of theirs. */
export interface Answers {
  /** Resolves when the update is dealt with. Never rejects. */
  take(update: Update): Promise<void>;
  /** Nothing is handed on afterwards. */
  stop(): void;
}

export function createAnswers(deps: {
  readonly handlers: ChannelHandlers;
  readonly api: Api;
  readonly timing: TelegramTiming;
  readonly botId: () => number | null;
  readonly log: ChannelLog;
}): Answers {
  const { handlers, api, timing, botId, log } = deps;
  let stopped = false;
  const telling = createTelling({ api, timing, log });
  const press = createPresses({ handlers, telling, timing });
  const reply = createReplies({ handlers, telling, botId, isStopped: () => stopped });

  return {
    async take({ callback_query: query, message }) {
      if (stopped) return;
      try {
        if (query !== undefined) await press(query);
        else if (message !== undefined) await reply(message);
      } catch (error) {
        log.error({ channel: 'telegram', err: error }, 'an update could not be dealt with');
      }
    },
    stop() {
      stopped = true;
    },
  };
}
