import { expect, it } from 'vitest';
import { runBeckon } from '../support/beckon-process.ts';

it('the demo plays itself: four requests, every copy edited, every result right', { timeout: 60_000 }, async () => {
  const { code, out, err } = await run(['demo', '--auto']);
  expect(code, `${out}\n${err}`).toBe(0);
  expect(out).toMatch(/All well: 4 requests on 12 copies, all \d+ checks held/);
  for (const line of [
    /presses Approve .*on Slack and is told, privately/,
    /writes in the form/,
    /\[approved\]/,
    /\[denied\]/,
    /\[answered\]/,
    /\[expired\]/,
  ]) {
    expect(out).toMatch(line);
  }
  expect(err).toBe('');
});

it('says what is wrong with its arguments and does nothing', async () => {
  const { code, err } = await run(['demo', '--port', 'many']);
  expect(code).toBe(2);
  expect(err).toMatch(/a port is a whole number from 0 to 65535/);
  expect((await run(['demo', '--fast'])).code).toBe(2);
});

async function run(argv: readonly string[]) {
  const command = runBeckon(argv, { cwd: process.cwd(), env: {} });
  const code = await command.ended;
  return { code, out: command.stdout(), err: command.stderr() };
}
