import { createDiscordEmulator } from './discord/discord-emulator.ts';
import type { EmulatedChat } from './emulator.ts';
import { createAgentConsole } from './page/agent-console.ts';
import { startDemoPage } from './page/page-server.tsx';
import { agentLabel } from './scene/environments.ts';
import { playScene } from './scene/play-scene.ts';
import { refuseTakenPort } from './scene/refuse-taken-port.ts';
import { openStage, type Stage } from './scene/stage.ts';
import { limitTime } from './scene/time-limit.ts';
import { createSlackEmulator } from './slack/slack-emulator.ts';
import { createTelegramEmulator } from './telegram/telegram-emulator.ts';

export interface DemoOptions {
  /** True: the scripted scene without a browser. */
  readonly auto: boolean;
  /** Of the page; 0: any free one. */
  readonly port: number;
  readonly serverPort: number;
  /** True: the data folder stays. */
  readonly keep: boolean;
  /** `dist/main.js`. */
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  /** One line on what went wrong. */
  readonly complain: (line: string) => void;
  /** Aborts when the person wants it to end. */
  readonly signal: AbortSignal;
}

/** Longest that the scripted scene may take, in ms. */
const sceneLimitMs = 38_000;

/** Plays the demo to its end. @returns the exit code: 0 when all was well or the person ended it, else 1 */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { auto, signal, out, complain } = options;
  const limit = limitTime(signal, sceneLimitMs);
  if (!auto) limit.lift();
  let stage: Stage | null = null;
  try {
    if (!auto) await refuseTakenPort(options.port, '--port');
    await refuseTakenPort(options.serverPort, '--server-port');
    stage = await openStage({ ...options, createChats, signal: auto ? limit.signal : signal });
    if (auto) return (await playScene({ stage, out, signal: limit.signal })) ? 0 : 1;
    await showPage(options, stage);
    return 0;
  } catch (error) {
    if (signal.aborted && !auto) return 0;
    complain(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    limit.lift();
    await stage?.close();
    if (stage !== null && options.keep) out(`The data folder stays: ${stage.dataDir}\n`);
  }
}

/** Resolves when the signal aborts. @throws Error when the server ends by itself */
async function showPage(options: DemoOptions, stage: Stage): Promise<void> {
  const { out, signal, port } = options;
  const now = () => new Date();
  const console = createAgentConsole({ agent: stage.agent, now });
  const page = await startDemoPage({
    port,
    chats: stage.chats,
    console,
    agentLabel,
    dashboard: stage.serverUrl,
    signInLink: () => stage.signInLink(),
    now,
  });
  out(
    [
      `The demo is at ${page.url.href}`,
      `Beckon runs on ${stage.serverUrl.href}; the page signs you in to its dashboard.`,
      'Ctrl-C ends everything.',
      '',
    ].join('\n'),
  );
  const ended = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([ended, stage.serverGone()]);
  await page.stop();
  if (!signal.aborted) throw new Error(`the server ended by itself: ${stage.lastLines().at(-1) ?? 'it said nothing'}`);
}

async function createChats(): Promise<readonly EmulatedChat[]> {
  return Promise.all([createSlackEmulator({}), createDiscordEmulator({}), createTelegramEmulator({})]);
}
