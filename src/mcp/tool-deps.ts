import type { Ask, Caller, Desk, Instance, RequestResult } from '../ledger/index.ts';

/** Structured log lines for the operator; never to stdout, which belongs to the protocol. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What is known about one call when its wait is planned. */
export interface CallFacts {
  readonly hasProgressToken: boolean;
  /** `clientInfo.name`, as the client sent it. */
  readonly clientName: string | undefined;
}

/** The instance's own record of what it asked, kept on the agent's machine. */
export interface Journal {
  /** Durable when it resolves. Awaited before anything is asked, so that a crash while blocked loses nothing. */
  asked(id: string, ask: Ask): Promise<void>;
  /** The result reached this machine. Twice is safe. */
  settled(id: string, result: RequestResult): Promise<void>;
  /** Ids asked and not yet settled, this instance's and those it adopted: what `sync` reconciles. */
  known?(): Promise<readonly string[]>;
}

/** Everything the tools are a function of. The transport is chosen by whoever connects the server. */
export interface ToolDeps {
  readonly desk: Desk;
  readonly caller: Caller;
  readonly instance: Instance | (() => Promise<Instance>);
  /** Milliseconds until a call must return `pending`; null: wait until the request is settled. See `defaultWaitLimit`. */
  readonly waitLimit: (call: CallFacts) => number | null;
  readonly journal?: Journal;
  readonly newId: () => string;
  readonly clock: { now(): Date };
  /** Time between progress notifications; 20,000 when absent. */
  readonly progressEveryMs?: number;
  /**
   * True where an aborted call may be the agent's own `notifications/cancelled` (stdio, 2025 sessions): that one withdraws
   * the request. A closed connection and a client whose timer ran out never do.
   */
  readonly cancelOnAbort: boolean;
  /**
   * Who notes that a result was handed over. `transport`: the one that knows whether anybody reads the stream (2025 sessions,
   * where a cut stream may be resumed later). Absent: the tool, when it returns.
   */
  readonly handOverBy?: 'tool' | 'transport';
  /** Aborts when this server stops: blocked calls then return `pending` instead of a broken connection. */
  readonly leaving?: AbortSignal;
  readonly log: Log;
  /** Beckon's version, told to clients. */
  readonly version?: string;
}
