import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/ledger/index.ts';
import { type Agent, agentKinds, connectAgent, type Endpoint, startEndpoint } from './endpoint.ts';

const ann = { via: 'slack', by: 'Ann', account: 'slack:U1' } as const;
const onprogress = () => {};

describe.each(agentKinds)('the tools, seen by a %s over HTTP', (kind) => {
  let endpoint: Endpoint;
  let agent: Agent;
  beforeEach(async () => {
    endpoint = await startEndpoint();
    agent = await connectAgent(kind, endpoint.url);
  });
  afterEach(async () => {
    await agent.close();
    await endpoint.stop();
  });

  /** Asks, lets a person answer, returns what the agent saw. */
  const askAndSettle = async (
    tool: string,
    args: Record<string, unknown>,
    outcome: Partial<Outcome> & Pick<Outcome, 'status'>,
  ) => {
    const answer = agent.call(tool, args, { onprogress });
    const request = await endpoint.desk.pending(String(args.title));
    endpoint.desk.settle(request.id, outcome);
    return { ...(await answer), request };
  };

  test('a permission, approved', async () => {
    const args = { title: 'Drop the table?', gist: 'It is empty.', extended: 'DROP TABLE t', danger_level: 'high' };
    const { request, isError, text, result } = await askAndSettle('request_permission', args, {
      status: 'approved',
      ...ann,
    });
    expect(request).toMatchObject({
      kind: 'permission',
      title: 'Drop the table?',
      gist: 'It is empty.',
      extended: 'DROP TABLE t',
      dangerLevel: 'high',
      keyId: 'key-ann',
    });
    expect(isError).toBe(false);
    expect(result).toEqual({
      requestId: request.id,
      status: 'approved',
      decision: 'approved',
      resolvedVia: 'slack',
      resolvedBy: 'Ann',
      expired: false,
      deniedByTimeout: false,
    });
    expect(text).toMatch(/^Approved by Ann on Slack at \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Go ahead/);
    const delivered = await endpoint.desk.until(request.id, ({ deliveredAt }) => deliveredAt !== null);
    expect(delivered.status).toBe('approved');
  });

  test('a plan, denied without and with words', async () => {
    const bare = await askAndSettle(
      'request_plan_check',
      { title: 'Plan A', gist: 'Steps' },
      { status: 'denied', ...ann },
    );
    expect(bare.result).toMatchObject({ status: 'denied', decision: 'denied', expired: false });
    expect(bare.result).not.toHaveProperty('answer');
    const words = 'Use the "blue" cluster first.';
    const worded = await askAndSettle(
      'request_plan_check',
      { title: 'Plan B', gist: 'Steps' },
      { status: 'denied', words, ...ann },
    );
    expect(worded.result).toMatchObject({ status: 'denied', decision: 'denied', answer: words });
    expect(worded.text).toContain('They wrote: "Use the \\"blue\\" cluster first."');
  });

  test('steering, answered by an option and by free text', async () => {
    const args = {
      title: 'Which?',
      gist: 'Two ways',
      options: [{ label: 'Left', recommended: true }, { label: 'Right' }],
    };
    const chosenOption = { label: 'Right', index: 1 };
    const chosen = await askAndSettle('request_steering', args, { status: 'answered', chosenOption, ...ann });
    expect(chosen.request.options).toEqual([
      { label: 'Left', recommended: true },
      { label: 'Right', recommended: false },
    ]);
    expect(chosen.result).toMatchObject({ status: 'answered', chosenOption });
    expect(chosen.result).not.toHaveProperty('decision');
    const written = await askAndSettle(
      'request_steering',
      { title: 'Name?', gist: 'Any' },
      { status: 'answered', words: 'Neither 🙃', ...ann },
    );
    expect(written.result).toMatchObject({ status: 'answered', answer: 'Neither 🙃' });
  });

  test('expired is a definitive no that no person spoke', async () => {
    const { result, text } = await askAndSettle(
      'request_permission',
      { title: 'Late?', gist: 'x' },
      { status: 'expired' },
    );
    expect(result).toMatchObject({
      status: 'expired',
      decision: 'denied',
      answer: 'Denied by timeout',
      expired: true,
      deniedByTimeout: true,
    });
    expect(result).not.toHaveProperty('resolvedBy');
    expect(text).toMatch(/definitive no.*do not repeat the call in a loop/s);
  });

  test('sync tells who the instance is, what is open and what was answered meanwhile', async () => {
    const first = new AbortController();
    const open = agent.call(
      'request_steering',
      { title: 'Still open', gist: 'x' },
      { onprogress, signal: first.signal },
    );
    open.catch(() => {});
    const request = await endpoint.desk.pending('Still open');
    const { result, text, isError } = await agent.call('sync', {});
    expect(isError).toBe(false);
    expect(result).toEqual({
      instance: { id: request.instanceId, label: request.instanceLabel },
      requests: [
        {
          requestId: request.id,
          status: 'pending',
          title: 'Still open',
          kind: 'steering',
          expired: false,
          deniedByTimeout: false,
        },
      ],
    });
    expect(text).toContain('steering "Still open"');
    endpoint.desk.settle(request.id, { status: 'answered', words: 'yes', ...ann });
    expect((await open).result.answer).toBe('yes');
    await endpoint.desk.until(request.id, ({ deliveredAt }) => deliveredAt !== null);
    expect((await agent.call('sync', {})).result).toMatchObject({ requests: [] });
  });

  test('progress comes at once and grows until the answer, and no further', async () => {
    const seen: { progress: number; message?: string; at: number }[] = [];
    const startedAt = performance.now();
    const answer = agent.call(
      'request_permission',
      { title: 'Slow?', gist: 'x' },
      {
        onprogress: (progress) =>
          void seen.push({ ...progress, at: performance.now() - startedAt } as (typeof seen)[number]),
      },
    );
    const request = await endpoint.desk.pending('Slow?');
    await expect.poll(() => seen.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(5);
    endpoint.desk.settle(request.id, { status: 'approved', ...ann });
    await answer;
    expect(seen[0]?.progress).toBe(0);
    expect(seen[0]?.at).toBeLessThan(1_000);
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, index) => index));
    expect(seen.at(-1)?.message).toMatch(/^Waited \d+ s; (6 h|5 h 59 min) left; paged on Slack as Slow\?$/);
    for (const { message } of seen) expect([...(message ?? '')].length).toBeLessThanOrEqual(200);
  });

  test('caps count characters: a title of 200 emoji passes, 201 do not', async () => {
    const longest = '🚀'.repeat(200);
    const { result } = await askAndSettle(
      'request_permission',
      { title: longest, gist: '👩‍🚀'.repeat(500) },
      { status: 'approved', ...ann },
    );
    expect(result.status).toBe('approved');
    const tooLong = await agent.call('request_permission', { title: '🚀'.repeat(201), gist: 'x' });
    expect(tooLong).toMatchObject({
      isError: true,
      text: '[invalid_payload] title: is 201 characters long; at most 200 characters',
    });
    expect(endpoint.desk.paged()).toBe(1);
  });

  test.each([
    [
      'a misspelt argument',
      'request_permission',
      { title: 'T', gist: 'g', danger_levle: 'low' },
      'danger_levle: is not an argument of this tool; did you mean danger_level?',
    ],
    [
      'an undeclared nested one',
      'request_steering',
      { title: 'T', gist: 'g', options: [{ label: 'A', weight: 1 }] },
      'options.0.weight: is not an argument of this tool',
    ],
    [
      'five options',
      'request_steering',
      { title: 'T', gist: 'g', options: ['a', 'b', 'c', 'd', 'e'].map((label) => ({ label })) },
      'options.4: at most 4 options',
    ],
    [
      'two recommended',
      'request_steering',
      {
        title: 'T',
        gist: 'g',
        options: [
          { label: 'a', recommended: true },
          { label: 'b', recommended: true },
        ],
      },
      'options: at most one recommended option',
    ],
    ['a missing gist', 'request_plan_check', { title: 'T' }, 'gist: is required'],
    [
      'options on a permission',
      'request_permission',
      { title: 'T', gist: 'g', options: [] },
      'options: is not an argument of this tool',
    ],
    ['an argument of sync', 'sync', { all: true }, 'all: is not an argument of this tool'],
    ['a number for a title', 'request_permission', { title: 7, gist: 'g' }, 'title: must be a string'],
    ['a name with a line break', 'sync', { 'a\nb': 1 }, 'a b: is not an argument of this tool'],
  ])('closed arguments: %s', async (_what, tool, args, fault) => {
    const { isError, text } = await agent.call(tool, args);
    expect(isError).toBe(true);
    expect(text).toBe(`[invalid_payload] ${fault}`);
    expect(endpoint.desk.paged()).toBe(0);
  });

  test('every fault is told in one line, and no more than ten', async () => {
    const { text } = await agent.call(
      'sync',
      Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`x${index}`, 1])),
    );
    expect(text).toMatch(/^\[invalid_payload\] x0: .*x9: [^;]*; and 4 more$/);
  });

  test('a key without the scope is told which one it lacks', async () => {
    const viewer = await connectAgent(kind, endpoint.url, 'bk_live_viewer');
    const { isError, text } = await viewer.call('request_permission', { title: 'T', gist: 'g' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^\[forbidden\] .*request_decisions.*Nobody was paged/);
    await viewer.close();
    expect(endpoint.desk.paged()).toBe(0);
  });

  test('another key sees nothing of it', async () => {
    const open = agent.call('request_permission', { title: 'Mine', gist: 'x' }, { onprogress });
    const request = await endpoint.desk.pending('Mine');
    const bob = await connectAgent(kind, endpoint.url, 'bk_live_bob');
    expect((await bob.call('sync', {})).result).toMatchObject({ requests: [] });
    await bob.close();
    endpoint.desk.settle(request.id, { status: 'denied', ...ann });
    await open;
  });
});
