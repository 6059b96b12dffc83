import type { Address, Ask, Caller, Entry, Instance, Outcome, PageRow, Request } from '../request.ts';

/**
 * The ledger's rim. Every move is one transaction that carries its own guard; "nothing changed" is an answer with a meaning.
 * All methods may run at the same time in any number of processes on one database. Times come in from outside.
 * A method rejects with StoreUnavailable when the database cannot do it: then nothing of it happened.
 */
export interface LedgerStore {
  // Requests
  /**
   * Records a new request with its first entry and one page row an active address, or finds the one it joins:
   * by id; by digest while pending; by digest when settled and never delivered. `id_taken`: same id, other digest.
   */
  openRequest(input: OpenRequest): Promise<OpenedRequest>;
  findRequest(id: string): Promise<Request | null>;
  /** Newest first. */
  listRequests(filter: RequestFilter): Promise<readonly Request[]>;
  /** Settles a pending request: row, decision (where a person decided), entry, pages due now. The first one wins. */
  settleRequest(input: SettleRequest): Promise<Settled>;
  /** Marks the result as handed over; true for the first call only. */
  markDelivered(requestId: string, at: Date): Promise<boolean>;
  /** Appends an entry to a request's chain without changing the request (a refused press). */
  appendEntry(input: {
    readonly requestId: string;
    readonly kind: string;
    readonly body: unknown;
    readonly at: Date;
  }): Promise<void>;
  entriesOf(chain: string): Promise<readonly Entry[]>;
  /** Pending requests whose time is over at `now`, oldest first, at most `limit`. */
  listOverdue(now: Date, limit: number): Promise<readonly Request[]>;
  /** The nearest `expiresAt` of a pending request. */
  nextExpiry(): Promise<Date | null>;

  // Pages
  /**
   * Takes up to `limit` pages that show less than their request's revision and are due, for `leaseMs`: no other claimer gets
   * them meanwhile. Settled requests first, then by age; never two of one address at a time, in any process.
   * Pages of disabled addresses and pages marked `forgotten` are never taken.
   */
  claimPages(input: {
    readonly now: Date;
    readonly owner: string;
    readonly limit: number;
    readonly leaseMs: number;
  }): Promise<readonly ClaimedPage[]>;
  /** The page shows `revision` now. Ends the lease. A later revision leaves it due again. */
  recordShown(input: {
    readonly pageId: string;
    readonly revision: number;
    readonly receipt: string;
    readonly at: Date;
  }): Promise<void>;
  /** The attempt failed. Ends the lease; due again at `retryAt`; null forgets the page (its message is gone and nothing is left to show). */
  recordFailure(input: {
    readonly pageId: string;
    readonly error: string;
    readonly retryAt: Date | null;
    readonly dropReceipt: boolean;
  }): Promise<void>;
  /** When the next page is due (a lease's end counts), or null when none will be. */
  nextPageDue(): Promise<Date | null>;
  /**
   * At start: ends the leases that `owner` held before it died, and makes every page of pending requests, and every page that
   * is behind, due now.
   */
  refreshPages(now: Date, owner: string): Promise<void>;
  /** A copy was seen to show something old: it is due now, whatever we believed it shows. Pages without a message are left. */
  refreshPage(pageId: string, now: Date): Promise<void>;
  pagesOf(requestId: string): Promise<readonly PageRow[]>;
  findPageByToken(token: string): Promise<{ readonly page: PageRow; readonly request: Request } | null>;
  /** By the message it is shown as; `receipt` fields compared as text. */
  findPageByMessage(input: {
    readonly channel: string;
    readonly chatId: string;
    readonly messageId: string;
  }): Promise<PageRow | null>;

  // Addresses
  /**
   * Makes the active addresses exactly `wanted`; those no longer wanted are disabled (`notConfigured`), not deleted. Re-enables
   * wanted ones. New and re-enabled addresses get the pages of pending requests.
   */
  replaceAddresses(
    wanted: readonly { readonly channel: string; readonly chatId: string; readonly threadId: string | null }[],
    at: Date,
  ): Promise<readonly Address[]>;
  listAddresses(): Promise<readonly Address[]>;
  disableAddress(addressId: string, reason: string, at: Date): Promise<void>;
  /** It works again: its pages that are behind, and those of pending requests that never got one, are due now. True when it was disabled. */
  enableAddress(addressId: string, at: Date): Promise<boolean>;
  /** The chat moved: later sends and edits use the new id, in addresses and receipts alike. */
  moveAddress(addressId: string, chatId: string, at: Date): Promise<void>;

