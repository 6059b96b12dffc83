import type { JsonObject } from '../json.ts';
import type { Gateway } from './gateway.ts';
import type { DiscordRoom, Guild } from './guild.ts';
import type { Interactions } from './interactions.ts';
import type { Modals } from './modals.ts';

export interface RouteContext {
  readonly guild: Guild;
  readonly gateway: Gateway;
  readonly interactions: Interactions;
  readonly modals: Modals;
  readonly gatewayUrl: string;
}

export interface RouteCall {
  /** The ids of the path, in order. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonObject;
}

export interface RouteAnswer {
  readonly status: number;
  /** Absent with 204. */
  readonly body?: object;
}

export type Route = (call: RouteCall, context: RouteContext) => RouteAnswer;

export function ok(body: object): RouteAnswer {
  return { status: 200, body };
}

/** A refusal in Discord's words (topics/opcodes-and-status-codes.mdx#json). */
export function refuse(status: number, code: number, message: string): RouteAnswer {
  return { status, body: { message, code } };
}

/** The room, or why the bot may not use it. */
export function openRoom(id: string, { guild }: RouteContext, to: 'read' | 'write'): DiscordRoom | RouteAnswer {
  const room = guild.rooms.get(id);
  if (room === undefined) return refuse(404, 10003, 'Unknown Channel');
  if (!room.visible) return refuse(403, 50001, 'Missing Access');
  if (to === 'write' && !room.writable) return refuse(403, 50013, 'Missing Permissions');
  return room;
}
