import { WebSocket } from 'ws';
import { z } from 'zod';
import type { DiscordEmulator } from '../../../src/demo/discord/discord-emulator.ts';

export interface RawAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** Calls as any bot would make them, without a library. */
export function createRawBot(chat: DiscordEmulator) {
  const { BECKON_DISCORD_TOKEN: token = '', BECKON_DISCORD_CHANNEL: channel = '' } = chat.environment;
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<RawAnswer> => {
    const response = await fetch(`${chat.apiUrl}/v10${path}`, {
      method,
      headers: { authorization: `Bot ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers };
  };
  return {
    token,
    channel,
    call,
    post: (body: unknown) => call('POST', `/channels/${channel}/messages`, body),
    /** Without `Authorization`, as interaction responses are sent. */
    open: (method: string, path: string, body: unknown) => call(method, path, body, { authorization: '' }),
    connect: () => connectSocket(chat.apiUrl.replace('http:', 'ws:').replace('/api', '/?v=10&encoding=json')),
  };
}

const frameShape = z.object({
  op: z.number(),
  t: z.string().nullish(),
  s: z.number().nullish(),
  d: z.unknown().optional(),
});
export type Frame = z.infer<typeof frameShape>;

export interface RawSocket {
  readonly frames: Frame[];
  readonly closed: Promise<number>;
  send(op: number, d: unknown): void;
  /** The next frame for which it is true, from those not yet taken. */
  next(isIt: (frame: Frame) => boolean): Promise<Frame>;
  close(code?: number): void;
  terminate(): void;
}

async function connectSocket(url: string): Promise<RawSocket> {
  const socket = new WebSocket(url);
  const frames: Frame[] = [];
  const taken = new Set<Frame>();
  const wakers = new Set<() => void>();
  socket.on('message', (data) => {
    frames.push(frameShape.parse(JSON.parse(String(data))));
    for (const wake of wakers) wake();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  return {
    frames,
    closed,
    send: (op, d) => socket.send(JSON.stringify({ op, d })),
    async next(isIt) {
      const deadline = Date.now() + 5_000;
      for (;;) {
        const found = frames.find((frame) => !taken.has(frame) && isIt(frame));
        if (found !== undefined) {
          taken.add(found);
          return found;
        }
        if (Date.now() > deadline) throw new Error(`no such frame in ${JSON.stringify(frames)}`);
        await new Promise<void>((resolve) => {
          const wake = () => {
            wakers.delete(wake);
            clearTimeout(timer);
            resolve();
          };
          const timer = setTimeout(wake, 200);
          wakers.add(wake);
        });
      }
    },
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
  };
}

export const identify = (token: string, intents = 0) => ({
  token,
  intents,
  properties: { os: 'linux', browser: 'test', device: 'test' },
});
export const readySession = z.object({ session_id: z.string(), resume_gateway_url: z.string() });
export const interactionShape = z.object({ id: z.string(), token: z.string(), application_id: z.string() });
