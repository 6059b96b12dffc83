import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Beckon, readEnvironment, startBeckon } from '../../src/bot/compose.ts';
import { createLog } from '../../src/bot/log.ts';
import { createDiscordEmulator, type DiscordEmulator } from '../../src/demo/discord/discord-emulator.ts';
import type { ChatMessage, EmulatedChat } from '../../src/demo/emulator.ts';
import { createSlackEmulator, type SlackEmulator } from '../../src/demo/slack/slack-emulator.ts';
import { createTelegramEmulator, type TelegramEmulator } from '../../src/demo/telegram/telegram-emulator.ts';
import type { RequestResult } from '../../src/ledger/index.ts';

/** The whole product on a temporary data folder, with the three emulated chats and the real client libraries. */
export interface RunningBeckon {
  readonly beckon: Beckon;
  readonly chats: {
    readonly slack: SlackEmulator;
    readonly discord: DiscordEmulator;
    readonly telegram: TelegramEmulator;
  };
  /** The local key of this data folder. */
  readonly key: string;
  readonly dataDir: string;
  /** A real MCP client over streamable HTTP. */
  agent(): Promise<Client>;
  /** Stops the server and starts another on the same data folder; the chats stay. */
  restart(whileDown?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export async function startRunningBeckon(more: Readonly<Record<string, string>> = {}): Promise<RunningBeckon> {
  const dataDir = await mkdtemp(join(tmpdir(), 'beckon-story-'));
  const [slack, discord, telegram] = await Promise.all([
    createSlackEmulator({}),
    createDiscordEmulator({}),
    createTelegramEmulator({}),
  ]);
  const chats = { slack, discord, telegram };
  const env = {
    BECKON_PORT: '0',
    ...Object.assign({}, ...Object.values(chats).map((chat) => chat.environment)),
    ...Object.fromEntries(
      Object.values(chats).map((chat) => [`BECKON_${chat.platform.toUpperCase()}_API_URL`, chat.apiUrl]),
    ),
    ...more,
  };
  const start = () => {
    const log = createLog(process.env.BECKON_TEST_LOG ?? 'silent');
    const { config, configured } = readEnvironment(env, log);
    return startBeckon({ config, configured, dataDir, version: 'test', log });
  };
  let beckon = await start();
  const clients = new Set<Client>();
  const key = (await readFile(join(dataDir, 'local-key'), 'utf8')).trim();

  return {
    get beckon() {
      return beckon;
    },
    chats,
    key,
    dataDir,
    async agent() {
      const client = new Client({ name: 'story-agent', version: '1' });
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/', beckon.url), { requestInit }));
      clients.add(client);
      return client;
    },
    async restart(whileDown = async () => {}) {
      await beckon.stop();
      await whileDown();
      beckon = await start();
    },
    async stop() {
      await Promise.allSettled([...clients].map((client) => client.close()));
      await beckon.stop();
      await Promise.all(Object.values(chats).map((chat) => chat.stop()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Asks with a real client and waits as long as it takes, as an agent with progress would. */
export async function ask(client: Client, tool: string, args: Record<string, unknown>): Promise<RequestResult> {
  const result = await client.callTool(
    { name: tool, arguments: args },
    { timeout: 60_000, resetTimeoutOnProgress: true, onprogress: () => {} },
  );
  return result.structuredContent as RequestResult;
}

/** The newest message of the chat that shows the title; waits for it until the deadline. */
export async function messageWith(chat: EmulatedChat, title: string, timeoutMs = 10_000): Promise<ChatMessage> {
  return until(`${chat.platform} shows ${JSON.stringify(title)}`, timeoutMs, () =>
    chat.messages().findLast((message) => message.text.includes(title)),
  );
}

/** Presses the button whose label starts so, on the newest message that shows the title. */
export async function press(
  chat: EmulatedChat,
  title: string,
  label: string,
  person = chat.people[0]?.id ?? '',
): Promise<void> {
  const { message, button } = await until(
    `${chat.platform} offers ${label} on ${JSON.stringify(title)}`,
    10_000,
    () => {
      const message = chat
        .messages()
        .findLast((one) => one.text.includes(title) && one.buttons.some((button) => button.label.startsWith(label)));
      const button = message?.buttons.find((one) => one.label.startsWith(label));
      return message && button ? { message, button } : undefined;
    },
  );
  await chat.press(person, message.id, button.id);
}

/** Looks again and again until there is something; @throws naming what never came */
export async function until<T>(
  what: string,
  timeoutMs: number,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`never happened within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until the message about this title has no answering button and shows the words. */
export async function settledCopy(chat: EmulatedChat, title: string, ...words: string[]): Promise<ChatMessage> {
  return until(
    `${chat.platform} shows the outcome ${JSON.stringify(words)} of ${JSON.stringify(title)}`,
    15_000,
    () => {
      const message = chat.messages().findLast((one) => one.text.includes(title));
      if (message === undefined || message.buttons.some((button) => button.look !== 'link')) return undefined;
      return words.every((word) => message.text.toLowerCase().includes(word.toLowerCase())) ? message : undefined;
    },
  );
}
