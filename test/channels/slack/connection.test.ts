import { expect, test, vi } from 'vitest';
import { ada, address, createSlackWorld, pageOf, until } from './slack-world.ts';

test('a wrong bot token is one clear state, tried again slowly, and posting says misconfigured', async () => {
  const world = await createSlackWorld({ config: { botToken: 'xoxb-wrong' } });
  world.start();
  await until(() => world.states.at(-1)?.status === 'misconfigured');
  await until(() => world.slack.calls().filter(({ method }) => method === 'auth.test').length >= 3);
  expect(world.states.map(({ status }) => status)).toEqual(['connecting', 'misconfigured']);
  expect(world.states.at(-1)?.detail).toBe(
    'Slack: signing in with the bot token (xoxb-): Slack does not accept the token: copy it again from the app settings',
  );
  await expect(world.channel.send(pageOf(), address)).rejects.toMatchObject({ fate: { kind: 'misconfigured' } });
  expect(JSON.stringify([world.states, world.lines])).not.toContain('xoxb-wrong');
});

test('a wrong app token is told as such, and comes right by itself when Slack takes it again', async () => {
  const world = await createSlackWorld();
  world.slack.faults.next('apps.connections.open', 4, { kind: 'error', error: 'invalid_auth' });
  world.start();
  await until(() => world.states.at(-1)?.status === 'misconfigured');
  expect(world.states.at(-1)?.detail).toMatch(
    /^Slack: connecting with the app token \(xapp-\): Slack does not accept the token/,
  );
  await until(() => world.states.at(-1)?.status === 'up');
});

test('the two tokens swapped are explained', async () => {
  const world = await createSlackWorld({ config: { appToken: 'xoxb-emulated-0-beckon' } });
  world.start();
  await until(() => world.states.at(-1)?.status === 'misconfigured');
  expect(world.states.at(-1)?.detail).toMatch(/mixed up/);
});

test('a press right at a refresh is handled: one connection listens while the other is replaced', async () => {
  const world = await createSlackWorld();
  await world.connect();
  await world.channel.send(pageOf(), address);
  const { id } = world.only();
  for (let round = 0; round < 6; round += 1) {
    world.slack.disconnect('refresh_requested', 'oldest');
    await world.slack.press(ada, id, 'beckon:approve');
    expect(world.answers).toHaveLength(round + 1);
    await until(() => world.slack.connections() === 2);
  }
  expect(world.states.map(({ status }) => status)).toEqual(['connecting', 'up']);
  expect(world.slack.privateNotes(ada).filter((note) => note.startsWith('⚠'))).toEqual([]);
});

test('sockets that die are replaced at once, and presses arrive again', async () => {
  const world = await createSlackWorld();
  await world.connect();
  await world.channel.send(pageOf(), address);
  const cutAt = performance.now();
  world.slack.closeSockets();
  await until(() => world.states.at(-1)?.status === 'down');
  await until(() => world.states.at(-1)?.status === 'up');
  expect(performance.now() - cutAt).toBeLessThan(2_000);
  await world.slack.press(ada, world.only().id, 'beckon:approve');
  expect(world.answers).toHaveLength(1);
});

test('a reconnect that fails for good ends nothing: the channel tells its state and comes back', async () => {
  const rejections: unknown[] = [];
  const note = (error: unknown) => rejections.push(error);
  process.on('unhandledRejection', note);
  const world = await createSlackWorld();
  await world.connect();
  for (const [fault, status] of [
    [{ kind: 'error', error: 'account_inactive' }, 'misconfigured'],
    [{ kind: 'drop_before' }, 'down'],
  ] as const) {
    const from = world.states.length;
    world.slack.faults.next('apps.connections.open', 6, fault);
    world.slack.closeSockets();
    await until(() => world.states.slice(from).some((state) => state.status === status));
    await until(() => world.slack.connections() === 2 && world.states.at(-1)?.status === 'up');
  }
  process.off('unhandledRejection', note);
  expect(rejections).toEqual([]);
});

test('Slack that never says hello is given up and tried again', async () => {
  const world = await createSlackWorld({ timing: { helloMs: 200 } });
  world.slack.setAlive(false);
  world.start();
  await until(() => world.states.at(-1)?.status === 'down');
  world.slack.setAlive(true);
  await until(() => world.states.at(-1)?.status === 'up');
});

test('a network that has gone silent is noticed by the pings', async () => {
  const world = await createSlackWorld({ timing: { helloMs: 500 } });
  await world.connect();
  world.slack.setAlive(false);
  await until(() => world.states.at(-1)?.status === 'down', 12_000);
  world.slack.setAlive(true);
  await until(() => world.states.at(-1)?.status === 'up');
});

test('too many connections and a switched-off Socket Mode are said in plain words', async () => {
  const world = await createSlackWorld({ timing: { misconfiguredMs: 300 } });
  await world.connect();
  world.slack.disconnect('link_disabled', 'all');
  await until(() => world.states.at(-1)?.status === 'misconfigured');
  expect(world.states.at(-1)?.detail).toMatch(/Socket Mode is switched off/);
  await until(() => world.states.at(-1)?.status === 'up');
  await until(() => world.slack.connections() === 2);
  world.slack.disconnect('too_many_websockets', 'all');
  await until(() => world.states.at(-1)?.status === 'down');
  expect(world.states.at(-1)?.detail).toMatch(/too many connections/);
});

test('a server that is not there is down, not an error', async () => {
  const world = await createSlackWorld({ config: { apiUrl: 'http://127.0.0.1:9/api/' } });
  world.start();
  await until(() => world.states.at(-1)?.status === 'down');
  expect(world.states.at(-1)?.detail).toMatch(/could not be reached/);
  await expect(world.channel.send(pageOf(), address)).rejects.toMatchObject({ fate: { kind: 'retry' } });
});

test('stop closes both connections at once, may be called twice, and nothing is handed on afterwards', async () => {
  const world = await createSlackWorld();
  await world.channel.stop();
  await world.connect();
  await world.channel.send(pageOf(), address);
  const told = world.states.length;
  const stoppedAt = performance.now();
  await Promise.all([world.channel.stop(), world.channel.stop()]);
  expect(performance.now() - stoppedAt).toBeLessThan(2_500);
  await until(() => world.slack.connections() === 0);
  await world.slack.press(ada, world.only().id, 'beckon:approve');
  expect(world.answers).toEqual([]);
  expect(world.states).toHaveLength(told);
});

test('stop ends within 5 s while Slack takes calls and does not answer', async () => {
  const world = await createSlackWorld();
  world.slack.faults.next('apps.connections.open', 2, { kind: 'black_hole' });
  world.start();
  await until(() => world.slack.calls().filter(({ method }) => method === 'apps.connections.open').length === 2);
  const stoppedAt = performance.now();
  await world.channel.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(5_000);
});

test('nothing is written to stdout', async () => {
  const write = vi.spyOn(process.stdout, 'write');
  const noise = [vi.spyOn(console, 'log'), vi.spyOn(console, 'info'), vi.spyOn(console, 'debug')];
  const world = await createSlackWorld();
  await world.connect();
  await world.channel.send(pageOf(), address);
  world.slack.faults.next('chat.update', 1, { kind: 'error', error: 'fatal_error' });
  await world.channel.update({ chatId: address.chatId, messageId: world.only().id }, pageOf()).catch(() => {});
  await world.channel.stop();
  expect([write, ...noise].flatMap((spy) => spy.mock.calls)).toEqual([]);
  vi.restoreAllMocks();
});
