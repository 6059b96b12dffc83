import { Telegraf, type Telegram, TelegramError } from 'telegraf';
import { expect, onTestFinished, vi } from 'vitest';
import { createTelegramEmulator, type TelegramEmulator } from '../../../src/demo/telegram/telegram-emulator.ts';

export interface World {
  readonly chat: TelegramEmulator;
  readonly bot: Telegraf;
  readonly telegram: Telegram;
  readonly chatId: string;
  /** Lets the emulator's clock go on. */
  pass(ms: number): void;
}

/** An emulator on a movable clock, and the real telegraf, not yet polling. */
export async function createWorld(options: Parameters<typeof createTelegramEmulator>[0] = {}): Promise<World> {
  let ahead = 0;
  const chat = await createTelegramEmulator({ now: () => new Date(Date.now() + ahead), ...options });
  onTestFinished(() => chat.stop());
  const bot = new Telegraf(chat.environment.BECKON_TELEGRAM_TOKEN ?? '', { telegram: { apiRoot: chat.apiUrl } });
  const chatId = chat.environment.BECKON_TELEGRAM_CHAT ?? '';
  return {
    chat,
    bot,
    telegram: bot.telegram,
    chatId,
    pass: (ms) => {
      ahead += ms;
    },
  };
}

/** Starts polling; resolves when the first poll waits. The promise of the launch tells how polling ended. */
export async function launch({ bot, chat }: World): Promise<{ readonly ended: Promise<unknown> }> {
  const ended = bot.launch().then(
    () => 'stopped',
    (error: unknown) => error,
  );
  await until(() => chat.polling());
  onTestFinished(async () => {
    try {
      bot.stop();
    } catch {
      // It has stopped by itself.
    }
    await ended;
  });
  return { ended };
}

/** The refusal of a call, as telegraf reports it. */
export async function refusalOf(call: Promise<unknown>): Promise<TelegramError['response']> {
  const error = await call.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(TelegramError);
  return (error as TelegramError).response;
}

/** A bare call, as a client other than telegraf makes it. */
export async function fetchMethod(chat: TelegramEmulator, method: string, init: RequestInit = {}) {
  const response = await fetch(`${chat.apiUrl}/bot${chat.environment.BECKON_TELEGRAM_TOKEN}/${method}`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export async function until(condition: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      if (!condition()) throw new Error(`not yet: ${condition}`);
    },
    { timeout: 8_000, interval: 10 },
  );
}
