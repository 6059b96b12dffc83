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
  running = await startRunningBeckon();
});
afterAll(() => running.stop());

const all = ['slack', 'discord', 'telegram'] as const;

describe('an agent asks, people are paged on three chats, the first answer wins everywhere', () => {
  it.each(all)('a permission is approved on %s, and every copy says so', async (place) => {
    const agent = await running.agent();
    const title = `Deploy api_v2 to staging, approved on ${place}?`;
    const waiting = ask(agent, 'request_permission', {
      title,
      gist: 'Rolls out the *new* limiter <b>now</b>.',
      danger_level: 'medium',
    });
    for (const name of all) await messageWith(running.chats[name], title);
    await press(running.chats[place], title, 'Approve');
    const by = running.chats[place].people[0]?.name ?? '';
    expect(await waiting).toMatchObject({
      status: 'approved',
      decision: 'approved',
      resolvedVia: place,
      resolvedBy: by,
      expired: false,
      deniedByTimeout: false,
    });
    for (const name of all) await settledCopy(running.chats[name], title, 'approved', by, place);
  });

  it('a steering question is answered by an option, and the label comes back whole', async () => {
    const agent = await running.agent();
    const title = 'Which retry strategy?';
    const options = [
      { label: 'Exponential backoff with full jitter, at most 5 tries', recommended: true },
      { label: 'Fixed 2 s' },
    ];
    const waiting = ask(agent, 'request_steering', { title, gist: 'The upstream answers 503 for minutes.', options });
    await press(running.chats.telegram, title, '1');
    expect(await waiting).toMatchObject({
      status: 'answered',
      chosenOption: { label: options[0]?.label, index: 0 },
      resolvedVia: 'telegram',
    });
    for (const name of all) await settledCopy(running.chats[name], title, 'Exponential backoff');
  });

  it('a stranger in the chat is refused privately and decides nothing', async () => {
    const agent = await running.agent();
    const title = 'May I drop the old table?';
    const waiting = ask(agent, 'request_permission', { title, gist: 'Nothing reads it.' });
    for (const name of all) {
      const chat = running.chats[name];
      const stranger = chat.people.at(-1)?.id ?? '';
      await press(chat, title, 'Approve', stranger);
      await until(
        `${name} tells the stranger`,
        5_000,
        () => chat.privateNotes(stranger).some((note) => note.includes('not on the list')) || undefined,
      );
      expect(chat.messages().findLast((message) => message.text.includes(title))?.text).not.toContain('pproved');
    }
    await press(running.chats.discord, title, 'Deny');
    expect(await waiting).toMatchObject({ status: 'denied', decision: 'denied', resolvedVia: 'discord' });
    for (const name of all) await settledCopy(running.chats[name], title, 'denied');
  });

  it('many presses at once on three chats make one decision and polite losers', async () => {
    const agent = await running.agent();
    const title = 'Restart the worker pool?';
    const waiting = ask(agent, 'request_permission', { title, gist: 'Leaks memory.' });
    // What everybody sees before anybody presses; a screen that has not redrawn yet still takes the press.
    const screens = await Promise.all(
      all.map(async (name) => ({ chat: running.chats[name], message: await messageWith(running.chats[name], title) })),
    );
    const presses = screens.flatMap(({ chat, message }) =>
      ['Approve', 'Deny'].map((label, index) => ({
        chat,
        message,
        person: chat.people[index]?.id ?? '',
        button: message.buttons.find((one) => one.label === label)?.id ?? '',
      })),
    );
    const notesBefore = presses.map(({ chat, person }) => chat.privateNotes(person).length);
    await Promise.all(presses.map(({ chat, person, message, button }) => chat.press(person, message.id, button)));
    const result = await waiting;
    for (const name of all) await settledCopy(running.chats[name], title, result.status, result.resolvedBy ?? '');
    const losers = () =>
      presses.filter(({ chat, person }, index) =>
        chat
          .privateNotes(person)
          .slice(notesBefore[index])
          .some((note) => /^Too late: .+ this on /.test(note)),
      );
    await until('five of six are told who was first', 5_000, () => losers().length === 5 || undefined);
  });

  it('nothing that was sent broke a rule of a platform', () => {
    for (const name of all) expect(running.chats[name].violations()).toEqual([]);
  });
});
