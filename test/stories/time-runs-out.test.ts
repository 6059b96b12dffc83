import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  messageWith,
  press,
  type RunningBeckon,
  settledCopy,
  startRunningBeckon,
  until,
} from '../support/running-beckon.ts';

let running: RunningBeckon;
beforeAll(async () => {
  running = await startRunningBeckon({ BECKON_REQUEST_TTL_SECONDS: '2' });
});
afterAll(() => running.stop());

const all = ['slack', 'discord', 'telegram'] as const;

describe('nobody answers', () => {
  it('is a definitive no that says so, on every copy and to the agent', async () => {
    const agent = await running.agent();
    const title = 'Rotate the signing key?';
    const result = await ask(agent, 'request_permission', { title, gist: 'It is a year old.' });
    expect(result).toMatchObject({
      status: 'expired',
      decision: 'denied',
      answer: 'Denied by timeout',
      expired: true,
      deniedByTimeout: true,
    });
    expect(result.resolvedBy).toBeUndefined();
    for (const name of all) await settledCopy(running.chats[name], title, 'expired');
  });

  it('a press that the platform kept until after the end is told that it came too late', async () => {
    const agent = await running.agent();
    const title = 'Clear the cache?';
    const chat = running.chats.slack;
    const waiting = ask(agent, 'request_permission', { title, gist: 'It is stale.' });
    const message = await messageWith(chat, title);
    const approve = message.buttons.find((button) => button.label.startsWith('Approve'))?.id ?? '';
    await waiting;
    const person = chat.people[0]?.id ?? '';
    // The person's screen still showed the button: the platform takes presses of a message as it was.
    await chat.press(person, message.id, approve).catch(() => {});
    const told = () => chat.privateNotes(person).some((note) => note.includes('expired'));
    if (chat.messages().some((one) => one.id === message.id && one.buttons.length > 0))
      await until('told', 5_000, () => told() || undefined);
    expect((await ask(agent, 'request_permission', { title: `${title} (again)`, gist: 'x' })).status).toBe('expired');
  });

  it('leaves the emulators without complaint', () => {
    for (const name of all) expect(running.chats[name].violations()).toEqual([]);
  });

  it('takes no press on a settled page', async () => {
    await expect(press(running.chats.telegram, 'Rotate the signing key?', 'Approve')).rejects.toThrow('never happened');
  });
});
