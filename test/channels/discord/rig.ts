import type {
  Answer,
  AnswerReply,
  Channel,
  ChannelAddress,
  ChannelHandlers,
  ChannelState,
} from '../../../src/channels/contract.ts';
import { createDiscordChannel } from '../../../src/channels/discord/channel.ts';
import type { DiscordTiming } from '../../../src/channels/discord/timing.ts';
import type { Page } from '../../../src/channels/page.ts';
import {
  createDiscordEmulator,
  type DiscordEmulator,
  type DiscordEmulatorOptions,
} from '../../../src/demo/discord/discord-emulator.ts';
import type { ChatMessage } from '../../../src/demo/emulator.ts';

export type Compose = Parameters<ChannelHandlers['onCompose']>[0];

/** The adapter on the real discord.js against the emulator, with handlers that a test can turn. */
export interface Rig {
  readonly chat: DiscordEmulator;
  readonly channel: Channel;
  readonly address: ChannelAddress;
  readonly answers: Answer[];
  readonly composes: Compose[];
  readonly states: ChannelState[];
  readonly logged: string[];
  readonly ada: string;
  /** What a person gets told; replace it to be slow. */
  onAnswer: (answer: Answer) => Promise<AnswerReply>;
  onCompose: ChannelHandlers['onCompose'];
  start(): void;
  whenUp(): Promise<void>;
  state(): string;
  stop(): Promise<void>;
}

export async function createRig(
  options: {
    readonly emulator?: DiscordEmulatorOptions;
    readonly timing?: Partial<DiscordTiming>;
    readonly token?: string;
    readonly apiUrl?: string;
  } = {},
): Promise<Rig> {
  const chat = await createDiscordEmulator(options.emulator);
  const { BECKON_DISCORD_TOKEN: token = '', BECKON_DISCORD_CHANNEL: chatId = '' } = chat.environment;
  const logged: string[] = [];
  const line = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const channel = createDiscordChannel(
    { token: options.token ?? token, apiUrl: options.apiUrl ?? chat.apiUrl },
    {
      log: { debug: line, info: line, warn: line, error: line },
      ...(options.timing ? { timing: options.timing } : {}),
    },
  );
  const rig: Rig = {
    chat,
    channel,
    address: { chatId },
    answers: [],
    composes: [],
    states: [],
    logged,
    ada: chat.people[0]?.id ?? '',
    onAnswer: async () => ({ fate: 'accepted', text: 'Recorded: approved.' }),
    onCompose: async () => null,
    start: () =>
      channel.start({
        onAnswer: (answer) => {
          rig.answers.push(answer);
          return rig.onAnswer(answer);
        },
        onCompose: (compose) => {
          rig.composes.push(compose);
          return rig.onCompose(compose);
        },
        findToken: async () => null,
        onState: (state) => void rig.states.push(state),
      }),
    state: () => rig.states.at(-1)?.status ?? 'none',
    whenUp: () => until('the channel is up', () => rig.state() === 'up', 8_000),
    async stop() {
      await channel.stop();
      await chat.stop();
    },
  };
  return rig;
}

export function somePage(more: Partial<Page> = {}): Page {
  return {
    token: 'tok_0123456789abcdefgh',
    kind: 'permission',
    instanceLabel: 'api · main',
    title: 'Deploy api_v2 to staging?',
    gist: 'Rolls out the *new* limiter.\n# not a heading',
    options: [],
    detailUrl: 'http://127.0.0.1:4747/requests/1',
    hasExtended: false,
    askedAt: new Date('2026-12-01T10:00:00Z'),
    expiresAt: new Date('2026-12-01T16:00:00Z'),
    notes: [],
    ...more,
  };
}

export function buttonOf(message: ChatMessage | undefined, label: string): string {
  const button = message?.buttons.find((one) => one.label.startsWith(label));
  if (button === undefined) throw new Error(`no button ${label} in ${JSON.stringify(message?.buttons)}`);
  return button.id;
}

/** Looks again and again until it is so; @throws naming what never came. */
export async function until(what: string, isSo: () => boolean, timeoutMs = 5_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`never happened within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
