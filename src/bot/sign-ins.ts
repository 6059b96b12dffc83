import { createHash } from 'node:crypto';
import type { SignIns } from '../ledger/index.ts';
import type { LedgerStore, SessionRow } from '../ledger/store/store.ts';

const linkMs = 15 * 60_000;
const idleMs = 7 * 24 * 3_600_000;
const absoluteMs = 30 * 24 * 3_600_000;
const touchEveryMs = 60_000;

/** One-time links and the sessions they open. Only hashes are stored. */
export function createSignIns(deps: {
  readonly store: LedgerStore;
  readonly clock: { now(): Date };
  readonly newSecret: () => string;
  readonly newId: () => string;
}): SignIns {
  const { store, clock, newSecret, newId } = deps;

  const isOver = (session: SessionRow, now: number) =>
    now - session.lastSeenAt.getTime() > idleMs || now - session.createdAt.getTime() > absoluteMs;

  return {
    async createLink(displayName) {
      const token = newSecret();
      const expiresAt = new Date(clock.now().getTime() + linkMs);
      await store.createSignIn({ hash: hashOf(token), displayName, expiresAt });
      return { token, expiresAt };
    },
    async isLive(token) {
      return (await store.findSignIn(hashOf(token), clock.now())) !== null;
    },
    async redeem(token) {
      const at = clock.now();
      const used = await store.redeemSignIn(hashOf(token), at);
      if (used === null) return null;
      const cookie = newSecret();
      const id = newId();
      const formToken = newSecret();
      await store.createSession({ hash: hashOf(cookie), id, displayName: used.displayName, formToken, at });
      return { cookie, account: accountOf(used.displayName), displayName: used.displayName, formToken };
    },
    async session(cookie) {
      const hash = hashOf(cookie);
      const session = await store.findSession(hash);
      if (session === null) return null;
      const now = clock.now();
      if (isOver(session, now.getTime())) {
        await store.deleteSession(hash);
        return null;
      }
      if (now.getTime() - session.lastSeenAt.getTime() > touchEveryMs) await store.touchSession(hash, now);
      return {
        account: accountOf(session.displayName),
        displayName: session.displayName,
        formToken: session.formToken,
      };
    },
    signOut: (cookie) => store.deleteSession(hashOf(cookie)),
  };
}

/** Until members exist, a person on the dashboard is known by the name the link was made for. */
function accountOf(displayName: string): string {
  return `dashboard:${displayName}`;
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}
