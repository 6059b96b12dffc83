import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgentConsole } from '../../src/demo/page/agent-console.ts';
import { type DemoPageServer, startDemoPage } from '../../src/demo/page/page-server.tsx';
import type { CallOptions, ToolAnswer } from '../../src/demo/scene/agent.ts';
import { createInMemoryChat, type InMemoryChat } from './in-memory-chat.ts';

interface OpenCall {
  readonly tool: string;
  readonly options: CallOptions;
  readonly answer: (answer: ToolAnswer) => void;
}

let chats: Record<'slack' | 'discord' | 'telegram', InMemoryChat>;
let page: DemoPageServer;
let calls: OpenCall[];

const message = (id: string, text: string, buttons: readonly { id: string; label: string }[] = []) => ({
  id,
  author: 'Beckon',
  at: new Date(),
  edited: false,
  text,
  parts: [{ style: 'text', text } as const],
  buttons: buttons.map((button) => ({ ...button, look: 'plain' as const })),
});

const start = (port = 0) => {
  const agent = {
    call: (tool: string, _args: unknown, options: CallOptions = {}) =>
      new Promise<ToolAnswer>((resolve, reject) => {
        calls.push({ tool, options, answer: resolve });
        options.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  };
  return startDemoPage({
    port,
    chats: Object.values(chats),
    console: createAgentConsole({ agent, now: () => new Date() }),
    agentLabel: 'api · main',
    dashboard: new URL('http://127.0.0.1:4747'),
    signInLink: async () => 'http://127.0.0.1:4747/sign-in/once',
    now: () => new Date(),
  });
};

beforeEach(async () => {
  calls = [];
  chats = {
    slack: createInMemoryChat('slack'),
    discord: createInMemoryChat('discord'),
    telegram: createInMemoryChat('telegram'),
  };
  page = await start();
});
afterEach(() => page.stop());

const post = (path: string, body: unknown, origin = page.url.origin) =>
  fetch(new URL(path, page.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(body),
  });
const parts = async (chat: string, person: string) =>
  (await (await fetch(new URL(`/parts/${chat}?person=${person}`, page.url))).json()) as Record<
    'log' | 'form' | 'state',
    string
  > & { open: number };

describe('the page of the demo', () => {
  it('shows the agent and the three chats, each with its people', async () => {
    const response = await fetch(page.url);
    const html = await response.text();
    for (const name of ['agent', 'slack', 'discord', 'telegram']) expect(html).toContain(`data-testid="pane-${name}"`);
    expect(html).toContain('<optgroup label="May answer"><option value="ada">Ada Lovelace</option>');
    expect(html).toContain('<optgroup label="Strangers"><option value="mallory">Mallory Stranger</option>');
    expect(html).not.toMatch(/<script(?![^>]*src=)|style="|onclick/);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
  });

  it('serves its script and every one of its style sheets', async () => {
    const html = await (await fetch(page.url)).text();
    const files = [...html.matchAll(/(?:href|src)="(\/[\w.]+)"/g)].map((match) => match[1] ?? '');
    expect(files).toContain('/demo.js');
    for (const file of files) expect((await fetch(new URL(file, page.url))).status, file).toBe(200);
  });

  it('presses as the person one has chosen', async () => {
    chats.discord.show(message('m1', 'Deploy?', [{ id: 'yes', label: 'Approve' }]));
    expect((await parts('discord', 'grace')).open).toBe(1);
    const press = { person: 'grace', message: 'm1', button: 'yes' };
    expect((await post('/chats/discord/press', press)).status).toBe(204);
    expect(chats.discord.did).toEqual([{ press: 'yes', on: 'm1', by: 'grace' }]);
    expect(chats.slack.did).toEqual([]);
  });

  it('says what is wrong when the button is gone, and goes on', async () => {
    const gone = await post('/chats/slack/press', { person: 'ada', message: 'm1', button: 'yes' });
    expect(gone.status).toBe(400);
    expect(await gone.json()).toEqual({ error: 'There is no button yes on message m1 any more.' });
    expect((await post('/chats/slack/press', { person: 5 })).status).toBe(400);
    expect((await post('/chats/myspace/press', {})).status).toBe(400);
    expect((await post('/chats/slack/fly', {})).status).toBe(404);
    expect((await fetch(page.url)).status).toBe(200);
  });

  it('shows private notes to their person alone', async () => {
    chats.telegram.note('mallory', 'You are not on the list');
    expect((await parts('telegram', 'mallory')).log).toContain('You are not on the list');
    expect((await parts('telegram', 'ada')).log).not.toContain('You are not on the list');
  });

  it('opens a form for its person, closes it without sending and opens it again at the next press', async () => {
    chats.slack.show(message('m1', 'Deploy?', [{ id: 'why', label: 'Deny with reason…' }]));
    chats.slack.open('ada', { title: 'Deny with a reason', label: 'Reason', maxLength: 2000 });
    expect((await parts('slack', 'ada')).form).toContain('Deny with a reason');
    expect((await parts('slack', 'grace')).form).toBe('');
    await post('/chats/slack/close-form', { person: 'ada' });
    expect((await parts('slack', 'ada')).form).toBe('');
    await post('/chats/slack/press', { person: 'ada', message: 'm1', button: 'why' });
    expect((await parts('slack', 'ada')).form).toContain('Deny with a reason');
    await post('/chats/slack/form', { person: 'ada', text: 'Not today' });
    expect(chats.slack.did).toContainEqual({ form: 'Not today', by: 'ada' });
    expect((await parts('slack', 'ada')).form).toBe('');
  });

  it('writes, as a reply where one was chosen', async () => {
    await post('/chats/telegram/write', { person: 'ada', text: 'Use the queue', replyTo: 'm7' });
    await post('/chats/telegram/write', { person: 'ada', text: 'Hello' });
    expect(chats.telegram.did).toEqual([
      { write: 'Use the queue', by: 'ada', replyTo: 'm7' },
      { write: 'Hello', by: 'ada' },
    ]);
  });

  it('shows hostile text as text and follows only web links', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    chats.slack.show({
      ...message('m1', hostile),
      buttons: [{ id: 'l', label: 'Details', look: 'link', url: 'javascript:alert(1)' }],
    });
    const { log } = await parts('slack', 'ada');
    expect(log).not.toContain('<img');
    expect(log).not.toContain('javascript:');
    expect(log).toContain('&lt;img src=x');
  });

  it('tells open pages what changed, as it changes', async () => {
    const response = await fetch(new URL('/events', page.url));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let seen = '';
    const readUntil = async (what: string) => {
      while (!seen.includes(what)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended before ${what}`);
        seen += decoder.decode(value, { stream: true });
      }
    };
    await readUntil('event: hello');
    chats.discord.show(message('m1', 'Deploy?'));
    await readUntil('event: change\ndata: discord\n');
    await post('/agent/ask', { kind: 'permission' });
    await readUntil('event: change\ndata: agent\n');
    expect(seen).not.toContain('data: slack');
    await reader.cancel();
  });

  it('does nothing that another site asks for, and answers to no other name', async () => {
    chats.slack.show(message('m1', 'Deploy?', [{ id: 'yes', label: 'Approve' }]));
    const press = { person: 'ada', message: 'm1', button: 'yes' };
    expect((await post('/chats/slack/press', press, 'https://evil.example')).status).toBe(403);
    expect((await post('/dashboard', {}, 'https://evil.example')).status).toBe(403);
    expect(chats.slack.did).toEqual([]);
    const status = await new Promise((resolve) => {
      httpRequest({ host: '127.0.0.1', port: page.url.port, headers: { host: 'rebound.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(421);
  });

  it('leads to the dashboard by a sign-in link', async () => {
    const response = await post('/dashboard', {});
    expect([response.status, response.headers.get('location')]).toEqual([303, 'http://127.0.0.1:4747/sign-in/once']);
  });
});

describe("the agent's console", () => {
  it('blocks on one call at a time and shows call, progress and result', async () => {
    expect((await post('/agent/ask', { kind: 'steering' })).status).toBe(204);
    expect((await post('/agent/ask', { kind: 'permission' })).status).toBe(409);
    expect(calls.map((call) => call.tool)).toEqual(['request_steering']);
    calls[0]?.options.onProgress?.('Waited 20 s; answered by nobody yet');
    const blocked = await parts('agent', '');
    expect(blocked.state).toContain('Blocked, waiting for a person');
    expect(blocked.log).toContain('Waited 20 s; answered by nobody yet');
    calls[0]?.answer({
      isError: false,
      text: 'Ada chose option 2.',
      fields: { status: 'answered', resolvedBy: 'Ada' },
    });
    await expect.poll(async () => (await parts('agent', '')).log).toContain('Ada chose option 2.');
    const after = await parts('agent', '');
    expect(after.log).toContain('&quot;resolvedBy&quot;: &quot;Ada&quot;');
    expect(after.state).not.toContain('Blocked');
  });

  it('asks another question the next time', async () => {
    await post('/agent/ask', { kind: 'permission' });
    const first = (await parts('agent', '')).state;
    calls[0]?.answer({ isError: false, text: 'Approved', fields: { status: 'approved' } });
    await expect.poll(async () => (await parts('agent', '')).state).not.toContain('Blocked');
    await post('/agent/ask', { kind: 'permission' });
    const second = (await parts('agent', '')).state;
    expect(/class="blocked-on">(.*?)<\/p>/.exec(second)?.[1]).not.toBe(
      /class="blocked-on">(.*?)<\/p>/.exec(first)?.[1],
    );
  });

  it('gives a call up', async () => {
    await post('/agent/ask', { kind: 'plan_check' });
    await post('/agent/withdraw', {});
    await expect.poll(async () => (await parts('agent', '')).log).toContain('gave the call up');
    expect((await parts('agent', '')).state).not.toContain('Blocked');
  });
});

describe('the server of the page', () => {
  it('says when its port is taken', async () => {
    await expect(start(Number(page.url.port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('stops with readers connected and leaves no listener behind', async () => {
    const events = await fetch(new URL('/events', page.url));
    await page.stop();
    await events.text().catch(() => '');
    for (const chat of Object.values(chats)) expect(chat.listeners()).toBe(0);
    await expect(fetch(page.url)).rejects.toThrow();
    page = await start();
  });
});
