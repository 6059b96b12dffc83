import { describe, expect, it } from 'vitest';
import { createRig, permission, steering, until } from './rig.ts';

describe('the inbound side stays up by itself', () => {
  it('comes back after another process polled with the same token, and says so in one line', async () => {
    const { chat, connect, channel, address, states, answers, button } = await createRig();
    await connect();
    const stopRival = chat.startSecondPoller();
    await until(() => states.some((state) => state.detail.includes('another process polls')));
    expect(states.find((state) => state.status === 'down')?.detail).not.toContain('\n');
    stopRival();
    await until(() => states.at(-1)?.status === 'up');
    await channel.send(permission(), address);
    await button('Approve');
    expect(answers).toHaveLength(1);
  });

  it('two adapters on one token: both live and say what is wrong, and the one that stays gets the press', async () => {
    const { connect, channel, address, states, answers, button, another } = await createRig();
    await connect();
    const [second, its] = [another(), [] as string[]];
    await connect({ onState: (state) => void its.push(state.status) }, second);
    await until(() => states.some((state) => state.detail.includes('another process polls')));
    await channel.stop();
    await until(() => its.at(-1) === 'up');
    await second.send(permission(), address);
    await button('Deny');
    expect(answers).toMatchObject([{ choice: { kind: 'deny' } }]);
  });

  it('removes a webhook that is set at the start, keeps what waits behind it, and tells the operator', async () => {
    const { chat, connect, channel, address, ada, answers, logged, page } = await createRig();
    await channel.send(steering(), address);
    await chat.write(ada, 'Both, one after the other', page().id);
    chat.setWebhook('https://elsewhere.example.com/hook');
    await connect({ findToken: async () => 'the-token' });
    await until(() => answers.length === 1);
    expect(answers[0]).toMatchObject({ pageToken: 'the-token', text: 'Both, one after the other' });
    expect(logged.join('\n')).toMatch(/webhook/);
  });

  it('removes a webhook that is set while it polls', async () => {
    const { chat, connect, states } = await createRig();
    await connect();
    chat.setWebhook('https://elsewhere.example.com/hook');
    await until(() => states.some((state) => state.detail.includes('webhook')));
    await until(() => states.at(-1)?.status === 'up');
  });

  it('a revoked token is one line that names the setting, and a mended one needs no restart', async () => {
    const { chat, connect, channel, address, states } = await createRig();
    await connect();
    chat.setToken(false);
    await until(() => states.at(-1)?.status === 'misconfigured');
    expect(states.at(-1)?.detail).toBe('Telegram refused the token: check BECKON_TELEGRAM_TOKEN (@BotFather, /token)');
    expect(await channel.check(address)).toMatchObject({ ok: false });
    chat.setToken(true);
    await until(() => states.at(-1)?.status === 'up');
    expect(await channel.check(address)).toEqual({ ok: true, detail: '@beckon_bot in Agents' });
  });

  it.each([
    ['a page of HTML from a proxy', { kind: 'status', status: 502 } as const],
    ['a reset connection', { kind: 'drop_before' } as const],
    ['a flood limit', { kind: 'rate_limited', retryAfterSeconds: 1 } as const],
    ['an answer that never comes', { kind: 'black_hole' } as const],
  ])('polls again after %s', async (_name, fault) => {
    const { chat, connect, channel, address, states, answers, button } = await createRig({
      timing: { pollSeconds: 1, sendMs: 400 },
    });
    await connect();
    chat.faults.next('getUpdates', 1, fault);
    await until(() => states.some((state) => state.status === 'down'));
    const { detail } = states.find((state) => state.status === 'down') ?? { detail: '' };
    expect(detail).toMatch(/trying again$/);
    expect(detail).not.toContain(chat.environment.BECKON_TELEGRAM_TOKEN);
    await until(() => states.at(-1)?.status === 'up');
    await channel.send(permission(), address);
    await button('Approve');
    expect(answers).toHaveLength(1);
  });

  it('starts while Telegram cannot be reached, and connects when it can', async () => {
    const { chat, connect, states } = await createRig();
    chat.faults.next('getMe', 3, { kind: 'drop_before' });
    await connect();
    expect(states.map((state) => state.status)).toEqual(['connecting', 'down', 'down', 'down', 'up']);
  });
});

