import { homedir } from 'node:os';
import { openSignIns, readEnvironment } from '../bot/compose.ts';
import { createLog } from '../bot/log.ts';
import { dataDirOf } from './data-dir.ts';

const usage = 'usage: beckon members sign-in NAME   (prints a one-time link to the dashboard, good for 15 minutes)';

/** `beckon members sign-in NAME`: works beside a running server, on the same database. */
export async function runMembers(argv: string[]): Promise<number> {
  const [verb, ...words] = argv;
  const name = words.join(' ').trim();
  if (verb !== 'sign-in' || name === '' || [...name].length > 60) {
    process.stderr.write(`beckon: ${usage}\n`);
    return 2;
  }
  try {
    const { config } = readEnvironment(process.env, createLog('silent'));
    const { signIns, close } = await openSignIns({
      config,
      dataDir: dataDirOf(process.env, process.platform, homedir()),
    });
    const { token } = await signIns.createLink(name);
    await close();
    if (!(await isUp(config.port))) {
      process.stderr.write(
        `beckon: no server answers on port ${config.port} of this machine; start it, then open the link\n`,
      );
    }
    process.stdout.write(`${new URL(`/sign-in/${token}`, config.publicUrl).href}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`beckon: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function isUp(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
