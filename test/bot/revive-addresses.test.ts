import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChanges } from '../../src/bot/changes.ts';
import { createLog } from '../../src/bot/log.ts';
import { createReviver } from '../../src/bot/revive-addresses.ts';
import { createSlackChannel } from '../../src/channels/slack/channel.ts';
import { createSlackEmulator, type SlackEmulator } from '../../src/demo/slack/slack-emulator.ts';
import { createTestClock, openTemporaryStore } from '../support/temporary-store.ts';

let ledger: Awaited<ReturnType<typeof openTemporaryStore>>;
let slack: SlackEmulator;
beforeEach(async () => {
  ledger = await openTemporaryStore();
  slack = await createSlackEmulator({});
});
afterEach(async () => {
  await slack.stop();
  await ledger.close();
});

describe('an address that Slack refused', () => {
  it('is paged again once Slack lets it be, and not before', async () => {
    const clock = createTestClock();
    const log = createLog('silent');
    const { BECKON_SLACK_BOT_TOKEN: botToken = '', BECKON_SLACK_APP_TOKEN: appToken = '' } = slack.environment;
    const channel = createSlackChannel({ botToken, appToken, apiUrl: slack.apiUrl }, { log });
    const chatId = slack.environment.BECKON_SLACK_CHANNEL ?? '';
    const gone = { channel: 'slack', chatId: 'C0GONE', threadId: null };
    await ledger.store.replaceAddresses([gone], clock.now());
    const [address] = await ledger.store.replaceAddresses([{ channel: 'slack', chatId, threadId: null }], clock.now());
    await ledger.store.disableAddress(address?.id ?? '', 'Slack said: is_archived', clock.now());
    let revived = 0;
    const reviver = createReviver({
      store: ledger.store,
      configured: [{ channel, address: { chatId }, approvers: [] }],
      changes: createChanges({ onListenerError: () => {} }),
      clock,
      onRevived: () => {
        revived += 1;
      },
      log,
    });
    const reasons = async () => (await ledger.store.listAddresses()).map(({ disabledReason }) => disabledReason).sort();

    slack.archive(true);
    await reviver.tick();
    expect(await reasons()).toEqual(['Slack said: is_archived', 'no longer configured']);
    slack.archive(false);
    await reviver.tick();
    await reviver.tick();
    expect(revived).toBe(1);
    expect((await reasons()).filter((reason) => reason !== null)).toEqual(['no longer configured']);
    await reviver.stop();
    await channel.stop();
  });
});
