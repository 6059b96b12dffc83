import type { Caller } from './request.ts';

/** Who may come in: keys of callers and sign-in of people. Implemented in `bot/`, used by `web` and `mcp`. */

/** What a key may do; a hard ceiling. */
export const keyScopes = ['request_decisions', 'view_requests'] as const;
export type KeyScope = (typeof keyScopes)[number];

export interface KeyRing {
  /**
   * The caller of a bearer token, or null for a missing, unknown, expired or revoked key (no difference is told).
   * @throws DeskError `unavailable` when the keys cannot be read
   */
  authenticate(token: string): Promise<Caller | null>;
}

export interface SignIns {
  /** A one-time token for `/sign-in/TOKEN`; lives 15 minutes, kept as a hash. */
  createLink(displayName: string): Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /** True while the link could still be used. Looking burns nothing. */
  isLive(token: string): Promise<boolean>;
  /** Uses the link up (once, however many try) and opens a session; null when it is used, expired or unknown. */
  redeem(token: string): Promise<(Session & { readonly cookie: string }) | null>;
  /** The session of a cookie; null when unknown, idle for more than 7 days or older than 30. Marks it seen. */
  session(cookie: string): Promise<Session | null>;
  signOut(cookie: string): Promise<void>;
}

export interface Session {
  /** `dashboard:<id>` */
  readonly account: string;
  readonly displayName: string;
  /** Secret for the forms of this session (CSRF). */
  readonly formToken: string;
}
