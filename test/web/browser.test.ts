import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from './launch-browser.ts';
import { requestId, someDetail } from './some-request.ts';
import { type RunningWeb, startWeb } from './start-web.ts';

let browser: Browser;
let web: RunningWeb;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  web = await startWeb();
  context = await browser.newContext();
  page = await context.newPage();
  complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
});
afterEach(async () => {
  await context.close();
  await web.stop();
  expect(complaints).toEqual([]);
});

async function signIn(next: string): Promise<void> {
  const { token } = await web.signIns.createLink('Ada');
  await page.goto(`${web.origin}/sign-in/${token}?next=${encodeURIComponent(next)}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
}

function openRequest(request: Parameters<typeof someDetail>[0] = {}): void {
  web.board.put(someDetail(request));
  web.board.say({ kind: 'request', requestId, status: 'pending' });
}

describe('in a real browser', () => {
  it('the list follows the board by itself, title and count too', async () => {
    await signIn('/');
    await page.getByText('Nothing is waiting for you').waitFor();
    openRequest({ dangerLevel: 'high' });
    await page.getByRole('link', { name: 'Deploy api v2 to production' }).waitFor();
    await expect.poll(() => page.title()).toBe('(1) Requests · Beckon');
    expect(await page.locator('#pending-count').textContent()).toContain('1');
    expect(await page.locator('.time-left').textContent()).toMatch(/5 h 5\d min left/);
    await expect.poll(() => page.locator('#announce').textContent()).toBe('(1) Requests · Beckon');

    await web.board.answer({ requestId, choice: { kind: 'approve' }, by: { account: 'x', displayName: 'Grace' } });
    await page.getByText('Approved by Grace on the dashboard').waitFor();
    await expect.poll(() => page.title()).toBe('Requests · Beckon');
  });

  it('a request is opened and answered by clicking, danger asked twice', async () => {
    openRequest({ dangerLevel: 'high' });
    await signIn('/');
    await page.getByRole('link', { name: 'Deploy api v2 to production' }).click();
    await page.getByLabel('Words for the agent').fill('Go.');
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(web.board.answers).toEqual([]);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('your answer is on its way to the agent').waitFor();
    await page.getByRole('heading', { name: 'Approved by Ada on the dashboard' }).waitFor();
    expect(web.board.answers).toMatchObject([{ choice: { kind: 'approve' }, text: 'Go.' }]);
  });

  it('an option is picked on a phone with one tap', async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    const long = 'Postgres, '.repeat(20).slice(0, 200);
    openRequest({ kind: 'steering', title: 'W'.repeat(200), options: [{ label: long, recommended: true }] });
    await signIn(`/requests/${requestId}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.getByRole('button', { name: 'Option 1' }).click();
    await page.getByText('your answer is on its way to the agent').waitFor();
    expect(web.board.answers).toMatchObject([{ choice: { kind: 'option', index: 0 } }]);
  });

  it('what a person is writing stays while the page changes around it, until somebody else is first', async () => {
    openRequest();
    await signIn(`/requests/${requestId}`);
    await page.getByLabel('Words for the agent').fill('half a sen');
    web.board.put(someDetail({}, { pages: [{ channel: 'slack', chatId: 'C1', state: 'shown', detail: '' }] }));
    web.board.say({ kind: 'page', requestId });
    await page.getByText('Shown, up to date').waitFor();
    expect(await page.getByLabel('Words for the agent').inputValue()).toBe('half a sen');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('words');

    await web.board.answer({ requestId, choice: { kind: 'deny' }, by: { account: 'x', displayName: 'Grace' } });
    await page.getByRole('heading', { name: 'Denied by Grace on the dashboard' }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expect.poll(() => page.title()).toBe('Denied: Deploy api v2 to production · Beckon');
  });

  it('a page whose connection broke comes back and shows what it missed', async () => {
    await signIn('/');
    web.cut();
    await page.getByText('Reconnecting…').waitFor();
    web.board.put(someDetail());
    await page.getByRole('link', { name: 'Deploy api v2 to production' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    complaints = complaints.filter((text) => !text.includes('net::ERR_'));
  });

  it('a page whose sign-in ended asks to sign in again', async () => {
    await signIn('/channels');
    const [{ value } = { value: '' }] = await context.cookies();
    await web.signIns.signOut(value);
    web.board.say({ kind: 'setting' });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/channels');
    complaints = complaints.filter((text) => !text.includes('401'));
  });

  it('an attack in the text runs nothing', async () => {
    const attack = '<script>document.title="owned"</script><img src=x onerror="document.title=1">';
    openRequest({ title: attack, gist: attack, extended: attack, instanceLabel: attack });
    await signIn(`/requests/${requestId}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(attack);
    expect(await page.title()).toContain(attack);
  });

  it('works without scripts', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const tab = await plain.newPage();
    openRequest();
    const { token } = await web.signIns.createLink('Ada');
    await tab.goto(`${web.origin}/requests/${requestId}`);
    await tab.goto(`${web.origin}/sign-in/${token}`);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('button', { name: 'Deny' }).click();
    await tab.getByRole('heading', { name: 'Denied by Ada on the dashboard' }).waitFor();
    await plain.close();
  });
});
