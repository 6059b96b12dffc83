import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resultSchema } from '../../src/ledger/index.ts';
import { type ApiServer, eventually, startApiServer, testKey } from '../support/api-server.ts';
import { type RunningCommand, runBeckon, temporaryFolder } from '../support/beckon-process.ts';

let api: ApiServer;
let home: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  home = temporaryFolder('ask');
  api = await startApiServer();
});
afterEach(async () => {
  await api.stop();
  home.remove();
});

function ask(argv: readonly string[], more: Record<string, string> = {}, input = ''): RunningCommand {
  const env = { BECKON_URL: api.url, BECKON_KEY: testKey, BECKON_DATA_DIR: join(home.path, 'data'), ...more };
  return runBeckon(['ask', ...argv], { cwd: home.path, env, input });
}

const deploy = ['permission', '--title', 'Deploy?', '--gist', 'Ships the fix.'];

describe('beckon ask', () => {
  it('prints an approval and ends with 0, and counts it as handed over', async () => {
    const run = ask(deploy);
    const { id } = await api.desk.pending('Deploy?');
    api.desk.settle(id, { status: 'approved', by: 'Ada', via: 'slack' });
    expect(await run.ended).toBe(0);
    const at = api.desk.requests.get(id)?.settledAt?.toISOString().slice(0, 16).replace('T', ' ');
    expect(run.stdout()).toBe(`Approved by Ada on Slack at ${at} UTC. Go ahead with exactly what you asked for.\n`);
    expect(run.stderr()).toContain(`asked ${id}; waiting for a person until`);
    expect(api.desk.requests.get(id)?.deliveredAt).not.toBeNull();
  });

  it.each([
    [1, { status: 'denied', words: 'no' }, 'They wrote: "no"'],
    [2, { status: 'expired' }, 'Denied by timeout'],
    [3, { status: 'cancelled', words: 'late' }, 'anybody answered. Reason: "late". Nothing was approved.'],
  ] as const)('ends with %i when it is %o', async (code, outcome, words) => {
    const run = ask(deploy);
    api.desk.settle((await api.desk.pending('Deploy?')).id, outcome);
    expect(await run.ended).toBe(code);
    expect(run.stdout()).toContain(words);
  });

  it('asks a question with options, its gist from stdin, its detail from a file, and prints JSON', async () => {
    writeFileSync(join(home.path, 'detail.txt'), 'a\nb\n');
    const argv = ['steering', '--title', 'Which?', '--gist', '-', '--extended-file', 'detail.txt'];
    const run = ask(
      [...argv, '--option', 'left', '--option', 'right', '--recommend', '2', '--json'],
      {},
      'From stdin\n',
    );
    const request = await api.desk.pending('Which?');
    expect(request).toMatchObject({
      kind: 'steering',
      gist: 'From stdin',
      extended: 'a\nb',
      options: [
        { label: 'left', recommended: false },
        { label: 'right', recommended: true },
      ],
    });
    api.desk.settle(request.id, { status: 'answered', chosenOption: { label: 'right', index: 1 } });
    expect(await run.ended).toBe(0);
    expect(resultSchema.parse(JSON.parse(run.stdout()))).toMatchObject({
      status: 'answered',
      chosenOption: { index: 1 },
    });
  });

  it('withdraws the question on Ctrl-C', async () => {
    const run = ask(deploy);
    const { id } = await api.desk.pending('Deploy?');
    await eventually('the poll', () => api.seen.includes(`GET /api/v1/requests/${id}/wait`));
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(3);
    expect(api.desk.requests.get(id)?.status).toBe('cancelled');
  });

  it('leaves the question open on Ctrl-C while another call waits for it', async () => {
    const polls = () => api.seen.filter((line) => line === `GET /api/v1/requests/${id}/wait`).length;
    const run = ask(deploy);
    const { id } = await api.desk.pending('Deploy?');
    const authorization = `Bearer ${testKey}`;
    const other = fetch(`${api.url}/api/v1/requests/${id}/wait`, { headers: { authorization } });
    await eventually('both polls', () => polls() === 2);
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(3);
    expect(run.stdout()).toContain('Still pending');
    expect(api.desk.requests.get(id)).toMatchObject({ status: 'pending', deliveredAt: null });
    api.desk.settle(id, { status: 'approved' });
    expect(await (await other).json()).toMatchObject({ request: { status: 'approved' } });
  });

  it('killed and run again, joins what it left open', async () => {
    const first = ask(deploy);
    const { id } = await api.desk.pending('Deploy?');
    first.child.kill('SIGKILL');
    await first.ended;
    api.desk.settle(id, { status: 'approved' });
    const second = ask(deploy);
    expect(await second.ended).toBe(0);
    expect(api.desk.paged()).toBe(1);
  });
});

const five = ['a', 'b', 'c', 'd', 'e'].flatMap((label) => ['--option', label]);

describe('beckon ask that cannot ask ends with 3', () => {
  it.each([
    [['lunch', '--title', 'x', '--gist', 'y'], '"lunch" cannot be asked: permission, plan or steering'],
    [['permission'], '--title: is required'],
    [[...deploy, '--danger', 'extreme'], '--danger: must be "low" or "medium" or "high"'],
    [['plan', '--title', 'x', '--gist', 'y', '--danger', 'low'], '--danger: is not an argument'],
    [
      ['steering', '--title', 'x', '--gist', 'y', '--option', 'a', '--recommend', '2'],
      '--recommend 2: there are 1 options',
    ],
    [
      ['steering', '--title', 'x', '--gist', 'y', '--option', 'a', '--option', 'a'],
      '--option 2 is the same as --option 1; make',
    ],
    [['steering', '--title', 'x', '--gist', 'y', '--option', ' '], '--option 1 is empty'],
    [['steering', '--title', 'x', '--gist', 'y', ...five], '--option 5: at most 4 options'],
    [[...deploy, '--extended', ' '], '--extended: is empty'],
    [[...deploy, '--extended-file', '/dev/null'], '--extended-file: is empty'],
    [[...deploy, '--ttl', '1e12'], "'--ttl <seconds>' argument '1e12' is invalid"],
    [[...deploy, '--loud'], "unknown option '--loud'"],
    [[...deploy, '--extended-file', 'none.txt'], '--extended-file none.txt: ENOENT'],
  ])('%j', async (argv, words) => {
    const run = ask(argv);
    expect(await run.ended).toBe(3);
    expect(run.stderr()).toContain(words);
    expect(run.stdout()).toBe('');
    expect(api.seen).toEqual([]);
  });

  it('a key that the server does not accept', async () => {
    const run = ask(deploy, { BECKON_KEY: 'bk_live_old' });
    expect(await run.ended).toBe(3);
    expect(run.stderr()).toContain('[unauthorized] The server at');
  });
});
