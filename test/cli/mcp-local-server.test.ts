import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/api-server.ts';
import { cleanEnv, freePort, isRunning, mainScript, runBeckon, temporaryFolder } from '../support/beckon-process.ts';

let home: ReturnType<typeof temporaryFolder>;
let env: Record<string, string>;
let clients: Client[];
beforeEach(async () => {
  clients = [];
  home = temporaryFolder('first');
  // A database of the project that the agent works on must not become Beckon's.
  const DATABASE_URL = 'postgres://nobody@127.0.0.1:9/project';
  env = { BECKON_DATA_DIR: join(home.path, 'data'), BECKON_PORT: String(await freePort()), DATABASE_URL };
});
afterEach(async () => {
  await Promise.allSettled(clients.map((client) => client.close()));
  const pid = Number(readFileSync(join(home.path, 'data', 'server.pid'), 'utf8'));
  process.kill(pid, 'SIGTERM');
  await eventually('the end of the server', () => !isRunning(pid));
  home.remove();
});

it('five agents on a bare machine start one server, and a question asked there lives on without them', async () => {
  const synced = await Promise.all(
    Array.from({ length: 5 }, async () =>
      (await connect()).callTool({ name: 'sync', arguments: {} }, { timeout: 40_000 }),
    ),
  );
  expect(synced.map((result) => result.isError ?? false)).toEqual([false, false, false, false, false]);
  const log = readFileSync(join(home.path, 'data', 'server.log'), 'utf8');
  expect(log.match(/Beckon runs on/g)).toHaveLength(1);

  await Promise.all(clients.map((client) => client.close()));
  const asked = runBeckon(['ask', 'plan', '--title', 'Go?', '--gist', 'Now.', '--ttl', '1', '--json'], {
    cwd: home.path,
    env,
  });
  expect(await asked.ended).toBe(2);
  expect(JSON.parse(asked.stdout())).toMatchObject({
    status: 'expired',
    answer: 'Denied by timeout',
    deniedByTimeout: true,
  });
}, 60_000);

async function connect(): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1' });
  clients.push(client);
  const spawned = { command: process.execPath, args: [mainScript, 'mcp'], env: cleanEnv(env), cwd: home.path };
  await client.connect(new StdioClientTransport({ ...spawned, stderr: 'ignore' }));
  return client;
}
