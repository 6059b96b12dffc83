import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EmulatedChat } from '../emulator.ts';
import { connectDemoAgent, type DemoAgent } from './agent.ts';
import { agentEnvironment, cleanEnvironment, serverEnvironment } from './environments.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** Everything that a scene plays on: three emulated chats, the real server in its process, an agent that speaks MCP to it. */
export interface Stage {
  readonly chats: readonly EmulatedChat[];
  readonly agent: DemoAgent;
  readonly dataDir: string;
  readonly serverUrl: URL;
  /** A one-time link that signs in to the dashboard. */
  signInLink(): Promise<string>;
  /** Ends the server and starts another on the same data and the same port; chats and agent stay. */
  restartServer(change: { readonly ttlSeconds: number }): Promise<void>;
  /** Resolves when the server that runs now has ended. */
  serverGone(): Promise<void>;
  /** Last lines that the server and the agent's MCP server said on stderr, for whoever looks for a fault. */
  lastLines(): readonly string[];
  /** Ends all processes and servers and removes the data folder. Safe to call twice. */
  close(): Promise<void>;
}

export interface StageDeps {
  /** `dist/main.js`. */
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** 0: any free one. */
  readonly serverPort: number;
  /** True: the data folder stays, to look into. */
  readonly keep: boolean;
  readonly createChats: () => Promise<readonly EmulatedChat[]>;
  readonly signal: AbortSignal;
}

const mostLines = 40;
/** Less than the 15 minutes that a link lives, so that nobody is handed one that is about to end. */
const linkGoodMs = 10 * 60_000;

/** @throws Error with a sentence when anything does not come up; what had come up is ended by then */
export async function openStage(deps: StageDeps): Promise<Stage> {
  const { script, signal } = deps;
  const closers: (() => Promise<unknown>)[] = [];
  const lines: string[] = [];
  const onLine = (line: string) => {
    lines.push(line);
    if (lines.length > mostLines) lines.shift();
  };
  let folder: string | null = null;
  const closeAll = async () => {
    await Promise.allSettled(closers.map((closer) => closer()));
    // The others write to it until they have ended.
    if (folder !== null && !deps.keep) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= closeAll();
    return closing;
  };
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'beckon-demo-'));
    folder = dataDir;
    const chats = await deps.createChats();
    closers.push(() => Promise.all(chats.map((chat) => chat.stop())));
    const base = cleanEnvironment(deps.env);
    const start = (port: number, change: { readonly ttlSeconds?: number }) =>
      startServerProcess({
        script,
        env: serverEnvironment({ base, dataDir, port, chats, ...change }),
        removeFolder: deps.keep ? null : dataDir,
        onLine,
        signal,
      });
    let server: ServerProcess = await start(deps.serverPort, {});
    closers.push(() => server.stop());
    const { url } = server;
    const port = Number(url.port);
    const key = (await readFile(join(dataDir, 'local-key'), 'utf8')).trim();
    const agent = await connectDemoAgent({
      script,
      cwd: dataDir,
      env: agentEnvironment({ base, dataDir, url, key }),
      onStderr: onLine,
    });
    closers.push(() => agent.close());
    signal.throwIfAborted();
    let unused: { readonly link: string; readonly since: number } | null = fresh(server);
    return {
      chats,
      agent,
      dataDir,
      serverUrl: url,
      async signInLink() {
        const known = unused;
        unused = null;
        if (known !== null && performance.now() - known.since < linkGoodMs) return known.link;
        return makeLink(script, serverEnvironment({ base, dataDir, port, chats }));
      },
      async restartServer(change) {
        await server.stop();
        server = await start(port, change);
        unused = fresh(server);
      },
      serverGone: () => server.gone,
      lastLines: () => [...lines],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function fresh(server: ServerProcess) {
  return { link: server.signInLink, since: performance.now() };
}

/** The same command that an operator has, beside the running server. */
async function makeLink(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'members', 'sign-in', 'owner'], {
    env: { ...env },
    timeout: 20_000,
  });
  return stdout.trim();
}
