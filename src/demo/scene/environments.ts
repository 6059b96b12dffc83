import { join } from 'node:path';
import type { EmulatedChat } from '../emulator.ts';

type Environment = Readonly<Record<string, string>>;

/** Which agent people see asking in the demo. */
export const agentLabel = 'payments-api · main';

/**
 * What a process of the demo inherits: the caller's environment without anything that sets up a Beckon, so that the demo can
 * touch neither the real chats nor the real database of whoever runs it.
 */
export function cleanEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(BECKON_|RIBY_)/.test(entry[0]) && entry[0] !== 'DATABASE_URL',
  );
  return Object.fromEntries(kept);
}

export function serverEnvironment(facts: {
  readonly base: Environment;
  readonly dataDir: string;
  readonly port: number;
  readonly chats: readonly EmulatedChat[];
  /** Absent: the server's default. */
  readonly ttlSeconds?: number;
}): Environment {
  const { base, dataDir, port, chats, ttlSeconds } = facts;
  return {
    ...base,
    BECKON_DATA_DIR: dataDir,
    BECKON_PORT: String(port),
    BECKON_LOG_LEVEL: 'warn',
    ...(ttlSeconds === undefined ? {} : { BECKON_REQUEST_TTL_SECONDS: String(ttlSeconds) }),
    ...Object.assign({}, ...chats.map(chatEnvironment)),
  };
}

export function agentEnvironment(facts: {
  readonly base: Environment;
  readonly dataDir: string;
  readonly url: URL;
  readonly key: string;
}): Environment {
  const { base, dataDir, url, key } = facts;
  return {
    ...base,
    BECKON_DATA_DIR: join(dataDir, 'agent'),
    BECKON_URL: url.origin,
    BECKON_KEY: key,
    BECKON_SESSION_NAME: agentLabel,
  };
}

function chatEnvironment(chat: EmulatedChat): Environment {
  return { ...chat.environment, [`BECKON_${chat.platform.toUpperCase()}_API_URL`]: chat.apiUrl };
}
