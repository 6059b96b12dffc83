import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Beckon, readEnvironment, startBeckon } from '../bot/compose.ts';
import { ConfigError } from '../bot/config.ts';
import { createLog, type Log } from '../bot/log.ts';
import { waitForLock } from '../mcp/process-lock.ts';
import { connectLines, signInCommand } from './connect.ts';
import { dataDirOf } from './data-dir.ts';

/** A server that is being replaced has this long to go. */
const lockMs = 3_000;

/** `beckon serve`: runs until SIGTERM or SIGINT. Resolves with an exit code when it could not start. */
export async function runServe(argv: string[]): Promise<number | undefined> {
  if (argv.length > 0)
    return complain(`beckon serve takes no arguments; it is set up by BECKON_… variables (docs/configuration.md)`, 2);
  // Whatever is written, the database and its journal too, is for this account alone.
  process.umask(0o077);
  const log = createLog(process.env.BECKON_LOG_LEVEL);
  try {
    const dataDir = prepareDataDir(dataDirOf(process.env, process.platform, homedir()));
    const { config, configured } = readEnvironment(process.env, log);
    const lock = config.databaseUrl === null ? await waitForLock(dataDir, 'serving', { forMs: lockMs }) : null;
    if (config.databaseUrl === null && lock === null) {
      return complain(
        `the data folder ${dataDir} is used by another Beckon: stop it, or set BECKON_DATA_DIR to another folder`,
        1,
      );
    }
    process.on('exit', () => lock?.release());
    // Whoever started us may have gone, or its disk may be full: that is no reason to stop serving.
    process.stdout.on('error', () => {});
    const beckon = await startBeckon({ config, configured, dataDir, version: packageVersion(), log });
    stopOnSignal(beckon, log);
    await greet(beckon);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) {
      for (const fault of error.faults) complain(fault, 2);
      return 2;
    }
    return complain(error instanceof Error ? error.message : String(error), 1);
  }
}

async function greet(beckon: Beckon): Promise<void> {
  const link = await beckon.signInLink('owner');
  const { channelTitles } = beckon;
  const chats =
    channelTitles.length === 0 ? 'none set up: the dashboard is the only channel' : channelTitles.join(', ');
  process.stdout.write(
    [
      `Beckon runs on ${beckon.url.href}`,
      `Dashboard:    ${link.href}   (works once, for 15 minutes)`,
      `              more links: ${signInCommand(process.env)}`,
      `Chats:        ${chats}`,
      connectLines(process.env),
      ...(channelTitles.length === 0 ? [] : await beckon.warnings()).map((warning) => `Note:         ${warning}`),
      '',
    ].join('\n'),
  );
}

function stopOnSignal(beckon: Beckon, log: Log): void {
  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(1);
      asked = true;
      log.info({ signal }, 'stopping');
      // Whatever hangs must not keep the process: everything that matters is committed already.
      setTimeout(() => process.exit(1), 10_000).unref();
      beckon.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
    });
  }
}

/** @throws Error with a sentence when the folder cannot be made */
function prepareDataDir(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the data folder ${path} cannot be made (${why}): set BECKON_DATA_DIR to a folder that this account may write`,
    );
  }
}

function packageVersion(): string {
  const path = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

function complain(line: string, code: number): number {
  process.stderr.write(`beckon: ${line}\n`);
  return code;
}
