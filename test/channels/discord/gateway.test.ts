import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createDiscordEmulator } from '../../../src/demo/discord/discord-emulator.ts';
import { buttonOf, createRig, type Rig, somePage, until } from './rig.ts';

const quick = { backMs: 1_500, retryMs: 50, retryMostMs: 200, misconfiguredMs: 300, closeMs: 500 };
const rejections: unknown[] = [];
process.on('unhandledRejection', (reason) => rejections.push(reason));

let rig: Rig;
const open = async (options: Parameters<typeof createRig>[0] = {}) => {
  rig = await createRig({ ...options, timing: { ...quick, ...options.timing } });
  rig.start();
};
afterEach(async () => {
  await rig.stop();
  expect(rejections).toEqual([]);
});

/** The channel hands on a press, whatever happened before. */
const pressWorks = async () => {
  await rig.channel.send(somePage({ token: `press_${rig.answers.length}` }), rig.address);
  const message = rig.chat.messages().at(-1);
  const count = rig.answers.length;
  await rig.chat.press(rig.ada, message?.id ?? '', buttonOf(message, 'Approve'));
  expect(rig.answers).toHaveLength(count + 1);
};

describe('the gateway', () => {
  it('tells connecting, then up, with no intent at all', async () => {
    await open();
    await rig.whenUp();
    expect(rig.states.map((state) => state.status)).toEqual(['connecting', 'up']);
    expect(rig.states.at(-1)?.detail).toBe('');
    await pressWorks();
    expect(rig.chat.violations()).toEqual([]);
  });

  it('a socket that is cut is resumed and brings the press that was made meanwhile', async () => {
    await open();
    await rig.whenUp();
    await rig.channel.send(somePage(), rig.address);
    const message = rig.chat.messages()[0];
    rig.chat.gateway.closeSockets(null);
    await until('the loss is told', () => rig.state() === 'down');
    await rig.chat.press(rig.ada, message?.id ?? '', buttonOf(message, 'Approve'));
    expect(rig.answers).toHaveLength(1);
    expect(rig.chat.privateNotes(rig.ada)).toEqual(['Recorded: approved.']);
    expect(rig.chat.gateway.counts).toMatchObject({ identify: 1, resume: 1 });
    expect(rig.state()).toBe('up');
  });

  it.each([
    ['close 4000', () => rig.chat.gateway.closeSockets(4000)],
    ['close 4009', () => rig.chat.gateway.closeSockets(4009)],
    ['op 7', () => rig.chat.gateway.askToReconnect()],
    ['op 9', () => rig.chat.gateway.invalidateSessions(false)],
  ])('comes back after %s', async (_name, cause) => {
    await open({ timing: { backMs: 10_000 } });
    await rig.whenUp();
    cause();
    await until('the loss', () => rig.states.some((state) => state.status === 'down'));
    await rig.whenUp();
    await pressWorks();
  });

  it('notices that heartbeats stay unanswered and comes back', async () => {
    await open({ emulator: { heartbeatMs: 300 } });
    await rig.whenUp();
    rig.chat.gateway.setHeartbeatAcks(false);
    await until('the loss', () => rig.states.some((state) => state.status === 'down'));
    rig.chat.gateway.setHeartbeatAcks(true);
    await rig.whenUp();
    await pressWorks();
  });

  it.each([
    [4004, 'BECKON_DISCORD_TOKEN'],
    [4014, 'intents'],
  ])('close code %i is told as misconfigured, tried slowly and mended by itself', async (code, words) => {
    await open();
    await rig.whenUp();
    rig.chat.gateway.setRefusal(code);
    rig.chat.gateway.closeSockets(code);
    await until('misconfigured', () => rig.state() === 'misconfigured');
    expect(rig.states.at(-1)?.detail).toContain(words);
    expect(rig.states.at(-1)?.detail).not.toContain('\n');
    rig.chat.gateway.setRefusal(null);
    await rig.whenUp();
    await pressWorks();
  });

  it('a wrong token is one clear line without the token, and the process lives', async () => {
    const token = 'MTAwMDAwMDAwMDAwMDAwMDAw.Gwrong.thistokenisnotrightatallxxxxxxxxx';
    await open({ token });
    await until('misconfigured', () => rig.state() === 'misconfigured');
    expect(rig.states.at(-1)?.detail).toMatch(/^Discord does not accept the bot token: .*BECKON_DISCORD_TOKEN/);
    await until('another try', () => rig.chat.calls().filter((call) => call.status === 401).length >= 2);
    expect(JSON.stringify([rig.states, rig.logged])).not.toContain('thistokenisnotright');
  });

  it('a resume address that no longer answers is given up for a new session', async () => {
    const dead = await createRig();
    const deadUrl = dead.chat.apiUrl.replace('http:', 'ws:').replace('/api', '');
    await dead.stop();
    await open();
    await rig.whenUp();
    await rig.channel.stop();
    await rig.chat.stop();
    await open({ timing: { backMs: 1_000 } });
    rig.chat.gateway.setResumeUrl(deadUrl.replace('127.0.0.1', 'no-such-host.invalid'));
    await rig.whenUp();
    rig.chat.gateway.closeSockets(null);
    await until('the loss', () => rig.state() === 'down');
    rig.chat.gateway.setResumeUrl(null);
    await rig.whenUp();
    expect(rig.chat.gateway.connections()).toBe(1);
    await pressWorks();
    // The client that was given up stays away: no second socket takes the same press.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(rig.chat.gateway.connections()).toBe(1);
  });

  it('a gateway that says nothing after the connection is left for a new one', async () => {
    await open({ timing: { backMs: 400, helloMs: 300 } });
    rig.chat.gateway.setHello(false);
    rig.chat.gateway.closeSockets(null);
    await until('the silence is told', () => rig.states.some((state) => /not up within/.test(state.detail)));
    rig.chat.gateway.setHello(true);
    await rig.whenUp();
    await pressWorks();
  });

  it('a server that is not there is tried again until it is', async () => {
    const first = await createRig();
    const port = Number(new URL(first.chat.apiUrl).port);
    await first.stop();
    await open({ apiUrl: `http://127.0.0.1:${port}/api` });
    await until('the failure is told', () => rig.state() === 'down');
    expect(rig.states.at(-1)?.detail).toMatch(/cannot be reached/);
    const late = await createRig({ emulator: { port } });
    await rig.whenUp();
    await rig.channel.stop();
    await late.stop();
  });

  it('an outage of everything is told once, and over when Discord is back', async () => {
    await open();
    await rig.whenUp();
    const port = Number(new URL(rig.chat.apiUrl).port);
    const from = rig.states.length;
    await rig.chat.stop();
    await until(
      'the client is given up',
      () => rig.states.some(({ detail }) => /cannot be reached/.test(detail)),
      8_000,
    );
    const told = rig.states.slice(from).map(({ status, detail }) => `${status} ${detail}`);
    expect(told.every((line, index) => line.startsWith('down ') && line !== told[index - 1])).toBe(true);
    const back = await createDiscordEmulator({ port });
    onTestFinished(() => back.stop());
    await rig.whenUp();
    const { messageId } = await rig.channel.send(somePage(), rig.address);
    await back.press(rig.ada, messageId, buttonOf(back.messages()[0], 'Approve'));
    expect(rig.answers).toHaveLength(1);
  });

  it('waits as long as Discord asks before it connects', async () => {
    rig = await createRig({ timing: quick });
    rig.chat.faults.next('GET /gateway/bot', 1, { kind: 'rate_limited', retryAfterSeconds: 1 });
    const began = Date.now();
    rig.start();
    await until('the wait is told', () => rig.states.some((state) => state.detail.includes('asks to wait')));
    await rig.whenUp();
    expect(Date.now() - began).toBeGreaterThan(900);
  });

  it('an event that discord.js cannot read is a line in the log', async () => {
    await open();
    await rig.whenUp();
    rig.chat.gateway.dispatch('MESSAGE_CREATE', {
      id: '1',
      channel_id: '140000000000000001',
      thread: null,
      author: null,
    });
    rig.chat.gateway.dispatch('INTERACTION_CREATE', { id: '1', type: 3, data: { component_type: 2 } });
    await pressWorks();
    expect(rig.logged.some((line) => line.includes('could not be read'))).toBe(true);
    expect(rig.state()).toBe('up');
  });
});

describe('stopping', () => {
  it('leaves no socket, calls nothing afterwards and may be done twice', async () => {
    await open();
    await rig.whenUp();
    const count = rig.states.length;
    await Promise.all([rig.channel.stop(), rig.channel.stop()]);
    await until('no socket', () => rig.chat.gateway.connections() === 0);
    expect(rig.states).toHaveLength(count);
  });

  it('ends in time although the gateway takes no goodbye', async () => {
    await open();
    await rig.whenUp();
    rig.chat.gateway.freezeSockets();
    const began = Date.now();
    await rig.channel.stop();
    expect(Date.now() - began).toBeLessThan(2_500);
  });

  it('works while connecting, while resuming and before the start', async () => {
    await open();
    await rig.channel.stop();
    rig.start();
    await rig.whenUp();
    rig.chat.gateway.closeSockets(null);
    await until('the loss', () => rig.state() === 'down');
    await rig.channel.stop();
    const { resume, identify } = rig.chat.gateway.counts;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(rig.chat.gateway.counts).toEqual({ resume, identify });
    expect(rig.chat.gateway.connections()).toBe(0);
  });
});
