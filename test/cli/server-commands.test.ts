import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort, type RunningCommand, runBeckon, temporaryFolder } from '../support/beckon-process.ts';
import { until } from '../support/running-beckon.ts';

let folder: ReturnType<typeof temporaryFolder>;
let port: number;
let env: Record<string, string>;
const running: RunningCommand[] = [];

beforeEach(async () => {
  folder = temporaryFolder('commands');
  port = await freePort();
  env = { BECKON_DATA_DIR: folder.path, BECKON_PORT: String(port), HOME: folder.path };
});
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
  folder.remove();
});

function run(argv: readonly string[], more: Readonly<Record<string, string>> = {}): RunningCommand {
  const command = runBeckon(argv, { cwd: folder.path, env: { ...env, ...more } });
  running.push(command);
  return command;
}

async function serve(more: Readonly<Record<string, string>> = {}): Promise<RunningCommand> {
  const server = run(['serve'], more);
  await until('the server greets', 15_000, () => server.stdout().includes('Beckon runs on') || undefined);
  return server;
}

async function finish(command: RunningCommand) {
  return { code: await command.ended, stdout: command.stdout(), stderr: command.stderr() };
}

describe('beckon serve', () => {
  it('tells all faults of its variables at once, and exits 2', async () => {
    const { code, stderr } = await finish(
      run(['serve'], { BECKON_PORTT: '1', BECKON_SLACK_BOT_TOKEN: 'secret-of-mine' }),
    );
    expect(code).toBe(2);
    expect(stderr).toContain('beckon: BECKON_PORTT is not a variable of Beckon');
    expect(stderr).toContain('beckon: BECKON_SLACK_APP_TOKEN is missing');
    expect(stderr).not.toContain('secret-of-mine');
  });

  it('says in a line that its port is in use, and exits 1', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    const { code, stderr } = await finish(run(['serve']));
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^beckon: port ${port} of 127\\.0\\.0\\.1 is in use.*BECKON_PORT\\n$`));
  });

  it('says in a line that its data folder cannot be', async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await finish(run(['serve'], { BECKON_DATA_DIR: join(file, 'below') }));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^beckon: the data folder .* cannot be made .*BECKON_DATA_DIR.*\n$/);
  });

  it('does not share a data folder with another server', async () => {
    await serve();
    const { code, stderr } = await finish(run(['serve'], { BECKON_PORT: String(await freePort()) }));
    expect(code).toBe(1);
    expect(stderr).toContain('is used by another Beckon');
  });

  it('goes on serving when whoever started it has gone', async () => {
    const server = run(['serve']);
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    await until('the server is ready', 15_000, async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      return response?.ok || undefined;
    });
    expect(server.child.exitCode).toBeNull();
  });

  it('leads other commands back to itself, and its link signs in once', async () => {
    const server = await serve();
    const lines = server.stdout();
    expect(lines).toContain(`-e BECKON_PORT=${port} -e BECKON_DATA_DIR=${folder.path}`);
    expect(lines).toContain('members sign-in NAME, with the same BECKON_DATA_DIR, BECKON_PORT');
    const link = /Dashboard:\s+(\S+)/.exec(lines)?.[1] ?? '';
    expect((await fetch(link)).status).toBe(200);
  });
});

describe('the commands beside a server', () => {
  it('beckon members sign-in makes a link that the running server takes', async () => {
    await serve();
    const { code, stdout, stderr } = await finish(run(['members', 'sign-in', 'Ada']));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const page = await (await fetch(stdout.trim())).text();
    expect(page).toContain('Sign in');
    expect((await finish(run(['members', 'sign-in']))).code).toBe(2);
  });

  it('beckon doctor is content with a server that takes the key, and says what is wrong otherwise', async () => {
    const alone = await finish(run(['doctor']));
    expect(alone.code).toBe(1);
    expect(alone.stdout).toContain(`BAD  no server is ready at http://127.0.0.1:${port}`);
    await serve();
    const well = await finish(run(['doctor']));
    expect(well).toMatchObject({ code: 0, stdout: expect.stringContaining('is ready and takes the key') });
    const elsewhere = join(folder.path, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'local-key'), 'bk_live_0000000000000000000000\n');
    const wrong = await finish(run(['doctor'], { BECKON_DATA_DIR: elsewhere }));
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('another Beckon may have this port');
    const typo = await finish(run(['doctor'], { BECKON_URLL: 'x' }));
    expect(typo.stdout).toContain('BAD  BECKON_URLL is not a variable of Beckon');
  });

  it('beckon knows its version, and names its commands when it does not know one', async () => {
    expect((await finish(run(['--version']))).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const unknown = await finish(run(['frobnicate']));
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('beckon serve');
  });
});
