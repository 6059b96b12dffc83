import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import type { ChannelState } from '../contract.ts';
import { pause, within } from '../waiting.ts';
import { toSendError } from './send-errors.ts';
import type { SlackSocket, SocketEnd } from './socket.ts';
import type { SlackTiming } from './timing.ts';

/** How a line stands; `fault` is empty when up. */
export interface LineState {
  readonly status: ChannelState['status'];
  readonly fault: string;
}

/** Keeps one connection open until it is stopped: connects, and connects again, for ever. Never throws. */
export interface SocketLine {
  state(): LineState;
  stop(): Promise<void>;
}

export function createSocketLine(deps: {
  readonly open: () => SlackSocket;
  /** Wait before the first connection, in milliseconds. */
  readonly delayMs: number;
  readonly timing: SlackTiming;
  readonly onChange: () => void;
}): SocketLine {
  const { open, delayMs, timing, onChange } = deps;
  const stopping = new AbortController();
  let state: LineState = { status: 'connecting', fault: '' };
  let socket: SlackSocket | null = null;
  let failures = 0;

  const turn = (next: LineState) => {
    state = next;
    if (!stopping.signal.aborted) onChange();
  };
  const fail = async (next: LineState, waitMs: number | null) => {
    failures += 1;
    turn(next);
    const ms = waitMs ?? (next.status === 'misconfigured' ? timing.misconfiguredMs : backoff(failures, timing));
    await pause(ms, stopping.signal);
  };

  const holdOne = async (current: SlackSocket) => {
    try {
      if ((await within(timing.helloMs, current.ready)) === null) throw new Error('Slack did not say hello in time');
    } catch (error) {
      void current.close();
      const reason = await within(0, current.ended);
      return fail(...readFailure(error, reason?.value));
    }
    const since = performance.now();
    turn({ status: 'up', fault: '' });
    const reason = await current.ended;
    void current.close();
    if (stopping.signal.aborted) return;
    // A connection that lasted is replaced at once; one that Slack drops straight away is not worth a storm.
    const lasted = performance.now() - since > timing.retryMs;
    if (reason === 'refresh_requested' || reason === 'warning' || (reason === 'closed' && lasted)) {
      failures = 0;
      turn({ status: 'down', fault: 'Slack closed the connection; connecting again' });
      return;
    }
    await fail(...readFailure(new Error('Slack closed the connection'), reason));
  };

  const run = async () => {
    await pause(delayMs, stopping.signal);
    while (!stopping.signal.aborted) {
      socket = open();
      await holdOne(socket);
    }
  };
  const running = run();

  return {
    state: () => state,
    async stop() {
      stopping.abort();
      await socket?.close();
      await running;
    },
  };
}

function readFailure(error: unknown, reason: SocketEnd | undefined): [LineState, number | null] {
  if (reason === 'link_disabled') {
    const fault = 'Socket Mode is switched off for the app: switch it on in the app settings';
    return [{ status: 'misconfigured', fault }, null];
  }
  if (reason === 'too_many_websockets') {
    const fault = 'the app has too many connections (10): stop other programs that use this app token';
    return [{ status: 'down', fault }, null];
  }
  const { fate, message } = toSendError(error, 'connecting with the app token (xapp-)');
  const lasting = error instanceof WebAPIPlatformError && fate.kind === 'misconfigured';
  const waitMs = error instanceof WebAPIRateLimitedError ? error.retryAfter * 1_000 : null;
  return [{ status: lasting ? 'misconfigured' : 'down', fault: message }, waitMs];
}

/** Doubles up to a limit; half of it by chance, so that two lines do not knock in step. */
export function backoff(failures: number, { retryMs, retryMostMs }: SlackTiming): number {
  return Math.min(retryMostMs, retryMs * 2 ** Math.min(failures - 1, 20)) * (0.5 + Math.random() / 2);
}
