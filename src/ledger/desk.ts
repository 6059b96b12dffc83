import type { Ask, Caller, Instance, Request } from './request.ts';

/**
 * The agents' side of the engine: what the MCP tools and the REST API are functions of.
 * Two implementations: in the server (`bot/desk.ts`) and over HTTP from an agent's machine (`mcp/remote-desk.ts`).
 */
export interface Desk {
  /**
   * Opens a request and pages people, or joins the one that exists: same id; same digest and pending; same digest, settled
   * and never delivered. Committed when it resolves. Twice is safe.
   * @throws DeskError
   */
  ask(input: AskInput): Promise<AskReceipt>;
  /**
   * The request once it is settled, or as it is after `timeoutMs` or when `signal` aborts. Does not mark it delivered.
   * @throws DeskError `not_found`
   */
  wait(
    requestId: string,
    caller: Caller,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Request>;
  /** Only requests of the caller's own key; @throws DeskError `not_found`. */
  find(requestId: string, caller: Caller): Promise<Request>;
  /**
   * The agent withdraws: pages turn neutral. On a settled request nothing changes. Resolves with the request as it is now.
   * With `unlessAwaited` the request stays open while another call still waits for it (equal questions join one request).
   * @throws DeskError `not_found`
   */
  cancel(
    requestId: string,
    caller: Caller,
    reason: string,
    options?: { readonly unlessAwaited?: true },
  ): Promise<Request>;
  /** The result is handed over. Only the first call counts. */
  markDelivered(requestId: string, caller: Caller): Promise<void>;
  /**
   * The instance's open and undelivered requests, and those named in `known` that it still may see.
   * Registers the instance or marks it seen.
   */
  sync(instance: Instance, caller: Caller, known: readonly string[]): Promise<SyncReport>;
  /** Where the request was paged and who has seen what, for progress: "slack #ops, telegram; answered by nobody yet". */
  progressOf(requestId: string, caller: Caller): Promise<string>;
}

export interface AskInput {
  /** UUIDv7, made by the asking side before it asks, so that asking again after a lost answer joins. */
  readonly id: string;
  readonly ask: Ask;
  readonly instance: Instance;
  readonly caller: Caller;
  /** Shorter or longer life than the setting; whole seconds, 1 to 604,800 (a week). Absent: the setting. */
  readonly ttlSeconds?: number;
}

export interface AskReceipt {
  readonly request: Request;
  /** `new` paged people; the others joined an existing request. `kept_answer` is settled and was never delivered. */
  readonly joined: 'new' | 'same_id' | 'same_digest' | 'kept_answer';
}

export interface SyncReport {
  readonly instance: Instance;
  readonly requests: readonly Request[];
}

export type DeskErrorCode =
  | 'not_found' // no such request, or not this key's
  | 'id_taken' // the id exists with other content
  | 'invalid_payload'
  | 'unreachable' // the server could not be reached: nobody was paged
  | 'unauthorized' // the key is missing, wrong, expired or revoked
  | 'forbidden' // the key lacks the scope
  | 'unavailable'; // the server could not store it: nobody was paged

/** A failure of the desk. The message is a sentence for the agent: what happened, how things stand, what to do. */
export class DeskError extends Error {
  readonly code: DeskErrorCode;
  constructor(code: DeskErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'DeskError';
    this.code = code;
  }
}
