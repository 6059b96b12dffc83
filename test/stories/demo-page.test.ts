import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCommand, runBeckon } from '../support/beckon-process.ts';
import { launchBrowser } from '../web/launch-browser.ts';

/** The interactive demo as a visitor uses it: real browser, real server, real chat libraries, a real MCP client. */

let demo: RunningCommand;
let browser: Browser;
let page: Page;
const faults: string[] = [];

const pane = (name: string) => page.getByTestId(`pane-${name}`);
const newest = (name: string) => pane(name).getByTestId('message').last();
const result = () => pane('agent').getByTestId('entry-result').last();

const resultFields = async () => JSON.parse((await result().getByTestId('result-fields').textContent()) ?? '');

describe('a visitor of the demo', () => {
  beforeAll(async () => {
    demo = startDemo();
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(await addressOf(demo));
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    demo?.child.kill('SIGTERM');
    await demo?.ended;
  });

  it('lets the agent ask, taps an option in Telegram, and sees the other chats and the agent go on', async () => {
    await pane('agent')
      .getByRole('button', { name: /Ask for steering/ })
      .click();
    const title = 'How should we retry the card network?';
    const waiting = pane('agent').getByTestId('agent-state');
    await waiting.getByText('Blocked, waiting for a person').waitFor();
    for (const name of ['slack', 'discord', 'telegram']) await newest(name).getByText(title).waitFor();
    await newest('telegram').getByRole('button', { name: /2/ }).click();

    await result().getByText('answered', { exact: true }).waitFor();
    expect(await resultFields()).toMatchObject({
      status: 'answered',
      chosenOption: { index: 1, label: expect.stringMatching(/^A fixed pause of 2 seconds/) },
      resolvedVia: 'telegram',
      resolvedBy: 'Ada Lovelace',
      expired: false,
      deniedByTimeout: false,
    });
    for (const name of ['slack', 'discord', 'telegram']) {
      await newest(name)
        .getByText(/Ada Lovelace/)
        .first()
        .waitFor();
      await expect
        .poll(
          () =>
            newest(name)
              .getByRole('button', { name: /^(1|2|3|4|Write)/ })
              .count(),
          { message: name },
        )
        .toBe(0);
      await newest(name)
        .getByText(/edited/)
        .first()
        .waitFor();
    }
    await expect.poll(() => waiting.getByText('Blocked').count()).toBe(0);
  }, 40_000);

  it('is refused privately as a stranger in Slack, then denies with a reason in the form of Discord', async () => {
    await pane('agent')
      .getByRole('button', { name: /Ask a permission/ })
      .click();
    const title = 'Deploy payments-api 2.14.0 to production?';
    await newest('slack').getByText(title).waitFor();
    await pane('slack').getByTestId('person-slack').selectOption({ label: 'Mallory Stranger' });
    await newest('slack').getByRole('button', { name: 'Approve' }).click();
    await pane('slack')
      .getByTestId('note')
      .getByText(/not on the list/)
      .waitFor();
    await pane('slack').getByTestId('person-slack').selectOption({ label: 'Ada Lovelace' });
    await expect.poll(() => pane('slack').getByTestId('note').count()).toBe(0);

    await newest('discord').getByText(title).waitFor();
    await newest('discord')
      .getByRole('button', { name: /reason/i })
      .click();
    const form = pane('discord').getByTestId('form');
    await form.getByRole('textbox').fill('Not on a Friday evening.');
    await form.getByRole('button', { name: 'Submit' }).click();
    await result().getByText('denied', { exact: true }).waitFor();
    expect(await resultFields()).toMatchObject({
      status: 'denied',
      answer: 'Not on a Friday evening.',
      resolvedVia: 'discord',
    });
    await newest('telegram')
      .getByText(/Not on a Friday evening\./)
      .waitFor();
  }, 40_000);

  it('writes an answer as a reply in Telegram', async () => {
    await pane('agent')
      .getByRole('button', { name: /Ask for steering/ })
      .click();
    await newest('telegram').getByText('Two tests contradict each other').waitFor();
    await newest('telegram').getByRole('button', { name: /Write/ }).click();
    const reply = pane('telegram').getByTestId('form');
    await reply.getByRole('textbox').fill('Half-even; mend ledger.spec.');
    await reply.getByRole('button', { name: 'Send the reply' }).click();
    await result().getByText('answered', { exact: true }).waitFor();
    expect(await resultFields()).toMatchObject({ status: 'answered', answer: 'Half-even; mend ledger.spec.' });
    await newest('slack').getByText('Half-even; mend ledger.spec.').waitFor();
    await newest('discord').getByText('Half-even; mend ledger.spec.').waitFor();
  }, 40_000);

  it('gives the call up: the pages turn neutral', async () => {
    await pane('agent')
      .getByRole('button', { name: /Ask a plan check/ })
      .click();
    await newest('discord').getByText('Split orders.customer_name').waitFor();
    await pane('agent').getByRole('button', { name: 'Give the call up' }).click();
    await pane('agent')
      .getByText(/gave the call up/)
      .waitFor();
    for (const name of ['slack', 'discord', 'telegram']) {
      await expect
        .poll(
          () =>
            newest(name)
              .getByRole('button', { name: /^(Approve|Deny)/ })
              .count(),
          { message: name },
        )
        .toBe(0);
    }
  }, 40_000);

  it('opens the dashboard signed in, once and again', async () => {
    for (let time = 0; time < 2; time += 1) {
      const [dashboard] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('button', { name: 'Dashboard' }).click(),
      ]);
      await dashboard.waitForURL(/\/sign-in\//);
      await dashboard.getByRole('button').first().waitFor();
      await dashboard.close();
    }
  }, 40_000);

  it('sees one pane at a time on a narrow screen, without a horizontal scroll bar', async () => {
    await page.setViewportSize({ width: 360, height: 720 });
    for (const name of ['Slack', 'Discord', 'Telegram', 'Agent']) {
      await page.getByRole('tab', { name }).click();
      for (const other of ['agent', 'slack', 'discord', 'telegram']) {
        expect(await pane(other).isVisible(), other).toBe(other === name.toLowerCase());
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    }
    await page.setViewportSize({ width: 1400, height: 900 });
  });

  it('met no fault of the page', () => {
    expect(faults).toEqual([]);
  });
});

