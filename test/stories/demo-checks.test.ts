import { describe, expect, it } from 'vitest';
import { type Act, answeredActs } from '../../src/demo/scene/acts.ts';
import type { ToolAnswer } from '../../src/demo/scene/agent.ts';
import { createChecks } from '../../src/demo/scene/checks.ts';
import { playAct } from '../../src/demo/scene/play-act.ts';
import { createTranscript } from '../../src/demo/scene/transcript.ts';
import { createInMemoryChat, type InMemoryChat } from '../demo/in-memory-chat.ts';

/** The scene must be able to fail: here Beckon is a few lines that can be told to do one thing wrong. */

const act = answeredActs[0] as Act;
const places = ['slack', 'discord', 'telegram'] as const;

interface Wrong {
  readonly unedited?: (typeof places)[number];
  readonly nameless?: true;
  readonly lets?: 'strangers';
  readonly fields?: Readonly<Record<string, unknown>>;
}

async function play(wrong: Wrong): Promise<readonly string[]> {
  const stop = new AbortController();
  const checks = createChecks({ signal: stop.signal });
  const chats = places.map(createInMemoryChat);
  let finish: (answer: ToolAnswer) => void = () => {};
  const show = (chat: InMemoryChat, text: string, edited: boolean) =>
    chat.show({
      id: 'm1',
      author: 'Beckon',
      at: new Date(),
      edited,
      text,
      parts: [],
      buttons: edited ? [] : [{ id: 'yes', label: 'Approve', look: 'primary' }],
    });
  const settle = () => {
    const by = wrong.nameless ? '' : 'Ada Lovelace';
    for (const chat of chats) {
      if (chat.platform !== wrong.unedited) show(chat, `${act.args.title} Approved by ${by} on Slack at 14:02`, true);
    }
    const fields = { ...act.result, requestId: crypto.randomUUID(), resolvedVia: 'slack', resolvedBy: 'Ada Lovelace' };
    finish({ isError: false, text: 'Approved by Ada Lovelace on slack.', fields: { ...fields, ...wrong.fields } });
    // Nothing more will happen: whoever still waits need not wait for the deadline.
    setTimeout(() => stop.abort(), 300);
  };
  const pressable = chats.map((chat) => ({
    ...chat,
    async press(person: string) {
      if (person === 'mallory' && wrong.lets !== 'strangers') chat.note('mallory', 'You are not on the list');
      else settle();
    },
  }));
  const call = () => {
    for (const chat of chats) show(chat, act.args.title, false);
    return new Promise<ToolAnswer>((resolve) => {
      finish = resolve;
    });
  };
  const transcript = createTranscript(() => {});
  await playAct({ chats: pressable, agent: { call }, checks, transcript, signal: stop.signal }, act);
  expect(checks.held()).toBeGreaterThan(0);
  return checks.failures();
}

describe('the scene of the demo', () => {
  it('holds when everything is right', async () => {
    expect(await play({})).toEqual([]);
  });

  it('fails when one copy is not edited', async () => {
    expect(await play({ unedited: 'telegram' })).toEqual([
      expect.stringContaining('the copy on Telegram has no button left'),
    ]);
  });

  it('fails when the copies do not say who', async () => {
    expect((await play({ nameless: true })).join()).toContain(
      'the copy on Discord says approved, Ada Lovelace and Slack',
    );
  });

  it('fails when one field of the result is wrong', async () => {
    const failures = await play({ fields: { deniedByTimeout: true } });
    expect(failures).toEqual([expect.stringContaining('every field of the result')]);
  });

  it('fails when a stranger is let in', async () => {
    expect((await play({ lets: 'strangers' })).join()).toContain('Mallory Stranger is refused privately on Slack');
  });
});
