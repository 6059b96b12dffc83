import { homedir } from 'node:os';
import { createLog } from '../bot/log.ts';
import type { ClaimedInstance } from '../mcp/instance-claim.ts';
import { serveAgentOverStdio } from '../mcp/stdio.ts';
import { AgentConfigError, readAgentConfig } from './agent-config.ts';
import { claimHere, clock, newId, openAgentDesk, packageVersion } from './agent-desk.ts';

/**
 * `beckon mcp`: an agent's MCP server over stdio, until the agent closes it. stdout is the protocol's alone.
 * Resolves with an exit code when it could not start, else with nothing while it serves.
 */
export async function runMcp(argv: string[]): Promise<number | undefined> {
  if (argv.length > 0) return complain('beckon mcp takes no arguments; it is set up by BECKON_… variables');
  try {
    serve();
    return undefined;
  } catch (error) {
    if (!(error instanceof AgentConfigError)) throw error;
    return complain(...error.faults);
  }
}

function serve(): void {
  const config = readAgentConfig(process.env, process.platform, homedir());
  const log = createLog(config.logLevel);
  const { desk, warmUp } = openAgentDesk(config, process.env, log);
  let claimed: ClaimedInstance | null = null;
  const claim = async () => {
    claimed = await claimHere(config, 'agent', log);
    return claimed;
  };
  // Listening before the protocol does: an agent that is gone must end the process, and with it the call, before the call is
  // seen as aborted. Its requests stay open at the server.
  const end = () => process.exit(0);
  process.stdin.on('end', end).on('close', end);
  process.stdout.on('error', end);
  process.on('SIGTERM', end).on('SIGINT', end).on('SIGHUP', end);
  process.on('exit', () => claimed?.release());
  serveAgentOverStdio({ desk, claim, newId, clock, version: packageVersion(), log });
  warmUp().catch((error: unknown) => log.warn({ err: error }, 'the local server is not up'));
}

function complain(...lines: readonly string[]): number {
  for (const line of lines) process.stderr.write(`beckon mcp: ${line}\n`);
  return 2;
}
