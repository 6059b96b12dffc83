import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { readEnvironment } from '../bot/compose.ts';
import { ConfigError } from '../bot/config.ts';
import { createLog } from '../bot/log.ts';
import { localKey } from '../mcp/local-key.ts';
import { AgentConfigError, readAgentConfig } from './agent-config.ts';
import { dataDirOf } from './data-dir.ts';

interface Finding {
  readonly ok: boolean;
  readonly line: string;
}

const patienceMs = 5_000;

/** `beckon doctor`: checks the set-up and says what to do; exit 0 when all is well, 1 when something is not. */
export async function runDoctor(): Promise<number> {
  const findings = [
    { ok: true, line: `Node ${process.versions.node}` },
    checkDataDir(dataDirOf(process.env, process.platform, homedir())),
    ...(await checkServer().catch(toFindings)),
    ...(await checkAgent().catch(toFindings)),
  ];
  for (const { ok, line } of findings) process.stdout.write(`${ok ? 'ok  ' : 'BAD '} ${line}\n`);
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

function checkDataDir(dataDir: string): Finding {
  let existing = dataDir;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK);
    return { ok: true, line: `data folder ${dataDir}` };
  } catch {
    return { ok: false, line: `the data folder ${dataDir} is not writable for this account: set BECKON_DATA_DIR` };
  }
}

/** The server's variables, and each chat they name. */
async function checkServer(): Promise<Finding[]> {
  const { configured } = readEnvironment(process.env, createLog('silent'));
  const findings: Finding[] = [];
  if (configured.length === 0)
    findings.push({ ok: true, line: 'no chat is set up here: the dashboard is the only channel' });
  for (const { channel, address, approvers } of configured) {
    const { name, title } = channel.info;
    const { ok, detail } = await channel.check(address);
    findings.push({ ok, line: `${title}: ${detail}` });
    if (approvers.length === 0) {
      const what = `set BECKON_${name.toUpperCase()}_APPROVERS to account ids`;
      findings.push({ ok: false, line: `${title}: nobody may answer there: ${what}` });
    }
    await channel.stop();
  }
  return findings;
}

/** Whether an agent of this machine could ask: the server answers, and takes the key. */
async function checkAgent(): Promise<Finding[]> {
  const { server, dataDir } = readAgentConfig(process.env, process.platform, homedir());
  const base = server.at === 'url' ? server.baseUrl : `http://127.0.0.1:${server.port}`;
  const ready = await fetchStatus(`${base}/readyz`, {});
  if (ready !== 200)
    return [{ ok: false, line: `no server is ready at ${base}: start it (\`npm start\`), or check BECKON_URL` }];
  const { key, keyName } = server.key === null ? localKey(dataDir) : { key: server.key, keyName: 'BECKON_KEY' };
  // No request has this id: a key that is taken gets 404.
  const status = await fetchStatus(`${base}/api/v1/requests/00000000-0000-7000-8000-000000000000`, {
    authorization: `Bearer ${typeof key === 'function' ? await key() : key}`,
  });
  if (status === 404) return [{ ok: true, line: `the server at ${base} is ready and takes the key` }];
  const why = status === 401 ? `does not accept ${keyName}: another Beckon may have this port` : `answered ${status}`;
  return [{ ok: false, line: `the server at ${base} ${why}` }];
}

async function fetchStatus(url: string, headers: Record<string, string>): Promise<number> {
  try {
    return (await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) })).status;
  } catch {
    return 0;
  }
}

function toFindings(error: unknown): Finding[] {
  const faults =
    error instanceof ConfigError || error instanceof AgentConfigError
      ? error.faults
      : [error instanceof Error ? error.message : String(error)];
  return faults.map((line) => ({ ok: false, line }));
}
