import { describe, expect, test } from 'vitest';
import type { AnswerReply } from '../../../src/channels/contract.ts';
import { ada, address, createSlackWorld, grace, mallory, pageOf, until } from './slack-world.ts';

describe('a press on Slack', () => {
  test('is handed on with who, what and which page, and the reply is shown to that person alone', async () => {
    const world = await createSlackWorld();
    await world.connect();
    await world.channel.send(pageOf(), address);

    await world.slack.press(ada, world.only().id, 'beckon:approve');

    expect(world.answers).toEqual([
      {
        channel: 'slack',
        pageToken: pageOf().token,
        choice: { kind: 'approve' },
        account: { id: ada, displayName: 'Ada Lovelace' },
        eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        at: expect.any(Date),
      },
    ]);
    await until(() => world.slack.privateNotes(ada).length > 0);
    expect(world.slack.privateNotes(ada)).toEqual(['Approved. The agent goes on.']);
    expect(world.slack.privateNotes(grace)).toEqual([]);
    expect(world.slack.violations()).toEqual([]);
  });

  test('on an option says which', async () => {
    const world = await createSlackWorld();
    await world.connect();
    const options = ['Roll back', 'Fix forward'].map((label, index) => ({ label, recommended: index === 1 }));
    await world.channel.send(pageOf({ kind: 'steering', options }), address);

    await world.slack.press(grace, world.only().id, 'beckon:option:1');

    expect(world.answers[0]?.choice).toEqual({ kind: 'option', index: 1 });
  });

  test('is acknowledged in time while the answer takes 5 s, and the person is told when it is known', async () => {
    const slow = () =>
      new Promise<AnswerReply>((resolve) => {
        setTimeout(() => resolve({ fate: 'accepted', text: 'Approved. The agent goes on.' }), 5_000);
      });
    const world = await createSlackWorld({ onAnswer: slow });
    await world.connect();
    await world.channel.send(pageOf(), address);

    const pressedAt = performance.now();
    await world.slack.press(ada, world.only().id, 'beckon:approve');

    expect(performance.now() - pressedAt).toBeLessThan(3_000);
    expect(world.slack.privateNotes(ada)).toEqual([]);
    await until(() => world.slack.privateNotes(ada).length > 0);
    expect(performance.now() - pressedAt).toBeGreaterThan(4_900);
    expect(world.slack.privateNotes(ada)).toEqual(['Approved. The agent goes on.']);
  });

  test('twice is two events, and the second person learns who was first', async () => {
    const replies: AnswerReply[] = [
      { fate: 'accepted', text: 'Approved. The agent goes on.' },
      { fate: 'late', text: 'Ada <ada> & co. approved this on Slack.' },
    ];
    const world = await createSlackWorld({ onAnswer: async () => replies.shift()! });
    await world.connect();
    await world.channel.send(pageOf(), address);
    const { id } = world.only();

    await Promise.all([world.slack.press(ada, id, 'beckon:approve'), world.slack.press(ada, id, 'beckon:approve')]);

    await until(() => world.slack.privateNotes(ada).length === 2);
    expect(new Set(world.answers.map((answer) => answer.eventId)).size).toBe(2);
    expect(world.slack.privateNotes(ada)).toContain('Ada <ada> & co. approved this on Slack.');
  });

  test('of somebody who may not is refused in private, and a name in the reply pings nobody', async () => {
    const text = `You may not answer here, <!channel> <@${ada}>.`;
    const world = await createSlackWorld({ onAnswer: async () => ({ fate: 'refused', text }) });
    await world.connect();
    await world.channel.send(pageOf(), address);

    await world.slack.press(mallory, world.only().id, 'beckon:deny');

    await until(() => world.slack.privateNotes(mallory).length > 0);
    expect(world.slack.privateNotes(mallory)).toEqual([text]);
    expect(world.slack.pings()).toEqual([]);
  });

  test('on a page that was settled a moment ago, by somebody whose app still shows the buttons, is handed on', async () => {
    const world = await createSlackWorld({ onAnswer: async () => ({ fate: 'late', text: 'Grace denied this.' }) });
    await world.connect();
    const receipt = await world.channel.send(pageOf(), address);
    await world.channel.update(
      receipt,
      pageOf({ outcome: { status: 'denied', by: 'Grace', via: 'slack', at: new Date() } }),
    );

    await world.slack.press(ada, receipt.messageId, 'beckon:approve');

    await until(() => world.slack.privateNotes(ada).length > 0);
    expect(world.slack.privateNotes(ada)).toEqual(['Grace denied this.']);
  });

  test('on the link to the detail page answers nothing', async () => {
    const world = await createSlackWorld();
    await world.connect();
    await world.channel.send(pageOf({ detailUrl: 'https://beckon.example.com/requests/1' }), address);
    await world.slack.press(ada, world.only().id, 'beckon:open');
    expect(world.answers).toEqual([]);
    expect(world.slack.privateNotes(ada)).toEqual([]);
  });

  test('whose socket dies before it is acknowledged is recorded all the same, and the person still gets the reply', async () => {
    const world = await createSlackWorld({
      onAnswer: async () => {
        world.slack.closeSockets();
        await until(() => world.states.at(-1)?.status === 'down');
        return { fate: 'accepted', text: 'Approved. The agent goes on.' };
      },
    });
    await world.connect();
    await world.channel.send(pageOf(), address);
    await world.slack.press(ada, world.only().id, 'beckon:approve');
    await until(() => world.slack.privateNotes(ada).length === 2);
    expect(world.slack.privateNotes(ada)).toEqual(
      expect.arrayContaining([expect.stringMatching(/did not acknowledge/), 'Approved. The agent goes on.']),
    );
    await until(() => world.states.at(-1)?.status === 'up');
  });

  test('stays an answer when Slack does not say who the account is', async () => {
    const world = await createSlackWorld();
    await world.connect();
    await world.channel.send(pageOf(), address);
    world.slack.faults.next('users.info', 1, { kind: 'error', error: 'missing_scope' });

    await world.slack.press(ada, world.only().id, 'beckon:approve');

    expect(world.answers[0]?.account).toEqual({ id: ada, displayName: 'ada.lovelace' });
  });
});

