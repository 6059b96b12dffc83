import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import type { ChannelState } from '../../../src/channels/contract.ts';
import { createDiscordChannel } from '../../../src/channels/discord/channel.ts';
import type { DiscordTiming } from '../../../src/channels/discord/timing.ts';
import { until } from './rig.ts';

/** What would have ended the process. */
const fatal: string[] = [];
const note = (error: unknown) => void fatal.push(String(error));
process.on('uncaughtException', note);
process.on('unhandledRejection', note);
afterEach(() => {
  fatal.length = 0;
});

/** Discord's API is there; its gateway takes the upgrade request and leaves the rest to `onHandshake`. */
async function openGateway(options: { onHandshake?: (socket: Socket) => void; url?: string } = {}) {
  const handshakes: Socket[] = [];
  let openSockets = 0;
  const server = createServer((request, response) => {
    const body = request.url?.includes('/gateway/bot')
      ? {
          url: options.url ?? `ws://127.0.0.1:${port()}`,
          shards: 1,
          session_start_limit: { total: 1_000, remaining: 999, reset_after: 1_000, max_concurrency: 1 },
        }
      : { id: '1', username: 'beckon', discriminator: '0' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  const port = () => (server.address() as AddressInfo).port;
  server.on('upgrade', (_request, duplex) => {
    const socket = duplex as Socket;
    handshakes.push(socket);
    openSockets += 1;
    socket.on('error', () => {});
    socket.on('close', () => {
      openSockets -= 1;
    });
    // The client's end is only seen by who reads.
    socket.resume().on('end', () => socket.destroy());
    options.onHandshake?.(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    for (const socket of handshakes) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { apiUrl: `http://127.0.0.1:${port()}/api`, handshakes, open: () => openSockets };
}

function startChannel(apiUrl: string, timing: Partial<DiscordTiming>) {
  const states: ChannelState[] = [];
  const quiet = () => {};
  const channel = createDiscordChannel(
    { token: 'MTEwMDAwMDAwMDAwMDAwMDAx.Emulat.ed-token-of-the-beckon-bot-000000000000', apiUrl },
    {
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      timing: { retryMs: 20, retryMostMs: 50, closeMs: 300, ...timing },
    },
  );
  channel.start({
    onAnswer: async () => ({ fate: 'failed', text: '' }),
    onCompose: async () => null,
    findToken: async () => null,
    onState: (state) => void states.push(state),
  });
  const stop = async () => {
    const began = Date.now();
    await channel.stop();
    // closeMs, and room for a busy machine; a socket that is waited for would take the handshake's whole time.
    expect(Date.now() - began).toBeLessThan(1_000);
  };
  onTestFinished(() => channel.stop());
  return { stop, isDown: (words: RegExp) => states.some((one) => one.status === 'down' && words.test(one.detail)) };
}

/** Nothing tells that a failure will not come, so it gets this long: more than the longest timer of the sockets under test. */
const quietFor = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a handshake that is never answered is told as down and tried again', async () => {
  const gateway = await openGateway();
  const channel = startChannel(gateway.apiUrl, { helloMs: 300, backMs: 5_000 });
  await until('the hang is told', () => channel.isDown(/handshake has timed out/));
  await until('another try', () => gateway.handshakes.length >= 3);
  await channel.stop();
  await until('no socket is left', () => gateway.open() === 0);
  await quietFor(350);
  expect(fatal).toEqual([]);
});

it('a handshake that trickles until HELLO is overdue is cut', async () => {
  const gateway = await openGateway({
    onHandshake(socket) {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n');
      const timer = setInterval(() => socket.write('x-more: to come\r\n'), 40);
      socket.on('close', () => clearInterval(timer));
    },
  });
  const channel = startChannel(gateway.apiUrl, { helloMs: 200, backMs: 900 });
  await until('a second try', () => gateway.handshakes.length >= 2);
  expect(gateway.handshakes[0]?.destroyed).toBe(true);
  await until('the hang is told', () => channel.isDown(/not up within/));
  await until('a new client', () => gateway.handshakes.length >= 3);
  await channel.stop();
  await until('no socket is left', () => gateway.open() === 0);
  await quietFor(250);
  expect(fatal).toEqual([]);
});

it.each([
  ['reset', (socket: Socket) => socket.resetAndDestroy()],
  ['hung up', (socket: Socket) => socket.end()],
])('handshakes that are %s are told as down, whatever became of their shard', async (_how, end) => {
  const gateway = await openGateway({ onHandshake: (socket) => void setTimeout(end, 30, socket) });
  const channel = startChannel(gateway.apiUrl, { helloMs: 400, backMs: 700 });
  await until('the loss is told', () => channel.isDown(/gateway was lost/));
  await until('the client is given up', () => channel.isDown(/not up within/));
  await until('a new client', () => gateway.handshakes.length >= 3);
  await channel.stop();
  await quietFor(450);
  expect(fatal).toEqual([]);
});

it('a stop while connecting closes the socket', async () => {
  const gateway = await openGateway();
  const channel = startChannel(gateway.apiUrl, { helloMs: 60_000 });
  await until('the handshake', () => gateway.handshakes.length === 1);
  await channel.stop();
  await until('no socket is left', () => gateway.open() === 0);
  expect(fatal).toEqual([]);
});

it('a stop while connecting, then a reset, hurts nobody and is not tried again', async () => {
  const gateway = await openGateway();
  const channel = startChannel(gateway.apiUrl, { helloMs: 500 });
  await until('the handshake', () => gateway.handshakes.length === 1);
  await channel.stop();
  for (const socket of gateway.handshakes) socket.resetAndDestroy();
  // The library's pause before it connects again is 500 ms.
  await quietFor(650);
  expect(gateway.handshakes).toHaveLength(1);
  expect(fatal).toEqual([]);
});

it('an address of the gateway that cannot be read is told as down', async () => {
  const gateway = await openGateway({ url: 'no address' });
  const channel = startChannel(gateway.apiUrl, { backMs: 200 });
  await until('it is told', () => channel.isDown(/Invalid URL/));
  await channel.stop();
  expect(fatal).toEqual([]);
});
