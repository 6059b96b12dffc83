import { describe, expect, it } from 'vitest';
import { type Outcome, type Request, toResult, toResultText } from '../../src/ledger/index.ts';

const settledAt = new Date('2026-12-01T10:02:03.456Z');
const settled = (outcome: Partial<Outcome> & Pick<Outcome, 'status'>, more: Partial<Request> = {}): Request => ({
  kind: 'permission',
  title: 'Deploy?',
  gist: 'Ships the fix.',
  extended: null,
  dangerLevel: null,
  options: [],
  id: '0193a1b2-0000-7000-8000-000000000001',
  digest: 'd',
  status: outcome.status,
  revision: 2,
  instanceId: 'i-1',
  instanceLabel: 'shop · main',
  keyId: 'key-1',
  createdAt: new Date('2026-12-01T10:00:00.000Z'),
  expiresAt: new Date('2026-12-01T16:00:00.000Z'),
  settledAt,
  outcome: { words: null, chosenOption: null, via: null, by: null, account: null, ...outcome },
  deliveredAt: null,
  ...more,
});
const ada = { via: 'slack', by: 'Ada', account: 'slack:U1' } as const;

describe('a result', () => {
  it('of a timeout denies a permission and a plan, and decides nothing about a question', () => {
    const fixed = { status: 'expired', answer: 'Denied by timeout', expired: true, deniedByTimeout: true };
    for (const kind of ['permission', 'plan_check', 'access'] as const)
      expect(toResult(settled({ status: 'expired' }, { kind }))).toMatchObject({ ...fixed, decision: 'denied' });
    const question = toResult(settled({ status: 'expired' }, { kind: 'steering' }));
    expect(question).toMatchObject(fixed);
    expect(question).not.toHaveProperty('decision');
  });

  it('of a withdrawal has its reason in the text only, as nobody’s answer', () => {
    const withdrawn = settled({ status: 'cancelled', words: 'The agent withdrew its call.' });
    expect(toResult(withdrawn)).not.toHaveProperty('answer');
    expect(toResultText(withdrawn)).toBe(
      'Cancelled: the request was withdrawn before anybody answered. Reason: "The agent withdrew its call.". Nothing was approved.',
    );
    expect(toResultText(settled({ status: 'cancelled' }))).not.toContain('Reason');
  });
});

describe('the text of a result says when it was decided', () => {
  it.each([
    [{ status: 'approved', ...ada }, 'Approved by Ada on Slack at 2026-12-01 10:02 UTC. Go ahead'],
    [
      { status: 'denied', words: 'no', ...ada },
      'Denied by Ada on Slack at 2026-12-01 10:02 UTC. They wrote: "no" Do not do it',
    ],
    [
      { status: 'answered', words: 'yes', ...ada },
      'Answered by Ada on Slack at 2026-12-01 10:02 UTC. They wrote: "yes"',
    ],
    [
      { status: 'answered', chosenOption: { label: 'Left', index: 0 }, ...ada },
      'Ada on Slack chose option 1 at 2026-12-01 10:02 UTC: "Left".',
    ],
  ] as const)('%o', (outcome, text) => {
    expect(toResultText(settled(outcome)).startsWith(text)).toBe(true);
  });
});
