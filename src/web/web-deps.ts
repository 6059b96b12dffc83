import type { RequestHandler } from 'express';
import type { Board, SignIns } from '../ledger/index.ts';

/** What the web app is a function of. */
export interface WebDeps {
  readonly board: Board;
  readonly signIns: SignIns;
  /** Mounted at `/api/v1` (sees paths without that prefix); has its own body parsers and bearer keys. */
  readonly api: RequestHandler;
  /** Gets `/mcp`, `/mcp/…` and the OAuth metadata under `/.well-known/` with the whole path and an unread body. */
  readonly mcp: RequestHandler;
  readonly health: Health;
  /** How people reach this server; the origin of links and of the Host and Origin checks. Never taken from a request. */
  readonly publicUrl: URL;
  /** Host names (no ports) accepted in `Host` besides the public one. */
  readonly allowedHosts: readonly string[];
  readonly clock: { now(): Date };
  readonly log: WebLog;
}

export interface Health {
  isReady(): Promise<{ readonly ok: boolean; readonly checks: Readonly<Record<string, string>> }>;
  readonly version: string;
  readonly instanceId: string;
}

/** The part of the operator's log that the web app writes to. */
export interface WebLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
