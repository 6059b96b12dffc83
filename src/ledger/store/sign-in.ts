import type { Moves } from './moves.ts';
import { storable } from './rows.ts';
import type { LedgerStore } from './store.ts';

type SignIn = Pick<
  LedgerStore,
  'createSignIn' | 'findSignIn' | 'redeemSignIn' | 'createSession' | 'findSession' | 'touchSession' | 'deleteSession'
>;

export function createSignIn({ read }: Moves): SignIn {
  return {
    async createSignIn({ hash, displayName, expiresAt }) {
      await read((client) => client.signIn.create({ data: { hash, displayName: storable(displayName), expiresAt } }));
    },

    findSignIn: (hash, now) =>
      read((client) =>
        client.signIn.findFirst({
          where: { hash, usedAt: null, expiresAt: { gt: now } },
          select: { displayName: true },
        }),
      ),

    async redeemSignIn(hash, now) {
      const [used] = await read((client) =>
        client.signIn.updateManyAndReturn({
          where: { hash, usedAt: null, expiresAt: { gt: now } },
          data: { usedAt: now },
          select: { displayName: true },
        }),
      );
      return used ?? null;
    },

    async createSession({ hash, id, displayName, formToken, at }) {
      const data = { hash, id, displayName: storable(displayName), formToken, createdAt: at, lastSeenAt: at };
      await read((client) => client.session.create({ data }));
    },

    findSession: (hash) =>
      read((client) =>
        client.session.findUnique({
          where: { hash },
          select: { id: true, displayName: true, formToken: true, createdAt: true, lastSeenAt: true },
        }),
      ),

    async touchSession(hash, at) {
      await read((client) => client.session.updateMany({ where: { hash }, data: { lastSeenAt: at } }));
    },

    async deleteSession(hash) {
      await read((client) => client.session.deleteMany({ where: { hash } }));
    },
  };
}
