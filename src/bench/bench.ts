import { startBareServer } from './bare-server.ts';
import { startBenchBeckon } from './bench-beckon.ts';
import { connectClient } from './connect-client.ts';

/**
 * `npm run bench`: how much Beckon adds to a bare server on the same MCP SDK, in the same run on the same machine. Absolute
 * numbers mean little on a shared machine; the ratios are what to compare. Bounded: about half a minute.
 */

const rounds = 40;
const crowd = 100;

const beckon = await startBenchBeckon();
const bare = await startBareServer();
try {
  const [toBeckon, toBare] = [await connectClient(beckon.mcpUrl, beckon.key), await connectClient(bare.url, 'none')];
  const sides = [
    { name: 'bare', client: toBare, tool: 'ask', release: bare.releaseAll, untilAsked: bare.untilBlocked },
    {
      name: 'beckon',
      client: toBeckon,
      tool: 'request_permission',
      release: beckon.approveAll,
      untilAsked: beckon.untilPaged,
    },
  ];
  const answers = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  const asks = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  const crowds = new Map<string, number>();

  // In turn, so that a slow moment of the machine meets both.
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, client, tool, release, untilAsked } of sides) {
      const askedAt = performance.now();
      const call = client.ask(tool, `Round ${round} of ${name}?`);
      await untilAsked(1);
      asks.get(name)?.push(performance.now() - askedAt);
      const answeredAt = performance.now();
      await release();
      await call;
      answers.get(name)?.push(performance.now() - answeredAt);
    }
  }
  for (const { name, client, tool, release, untilAsked } of sides) {
    const startedAt = performance.now();
    const calls = Array.from({ length: crowd }, (_, index) => client.ask(tool, `Crowd ${index} of ${name}?`));
    await untilAsked(crowd);
    await release();
    await Promise.all(calls);
    crowds.set(name, performance.now() - startedAt);
  }

  const row = (what: string, bareMs: number, beckonMs: number) =>
    `${what.padEnd(52)} ${bareMs.toFixed(1).padStart(9)} ${beckonMs.toFixed(1).padStart(9)} ${(beckonMs / bareMs).toFixed(1).padStart(8)}x`;
  process.stdout.write(
    [
      `${'milliseconds'.padEnd(52)} ${'bare'.padStart(9)} ${'beckon'.padStart(9)} ${'ratio'.padStart(9)}`,
      row(
        `ask -> blocked (bare) / page accepted by Slack, p50 of ${rounds}`,
        median(asks.get('bare')),
        median(asks.get('beckon')),
      ),
      row(
        `answer -> tool result (beckon: a press in Slack), p50`,
        median(answers.get('bare')),
        median(answers.get('beckon')),
      ),
      row(`${crowd} at once: asked, paged, answered, returned`, crowds.get('bare') ?? 0, crowds.get('beckon') ?? 0),
      '',
    ].join('\n'),
  );
  await Promise.all([toBeckon.close(), toBare.close()]);
} finally {
  await Promise.all([beckon.stop(), bare.stop()]);
}

function median(values: readonly number[] | undefined): number {
  const sorted = [...(values ?? [])].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
