import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentKinds, connectAgent, type Endpoint, startEndpoint } from '../mcp/endpoint.ts';

/** What agents see of Beckon, literally. A change here changes what every connected model reads: make it on purpose. */
let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.stop());

const pinned = JSON.parse(await readFile(new URL('mcp-surface.json', import.meta.url), 'utf8'));

test.each(agentKinds)('tools/list and the instructions, seen by a %s', async (kind) => {
  const agent = await connectAgent(kind, endpoint.url);
  const seen = { instructions: agent.instructions?.split('\n'), tools: await agent.listTools() };
  await agent.close();
  expect(JSON.parse(JSON.stringify(seen))).toEqual(pinned);
});

test('no tool on the surface can decide anything', () => {
  const names = pinned.tools.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['request_permission', 'request_plan_check', 'request_steering', 'sync']);
});
