import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDiscordChannel } from '../channels/discord/channel.ts';
import { readDiscordConfig } from '../channels/discord/config.ts';
import { createSlackChannel } from '../channels/slack/channel.ts';
import { readSlackConfig } from '../channels/slack/config.ts';
import { createTelegramChannel } from '../channels/telegram/channel.ts';
import { readTelegramConfig } from '../channels/telegram/config.ts';
import type { SignIns } from '../ledger/index.ts';
import { clock, newId, newSecret, newToken } from '../ledger/runtime.ts';
import { openLedgerStore } from '../ledger/store/open-ledger-store.ts';
import { createMcpHttp } from '../mcp/http.ts';
import { createApiRouter } from '../web/api/api-router.ts';
import { createWebApp } from '../web/app.ts';
import { createBoard } from './board.ts';
import { createChanges } from './changes.ts';
import { createChannelHandlers } from './channel-handlers.ts';
import { type ConfiguredChannel, createChannelSet } from './channel-set.ts';
import { ConfigError, readConfig, type ServerConfig } from './config.ts';
import { createDeliverer } from './deliver.ts';
import { createDesk } from './desk.ts';
import { createExpirer } from './expire.ts';
import { createKeyRing, ensureLocalKey } from './key-ring.ts';
import { listen } from './listen.ts';
import type { Log } from './log.ts';
import { pageOf } from './page-of.ts';
import { createReceiveAnswer } from './receive-answer.ts';
import { createReviver } from './revive-addresses.ts';
import { createSettings } from './settings.ts';
import { createSignIns } from './sign-ins.ts';
import { createWaiters, type Waiters } from './waiters.ts';

/** What blocked callers have to read their rows and be told, at a stop. */
const lastWordsMs = 2_000;

export type Environment = Readonly<Record<string, string | undefined>>;

/** A running server. */
export interface Beckon {
  /** Where it listens, as this machine reaches it. */
  readonly url: URL;
  /** Where people reach the dashboard. */
  readonly publicUrl: URL;
  readonly channelTitles: readonly string[];
  readonly warnings: () => Promise<readonly string[]>;
  /** A fresh one-time link to the dashboard. */
  signInLink(displayName: string): Promise<URL>;
  /** Takes nothing new, finishes what is on its way and closes everything, within 10 s. Safe to call twice. */
  stop(): Promise<void>;
}

/** Everything the environment says, checked at once. @throws ConfigError */
export function readEnvironment(
  env: Environment,
  log: Log,
): { config: ServerConfig; configured: readonly ConfiguredChannel[] } {
  const channels = [
    toConfigured(readSlackConfig(env), (config) => createSlackChannel(config, { log })),
    toConfigured(readDiscordConfig(env), (config) => createDiscordChannel(config, { log })),
    toConfigured(readTelegramConfig(env), (config) => createTelegramChannel(config, { log })),
  ];
  const faults = channels.flatMap((channel) => ('faults' in channel ? channel.faults : []));
  const config = catchFaults(() => readConfig(env, channelVariables), faults);
  if (config === null || faults.length > 0) throw new ConfigError(faults);
  return {
    config,
    configured: channels.flatMap((channel) =>
      'configured' in channel && channel.configured ? [channel.configured] : [],
    ),
  };
}

const channelVariables = [
  ...['BOT_TOKEN', 'APP_TOKEN', 'CHANNEL', 'APPROVERS', 'API_URL'].map((name) => `BECKON_SLACK_${name}`),
  ...['TOKEN', 'CHANNEL', 'APPROVERS', 'API_URL'].map((name) => `BECKON_DISCORD_${name}`),
  ...['TOKEN', 'CHAT', 'APPROVERS', 'API_URL'].map((name) => `BECKON_TELEGRAM_${name}`),
];

/**
 * Builds and starts a server: the parts list. The port is taken first, so that a second server fails before it touches a chat.
 * @throws Error with a sentence: the port is in use, the data folder cannot be written, the database cannot be opened
 */
