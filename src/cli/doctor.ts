import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { readEnvironment } from '../bot/compose.ts';
import { ConfigError } from '../bot/config.ts';
import { createLog } from '../bot/log.ts';
import { dataDirOf } from './data-dir.ts';

/** `beckon doctor`: checks the set-up and says what to do; exit 0 when all is well, 1 when something is not. */
export async function runDoctor(): Promise<number> {
  const findings: { ok: boolean; line: string }[] = [{ ok: true, line: `Node ${process.versions.node}` }];
  const note = (ok: boolean, line: string) => findings.push({ ok, line });
  const dataDir = dataDirOf(process.env, process.platform, homedir());
  note(
    isWritable(dataDir),
    isWritable(dataDir) ? `data folder ${dataDir}` : `the data folder ${dataDir} is not writable: set BECKON_DATA_DIR`,
  );
  try {
    const { config, configured } = readEnvironment(process.env, createLog('silent'));
    const server = new URL(`http://127.0.0.1:${config.port}/readyz`);
    const ready = await isReady(server);
    note(
      ready,
      ready
        ? `a server is ready at ${server.origin}`
        : `no server is ready at ${server.origin}: start one with \`npm start\``,
    );
    if (configured.length === 0) note(true, 'no chat is set up: the dashboard is the only channel');
    for (const { channel, address, approvers } of configured) {
      const check = await channel.check(address);
      note(check.ok, `${channel.info.title}: ${check.detail}`);
      if (approvers.length === 0) {
        note(
          false,
          `${channel.info.title}: nobody may answer there: set BECKON_${channel.info.name.toUpperCase()}_APPROVERS to account ids`,
        );
      }
      await channel.stop();
    }
  } catch (error) {
    for (const fault of error instanceof ConfigError
      ? error.faults
      : [error instanceof Error ? error.message : String(error)])
      note(false, fault);
  }
  for (const { ok, line } of findings) process.stdout.write(`${ok ? 'ok  ' : 'BAD '} ${line}\n`);
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

function isWritable(dir: string): boolean {
  if (!existsSync(dir)) return true;
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function isReady(url: URL): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