  // Instances
  touchInstance(instance: Instance, keyId: string, at: Date): Promise<void>;
  findInstance(id: string): Promise<(Instance & { readonly keyId: string; readonly lastSeenAt: Date }) | null>;
  listInstances(): Promise<readonly (Instance & { readonly keyId: string; readonly lastSeenAt: Date })[]>;

  // Settings
  readSettings(): Promise<Readonly<Record<string, string>>>;
  /** With an entry in the `workspace` chain. */
  changeSetting(input: {
    readonly name: string;
    readonly value: string;
    readonly by: string;
    readonly at: Date;
  }): Promise<void>;

  // Keys
  /** With an entry in the `workspace` chain. `hash` is SHA-256 of the whole key. */
  createKey(input: {
    readonly id: string;
    readonly name: string;
    readonly prefix: string;
    readonly hash: string;
    readonly scopes: readonly string[];
    readonly at: Date;
  }): Promise<void>;
  /** The key's caller; null when unknown, expired or revoked. */
  findKeyByHash(hash: string, now: Date): Promise<Caller | null>;
  listKeys(): Promise<readonly KeyRow[]>;
  revokeKey(id: string, at: Date): Promise<boolean>;
  touchKey(id: string, at: Date): Promise<void>;

  // Sign-in
  createSignIn(input: { readonly hash: string; readonly displayName: string; readonly expiresAt: Date }): Promise<void>;
  findSignIn(hash: string, now: Date): Promise<{ readonly displayName: string } | null>;
  /** Uses it up; null when it was used, is expired or unknown. One winner. */
  redeemSignIn(hash: string, now: Date): Promise<{ readonly displayName: string } | null>;
  createSession(input: {
    readonly hash: string;
    readonly id: string;
    readonly displayName: string;
    readonly formToken: string;
    readonly at: Date;
  }): Promise<void>;
  findSession(hash: string): Promise<SessionRow | null>;
  touchSession(hash: string, at: Date): Promise<void>;
  deleteSession(hash: string): Promise<void>;

  /** True when a trivial write commits; for `/readyz`. Never rejects. */
  isWritable(): Promise<boolean>;
  close(): Promise<void>;
}

export interface OpenRequest {
  readonly id: string;
  readonly digest: string;
  readonly ask: Ask;
  readonly instance: Instance;
  readonly caller: Caller;
  readonly at: Date;
  readonly expiresAt: Date;
  /** A fresh opaque token for each page that is made. */
  readonly newToken: () => string;
}

export type OpenedRequest =
  | { readonly joined: 'new' | 'same_id' | 'same_digest' | 'kept_answer'; readonly request: Request }
  | { readonly joined: 'id_taken' };

export interface RequestFilter {
  readonly status?: 'pending' | 'settled';
  readonly instanceId?: string;
  readonly keyId?: string;
  readonly undeliveredOnly?: true;
  readonly ids?: readonly string[];
  readonly limit: number;
}

export interface SettleRequest {
  readonly requestId: string;
  readonly outcome: Outcome;
  readonly at: Date;
  /** The person's answer as recorded in the decision; null for expiry and withdrawal. */
  readonly decision: {
    readonly choice: string;
    readonly optionIndex: number | null;
    readonly text: string | null;
    readonly eventId: string | null;
  } | null;
  /** Settle only when its time is over (`overdue`), only when it is not (`in_time`), or in any case. Compared with `at`. */
  readonly when: 'overdue' | 'in_time' | 'any';
}

export type Settled =
  | { readonly settled: true; readonly request: Request }
  /** Somebody was first, or the `when` does not hold: the request as it is. */
  | { readonly settled: false; readonly request: Request }
  | { readonly settled: false; readonly request: null };

export interface ClaimedPage {
  readonly page: PageRow;
  readonly request: Request;
}

export interface KeyRow extends Caller {
  readonly prefix: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface SessionRow {
  readonly id: string;
  readonly displayName: string;
  readonly formToken: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

/** The `disabledReason` of an address that is no longer wanted; every other reason is what the platform said. */
export const notConfigured = 'no longer configured';

/** The database did not do it; nothing of the move happened. Trying again is safe. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}
