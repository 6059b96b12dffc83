import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerReply } from '../../../src/channels/contract.ts';
import { buttonOf, createRig, type Rig, somePage, until } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
  rig.start();
  await rig.whenUp();
});
afterEach(async () => {
  await rig.stop();
  expect(rig.chat.violations()).toEqual([]);
});

const post = async (more: Parameters<typeof somePage>[0] = {}) => {
  await rig.channel.send(somePage(more), rig.address);
  const message = rig.chat.messages().at(-1);
  if (message === undefined) throw new Error('nothing was posted');
  return message;
};
const steering = {
  kind: 'steering' as const,
  options: [
    { label: 'Left', recommended: true },
    { label: 'Right', recommended: false },
  ],
};

describe('a press', () => {
  it('is handed on with token, account and id, and answered privately', async () => {
    const message = await post();
    const before = Date.now();
    await rig.chat.press(rig.ada, message.id, buttonOf(message, 'Approve'));
    expect(rig.answers).toMatchObject([
      {
        channel: 'discord',
        pageToken: 'tok_0123456789abcdefgh',
        choice: { kind: 'approve' },
        account: { id: rig.ada, displayName: 'Ada Lovelace' },
      },
    ]);
    expect(rig.answers[0]?.eventId).toMatch(/^\d{17,20}$/);
    expect(Math.abs((rig.answers[0]?.at.getTime() ?? 0) - before)).toBeLessThan(2_000);
    expect(rig.chat.privateNotes(rig.ada)).toEqual(['Recorded: approved.']);
    expect(rig.chat.privateNotes(rig.chat.people[1]?.id ?? '')).toEqual([]);
  });

  it('on an option carries its index', async () => {
    const message = await post(steering);
    await rig.chat.press(rig.ada, message.id, buttonOf(message, '2 · Right'));
    expect(rig.answers[0]?.choice).toEqual({ kind: 'option', index: 1 });
  });

  it('is acknowledged in time while the records are slow, claims nothing meanwhile, and is then told', async () => {
    rig.onAnswer = () =>
      new Promise((resolve) => setTimeout(() => resolve({ fate: 'accepted', text: 'Recorded: denied.' }), 5_000));
    const message = await post();
    const pressedAt = Date.now();
    await rig.chat.press(rig.ada, message.id, buttonOf(message, 'Deny'));
    expect(Date.now() - pressedAt).toBeLessThan(2_900);
    expect(rig.chat.privateNotes(rig.ada)).toEqual(['Beckon is thinking…']);
    await until('the late reply', () => rig.chat.privateNotes(rig.ada)[0] === 'Recorded: denied.', 8_000);
  });

  it('made twice at once is two events, each with its reply', async () => {
    let first = true;
    rig.onAnswer = async (): Promise<AnswerReply> => {
      const reply: AnswerReply = first
        ? { fate: 'accepted', text: 'Recorded.' }
        : { fate: 'late', text: 'Ada was first.' };
      first = false;
      return reply;
    };
    const message = await post();
    const approve = buttonOf(message, 'Approve');
    await Promise.all([rig.chat.press(rig.ada, message.id, approve), rig.chat.press(rig.ada, message.id, approve)]);
    expect(new Set(rig.answers.map((answer) => answer.eventId)).size).toBe(2);
    expect([...rig.chat.privateNotes(rig.ada)].sort()).toEqual(['Ada was first.', 'Recorded.']);
  });

  it('by somebody who is refused is told in the very words, which ping nobody', async () => {
    rig.onAnswer = async () => ({
      fate: 'refused',
      text: 'You are *not* on the list, <@130000000000000002> @everyone',
    });
    const message = await post();
    const mallory = rig.chat.people[2]?.id ?? '';
    await rig.chat.press(mallory, message.id, buttonOf(message, 'Approve'));
    expect(rig.chat.privateNotes(mallory)).toEqual(['You are *not* on the list, <@130000000000000002> @everyone']);
    expect(rig.chat.pings()).toEqual([]);
  });

  it('that nobody takes leaves the mark of Discord', async () => {
    const message = await post();
    await rig.channel.stop();
    await rig.chat.press(rig.ada, message.id, buttonOf(message, 'Approve'));
    expect(rig.chat.privateNotes(rig.ada)).toEqual(['This interaction failed']);
    expect(rig.answers).toEqual([]);
  });

  it.each(['drop_before', 'drop_after', 'status'] as const)(
    'is told although one response was lost (%s)',
    async (kind) => {
      const message = await post();
      const fault = kind === 'status' ? { kind, status: 502 } : { kind };
      rig.chat.faults.next('POST /interactions/:id/:token/callback', 1, fault);
      await rig.chat.press(rig.ada, message.id, buttonOf(message, 'Approve'));
      expect(rig.answers).toHaveLength(1);
      expect(rig.chat.privateNotes(rig.ada)).toEqual(['Recorded: approved.']);
    },
  );

  it('survives responses that are lost: what was recorded stands', async () => {
    const message = await post();
    rig.chat.faults.next('POST /interactions/:id/:token/callback', 2, { kind: 'drop_before' });
    await rig.chat.press(rig.ada, message.id, buttonOf(message, 'Approve'));
    expect(rig.answers).toHaveLength(1);
    expect(rig.logged.some((line) => line.includes('a private reply failed'))).toBe(true);
    await rig.chat.press(rig.ada, message.id, buttonOf(message, 'Approve'));
    expect(rig.answers).toHaveLength(2);
  });
});

describe('a form', () => {
  it('takes a reason to deny', async () => {
    const message = await post();
    await rig.chat.press(rig.ada, message.id, buttonOf(message, 'Deny with reason'));
    expect(rig.answers).toEqual([]);
    expect(rig.chat.openForm(rig.ada)).toEqual({ title: 'Deny with a reason', label: 'Reason', maxLength: 4_000 });
    await rig.chat.submitForm(rig.ada, 'Not on a *Friday*');
    expect(rig.answers).toMatchObject([
      { choice: { kind: 'deny' }, text: 'Not on a *Friday*', pageToken: 'tok_0123456789abcdefgh' },
    ]);
    expect(rig.chat.openForm(rig.ada)).toBeNull();
    expect(rig.chat.privateNotes(rig.ada)).toEqual(['Recorded: approved.']);
  });

  it('takes 2,000 characters of free text', async () => {
    const message = await post(steering);
    await rig.chat.press(rig.ada, message.id, buttonOf(message, 'Write…'));
    await rig.chat.submitForm(rig.ada, '@'.repeat(2_000));
    expect(rig.answers).toMatchObject([{ choice: { kind: 'text' }, text: '@'.repeat(2_000) }]);
  });

  it('is not opened for somebody who may not write', async () => {
    rig.onCompose = async () => ({ fate: 'late', text: 'Grace was first.' });
    const message = await post();
    await rig.chat.press(rig.ada, message.id, buttonOf(message, 'Deny with reason'));
    expect(rig.chat.openForm(rig.ada)).toBeNull();
    expect(rig.chat.privateNotes(rig.ada)).toEqual(['Grace was first.']);
    expect(rig.composes).toMatchObject([{ choice: { kind: 'deny' }, account: { id: rig.ada } }]);
  });

  it('opens anyway where the question whether it may takes too long', async () => {
    rig.onCompose = () => new Promise(() => {});
    const message = await post();
    await rig.chat.press(rig.ada, message.id, buttonOf(message, 'Deny with reason'));
    expect(rig.chat.openForm(rig.ada)).not.toBeNull();
  });
});
