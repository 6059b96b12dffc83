import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localKey } from '../../src/mcp/local-key.ts';
import { createLocalServer } from '../../src/mcp/local-server.ts';
import { freePort, temporaryFolder } from '../support/beckon-process.ts';

/** A stand-in for `beckon serve`: notes each start, answers /healthz after a moment, ends like the real one on a taken port. */
const program = `
const { appendFileSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const dir = process.env.BECKON_DATA_DIR;
appendFileSync(dir + '/starts', process.pid + '\\n');
let up = false;
const server = createServer((request, response) => response.writeHead(up ? 200 : 503).end('{"name":"beckon"}'));
server.once('error', () => { console.error('port in use'); process.exit(1); });
server.listen(Number(process.env.BECKON_PORT), '127.0.0.1', () => setTimeout(() => {
  writeFileSync(dir + '/local-key', 'bk_live_x\\n');
  up = true;
}, 200));
`;

const log = { debug() {}, info() {}, warn() {}, error() {} };
let home: ReturnType<typeof temporaryFolder>;
let port: number;
let others: ChildProcess[];
beforeEach(async () => {
  others = [];
  home = temporaryFolder('local');
  writeFileSync(join(home.path, 'program.cjs'), program);
  port = await freePort();
});
afterEach(() => {
  for (const pid of starts()) endProcess(pid);
  for (const child of others) child.kill('SIGKILL');
  home.remove();
});

const starts = () => {
  const path = join(home.path, 'starts');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(Number) : [];
};
const local = (script = 'program.cjs', dataDir = home.path) =>
  createLocalServer({
    dataDir,
    port,
    command: [process.execPath, join(home.path, script)],
    env: process.env,
    log,
  });

describe('the local server', () => {
  it('is started once, however many agents look for it together', async () => {
    await Promise.all(Array.from({ length: 10 }, () => local().reach(15_000)));
    await local().reach(1_000);
    expect(starts()).toHaveLength(1);
    expect(await localKey(home.path).key()).toBe('bk_live_x');
  });

  it('is started by another when the agent that was starting it died', async () => {
    const dead = spawn(process.execPath, ['-e', '']);
    others.push(dead);
    await new Promise((resolve) => dead.once('exit', resolve));
    writeFileSync(join(home.path, `start.lock.${dead.pid}.1-abcdefgh.00`), '');
    await local().reach(15_000);
    expect(starts()).toHaveLength(1);
  });

  it('that somebody else is starting is waited for', async () => {
    let up = false;
    const other = createServer((_request, response) => response.writeHead(up ? 200 : 503).end('{"name":"beckon"}'));
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const reaching = local().reach(15_000);
    await new Promise((resolve) => setTimeout(resolve, 400));
    up = true;
    await reaching;
    expect(starts()).toEqual([]);
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  });

  it('that ends at once is an error that says where its words are', async () => {
    writeFileSync(join(home.path, 'bad.cjs'), 'console.error("no disk"); process.exit(3)');
    const started = performance.now();
    await expect(local('bad.cjs').reach(15_000)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/exit code 3.*Nobody was paged.*server\.log/s),
    });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(readFileSync(join(home.path, 'server.log'), 'utf8')).toContain('no disk');
  });

  it.each(['hello', `{"name":"beckon"${' '.repeat(70_000)}}`])(
    'is not looked for behind another program’s port %#',
    async (body) => {
      const other = createServer((_request, response) => response.end(body));
      await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
      await expect(local().reach(5_000)).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringMatching(/Another program answers.*Set BECKON_PORT/s),
      });
      expect(starts()).toEqual([]);
      await new Promise((resolve) => other.close(resolve));
    },
  );

  it('cannot be started without a data folder that can be written', async () => {
    await expect(local('program.cjs', join(home.path, 'program.cjs', 'data')).reach(5_000)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('could not be started: ENOTDIR'),
    });
  });

  it('has a key that must be readable', async () => {
    await expect(localKey(home.path).key()).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('local-key'),
    });
  });
});

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
