import type { Caller } from '../ledger/index.ts';
import type { HttpSession } from './http-session.ts';

/** The sessions of the 2025 era, each bound to the key that opened it, bounded in number and in idle time. */
export interface HttpSessions {
  /** Null for an unknown id and for another key's session: no difference is told. */
  find(id: string, caller: Caller): HttpSession | null;
  /** Makes room first if it must; null when every session is busy. */
  open(build: (onClosed: () => void) => Promise<HttpSession>): Promise<HttpSession | null>;
  size(): number;
  close(): Promise<void>;
}

export function createHttpSessions({
  idleMs,
  most,
}: {
  /** An unused session is closed after this. Its answers are not lost: asking the same again returns them. */
  readonly idleMs: number;
  readonly most: number;
}): HttpSessions {
  const sessions = new Map<string, HttpSession>();

  const sweep = () => {
    for (const session of sessions.values()) {
      if (!session.isBusy() && performance.now() - session.lastUsedAt() > idleMs) end(session);
    }
  };
  const end = (session: HttpSession) => {
    sessions.delete(session.id);
    // Nothing can be done about a session that does not close; it is out of reach already.
    session.close().catch(() => {});
  };
  const makeRoom = (): boolean => {
    if (sessions.size < most) return true;
    const idle = [...sessions.values()].filter((session) => !session.isBusy());
    const oldest = idle.sort((a, b) => a.lastUsedAt() - b.lastUsedAt())[0];
    if (oldest !== undefined) end(oldest);
    return oldest !== undefined;
  };
  const sweeper = setInterval(sweep, Math.min(idleMs, 60_000));
  sweeper.unref();

  return {
    find(id, caller) {
      const session = sessions.get(id);
      return session?.caller.keyId === caller.keyId ? session : null;
    },
    async open(build) {
      if (!makeRoom()) return null;
      const session = await build(() => sessions.delete(session.id));
      sessions.set(session.id, session);
      return session;
    },
    size: () => sessions.size,
    async close() {
      clearInterval(sweeper);
      await Promise.all([...sessions.values()].map((session) => session.close()));
      sessions.clear();
    },
  };
}
