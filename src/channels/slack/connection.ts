import { App } from '@slack/bolt';
import type { ChannelLog } from '../channel-log.ts';
import type { ChannelState } from '../contract.ts';
import { pause } from '../waiting.ts';
import type { SlackConfig } from './config.ts';
import { createBoltLog } from './log.ts';
import { toSendError } from './send-errors.ts';
import { openSocket } from './socket.ts';
import { backoff, createSocketLine, type SocketLine } from './socket-line.ts';
import type { SlackTiming } from './timing.ts';
import type { Web } from './web.ts';

/** The inbound side: connects, stays connected, tells its state. Every failure is a state followed by another try. */
export interface Connection {
  stop(): Promise<void>;
}

/** Slack may refresh one connection while the other listens: no press meets a closed door. */
const lineCount = 2;

export function createConnection(deps: {
  readonly config: SlackConfig;
  readonly web: Web;
  readonly timing: SlackTiming;
  readonly log: ChannelLog;
  /** Adds the listeners to each new app. */
  readonly listen: (app: App) => void;
  readonly onState: (state: ChannelState) => void;
}): Connection {
  const { config, web, timing, log, listen, onState } = deps;
  const stopping = new AbortController();
  let lines: SocketLine[] = [];
  let told = '';

  const tell = (status: ChannelState['status'], detail: string) => {
    if (stopping.signal.aborted || told === `${status} ${detail}`) return;
    told = `${status} ${detail}`;
    onState({ status, detail, at: new Date() });
  };
  const sumUp = () => {
    const states = lines.map((line) => line.state());
    const worst =
      states.find(({ status }) => status === 'misconfigured') ?? states.find(({ status }) => status === 'down');
    if (states.some(({ status }) => status === 'up')) tell('up', '');
    else if (worst !== undefined) tell(worst.status, toDetail(worst.fault));
  };

  /** Who the bot is; asks until Slack accepts the token. Null: stopped. */
  const identify = async (): Promise<{ botId: string; botUserId: string } | null> => {
    for (let failures = 1; !stopping.signal.aborted; failures += 1) {
      try {
        const { bot_id, user_id } = await web.call(timing.sendMs, (client) => client.auth.test());
        return { botId: bot_id ?? '', botUserId: user_id ?? '' };
      } catch (error) {
        const { fate, message } = toSendError(error, 'signing in with the bot token (xoxb-)');
        const lasting = fate.kind === 'misconfigured';
        tell(lasting ? 'misconfigured' : 'down', toDetail(message));
        const wait = fate.kind === 'retry' ? fate.afterMs : null;
        await pause(wait ?? (lasting ? timing.misconfiguredMs : backoff(failures, timing)), stopping.signal);
      }
    }
    return null;
  };

  const run = async () => {
    tell('connecting', '');
    const identity = await identify();
    if (identity === null || stopping.signal.aborted) return;
    const app = await createApp(identity);
    if (stopping.signal.aborted) return;
    lines = Array.from({ length: lineCount }, (_, index) =>
      createSocketLine({
        open: () => openSocket({ config, app, log }),
        delayMs: index * timing.staggerMs,
        timing,
        onChange: sumUp,
      }),
    );
  };

  /** Bolt with our own receivers: it checks no token by itself, so nothing of it can reject while nobody listens. */
  const createApp = async (identity: { botId: string; botUserId: string }) => {
    const app = new App({
      authorize: async () => ({ botToken: config.botToken, ...identity }),
      receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
      logger: createBoltLog(log),
      deferInitialization: true,
      convoStore: false,
      clientOptions: {
        ...(config.apiUrl === undefined ? {} : { slackApiUrl: config.apiUrl }),
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        // For the replies to a press, which go to its response_url.
        fetch: (url, init) => fetch(url, { ...init, signal: init?.signal ?? AbortSignal.timeout(5_000) }),
      },
    });
    await app.init();
    app.error(async (error) => log.error({ channel: 'slack', err: error }, 'a Slack press could not be handled'));
    listen(app);
    return app;
  };

  const running = run().catch((error: unknown) => {
    log.error({ channel: 'slack', err: error }, 'Slack could not be started');
    tell('down', 'Slack could not be started; restart Beckon and look at its log');
  });

  return {
    async stop() {
      stopping.abort();
      await Promise.all(lines.map((line) => line.stop()));
      await running;
    },
  };
}

function toDetail(fault: string): string {
  return fault === '' ? '' : `Slack: ${fault}`;
}
