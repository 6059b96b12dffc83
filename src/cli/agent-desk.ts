import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import type { Log } from '../bot/log.ts';
import type { Desk } from '../ledger/index.ts';
import { type ClaimedInstance, claimInstance } from '../mcp/instance-claim.ts';
import { localKey } from '../mcp/local-key.ts';
import { createLocalServer } from '../mcp/local-server.ts';
import { createRemoteDesk } from '../mcp/remote-desk.ts';
import type { AgentConfig } from './agent-config.ts';

export const clock = { now: () => new Date() };
export const newId = () => uuidv7();

/** The desk that an agent of this machine asks, and a way to bring its server up early. */
export interface AgentDesk {
  readonly desk: Desk;
  /** Starts the local server where there is none; nothing for a server elsewhere. @throws DeskError */
  warmUp(): Promise<void>;
}

export function openAgentDesk(config: AgentConfig, env: NodeJS.ProcessEnv, log: Log): AgentDesk {
  const { server, dataDir } = config;
  const { key, keyName } = server.key === null ? localKey(dataDir) : { key: server.key, keyName: 'BECKON_KEY' };
  if (server.at === 'url') {
    return { desk: createRemoteDesk({ baseUrl: server.baseUrl, key, keyName, clock, log }), warmUp: async () => {} };
  }
  const { baseUrl, reach } = createLocalServer({
    dataDir,
    port: server.port,
    command: [process.execPath, join(distFolder(), 'main.js'), 'serve'],
    env: serverEnv(env),
    log,
  });
  return { desk: createRemoteDesk({ baseUrl, key, keyName, clock, log, reach }), warmUp: () => reach(20_000) };
}

/** Takes this process's identity in the folder it works in. */
export function claimHere(config: AgentConfig, role: 'agent' | 'script', log: Log): Promise<ClaimedInstance> {
  const { dataDir, sessionName } = config;
  return claimInstance({ dataDir, folder: process.cwd(), sessionName, role, newId, clock, log });
}

export function packageVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(join(dirname(distFolder()), 'package.json'), 'utf8'));
  return (parsed as { version: string }).version;
}

/**
 * A server that an agent starts serves every agent of the machine: what is meant for this agent alone stays behind. So does
 * `DATABASE_URL`, which in an agent's environment is nearly always that of the project it works on.
 */
function serverEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = ['BECKON_SESSION_NAME', 'RIBY_SESSION_NAME', 'BECKON_LOG_LEVEL', 'DATABASE_URL', 'NODE_OPTIONS'];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.includes(name)));
}

function distFolder(): string {
  return dirname(dirname(fileURLToPath(import.meta.url)));
}
