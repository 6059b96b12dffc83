import { onTestFinished, vi } from 'vitest';
import type { Answer, AnswerReply, ChannelHandlers, ChannelState } from '../../../src/channels/contract.ts';
import type { Page } from '../../../src/channels/page.ts';
import { createSlackChannel } from '../../../src/channels/slack/channel.ts';
import type { SlackConfig } from '../../../src/channels/slack/config.ts';
import type { SlackTiming } from '../../../src/channels/slack/timing.ts';
import type { SlackRates } from '../../../src/demo/slack/rates.ts';
import { createSlackEmulator } from '../../../src/demo/slack/slack-emulator.ts';

export const address = { chatId: 'C0AGENTS' } as const;
export const [ada, grace, mallory] = ['U0ADA', 'U0GRACE', 'U0MALLORY'] as const;

/** A page of a permission that was asked for just now. */
export function pageOf(parts: Partial<Page> = {}): Page {
  return {
    token: 'pg_0123456789abcdefghijkl',
    kind: 'permission',
    instanceLabel: 'shop · main',
    title: 'Run the migration?',
    gist: 'It adds a column to orders.',
    options: [],
    hasExtended: false,
    askedAt: new Date(Date.now() + 1_000),
    expiresAt: new Date('2026-12-01T18:00:00Z'),
    notes: [],
    ...parts,
  };
}

/** The adapter with the real Bolt against an emulated workspace; both end with the test. */
export async function createSlackWorld(
  options: {
    readonly onAnswer?: (answer: Answer) => Promise<AnswerReply>;
    readonly onCompose?: ChannelHandlers['onCompose'];
    readonly config?: Partial<SlackConfig>;
    readonly timing?: Partial<SlackTiming>;
    readonly rates?: Partial<SlackRates>;
  } = {},
) {
  const slack = await createSlackEmulator(options.rates === undefined ? {} : { rates: options.rates });
  const lines: string[] = [];
  const note = (fields: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? value.message : value))}`);
  };
  const channel = createSlackChannel(
    {
      botToken: slack.environment.BECKON_SLACK_BOT_TOKEN ?? '',
      appToken: slack.environment.BECKON_SLACK_APP_TOKEN ?? '',
      apiUrl: slack.apiUrl,
      ...options.config,
    },
    {
      log: { debug: () => {}, info: note, warn: note, error: note },
      timing: { staggerMs: 0, retryMs: 50, retryMostMs: 300, misconfiguredMs: 200, ...options.timing },
    },
  );
  const answers: Answer[] = [];
  const states: ChannelState[] = [];
  const handlers: ChannelHandlers = {
    onAnswer(answer) {
      answers.push(answer);
      return options.onAnswer?.(answer) ?? Promise.resolve({ fate: 'accepted', text: 'Approved. The agent goes on.' });
    },
    onCompose: (compose) => options.onCompose?.(compose) ?? Promise.resolve(null),
    findToken: () => Promise.resolve(null),
    onState: (state) => {
      states.push(state);
    },
  };
  onTestFinished(async () => {
    await channel.stop();
    await slack.stop();
  });
  return {
    slack,
    channel,
    answers,
    states,
    lines,
    start: () => channel.start(handlers),
    /** Starts and waits until both connections stand. */
    async connect() {
      channel.start(handlers);
      await until(() => slack.connections() === 2 && states.at(-1)?.status === 'up');
    },
    only() {
      const [message, ...others] = slack.messages();
      if (message === undefined || others.length > 0) throw new Error(`expected one message, not ${others.length + 1}`);
      return message;
    },
  };
}

/** Waits for a condition with a deadline. */
export async function until(condition: () => boolean, timeout = 8_000): Promise<void> {
  await vi.waitFor(
    () => {
      if (!condition()) throw new Error(`not yet: ${condition}`);
    },
    { timeout, interval: 10 },
  );
}
