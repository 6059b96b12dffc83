import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import {
  ask,
  messageWith,
  press,
  type RunningBeckon,
  settledCopy,
  startRunningBeckon,
} from '../support/running-beckon.ts';

let postgres: TestPostgres;
let running: RunningBeckon;
beforeAll(async () => {
  postgres = await startPostgres();
  running = await startRunningBeckon({ DATABASE_URL: await postgres.createDatabase() });
});
afterAll(async () => {
  await running.stop();
  await postgres.stop();
});

const all = ['slack', 'discord', 'telegram'] as const;

describe('the whole product on Postgres', () => {
  it('an answer in one chat settles the request in all, over a restart in between', async () => {
    const agent = await running.agent();
    const title = 'Reindex the orders table?';
    const first = ask(agent, 'request_permission', { title, gist: 'Takes 20 minutes.' }).catch(
      (error: unknown) => error,
    );
    for (const name of all) await messageWith(running.chats[name], title);
    await running.restart();
    await first;
    const again = ask(await running.agent(), 'request_permission', { title, gist: 'Takes 20 minutes.' });
    await press(running.chats.discord, title, 'Approve');
    expect(await again).toMatchObject({ status: 'approved', resolvedVia: 'discord' });
    for (const name of all) {
      await settledCopy(running.chats[name], title, 'approved');
      expect(running.chats[name].messages().filter((message) => message.text.includes(title))).toHaveLength(1);
      expect(running.chats[name].violations()).toEqual([]);
    }
  });
});
