import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The compiled command; `npm test` builds it first. */
export const mainScript =
  process.env.BECKON_TEST_MAIN ?? join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist', 'main.js');

/** A folder for one test, deleted by `remove()`. */
export function temporaryFolder(name: string): { readonly path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `beckon-${name}-`)));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** An environment that holds nothing of the machine's own Beckon. */
export function cleanEnv(more: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(BECKON|RIBY)_/.test(name));
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...more };
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Runs `beckon …` as a child process. */
export function runBeckon(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly input?: string },
): RunningCommand {
  const child = spawn(process.execPath, [mainScript, ...argv], { cwd: options.cwd, env: cleanEnv(options.env) });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  if (options.input !== undefined) child.stdin.end(options.input);
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** True while the process exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