describe('a form on Slack', () => {
  test('takes a reason to deny', async () => {
    const world = await createSlackWorld();
    await world.connect();
    await world.channel.send(pageOf(), address);

    await world.slack.press(ada, world.only().id, 'beckon:deny_reason');
    await until(() => world.slack.openForm(ada) !== null);
    expect(world.slack.openForm(ada)).toEqual({ title: 'Deny with a reason', label: 'Reason', maxLength: 3_000 });
    await world.slack.submitForm(ada, 'Not on a <!channel> Friday & *never* alone');

    expect(world.answers.map(({ choice, text }) => ({ choice, text }))).toEqual([
      { choice: { kind: 'deny' }, text: 'Not on a <!channel> Friday & *never* alone' },
    ]);
    expect(world.slack.openForm(ada)).toBeNull();
    await until(() => world.slack.privateNotes(ada).length > 0);
    expect(world.slack.violations()).toEqual([]);
  });

  test('takes an answer in free text of 2,000 characters', async () => {
    const world = await createSlackWorld();
    await world.connect();
    await world.channel.send(pageOf({ kind: 'steering' }), address);
    const words = 'é'.repeat(2_000);

    await world.slack.press(ada, world.only().id, 'beckon:write');
    await until(() => world.slack.openForm(ada) !== null);
    await world.slack.submitForm(ada, words);

    expect(world.answers[0]).toMatchObject({ choice: { kind: 'text' }, text: words, pageToken: pageOf().token });
  });

  test('is not opened for somebody who is refused', async () => {
    const world = await createSlackWorld({
      onCompose: async () => ({ fate: 'refused', text: 'You may not answer here.' }),
    });
    await world.connect();
    await world.channel.send(pageOf(), address);

    await world.slack.press(mallory, world.only().id, 'beckon:deny_reason');

    await until(() => world.slack.privateNotes(mallory).length > 0);
    expect(world.slack.privateNotes(mallory)).toEqual(['You may not answer here.']);
    expect(world.slack.openForm(mallory)).toBeNull();
  });

  test('opens before its trigger expires when nobody says whether it may', async () => {
    const world = await createSlackWorld({ onCompose: () => new Promise(() => {}) });
    await world.connect();
    await world.channel.send(pageOf(), address);

    await world.slack.press(ada, world.only().id, 'beckon:deny_reason');

    await until(() => world.slack.openForm(ada) !== null, 3_000);
    expect(world.slack.privateNotes(ada)).toEqual([]);
  });

  test('stays open with the words when they could not be recorded', async () => {
    const replies: AnswerReply[] = [
      { fate: 'failed', text: 'Nothing was decided. Try again.' },
      { fate: 'accepted', text: 'Denied. The agent is told.' },
    ];
    const world = await createSlackWorld({ onAnswer: async () => replies.shift()! });
    await world.connect();
    await world.channel.send(pageOf(), address);
    await world.slack.press(ada, world.only().id, 'beckon:deny_reason');
    await until(() => world.slack.openForm(ada) !== null);

    await world.slack.submitForm(ada, 'no');
    expect(world.slack.privateNotes(ada)).toEqual(['Nothing was decided. Try again.']);
    expect(world.slack.openForm(ada)).not.toBeNull();
    await world.slack.submitForm(ada, 'no');
    expect(world.slack.openForm(ada)).toBeNull();
  });

  test('that Slack will not open is told to the person', async () => {
    const world = await createSlackWorld();
    await world.connect();
    await world.channel.send(pageOf(), address);
    world.slack.faults.next('views.open', 1, { kind: 'error', error: 'expired_trigger_id' });

    await world.slack.press(ada, world.only().id, 'beckon:deny_reason');

    await until(() => world.slack.privateNotes(ada).length > 0);
    expect(world.slack.privateNotes(ada)[0]).toMatch(/could not open the form/);
  });
});