describe('the demo as a process', () => {
  it('ends within 5 s of Ctrl-C and leaves no process behind', async () => {
    const own = startDemo();
    await addressOf(own);
    const children = childrenOf(own.child.pid);
    expect(children.length).toBe(2);
    const from = performance.now();
    own.child.kill('SIGINT');
    expect(await own.ended).toBe(0);
    expect(performance.now() - from).toBeLessThan(5_000);
    expect(children.filter(isAlive)).toEqual([]);
  }, 40_000);

  it('takes its processes and its folder with it when it is killed', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'demo-killed-'));
    const own = runBeckon(['demo', ...free], { cwd: process.cwd(), env: { TMPDIR: temporary } });
    await addressOf(own);
    expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^beckon-demo-/)]);
    const children = childrenOf(own.child.pid);
    expect(children.length).toBe(2);
    own.child.kill('SIGKILL');
    await own.ended;
    await expect.poll(() => children.filter(isAlive), { timeout: 8_000 }).toEqual([]);
    await expect.poll(() => readdirSync(temporary), { timeout: 2_000 }).toEqual([]);
    rmSync(temporary, { recursive: true });
  }, 40_000);

  it('says so and ends when its server dies', async () => {
    const own = startDemo();
    await addressOf(own);
    const rows = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
    const children = childrenOf(own.child.pid);
    const server = children.find((pid) => rows.some((row) => row.trim().startsWith(`${pid} `) && / serve$/.test(row)));
    if (server === undefined) throw new Error('the demo runs no server');
    process.kill(server, 'SIGKILL');
    expect(await own.ended).toBe(1);
    expect(own.stderr()).toMatch(/^beckon: the server ended by itself: /);
    expect(children.filter(isAlive)).toEqual([]);
  }, 40_000);

  it.each(['--port', '--server-port'])(
    'says in one line that the port of %s is in use',
    async (option) => {
      const taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
      const { port } = taken.address() as { port: number };
      const own = startDemo(option, String(port));
      expect(await own.ended).toBe(1);
      expect(own.stderr()).toMatch(new RegExp(`^beckon: port ${port} is in use[^\n]*${option}\n$`));
      await new Promise((resolve) => taken.close(resolve));
    },
    40_000,
  );
});

const free = ['--port', '0', '--server-port', '0'];

function startDemo(...more: readonly string[]): RunningCommand {
  return runBeckon(['demo', ...free, ...more], { cwd: process.cwd(), env: {} });
}

async function addressOf(command: RunningCommand): Promise<string> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const address = /The demo is at (\S+)/.exec(command.stdout())?.[1];
    if (address !== undefined) return address;
    if (performance.now() > deadline) throw new Error(`the demo did not start: ${command.stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function childrenOf(pid: number | undefined): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
