import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type JsonObject, toObject, toText } from '../json.ts';
import { bot, type Workspace } from './workspace.ts';

/** How long Slack waits for an acknowledgement. */
export const ackDeadlineMs = 3_000;
/** Socket Mode connections of one app. */
const mostConnections = 10;
const serverPingMs = 10_000;

export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets';

export type Delivery =
  | { readonly acknowledged: true; readonly payload: JsonObject; readonly afterMs: number }
  /** `no_connection`: the app has no socket; `no_ack`: it did not acknowledge within 3 s. */
  | { readonly acknowledged: false; readonly reason: 'no_connection' | 'no_ack' };

/** Slack's side of Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode). */
export interface Sockets {
  /** A single-use address for the next connection. */
  issueUrl(base: string): string;
  /** Sends an envelope to one open connection and waits for its acknowledgement. */
  deliver(type: string, payload: JsonObject): Promise<Delivery>;
  count(): number;
  /** Tells the oldest connection (`all`: each) that it has to go, as Slack does at a refresh. */
  disconnect(reason: DisconnectReason, which: 'oldest' | 'all'): void;
  /** Cuts every connection without a word. */
  kill(): void;
  /** False: nothing is read or answered on any connection and nobody is greeted, as in a dead network. True ends those connections. */
  setAlive(alive: boolean): void;
  stop(): void;
}

export function createSockets(deps: { readonly server: Server; readonly workspace: Workspace }): Sockets {
  const { server, workspace } = deps;
  const tickets = new Set<string>();
  const open: WebSocket[] = [];
  const waiting = new Map<string, (payload: JsonObject) => void>();
  const sent = new Set<string>();
  const cancels = new Set<() => void>();
  let turn = 0;
  let alive = true;
  const sockets = new WebSocketServer({ noServer: true, autoPong: false });

  const say = (socket: WebSocket, frame: JsonObject) => socket.send(JSON.stringify(frame));
  const leave = (socket: WebSocket) => {
    const at = open.indexOf(socket);
    if (at !== -1) open.splice(at, 1);
  };

  const hear = (raw: string) => {
    let frame: JsonObject;
    try {
      frame = toObject(JSON.parse(raw));
    } catch {
      workspace.violate(`Socket Mode: not JSON: ${raw.slice(0, 80)}`);
      return;
    }
    const id = toText(frame.envelope_id);
    if (!sent.has(id)) workspace.violate(`Socket Mode: acknowledged an envelope that was never sent: ${id}`);
    waiting.get(id)?.(toObject(frame.payload));
  };

  const greet = (socket: WebSocket) => {
    const pings = setInterval(() => socket.ping(), serverPingMs);
    socket.on('ping', (data) => socket.pong(data));
    socket.on('close', () => clearInterval(pings));
    socket.on('message', (data) => hear(String(data)));
    socket.on('close', () => leave(socket));
    socket.on('error', () => leave(socket));
    if (open.length >= mostConnections) {
      say(socket, { type: 'disconnect', reason: 'too_many_websockets', debug_info: {} });
      return;
    }
    if (!alive) {
      socket.pause();
      return;
    }
    open.push(socket);
    say(socket, {
      type: 'hello',
      num_connections: open.length,
      connection_info: { app_id: bot.appId },
      debug_info: { host: 'emulator', build_number: 1, approximate_connection_time: 18_060 },
    });
    workspace.changed();
  };

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const ticket = new URL(request.url ?? '/', 'http://slack').searchParams.get('ticket') ?? '';
    if (!tickets.delete(ticket)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, greet);
  };
  server.on('upgrade', upgrade);

  return {
    issueUrl(base) {
      const ticket = randomUUID();
      tickets.add(ticket);
      return `${base}/link/?ticket=${ticket}&app_id=${bot.appId}`;
    },
    deliver(type, payload) {
      const ready = open.filter((socket) => socket.readyState === socket.OPEN);
      const socket = ready[turn % Math.max(1, ready.length)];
      turn += 1;
      if (socket === undefined) return Promise.resolve({ acknowledged: false, reason: 'no_connection' });
      const envelopeId = randomUUID();
      const startedAt = performance.now();
      sent.add(envelopeId);
      return new Promise((resolve) => {
        const finish = (delivery: Delivery) => {
          clearTimeout(timer);
          waiting.delete(envelopeId);
          cancels.delete(giveUp);
          resolve(delivery);
        };
        const giveUp = () => finish({ acknowledged: false, reason: 'no_ack' });
        const timer = setTimeout(giveUp, ackDeadlineMs);
        cancels.add(giveUp);
        waiting.set(envelopeId, (answer) =>
          finish({ acknowledged: true, payload: answer, afterMs: performance.now() - startedAt }),
        );
        if (alive) say(socket, { envelope_id: envelopeId, type, accepts_response_payload: true, payload });
      });
    },
    count: () => open.filter((socket) => socket.readyState === socket.OPEN).length,
    disconnect(reason, which) {
      for (const socket of which === 'all' ? [...open] : open.slice(0, 1)) {
        leave(socket);
        say(socket, { type: 'disconnect', reason, debug_info: { host: 'emulator' } });
      }
    },
    kill() {
      for (const socket of [...sockets.clients]) socket.terminate();
    },
    setAlive(value) {
      alive = value;
      for (const socket of sockets.clients) {
        if (value) socket.terminate();
        else socket.pause();
      }
    },
    stop() {
      server.off('upgrade', upgrade);
      for (const cancel of [...cancels]) cancel();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}
