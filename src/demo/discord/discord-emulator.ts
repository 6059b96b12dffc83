import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChatMessage, ChatPerson, EmulatedChat } from '../emulator.ts';
import type { JsonObject } from '../json.ts';
import { createFaults, type DiscordFaults } from './faults.ts';
import { createGateway, type GatewayFaults } from './gateway.ts';
import { createGuild, type DiscordPing, type DiscordRoom } from './guild.ts';
import { createInteractions, defaultInteractionLimits, type InteractionLimits } from './interactions.ts';
import { createModals } from './modals.ts';
import { createPeople } from './people.ts';
import { createRateLimits, type DiscordRates, defaultRates } from './rates.ts';
import { createRestApi, type DiscordCall } from './rest-api.ts';
import { createSnowflakes } from './snowflakes.ts';

/** A Discord server on 127.0.0.1 that speaks the REST API and the gateway (v10), with their limits and faults. */
export interface DiscordEmulator extends EmulatedChat {
  readonly platform: 'discord';
  readonly faults: DiscordFaults;
  readonly gateway: GatewayFaults & {
    connections(): number;
    readonly counts: { readonly identify: number; readonly resume: number };
  };
  /** Whom messages notified, oldest first. */
  pings(): readonly DiscordPing[];
  /** REST calls taken, oldest first. */
  calls(): readonly DiscordCall[];
  messagesIn(channelId: string): readonly ChatMessage[];
  /** Embeds of a message of the main channel as they are stored. */
  embedsOf(messageId: string): readonly JsonObject[];
  /** Removes a message, as a person with the right to does. */
  deleteMessage(messageId: string): void;
  /** What the bot may do in the main channel; false: 50001, 50013. */
  setAccess(access: Partial<Pick<DiscordRoom, 'visible' | 'writable'>>): void;
}

export interface DiscordEmulatorOptions {
  readonly port?: number;
  /** What people see as the time of messages. Deadlines and limits run on real time. */
  readonly now?: () => Date;
  readonly rates?: Partial<DiscordRates>;
  readonly limits?: Partial<InteractionLimits>;
  readonly heartbeatMs?: number;
}

const people: readonly ChatPerson[] = [
  { id: '130000000000000001', name: 'Ada Lovelace' },
  { id: '130000000000000002', name: 'Grace Hopper' },
  { id: '130000000000000003', name: 'Mallory Stranger' },
];
const mainRoom = '140000000000000001';
const token = 'MTEwMDAwMDAwMDAwMDAwMDAx.Emulat.ed-token-of-the-beckon-bot-000000000000';

export async function createDiscordEmulator(options: DiscordEmulatorOptions = {}): Promise<DiscordEmulator> {
  const now = options.now ?? (() => new Date());
  const nowMs = () => performance.now();
  const newId = createSnowflakes(now);
  const room: DiscordRoom = { id: mainRoom, name: 'agents', type: 0, visible: true, writable: true };
  const guild = createGuild({ now, newId, people, rooms: [room] });
  const interactions = createInteractions({ ...defaultInteractionLimits, ...options.limits }, nowMs);
  const modals = createModals();
  const faults = createFaults();
  const calls: DiscordCall[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const gatewayUrl = () => `ws://127.0.0.1:${port}`;
  const gateway = createGateway({
    server,
    guild,
    token,
    heartbeatMs: options.heartbeatMs ?? 41_250,
    baseUrl: gatewayUrl,
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const context = () => ({ guild, gateway, interactions, modals, gatewayUrl: gatewayUrl() });
  const limits = createRateLimits({ ...defaultRates, ...options.rates }, nowMs);
  const answer = createRestApi({ context, token, faults, limits, calls });
  const acts = createPeople({ guild, gateway, interactions, modals, newId, mainRoom });

  return {
    platform: 'discord',
    apiUrl: `http://127.0.0.1:${port}/api`,
    environment: {
      BECKON_DISCORD_TOKEN: token,
      BECKON_DISCORD_CHANNEL: mainRoom,
      BECKON_DISCORD_APPROVERS: people
        .slice(0, 2)
        .map((person) => person.id)
        .join(','),
    },
    people,
    faults,
    gateway,
    ...acts,
    messages: () => guild.messagesIn(mainRoom).map(guild.draw),
    messagesIn: (channelId) => guild.messagesIn(channelId).map(guild.draw),
    embedsOf: (messageId) => guild.find(mainRoom, messageId)?.embeds ?? [],
    deleteMessage(messageId) {
      const message = guild.find(mainRoom, messageId);
      if (message !== null) guild.remove(message);
    },
    setAccess: (access) => void Object.assign(room, access),
    privateNotes: guild.notesOf,
    pings: guild.pings,
    calls: () => [...calls],
    violations: guild.violations,
    onChange: guild.onChange,
    async stop() {
      interactions.stop();
      gateway.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
