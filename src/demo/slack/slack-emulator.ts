import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChatMessage, ChatPerson, EmulatedChat } from '../emulator.ts';
import { createFaults, type SlackFaults } from './faults.ts';
import { createPeople } from './people.ts';
import { createRateLimits, defaultRates, type SlackRates } from './rates.ts';
import { createResponseUrls } from './response-urls.ts';
import { createSockets, type DisconnectReason } from './sockets.ts';
import { createViews } from './views.ts';
import { createWebApi, type SlackCall } from './web-api.ts';
import { bot, createWorkspace, type SlackPing } from './workspace.ts';

/** A Slack workspace on 127.0.0.1 that speaks the Web API and Socket Mode, with its limits and its faults. */
export interface SlackEmulator extends EmulatedChat {
  readonly platform: 'slack';
  readonly faults: SlackFaults;
  /** Whom messages notified, oldest first. */
  pings(): readonly SlackPing[];
  /** Web API calls taken, oldest first. */
  calls(): readonly SlackCall[];
  messagesIn(channelId: string): readonly ChatMessage[];
  /** Metadata as stored with a message of the main channel; null: none. */
  metadataOf(messageId: string): object | null;
  /** Removes a message, as a person with the right to does. */
  deleteMessage(messageId: string): void;
  archive(archived: boolean): void;
  /** Open Socket Mode connections. */
  connections(): number;
  /** Cuts every socket without a word. */
  closeSockets(): void;
  /** Sends a `disconnect` frame to the oldest connection or to all, as at Slack's hourly refresh. */
  disconnect(reason: DisconnectReason, which?: 'oldest' | 'all'): void;
  /** False: the sockets are there, but nothing is read or answered and nobody is greeted. True ends those connections. */
  setAlive(alive: boolean): void;
}

const people: readonly ChatPerson[] = [
  { id: 'U0ADA', name: 'Ada Lovelace' },
  { id: 'U0GRACE', name: 'Grace Hopper' },
  { id: 'U0MALLORY', name: 'Mallory Stranger' },
];
const mainRoom = 'C0AGENTS';
const tokens = { bot: 'xoxb-emulated-0-beckon', app: 'xapp-1-A0BECKON-emulated' } as const;

export async function createSlackEmulator(
  options: { readonly port?: number; readonly now?: () => Date; readonly rates?: Partial<SlackRates> } = {},
): Promise<SlackEmulator> {
  const now = options.now ?? (() => new Date());
  // Limits and deadlines run on real time even where a test moves the clock.
  const nowMs = () => performance.now();
  const members = new Set([bot.userId, ...people.map((person) => person.id)]);
  const room = { id: mainRoom, name: 'agents', members, archived: false };
  const server = createServer((request, response) => answer(request, response));
  const workspace = createWorkspace({ now, people, rooms: [room] });
  const views = createViews(nowMs);
  const responseUrls = createResponseUrls(workspace, nowMs);
  const faults = createFaults();
  const calls: SlackCall[] = [];
  const sockets = createSockets({ server, workspace });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const context = () => ({ workspace, sockets, views, socketBase: `ws://127.0.0.1:${port}` });
  const limits = createRateLimits({ ...defaultRates, ...options.rates }, nowMs);
  const answer = createWebApi({ context, tokens, faults, limits, responseUrls, calls });
  const baseUrl = `http://127.0.0.1:${port}`;
  const acts = createPeople({ workspace, sockets, views, responseUrls, baseUrl, mainRoom });

  return {
    platform: 'slack',
    apiUrl: `${baseUrl}/api/`,
    environment: {
      BECKON_SLACK_BOT_TOKEN: tokens.bot,
      BECKON_SLACK_APP_TOKEN: tokens.app,
      BECKON_SLACK_CHANNEL: mainRoom,
      BECKON_SLACK_APPROVERS: people
        .slice(0, 2)
        .map((person) => person.id)
        .join(','),
    },
    people,
    faults,
    ...acts,
    messages: () => workspace.messagesIn(mainRoom).map(workspace.draw),
    messagesIn: (channelId) => workspace.messagesIn(channelId).map(workspace.draw),
    metadataOf: (messageId) => workspace.find(mainRoom, messageId)?.metadata ?? null,
    deleteMessage(messageId) {
      const message = workspace.find(mainRoom, messageId);
      if (message !== null) workspace.remove(message);
    },
    archive: (archived) => {
      room.archived = archived;
    },
    privateNotes: workspace.notesOf,
    pings: workspace.pings,
    calls: () => [...calls],
    violations: workspace.violations,
    onChange: workspace.onChange,
    connections: sockets.count,
    closeSockets: sockets.kill,
    disconnect: (reason, which = 'oldest') => sockets.disconnect(reason, which),
    setAlive: sockets.setAlive,
    async stop() {
      sockets.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
