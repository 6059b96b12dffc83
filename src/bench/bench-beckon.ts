import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment, startBeckon } from '../bot/compose.ts';
import { createLog } from '../bot/log.ts';
import { createSlackEmulator } from '../demo/slack/slack-emulator.ts';
import { untilTrue } from './until-true.ts';

/** Beckon on a temporary SQLite file with an emulated Slack (rate limits out of the way) and the real Bolt. */
export async function startBenchBeckon() {
  const dataDir = await mkdtemp(join(tmpdir(), 'beckon-bench-'));
  const slack = await createSlackEmulator({ rates: { postBurst: 1_000_000, callBurst: 1_000_000 } });
  const log = createLog('error');
  const env = { ...slack.environment, BECKON_SLACK_API_URL: slack.apiUrl, BECKON_PORT: '0' };
  const beckon = await startBeckon({ ...readEnvironment(env, log), dataDir, version: 'bench', log });
  const [approver] = slack.people;
  const open = () => slack.messages().filter((message) => message.buttons.some((button) => button.label === 'Approve'));
  await untilTrue('Slack is connected', () => slack.connections() > 0);
  return {
    mcpUrl: new URL('/mcp/', beckon.url),
    key: (await readFile(join(dataDir, 'local-key'), 'utf8')).trim(),
    untilPaged: (count: number) => untilTrue('the pages are shown', () => open().length >= count),
    async approveAll() {
      await Promise.all(
        open().map((message) =>
          slack.press(
            approver?.id ?? '',
            message.id,
            message.buttons.find((button) => button.label === 'Approve')?.id ?? '',
          ),
        ),
      );
    },
    async stop() {
      await beckon.stop();
      await slack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
