import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningBeckon, startRunningBeckon, until } from '../support/running-beckon.ts';

let running: RunningBeckon;
beforeAll(async () => {
  running = await startRunningBeckon();
});
afterAll(() => running.stop());

describe('every chat fails', () => {
  it('the agent is soon told that nobody could be reached, and the page goes out when the chats are back', async () => {
    const { slack, discord, telegram } = running.chats;
    slack.faults.next('chat.postMessage', 4, { kind: 'status', status: 503 });
    discord.faults.next('POST /channels/:id/messages', 4, { kind: 'status', status: 503 });
    telegram.faults.next('sendMessage', 4, { kind: 'status', status: 502 });
    const agent = await running.agent();
    const told: string[] = [];
    const call = new AbortController();
    const waiting = agent
      .callTool(
        { name: 'request_permission', arguments: { title: 'Anybody there?', gist: 'All chats are down.' } },
        { timeout: 60_000, signal: call.signal, onprogress: ({ message }) => told.push(message ?? '') },
      )
      .catch((error: unknown) => error);
    await until(
      'the agent is told',
      8_000,
      () => told.some((line) => /could (not be|be) reach|could not reach/.test(line)) || undefined,
    );
    for (const chat of [slack, discord, telegram]) {
      await until(
        `${chat.platform} shows the page after all`,
        15_000,
        () => chat.messages().some((message) => message.text.includes('Anybody there?')) || undefined,
      );
    }
    call.abort();
    await waiting;
    for (const chat of [slack, discord, telegram]) expect(chat.messages()).toHaveLength(1);
  });
});
