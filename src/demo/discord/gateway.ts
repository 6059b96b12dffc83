import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { isObject, type JsonObject, toObject, toText } from '../json.ts';
import { createSession, dispatch, type GatewaySession, replay } from './gateway-session.ts';
import { bot, type Guild, guildId } from './guild.ts';
import { toGuildPayload } from './guild-payload.ts';
import { toUser } from './payloads.ts';

const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  ack: 11,
} as const;
const guildsIntent = 1;

/** The faults of the socket side. */
export interface GatewayFaults {
  /** Cuts every socket without a word (`null`) or closes it with a code; sessions stay and can be resumed. */
  closeSockets(code: number | null): void;
  /** Op 7. */
  askToReconnect(): void;
  /** Op 9; not resumable: the session is forgotten. */
  invalidateSessions(resumable: boolean): void;
  /** False: heartbeats stay unanswered. */
  setHeartbeatAcks(on: boolean): void;
  /** What READY says from now on; null: the truth. */
  setResumeUrl(url: string | null): void;
  /** Every IDENTIFY and RESUME is closed with this code (4004, 4014, …); null: no more. */
  setRefusal(code: number | null): void;
  /** Open sockets take nothing in any more, not even a goodbye. */
  freezeSockets(): void;
  /** False: new sockets get no HELLO. */
  setHello(on: boolean): void;
  /** Sends any event to every session. */
  dispatch(t: string, d: JsonObject): void;
}

export interface Gateway extends GatewayFaults {
  /** Sends an event to every session, also to one whose socket is down. @returns false when there is none */
  deliver(t: string, d: JsonObject): boolean;
  connections(): number;
  /** IDENTIFY and RESUME frames taken so far. */
  readonly counts: { identify: number; resume: number };
  stop(): void;
}

export function createGateway(deps: {
  readonly server: Server;
  readonly guild: Guild;
  readonly token: string;
  readonly heartbeatMs: number;
  readonly baseUrl: () => string;
}): Gateway {
  const { server, guild, token, heartbeatMs, baseUrl } = deps;
  const sockets = new WebSocketServer({ noServer: true });
  const sessions = new Map<string, GatewaySession>();
  const counts = { identify: 0, resume: 0 };
  let acks = true;
  let hello = true;
  let resumeUrl: string | null = null;
  let refusal: number | null = null;

  const ready = (session: GatewaySession) => {
    dispatch(session, 'READY', {
      v: 10,
      user: { ...toUser(guild, bot.userId), verified: true, mfa_enabled: false, email: null, flags: 0 },
      guilds: [{ id: guildId, unavailable: true }],
      session_id: session.id,
      session_type: 'normal',
      resume_gateway_url: resumeUrl ?? baseUrl(),
      shard: [0, 1],
      application: { id: bot.applicationId, flags: 0 },
      private_channels: [],
      relationships: [],
      user_settings: {},
    });
    if ((session.intents & guildsIntent) !== 0) dispatch(session, 'GUILD_CREATE', toGuildPayload());
  };

  const take = (socket: WebSocket, current: GatewaySession | null, frame: JsonObject): GatewaySession | null => {
    const d = toObject(frame.d);
    switch (frame.op) {
      case op.heartbeat:
        if (acks) socket.send(JSON.stringify({ op: op.ack, d: null }));
        return current;
      case op.identify: {
        counts.identify += 1;
        if (current !== null) return close(socket, 4005);
        if (refusal !== null) return close(socket, refusal);
        // Oceanic.js sends the token with its prefix.
        if (toText(d.token).replace(/^Bot /, '') !== token) return close(socket, 4004);
        if (typeof d.intents !== 'number' || !isObject(d.properties)) return close(socket, 4013);
        const session = createSession(d.intents, socket);
        sessions.set(session.id, session);
        ready(session);
        return session;
      }
      case op.resume: {
        counts.resume += 1;
        if (refusal !== null) return close(socket, refusal);
        if (toText(d.token).replace(/^Bot /, '') !== token) return close(socket, 4004);
        const session = sessions.get(toText(d.session_id));
        if (session === undefined) {
          socket.send(JSON.stringify({ op: op.invalidSession, d: false }));
          return null;
        }
        if (typeof d.seq !== 'number' || d.seq > session.seq) return close(socket, 4007);
        session.socket?.terminate();
        session.socket = socket;
        replay(session, d.seq);
        return session;
      }
      case op.presence:
        return current ?? close(socket, 4003);
      default:
        guild.violate(`gateway: unknown opcode ${String(frame.op)}`);
        return close(socket, 4001);
    }
  };

  sockets.on('connection', (socket) => {
    let session: GatewaySession | null = null;
    let beat = Date.now();
    // Discord closes a session that is silent for too long (4009).
    const watch = setInterval(() => {
      if (session !== null && Date.now() - beat > heartbeatMs * 2) socket.close(4009, 'Session timed out.');
    }, heartbeatMs);
    socket.on('message', (data) => {
      const frame = parseFrame(String(data));
      if (frame === null) return void socket.close(4002);
      if (frame.op === op.heartbeat) beat = Date.now();
      session = take(socket, session, frame);
    });
    socket.on('close', (code) => {
      clearInterval(watch);
      if (session === null || session.socket !== socket) return;
      session.socket = null;
      // A client that closes with 1000 or 1001 ends its session (events/gateway.mdx#disconnecting).
      if (code === 1000 || code === 1001) sessions.delete(session.id);
    });
    socket.on('error', () => socket.terminate());
    if (hello) socket.send(JSON.stringify({ op: op.hello, d: { heartbeat_interval: heartbeatMs, _trace: [] } }));
  });
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', 'http://gateway');
    if (url.searchParams.get('v') !== '10' || url.searchParams.get('encoding') !== 'json') {
      guild.violate(`gateway: connected with ${url.search}`);
    }
    sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request));
  });

  const deliver = (t: string, d: JsonObject) => {
    for (const session of sessions.values()) dispatch(session, t, d);
    return sessions.size > 0;
  };
  const each = (act: (socket: WebSocket) => void) => {
    for (const socket of sockets.clients) act(socket);
  };
  return {
    counts,
    deliver,
    dispatch: deliver,
    connections: () => sockets.clients.size,
    closeSockets: (code) => each((socket) => (code === null ? socket.terminate() : socket.close(code))),
    freezeSockets: () => each((socket) => socket.pause()),
    askToReconnect: () => each((socket) => socket.send(JSON.stringify({ op: op.reconnect, d: null }))),
    invalidateSessions(resumable) {
      if (!resumable) sessions.clear();
      each((socket) => socket.send(JSON.stringify({ op: op.invalidSession, d: resumable })));
    },
    setHeartbeatAcks: (on) => {
      acks = on;
    },
    setResumeUrl: (url) => {
      resumeUrl = url;
    },
    setRefusal: (code) => {
      refusal = code;
    },
    setHello: (on) => {
      hello = on;
    },
    stop() {
      each((socket) => socket.terminate());
      sockets.close();
    },
  };
}

function close(socket: WebSocket, code: number): null {
  socket.close(code);
  return null;
}

function parseFrame(text: string): JsonObject | null {
  try {
    const frame: unknown = JSON.parse(text);
    return isObject(frame) ? frame : null;
  } catch {
    return null;
  }
}
