import { Client, Events, type Interaction } from 'discord.js';
import type { ChannelLog } from '../channel-log.ts';
import { within } from '../waiting.ts';
import type { DiscordConfig } from './config.ts';
import { type GatewayEnd, readClose, readLoginError } from './gateway-end.ts';
import { toLine } from './log-line.ts';
import { catchUnreadable, createShards } from './shards.ts';
import type { DiscordTiming } from './timing.ts';

/** One discord.js client from login to its end. The library reconnects and resumes in it; when it cannot, a new one is made. */
export interface GatewayClient {
  /** Resolves when this client will not come (back) up by itself; never rejects. */
  readonly ended: Promise<GatewayEnd>;
  /** Ends it for good: no socket, no further try, no event. Within about `closeMs`; never rejects. */
  close(): Promise<void>;
}

export function openGatewayClient(deps: {
  readonly config: DiscordConfig;
  readonly timing: DiscordTiming;
  readonly log: ChannelLog;
  readonly onUp: () => void;
  readonly onLost: () => void;
  readonly onInteraction: (interaction: Interaction) => void;
}): GatewayClient {
  const { config, timing, log } = deps;
  let lastFault = '';
  const fault = (what: string) => (error: unknown) => {
    lastFault = toLine(error);
    log.debug({ channel: 'discord', reason: lastFault }, what);
  };
  const shards = createShards({ helloMs: timing.helloMs, onFault: fault('a shard could not connect') });
  const client = new Client({
    // Buttons and forms come without any intent; without Guilds the library waits for no guild before it hands them on.
    intents: [],
    allowedMentions: { parse: [] },
    rest: {
      ...(config.apiUrl === undefined ? {} : { api: config.apiUrl }),
      timeout: timing.respondMs,
      retries: 0,
      rejectOnRateLimit: () => true,
    },
    ws: { buildStrategy: shards.build },
  });
  let closed = false;
  let end: (how: GatewayEnd) => void = () => {};
  const ended = new Promise<GatewayEnd>((resolve) => {
    end = resolve;
  });

  let late: NodeJS.Timeout | undefined;
  const expectUp = () => {
    late ??= setTimeout(() => {
      const why = lastFault === '' ? '' : `: ${lastFault}`;
      end({ status: 'down', detail: `the gateway was not up within ${timing.backMs / 1_000} s${why}; starting anew` });
    }, timing.backMs);
  };
  const up = () => {
    clearTimeout(late);
    late = undefined;
    lastFault = '';
    if (!closed) deps.onUp();
  };

  client.on(Events.Error, fault('discord.js reported an error'));
  client.on(Events.ShardError, fault('the gateway reported an error'));
  client.on(Events.Warn, fault('discord.js warned'));
  client.on(Events.ShardReady, up);
  client.on(Events.ShardResume, up);
  client.on(Events.ShardReconnecting, () => {
    if (closed) return;
    expectUp();
    deps.onLost();
  });
  client.on(Events.ShardDisconnect, ({ code }) => end(readClose(code)));
  client.on(Events.Invalidated, () => end({ status: 'down', detail: 'Discord ended the session; connecting anew' }));
  client.on(Events.InteractionCreate, (interaction) => {
    if (!closed) deps.onInteraction(interaction);
  });
  catchUnreadable(client.ws, fault('an event could not be read'));
  expectUp();
  client.login(config.token).catch((error: unknown) => end(readLoginError(error)));

  return {
    ended,
    async close() {
      closed = true;
      clearTimeout(late);
      late = undefined;
      shards.freeze();
      const destroyed = client.destroy().catch(fault('a client did not end cleanly'));
      await within(timing.closeMs, destroyed);
      shards.cut();
      end({ status: 'down', detail: 'stopped' });
    },
  };
}
