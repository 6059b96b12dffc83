import type { Session, SignIns } from '../../src/ledger/index.ts';

/** Sign-in at the edge of the web app. `opened` counts the links that were used up. */
export interface InMemorySignIns extends SignIns {
  readonly redeemed: string[];
}

export function createInMemorySignIns(): InMemorySignIns {
  const links = new Map<string, string>();
  const sessions = new Map<string, Session>();
  const redeemed: string[] = [];
  let count = 0;
  return {
    redeemed,
    async createLink(displayName) {
      count += 1;
      const token = `link-${count}`;
      links.set(token, displayName);
      return { token, expiresAt: new Date(Date.now() + 900_000) };
    },
    isLive: async (token) => links.has(token),
    async redeem(token) {
      const displayName = links.get(token);
      if (displayName === undefined) return null;
      links.delete(token);
      redeemed.push(token);
      const cookie = `cookie-of-${token}`;
      const session = { account: `dashboard:${token}`, displayName, formToken: `form-of-${token}` };
      sessions.set(cookie, session);
      return { ...session, cookie };
    },
    session: async (cookie) => sessions.get(cookie) ?? null,
    async signOut(cookie) {
      sessions.delete(cookie);
    },
  };
}
