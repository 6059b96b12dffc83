import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { JsonObject } from '../json.ts';

/** A gateway session: it outlives its socket, so that RESUME can replay what was missed. */
export interface GatewaySession {
  readonly id: string;
  readonly intents: number;
  seq: number;
  /** Everything dispatched, for replay. */
  readonly events: { readonly s: number; readonly frame: string }[];
  socket: WebSocket | null;
}

export function createSession(intents: number, socket: WebSocket): GatewaySession {
  return { id: randomBytes(16).toString('hex'), intents, seq: 0, events: [], socket };
}

/** Numbers the event, keeps it for replay and sends it where a socket is open. */
export function dispatch(session: GatewaySession, t: string, d: JsonObject): void {
  session.seq += 1;
  const frame = JSON.stringify({ op: 0, s: session.seq, t, d });
  session.events.push({ s: session.seq, frame });
  session.socket?.send(frame);
}

/** Sends what came after `seq`, then RESUMED. */
export function replay(session: GatewaySession, seq: number): void {
  for (const event of session.events) if (event.s > seq) session.socket?.send(event.frame);
  dispatch(session, 'RESUMED', { _trace: [] });
}