export async function startBeckon(deps: {
  readonly config: ServerConfig;
  readonly configured: readonly ConfiguredChannel[];
  readonly dataDir: string;
  readonly version: string;
  readonly log: Log;
}): Promise<Beckon> {
  const { config, configured, dataDir, version, log } = deps;
  const http = createServer();
  await listen(http, config.host, config.port);
  const { port } = http.address() as AddressInfo;
  const url = new URL(`http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`);
  const publicUrl = config.port === 0 && config.publicUrl.port === '0' ? url : config.publicUrl;
  const allowedHosts = [
    ...new Set(['127.0.0.1', 'localhost', '[::1]', publicUrl.hostname, url.hostname, ...config.allowedHosts]),
  ];

  try {
    // The ledger
    const store = await openLedgerStore({ url: databaseUrlOf(config, dataDir) });
    const instanceId = newId();
    // Two live servers of one machine cannot share it, since they cannot share the port; one that comes back has the same.
    const owner = `${hostname()}:${port}`;
    await ensureLocalKey({ store, clock, newId, newSecret, dataDir });

    // The engine
    const changes = createChanges({ onListenerError: (error) => log.error({ err: error }, 'a listener failed') });
    const waiters = createWaiters();
    const settings = createSettings({ store, clock, defaults: { ttlSeconds: config.defaultTtlSeconds } });
    const channelSet = createChannelSet({ configured, changes, clock, log });
    const receiveAnswer = createReceiveAnswer({ store, clock, changes, log });
    const render = (request: Parameters<typeof pageOf>[0], token: string) => pageOf(request, token, publicUrl);
    const deliverer = createDeliverer({
      store,
      channels: channelSet.byName,
      pageOf: render,
      changes,
      onSent: channelSet.noteSend,
      clock,
      owner,
      log,
    });
    const expirer = createExpirer({ store, changes, clock, log });
    const desk = createDesk({
      store,
      settings,
      waiters,
      changes,
      clock,
      newToken,
      channelTitle: channelSet.titleOf,
      chats: configured.map(({ channel }) => channel.info.title),
      onOpened: (request) => expirer.arm(request.expiresAt),
    });
    const reviver = createReviver({ store, configured, changes, clock, onRevived: deliverer.kick, log });
    const board = createBoard({ store, receiveAnswer, channelSet, settings, changes });
    changes.subscribe(({ kind, requestId }) => {
      if (kind !== 'request') return;
      if (requestId !== undefined) waiters.wake(requestId);
      deliverer.kick();
    });

    // The doors
    const keys = createKeyRing({ store, clock });
    const signIns = createSignIns({ store, clock, newSecret, newId });
    const mcp = createMcpHttp({ desk, keys, newId, clock, log, allowedHosts, version });
    const app = createWebApp({
      board,
      signIns,
      api: createApiRouter({ desk, keys, clock, log }),
      mcp: mcp.router,
      health: { version, instanceId, isReady: async () => readiness(await store.isWritable()) },
      publicUrl,
      allowedHosts,
      clock,
      log,
    });
    http.removeAllListeners('request');
    http.on('request', app);

    // Start: what is overdue ends, what is open shows itself as it is now, then people may press.
    const at = clock.now();
    await store.replaceAddresses(
      configured.map(({ channel, address }) => ({
        channel: channel.info.name,
        chatId: address.chatId,
        threadId: address.threadId ?? null,
      })),
      at,
    );
    await expirer.start();
    await store.refreshPages(at, owner);
    deliverer.start();
    reviver.start();
    for (const one of configured)
      one.channel.start(
        createChannelHandlers({ store, receiveAnswer, channelSet, channel: one.channel.info, changes, clock, log }),
      );

    const stop = async (): Promise<void> => {
      // Blocked calls are told that their request stays open while their streams can still carry it.
      await mcp.close();
      http.close();
      await endWaits(waiters, http);
      await Promise.all([expirer.stop(), reviver.stop(), ...configured.map(({ channel }) => channel.stop())]);
      await deliverer.stop();
      http.closeAllConnections();
      await store.close();
    };
    let stopping: Promise<void> | null = null;
    return {
      url,
      publicUrl,
      channelTitles: configured.map(({ channel }) => channel.info.title),
      warnings: () => board.warnings(),
      signInLink: async (displayName) =>
        new URL(`/sign-in/${(await signIns.createLink(displayName)).token}`, publicUrl),
      stop: () => {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    http.close();
    http.closeAllConnections();
    throw error;
  }
}

/** Long polls get the request as it is now, while their connections can still carry it. */
async function endWaits(waiters: Waiters, http: Server): Promise<void> {
  waiters.wakeAll();
  for (let leftMs = lastWordsMs; waiters.count > 0 && leftMs > 0; leftMs -= 10) await sleep(10);
  // The last of them has read its row; its response is written within a few turns.
  await sleep(lastWordsMs / 20);
  http.closeIdleConnections();
}

/** Sign-in links without a server, for commands on the server's machine. @throws Error when the database cannot be opened */
export async function openSignIns(deps: {
  readonly config: ServerConfig;
  readonly dataDir: string;
}): Promise<{ readonly signIns: SignIns; close(): Promise<void> }> {
  const store = await openLedgerStore({ url: databaseUrlOf(deps.config, deps.dataDir) });
  return { signIns: createSignIns({ store, clock, newSecret, newId }), close: () => store.close() };
}

function databaseUrlOf(config: ServerConfig, dataDir: string): string {
  return config.databaseUrl ?? `file:${join(dataDir, 'beckon.db')}`;
}

function readiness(writable: boolean): { ok: boolean; checks: Record<string, string> } {
  return {
    ok: writable,
    checks: { database: writable ? 'ok' : 'a write could not be committed: check disk space and the database' },
  };
}

type Read<C> =
  | {
      readonly ok: true;
      readonly config: {
        readonly channel: C;
        readonly address: ConfiguredChannel['address'];
        readonly approvers: readonly string[];
      } | null;
    }
  | { readonly ok: false; readonly faults: readonly string[] };

function toConfigured<C>(read: Read<C>, create: (config: C) => ConfiguredChannel['channel']) {
  if (!read.ok) return { faults: read.faults };
  if (read.config === null) return { configured: null };
  const { channel, address, approvers } = read.config;
  return { configured: { channel: create(channel), address, approvers } };
}

function catchFaults<T>(read: () => T, faults: string[]): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults);
    return null;
  }
}