describe('what is handed on, and how often', () => {
  it('a press made while nobody polled is answered after the restart', async () => {
    const { chat, channel, connect, address, answers, another, button, ada } = await createRig();
    await channel.send(permission(), address);
    await connect();
    await channel.stop();
    const pressing = button('Approve');
    expect(chat.pendingUpdates()).toHaveLength(1);
    await connect({}, another());
    await pressing;
    expect(answers).toHaveLength(1);
    expect(chat.privateNotes(ada)).toEqual(['Approved. The agent goes on.']);
  });

  it('a press older than 150 s is lost, and the button still works for another', async () => {
    const { chat, channel, connect, address, answers, pass, button, ada } = await createRig();
    await channel.send(permission(), address);
    void button('Approve');
    pass(150_001);
    expect(chat.pendingUpdates()).toEqual([]);
    await connect();
    await button('Deny');
    expect(answers).toMatchObject([{ choice: { kind: 'deny' } }]);
    expect(chat.privateNotes(ada)).toEqual(['Approved. The agent goes on.']);
  });

  it('a reply is kept for a day', async () => {
    const { chat, channel, connect, address, answers, pass, page, ada } = await createRig();
    await channel.send(steering(), address);
    await chat.write(ada, 'Fixed', page().id);
    pass(86_399_000);
    await connect({ findToken: async () => 'the-token' });
    await until(() => answers.length === 1);
  });

  it('a slow answer holds no other press up', async () => {
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { chat, channel, connect, address, answers, page, ada } = await createRig();
    await channel.send(permission(), address);
    await connect({
      async onAnswer({ choice }) {
        if (choice.kind === 'approve') await slow;
        return { fate: 'accepted', text: 'Thank you.' };
      },
    });
    const [approve, deny] = page().buttons;
    const first = chat.press(ada, page().id, approve?.id ?? '');
    await until(() => answers.length === 1);
    const from = performance.now();
    await chat.press(ada, page().id, deny?.id ?? '');
    expect(performance.now() - from).toBeLessThan(1_500);
    release();
    await first;
  });

  it('confirms what it handed on before it ends, so that the next process does not get it again', async () => {
    const { chat, channel, connect, address, answers, another, button } = await createRig();
    await channel.send(permission(), address);
    await connect();
    await button('Approve');
    await channel.stop();
    await until(() => chat.pendingUpdates().length === 0);
    await connect({}, another());
    expect(answers).toHaveLength(1);
  });

  it('one that Telegram delivers again has the same event id', async () => {
    const { channel, connect, chat, address, answers, another, button } = await createRig();
    await channel.send(permission(), address);
    await connect();
    // The server takes the confirming poll for lost, as after a crash between answer and poll.
    chat.faults.next('getUpdates', 8, { kind: 'black_hole' });
    void button('Approve');
    await until(() => answers.length === 1);
    await channel.stop();
    chat.faults.clear();
    await connect({}, another());
    await until(() => answers.length === 2);
    expect(answers[1]?.eventId).toBe(answers[0]?.eventId);
  });
});

describe('stopping', () => {
  it('takes less than 2 s with a poll waiting and an answer pending, and nothing is handed on afterwards', async () => {
    const { chat, channel, connect, address, answers, states, button } = await createRig();
    await channel.send(permission(), address);
    await connect({ onAnswer: () => new Promise(() => {}) });
    void button('Approve');
    await until(() => answers.length === 1);
    const from = performance.now();
    await channel.stop();
    expect(performance.now() - from).toBeLessThan(2_000);
    const before = states.length;
    void button('Deny');
    await until(() => chat.pendingUpdates().length > 0);
    expect(answers).toHaveLength(1);
    expect(states).toHaveLength(before);
  });

  it('is quick while Telegram does not answer, and before the start', async () => {
    const { chat, channel, another } = await createRig();
    chat.faults.next('getMe', 5, { kind: 'black_hole' });
    channel.start({
      onAnswer: async () => ({ fate: 'accepted', text: '' }),
      onCompose: async () => null,
      findToken: async () => null,
      onState: () => {},
    });
    await until(() => chat.calls().length === 1);
    const from = performance.now();
    await channel.stop();
    await another().stop();
    expect(performance.now() - from).toBeLessThan(1_000);
  });
});
