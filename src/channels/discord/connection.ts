import type { Interaction } from 'discord.js';
import type { ChannelLog } from '../channel-log.ts';
import type { ChannelState } from '../contract.ts';
import { backoffMs, pause } from '../waiting.ts';
import type { DiscordConfig } from './config.ts';
import { type GatewayClient, openGatewayClient } from './gateway-client.ts';
import { toLine } from './log-line.ts';
import type { DiscordTiming } from './timing.ts';

/** The gateway, kept connected until it is stopped. */
export interface Connection {
  stop(): Promise<void>;
}

/**
 * Supervises discord.js: its `isReady()` stays true on a dead gateway, and after close codes such as 4004, or with a
 * resume address that no longer answers, it never comes back by itself. So the state told is our own, and a client that
 * is not up in time is replaced.
 */
export function createConnection(deps: {
  readonly config: DiscordConfig;
  readonly timing: DiscordTiming;
  readonly log: ChannelLog;
  readonly onInteraction: (interaction: Interaction) => void;
  readonly onState: (state: ChannelState) => void;
}): Connection {
  const { config, timing, log, onInteraction, onState } = deps;
  const stopping = new AbortController();
  let client: GatewayClient | null = null;
  let failures = 0;
  let told = '';

  const tell = (status: ChannelState['status'], detail = '') => {
    // The library says "reconnecting" twice a second while Discord is away; a state is told when it changes.
    if (stopping.signal.aborted || told === `${status} ${detail}`) return;
    told = `${status} ${detail}`;
    onState({ status, detail, at: new Date() });
  };

  const run = async () => {
    tell('connecting', 'connecting to Discord');
    while (!stopping.signal.aborted) {
      client = openGatewayClient({
        config,
        timing,
        log,
        onInteraction,
        onUp() {
          failures = 0;
          tell('up');
        },
        onLost: () => tell('down', 'the gateway was lost; resuming'),
      });
      const end = await client.ended;
      await client.close();
      client = null;
      if (stopping.signal.aborted) return;
      tell(end.status, end.detail);
      const again =
        end.status === 'misconfigured'
          ? timing.misconfiguredMs
          : backoffMs(failures, timing.retryMs, timing.retryMostMs);
      await pause(Math.max(again, end.waitMs ?? 0), stopping.signal);
      failures += 1;
    }
  };
  const running = run().catch((error: unknown) => {
    // Nothing above should throw; if it does, the channel says so instead of going silent.
    log.error({ channel: 'discord', reason: toLine(error) }, 'the supervisor of the gateway failed');
    tell('down', 'the gateway cannot be kept up: restart Beckon');
  });

  return {
    async stop() {
      stopping.abort();
      await client?.close();
      await running;
    },
  };
}
