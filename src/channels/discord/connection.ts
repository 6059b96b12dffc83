import type { Interaction } from 'discord.js';
import type { ChannelLog } from '../channel-log.ts';
import type { ChannelState } from '../contract.ts';
import { backoffMs, pause } from '../waiting.ts';
import type { DiscordConfig } from './config.ts';
import { type GatewayClient, openGatewayClient } from './gateway-client.ts';
import { toLogLine } from './log-line.ts';
import type { DiscordTiming } from './timing.ts';

/** The inbound side: connects, stays connected, tells its state. Every failure is a state followed by another try. */
export interface Connection {
  stop(): Promise<void>;
}

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

  const tell = (status: ChannelState['status'], fault: string) => {
    const detail = fault === '' ? '' : `Discord: ${fault}`;
    if (stopping.signal.aborted || told === `${status} ${detail}`) return;
    told = `${status} ${detail}`;
    onState({ status, detail, at: new Date() });
  };

  const holdOne = async () => {
    client = openGatewayClient({
      config,
      timing,
      log,
      onInteraction,
      onUp() {
        failures = 0;
        tell('up', '');
      },
      onDown: () => tell('down', 'the connection was lost; connecting again'),
    });
    const { status, fault, waitMs } = await client.ended;
    tell(status, fault);
    await client.close();
    if (stopping.signal.aborted) return;
    const ms = waitMs ?? (status === 'misconfigured' ? timing.misconfiguredMs : backoffMs(failures, timing.retryMs, timing.retryMostMs));
    failures += 1;
    await pause(ms, stopping.signal);
  };

  const run = async () => {
    tell('connecting', '');
    while (!stopping.signal.aborted) {
      try {
        await holdOne();
      } catch (error) {
        log.error({ channel: 'discord', error: toLogLine(error) }, 'the Discord connection failed');
        tell('down', 'the connection failed; trying again');
        await pause(timing.retryMostMs, stopping.signal);
      }
    }
  };
  const running = run();

  return {
    async stop() {
      stopping.abort();
      await client?.close();
      await running;
    },
  };
}
