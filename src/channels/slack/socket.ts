import { type App, SocketModeReceiver } from '@slack/bolt';
import { z } from 'zod';
import type { ChannelLog } from '../channel-log.ts';
import { within } from '../waiting.ts';
import type { SlackConfig } from './config.ts';
import { createBoltLog } from './log.ts';

/** Why a connection ended: Slack's own reason from its `disconnect` frame, or `closed`. */
export type SocketEnd = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets' | 'closed';

/** One Socket Mode connection, from opening to its end. */
export interface SlackSocket {
  /** Slack said hello. Rejects when the connection could not be made. */
  readonly ready: Promise<void>;
  /** Never rejects. Resolves as soon as the connection is of no more use, even while it is still closing. */
  readonly ended: Promise<SocketEnd>;
  /** Gives the connection up within a second. May be called twice. */
  close(): Promise<void>;
}

const closeMs = 500;

/**
 * Opens one connection with Bolt's own receiver. The library's reconnecting is off, because it waits 5 s without any
 * connection, lets its waits grow to hours, and rejects unhandled when it fails for good: the caller opens the next one.
 */
export function openSocket(deps: {
  readonly config: SlackConfig;
  readonly app: App;
  readonly log: ChannelLog;
}): SlackSocket {
  const { config, app, log } = deps;
  const logger = createBoltLog(log);
  const abort = new AbortController();
  const receiver = new SocketModeReceiver({
    appToken: config.appToken,
    logger,
    autoReconnectEnabled: false,
    installerOptions: {
      clientOptions: {
        ...(config.apiUrl === undefined ? {} : { slackApiUrl: config.apiUrl }),
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: 10_000,
        fetch: (url, init = {}) => {
          const signals = init.signal === undefined ? [abort.signal] : [abort.signal, init.signal];
          return fetch(url, { ...init, signal: AbortSignal.any(signals) });
        },
      },
    },
    customPropertiesExtractor: ({ envelope_id }) => ({ envelopeId: String(envelope_id) }),
    processEventErrorHandler: async ({ error }) => {
      log.warn({ channel: 'slack', err: error }, 'a Slack event could not be handled');
      return false;
    },
  });
  receiver.init(app);
  const { client } = receiver;

  const gone = new Promise<void>((resolve) => {
    client.once('disconnected', () => resolve());
  });
  const ended = new Promise<SocketEnd>((resolve) => {
    void gone.then(() => resolve('closed'));
    // The library's handler is async and nobody waits for it: a frame it cannot read would end the process.
    const [handle] = client.listeners('ws_message');
    client.removeAllListeners('ws_message');
    client.on('ws_message', (data: unknown, isBinary: boolean) => {
      const reason = readDisconnect(data);
      Promise.resolve(handle?.(data, isBinary)).catch((error: unknown) => {
        log.warn({ channel: 'slack', err: error }, 'a frame from Slack could not be read');
      });
      if (reason !== null) resolve(reason);
    });
  });

  const started = receiver.start();
  const ready = Promise.race([
    started.then(
      () => undefined,
      (error: unknown) => {
        throw error ?? new Error('Slack closed the connection before it said hello');
      },
    ),
    ended.then((reason) => {
      throw new Error(`Slack ended the connection (${reason})`);
    }),
  ]);
  // Both sides of the race may be looked at by nobody.
  started.catch(() => {});
  ready.catch(() => {});

  let closing: Promise<void> | null = null;
  const close = async () => {
    abort.abort();
    void client.disconnect();
    if ((await within(closeMs, gone)) !== null) return;
    // A second call while the close handshake is open ends it without the peer, who would have 30 s.
    void client.disconnect();
    void client.disconnect();
    await within(closeMs, gone);
  };
  // The library does not look whether it was told to disconnect while it was asking for an address.
  client.on('connected', () => {
    if (closing !== null) void client.disconnect();
  });
  return {
    ready,
    ended,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Slack's reason when the frame tells us to go, else null. */
function readDisconnect(data: unknown): SocketEnd | null {
  if (typeof data !== 'string' || !data.includes('"disconnect"')) return null;
  const parsed = disconnectFrame.safeParse(parseJson(data));
  return parsed.success ? parsed.data.reason : null;
}

const disconnectFrame = z.object({
  type: z.literal('disconnect'),
  reason: z.enum(['warning', 'refresh_requested', 'link_disabled', 'too_many_websockets']).catch('refresh_requested'),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
