import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmulatedChat } from '../emulator.ts';
import { createBotApi, type TelegramCall } from './bot-api.ts';
import { createCallbackQueries } from './callback-queries.ts';
import { createFaults, type TelegramFaults } from './faults.ts';
import { createGroup, type TelegramChat, type TelegramPerson, type TelegramPing } from './group.ts';
import { createPeople, type TelegramPeople } from './people.ts';
import { createRateLimits, defaultRates, type TelegramRates } from './rates.ts';
import { createUpdates } from './updates.ts';

/** A Telegram chat on 127.0.0.1 that speaks the Bot API with long polling, its limits and its faults. */
export interface TelegramEmulator extends EmulatedChat, Pick<TelegramPeople, 'pressWith'> {
  readonly platform: 'telegram';
  readonly faults: TelegramFaults;
  /** Bot API calls taken, oldest first. */
  calls(): readonly TelegramCall[];
  /** Whom messages of the bot notified by name, oldest first. */
  pings(): readonly TelegramPing[];
  /** Removes a message, as a person with the right to does. */
  deleteMessage(messageId: string): void;
  /** Makes a forum of the group: messages may go to this topic. */
  addTopic(threadId: number): void;
  /** The group gets another id; calls with the former one are told so. */
  migrate(newChatId: number): void;
  /** What the bot may do in the chat; all but `member` answer 403. */
  setAccess(access: TelegramChat['access']): void;
  /** True: the token is refused with 401 from now on. */
  revokeToken(revoked: boolean): void;
  setWebhook(url: string): void;
  webhookUrl(): string;
  /** Updates that wait for a poll or are not confirmed yet. */
  pendingUpdates(): number;
  /** A long poll is waiting right now. */
  isPolled(): boolean;
}

const people: readonly TelegramPerson[] = [
  { id: '510000001', name: 'Ada Lovelace', username: 'ada_lovelace' },
  { id: '510000002', name: 'Grace Hopper', username: 'grace_hopper' },
  { id: '510000003', name: 'Mallory Stranger', username: 'mallory_s' },
];
const token = '7000000001:AAEmulatedBeckonBotTokenForTheDemo';

/**
 * @param options.chat `private`: the first person's chat with the bot instead of a group
 * @param options.now dates messages and the expiry of updates; waiting runs on real time
 */
export async function createTelegramEmulator(
  options: {
    readonly port?: number;
    readonly now?: () => Date;
    readonly rates?: Partial<TelegramRates>;
    readonly chat?: 'group' | 'private';
  } = {},
): Promise<TelegramEmulator> {
  const now = options.now ?? (() => new Date());
  const isPrivate = options.chat === 'private';
  const members = isPrivate ? people.slice(0, 1) : people;
  const main: TelegramChat = {
    id: isPrivate ? Number(people[0]?.id) : -1_002_000_000_001,
    type: isPrivate ? 'private' : 'supergroup',
    title: isPrivate ? 'Ada' : 'Agents',
    access: 'member',
    topics: new Set(),
  };
  const group = createGroup({ now, people: members, main });
  const updates = createUpdates(now);
  const queries = createCallbackQueries({ group, now });
  const faults = createFaults();
  const limits = createRateLimits({ ...defaultRates, ...options.rates }, () => performance.now());
  const calls: TelegramCall[] = [];
  let revoked = false;
  const answer = createBotApi({
    context: { group, updates, queries, now },
    isToken: (given) => given === token && !revoked,
    faults,
    limits,
    calls,
  });
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    platform: 'telegram',
    apiUrl: `http://127.0.0.1:${port}/`,
    environment: {
      BECKON_TELEGRAM_TOKEN: token,
      BECKON_TELEGRAM_CHAT: String(main.id),
      BECKON_TELEGRAM_APPROVERS: members
        .slice(0, 2)
        .map((person) => person.id)
        .join(','),
    },
    people: members,
    faults,
    ...createPeople({ group, updates, queries }),
    messages: () => group.messages().map(group.draw),
    privateNotes: group.notesOf,
    pings: group.pings,
    calls: () => [...calls],
    violations: group.violations,
    onChange: group.onChange,
    deleteMessage(messageId) {
      const message = group.find(main.id, Number(messageId));
      if (message !== null) group.remove(message);
    },
    addTopic: (threadId) => void main.topics.add(threadId),
    migrate: group.migrate,
    setAccess: (access) => {
      main.access = access;
    },
    revokeToken: (value) => {
      revoked = value;
    },
    setWebhook: (url) => updates.setWebhook(url, false),
    webhookUrl: updates.webhookUrl,
    pendingUpdates: updates.pending,
    isPolled: updates.isPolled,
    async stop() {
      updates.stop();
      queries.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
