import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDiscordEmulator } from '../../src/demo/discord/discord-emulator.ts';
import type { EmulatedChat } from '../../src/demo/emulator.ts';
import { createSlackEmulator } from '../../src/demo/slack/slack-emulator.ts';
import { createTelegramEmulator } from '../../src/demo/telegram/telegram-emulator.ts';
import type { RequestResult } from '../../src/ledger/index.ts';
import { openLedgerStore } from '../../src/ledger/store/open-ledger-store.ts';
import {
  cleanEnv,
  freePort,
  mainScript,
  type RunningCommand,
  runBeckon,
  temporaryFolder,
} from '../support/beckon-process.ts';
import { messageWith, press, settledCopy, until } from '../support/running-beckon.ts';

/** Real processes: the server is killed, the agent's own MCP server lives on. */
const folder = temporaryFolder('killed');
let chats: readonly EmulatedChat[];
let server: RunningCommand;
let env: Record<string, string>;
let url: string;

async function startServer(): Promise<void> {
  server = runBeckon(['serve'], { cwd: folder.path, env });
  await until('the server is ready', 15_000, async () => {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    return response?.ok || undefined;
  });
}

async function kill(): Promise<void> {
  server.child.kill('SIGKILL');
  expect(await server.ended).toBe('SIGKILL');
}

beforeAll(async () => {
  chats = await Promise.all([createSlackEmulator({}), createDiscordEmulator({}), createTelegramEmulator({})]);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  env = {
    BECKON_PORT: String(port),
    BECKON_DATA_DIR: folder.path,
    BECKON_LOG_LEVEL: 'error',
    ...Object.assign(
      {},
      ...chats.map((chat) => ({ ...chat.environment, [`BECKON_${chat.platform.toUpperCase()}_API_URL`]: chat.apiUrl })),
    ),
  };
  await startServer();
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  await Promise.all(chats.map((chat) => chat.stop()));
  folder.remove();
});

async function connectAgent(): Promise<Client> {
  const key = readFileSync(join(folder.path, 'local-key'), 'utf8').trim();
  const agent = new Client({ name: 'killed-server-story', version: '1' });
  const agentEnv = cleanEnv({
    BECKON_URL: url,
    BECKON_KEY: key,
    BECKON_DATA_DIR: join(folder.path, 'agent'),
    BECKON_SESSION_NAME: 'story',
  });
  await agent.connect(
    new StdioClientTransport({ command: process.execPath, args: [mainScript, 'mcp'], env: agentEnv, cwd: folder.path }),
  );
  return agent;
}

/** Waits until the server has recorded where it showed the only pending request. */
async function untilRecorded(): Promise<void> {
  const key = readFileSync(join(folder.path, 'local-key'), 'utf8').trim();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const database = await openLedgerStore({ url: `file:${join(folder.path, 'beckon.db')}` });
  try {
    const [request] = await database.listRequests({ status: 'pending', limit: 1 });
    await until('all three pages are recorded', 10_000, async () => {
      const response = await fetch(`${url}/api/v1/requests/${request?.id}/progress`, { headers });
      const text = await response.text();
      return /paged on (?=.*Slack)(?=.*Discord)(?=.*Telegram)/.test(text) || undefined;
    });
  } finally {
    await database.close();
  }
}

function ask(agent: Client, title: string): Promise<RequestResult> {
  return agent
    .callTool(
      { name: 'request_permission', arguments: { title, gist: 'For the story.' } },
      { timeout: 60_000, onprogress: () => {}, resetTimeoutOnProgress: true },
    )
    .then((result) => result.structuredContent as RequestResult);
}

describe('the server is killed while an agent waits', () => {
  it('the old button settles after the restart, and the agent that never noticed gets the answer', async () => {
    const agent = await connectAgent();
    const title = 'Run the backfill?';
    const waiting = ask(agent, title);
    for (const chat of chats) await messageWith(chat, title);
    // A kill between Telegram's post and our record of it could not but post twice: Telegram has no key for that.
    await untilRecorded();
    await kill();
    await startServer();
    const [slack, discord, telegram] = chats;
    if (slack === undefined || discord === undefined || telegram === undefined) throw new Error('three chats');
    // Telegram keeps a press for the poller to come.
    await press(telegram, title, 'Approve');
    expect(await waiting).toMatchObject({ status: 'approved', resolvedVia: 'telegram' });
    for (const chat of chats) {
      await settledCopy(chat, title, 'approved');
      expect(chat.messages().filter((message) => message.text.includes(title))).toHaveLength(1);
    }
    await agent.close();
  });

  it('what was settled stays settled: a second kill posts nothing and edits nothing back', async () => {
    const before = chats.map((chat) => JSON.stringify(chat.messages()));
    await kill();
    await startServer();
    const agent = await connectAgent();
    const title = 'Another question?';
    const waiting = ask(agent, title);
    for (const chat of chats) await messageWith(chat, title);
    const [slack] = chats;
    if (slack === undefined) throw new Error('slack');
    await press(slack, title, 'Deny');
    expect(await waiting).toMatchObject({ status: 'denied', resolvedVia: 'slack' });
    chats.forEach((chat, index) => {
      expect(JSON.stringify(chat.messages().slice(0, JSON.parse(before[index] ?? '[]').length))).toBe(before[index]);
      expect(chat.violations()).toEqual([]);
    });
    await agent.close();
  });

  it('ends by itself within 10 s when told to', async () => {
    const at = performance.now();
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(performance.now() - at).toBeLessThan(10_000);
    expect(server.stdout()).toContain('Beckon runs on');
    await startServer();
  });
});
