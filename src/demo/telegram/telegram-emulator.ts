import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmulatedChat } from '../emulator.ts';
import type { JsonObject } from '../json.ts';
import { createBotApi, type TelegramCall } from './bot-api.ts';
import { createCallbackQueries } from './callback-queries.ts';
import { createFaults, type TelegramFaults } from './faults.ts';
import { createGroup, type TelegramChat, type TelegramPerson, type TelegramPing } from './group.ts';
import { createMethods } from './methods.ts';
import { toMigration } from './payloads.ts';
import { createPeople } from './people.ts';
import { createRateLimits, defaultRates, type TelegramRates } from './rates.ts';
import { createUpdates } from './updates.ts';

/** A Telegram group on 127.0.0.1 behind the Bot API with long polling, with its limits and its faults. */
export interface TelegramEmulator extends EmulatedChat {
  readonly platform: 'telegram';
  readonly faults: TelegramFaults;
  /** Whom messages of the bot notified, oldest first. */
  pings(): readonly TelegramPing[];
  /** Bot API calls taken, oldest first. */
  calls(): readonly TelegramCall[];
  /** Updates that the bot has not confirmed and that have not expired. */
  pendingUpdates(): readonly JsonObject[];
  /** True while a poll waits for updates. */
  polling(): boolean;
  /** Removes a message, as a person with the right to does. */
  deleteMessage(messageId: string): void;
  /** False: everything answers 401, the waiting poll too. */
  setToken(valid: boolean): void;
  /** Sets the webhook behind the bot's back; an empty one removes it. While it is set, polls answer 409. */
  setWebhook(url: string): void;
  /** Another process polls with the same token: the older poll of the two ends with 409, over and over. Returns what stops it. */
  startSecondPoller(): () => void;
  /** The group becomes a supergroup with another id: calls to the old one answer 400 with `migrate_to_chat_id`. */
  migrate(newId: number): void;
  /** Calls to the chat answer 403, as after the person blocked the bot. */
  block(): void;
  /** Calls to the chat answer 403, as after the bot was removed from the group. */
  kick(): void;
  /** Takes `block` and `kick` back. */
  admit(): void;
  /** Makes the group a forum with this topic. */
  addTopic(threadId: number): void;
}

const people: readonly TelegramPerson[] = [
  { id: '501000001', name: 'Ada Lovelace', username: 'ada_lovelace' },
  { id: '501000002', name: 'Grace Hopper', username: 'grace_hopper' },
  { id: '501000003', name: 'Mallory Stranger', username: 'mallory_stranger' },
];
const botToken = '7000000001:AAEmulated-token-of-the-beckon-bot-0';

export async function createTelegramEmulator(
  options: { readonly port?: number; readonly now?: () => Date; readonly rates?: Partial<TelegramRates> } = {},
): Promise<TelegramEmulator> {
  // Updates and presses age by this clock; polls and rate limits run on real time.
  const now = options.now ?? (() => new Date());
  const main: TelegramChat = {
    id: -1_002_000_000_001,
    type: 'supergroup',
    title: 'Agents',
    access: 'member',
    topics: new Set(),
  };
  const group = createGroup({ now, people, main });
  const updates = createUpdates(now);
  const queries = createCallbackQueries(now);
  const faults = createFaults();
  const webhook = { url: '' };
  const token = { text: botToken, valid: true };
  const calls: TelegramCall[] = [];
  const rivals = new Set<() => void>();
  const limits = createRateLimits({ ...defaultRates, ...options.rates }, () => performance.now());
  const context = { group, updates, queries, now };
  const methods = createMethods(webhook);
  const server = createServer(createBotApi({ context, methods, token, faults, limits, calls }));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    platform: 'telegram',
    apiUrl: `http://127.0.0.1:${port}`,
    environment: {
      BECKON_TELEGRAM_TOKEN: botToken,
      BECKON_TELEGRAM_CHAT: String(main.id),
      BECKON_TELEGRAM_APPROVERS: people
        .slice(0, 2)
        .map((person) => person.id)
        .join(','),
    },
    people,
    faults,
    ...createPeople({ group, updates, queries }),
    messages: () => group.messages().map(group.draw),
    deleteMessage(messageId) {
      const message = group.messages().find((one) => String(one.id) === messageId);
      if (message !== undefined) group.remove(message);
    },
    setToken(valid) {
      token.valid = valid;
      if (!valid) updates.end('unauthorized');
    },
    setWebhook(url) {
      webhook.url = url;
      if (url !== '') updates.end('webhook');
    },
    startSecondPoller() {
      const stop = updates.startRival();
      rivals.add(stop);
      return stop;
    },
    migrate(newId) {
      updates.add('message', toMigration(group, newId, now()));
      group.migrate(newId);
    },
    block: () => {
      main.access = 'blocked';
    },
    kick: () => {
      main.access = 'kicked';
    },
    admit: () => {
      main.access = 'member';
    },
    addTopic: (threadId) => void main.topics.add(threadId),
    pendingUpdates: updates.pending,
    polling: updates.polling,
    privateNotes: group.notesOf,
    pings: group.pings,
    calls: () => [...calls],
    violations: group.violations,
    onChange: group.onChange,
    async stop() {
      for (const stopRival of rivals) stopRival();
      updates.end('gone');
      queries.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
