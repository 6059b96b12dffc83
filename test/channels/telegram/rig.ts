import { onTestFinished, vi } from 'vitest';
import type { ChannelLog } from '../../../src/channels/channel-log.ts';
import type { Answer, Channel, ChannelAddress, ChannelHandlers, ChannelState } from '../../../src/channels/contract.ts';
import type { Page } from '../../../src/channels/page.ts';
import { createTelegramChannel } from '../../../src/channels/telegram/channel.ts';
import type { TelegramTiming } from '../../../src/channels/telegram/timing.ts';
import type { ChatMessage } from '../../../src/demo/emulator.ts';
import { createTelegramEmulator, type TelegramEmulator } from '../../../src/demo/telegram/telegram-emulator.ts';

export const token = 'AbCdEf0123456789_-xyzQ';

/** Retries are shortened; everything else is as in production. */
export const quick: Partial<TelegramTiming> = { retryMs: 30, retryMostMs: 200, misconfiguredMs: 200 };

export interface Rig {
  readonly chat: TelegramEmulator;
  readonly channel: Channel;
  readonly address: ChannelAddress;
  readonly ada: string;
  readonly stranger: string;
  readonly answers: Answer[];
  readonly states: ChannelState[];
  /** Warnings and errors for the operator. */
  readonly logged: string[];
  /** Lets the emulator's clock go on. */
  pass(ms: number): void;
  /** Another adapter with the same token, as after a restart or in a second process. */
  another(timing?: Partial<TelegramTiming>): Channel;
  /** Connects the inbound side; resolves when it is up. */
  connect(handlers?: Partial<ChannelHandlers>, channel?: Channel): Promise<void>;
  button(label: string): Promise<void>;
  page(): ChatMessage;
}

/** The real adapter with the real telegraf against the emulated chat on a movable clock. */
export async function createRig(
  options: Parameters<typeof createTelegramEmulator>[0] & { readonly timing?: Partial<TelegramTiming> } = {},
): Promise<Rig> {
  const { timing, ...rest } = options;
  let ahead = 0;
  const chat = await createTelegramEmulator({ now: () => new Date(Date.now() + ahead), ...rest });
  const logged: string[] = [];
  const note = (_fields: object, message: string) => void logged.push(message);
  const log: ChannelLog = { debug() {}, info() {}, warn: note, error: note };
  const config = { token: chat.environment.BECKON_TELEGRAM_TOKEN ?? '', apiUrl: chat.apiUrl };
  const channels: Channel[] = [];
  const another = (more: Partial<TelegramTiming> = {}) => {
    const made = createTelegramChannel(config, { log, timing: { ...quick, ...timing, ...more } });
    channels.push(made);
    return made;
  };
  const channel = another();
  const answers: Answer[] = [];
  const states: ChannelState[] = [];
  onTestFinished(async () => {
    await Promise.all(channels.map((one) => one.stop()));
    await chat.stop();
  });
  const ada = chat.people[0]?.id ?? '';
  const page = () => {
    const found = chat.messages().find((message) => message.author === 'Beckon');
    if (found === undefined) throw new Error('there is no page');
    return found;
  };

  return {
    chat,
    channel,
    address: { chatId: chat.environment.BECKON_TELEGRAM_CHAT ?? '' },
    ada,
    stranger: chat.people.at(-1)?.id ?? '',
    answers,
    states,
    logged,
    pass: (ms) => {
      ahead += ms;
    },
    another,
    async connect(handlers = {}, made = channel) {
      const from = states.length;
      made.start({
        onCompose: async () => null,
        findToken: async () => null,
        ...handlers,
        onAnswer(answer) {
          answers.push(answer);
          return (
            handlers.onAnswer?.(answer) ?? Promise.resolve({ fate: 'accepted', text: 'Approved. The agent goes on.' })
          );
        },
        onState(state) {
          states.push(state);
          handlers.onState?.(state);
        },
      });
      await until(() => states.slice(from).some((state) => state.status === 'up'));
    },
    async button(label) {
      const message = page();
      const found = message.buttons.find((one) => one.label.includes(label));
      if (found === undefined) throw new Error(`no button ${label} among ${message.buttons.map((one) => one.label)}`);
      await chat.press(ada, message.id, found.id);
    },
    page,
  };
}

export function permission(parts: Partial<Page> = {}): Page {
  return {
    token,
    kind: 'permission',
    instanceLabel: 'shop · main',
    title: 'Run the migration?',
    gist: 'It adds a column to orders.',
    options: [],
    hasExtended: false,
    askedAt: new Date('2026-12-01T10:00:00Z'),
    expiresAt: new Date('2026-12-01T16:00:00Z'),
    notes: [],
    ...parts,
  };
}

export function steering(parts: Partial<Page> = {}): Page {
  const options = [
    { label: 'Backoff with jitter', recommended: true },
    { label: 'Fixed 2 s', recommended: false },
  ];
  return permission({ kind: 'steering', title: 'Which retry strategy?', options, ...parts });
}

export async function until(condition: () => boolean, timeout = 8_000): Promise<void> {
  await vi.waitFor(
    () => {
      if (!condition()) throw new Error(`not yet: ${condition}`);
    },
    { timeout, interval: 10 },
  );
}
