import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  messageWith,
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

  it.each(all)('a person on %s whose screen still showed the button is told that it came too late', async (name) => {
    const agent = await running.agent();
    const title = `Clear the cache, late on ${name}?`;
    const chat = running.chats[name];
    const waiting = ask(agent, 'request_permission', { title, gist: 'It is stale.' });
    const message = await messageWith(chat, title);
    const approve = message.buttons.find((button) => button.label.startsWith('Approve'))?.id ?? '';
    expect((await waiting).status).toBe('expired');
    await settledCopy(chat, title, 'expired');
    const person = chat.people[0]?.id ?? '';
    await chat.press(person, message.id, approve);
    await until(
      `${name} tells who was first`,
      5_000,
      () => chat.privateNotes(person).some((note) => note.includes('counted as a no')) || undefined,
    );
    await settledCopy(chat, title, 'expired');
  });

  it('leaves the emulators without complaint', () => {
    for (const name of all) expect(running.chats[name].violations()).toEqual([]);
  });
});
