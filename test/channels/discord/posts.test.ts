import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SendError } from '../../../src/channels/contract.ts';
import { createRig, type Rig, somePage } from './rig.ts';

const create = 'POST /channels/:id/messages';
const edit = 'PATCH /channels/:id/messages/:id';
let rig: Rig;
beforeEach(async () => {
  rig = await createRig({ timing: { sendMs: 1_500 } });
});
afterEach(() => rig.stop());

const send = (more: Parameters<typeof somePage>[0] = {}) => rig.channel.send(somePage(more), rig.address);
const outcome = { status: 'approved', by: 'Ada', via: 'slack', at: new Date('2026-12-01T10:05:00Z') } as const;
const fateOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'sent',
    (error: unknown) => (error instanceof SendError ? error.fate : error),
  );

describe('sending', () => {
  it('needs no gateway', async () => {
    const receipt = await send();
    expect(receipt).toEqual({ chatId: rig.address.chatId, messageId: rig.chat.messages()[0]?.id });
    expect(rig.chat.gateway.connections()).toBe(0);
    expect(rig.chat.violations()).toEqual([]);
  });

  it('the same token twice is one message, also when the first answer was lost', async () => {
    rig.chat.faults.next(create, 1, { kind: 'drop_after' });
    expect(await fateOf(send())).toEqual({ kind: 'retry', afterMs: null });
    const again = await send();
    expect(rig.chat.messages().map((message) => message.id)).toEqual([again.messageId]);
    expect((await send({ token: 'x'.repeat(40) })).messageId).not.toBe(again.messageId);
    expect((await send({ token: 'x'.repeat(40) })).messageId).toBe(rig.chat.messages()[1]?.id);
    expect(rig.chat.violations()).toEqual([]);
  });

  it('a page that was settled between two tries shows the outcome', async () => {
    rig.chat.faults.next(create, 1, { kind: 'drop_after' });
    await fateOf(send());
    await send({ outcome });
    expect(rig.chat.messages()).toHaveLength(1);
    expect(rig.chat.messages()[0]?.text).toContain('Approved by Ada on Slack');
    expect(rig.chat.messages()[0]?.buttons).toEqual([]);
  });

  it('a page whose notes changed between two tries shows the new ones', async () => {
    rig.chat.faults.next(create, 1, { kind: 'drop_after' });
    await fateOf(send());
    await send({ notes: ['1 of 2 (Ada)'] });
    expect(rig.chat.messages().map((message) => message.text)).toEqual([expect.stringContaining('1 of 2 (Ada)')]);
    await send({ notes: ['1 of 2 (Ada)'] });
    expect(rig.chat.calls().filter((call) => call.route === edit)).toHaveLength(1);
  });

  it.each([
    [{ kind: 'rate_limited', retryAfterSeconds: 3 } as const, { kind: 'retry', afterMs: 3_050 }],
    [{ kind: 'rate_limited', retryAfterSeconds: 2, global: true } as const, { kind: 'retry', afterMs: 2_050 }],
    [{ kind: 'status', status: 503 } as const, { kind: 'retry', afterMs: null }],
    [{ kind: 'drop_before' } as const, { kind: 'retry', afterMs: null }],
    [{ kind: 'error', status: 403, code: 50013, message: 'Missing Permissions' } as const, { kind: 'misconfigured' }],
    [{ kind: 'error', status: 403, code: 50001, message: 'Missing Access' } as const, { kind: 'misconfigured' }],
    [{ kind: 'error', status: 404, code: 10003, message: 'Unknown Channel' } as const, { kind: 'dead' }],
    [{ kind: 'error', status: 400, code: 50083, message: 'Thread is archived' } as const, { kind: 'dead' }],
    [
      { kind: 'error', status: 403, code: 50007, message: 'Cannot send messages to this user' } as const,
      { kind: 'dead' },
    ],
  ])('%o means %o, said after one call', async (fault, fate) => {
    rig.chat.faults.next(create, 1, fault);
    const found = await fateOf(send());
    const { afterMs } = z.object({ afterMs: z.number().nullish() }).parse(found);
    const expected = 'afterMs' in fate ? fate.afterMs : undefined;
    expect(Math.abs((afterMs ?? 0) - (expected ?? 0))).toBeLessThan(200);
    expect(found).toMatchObject({ kind: fate.kind });
    expect(afterMs === null).toBe(expected === null);
    expect(rig.chat.calls().filter((call) => call.route === create && call.status === 200)).toEqual([]);
  });

  it('a wrong token is misconfigured, names the variable and not the token, and a right call works afterwards', async () => {
    rig.chat.faults.next(create, 1, { kind: 'error', status: 401, code: 0, message: '401: Unauthorized' });
    const error = await send().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      fate: { kind: 'misconfigured' },
      message: expect.stringContaining('BECKON_DISCORD_TOKEN'),
    });
    expect(String(error)).not.toContain(rig.chat.environment.BECKON_DISCORD_TOKEN);
    expect((await send()).messageId).toBe(rig.chat.messages()[0]?.id);
  });

  it('ends by its own deadline when Discord does not answer', async () => {
    rig.chat.faults.next(create, 1, { kind: 'black_hole' });
    const began = Date.now();
    expect(await fateOf(send())).toEqual({ kind: 'retry', afterMs: null });
    expect(Date.now() - began).toBeLessThan(3_000);
  });

  it('goes out without its link where Discord refuses the address', async () => {
    rig.chat.faults.next(create, 1, { kind: 'error', status: 400, code: 50035, message: 'Invalid Form Body' });
    await send();
    expect(rig.chat.messages()[0]?.buttons.map((button) => button.label)).toEqual([
      'Approve',
      'Deny',
      'Deny with reason…',
    ]);
  });
});

describe('a real bucket', () => {
  it('is respected without a call too many', async () => {
    const tight = await createRig({ emulator: { rates: { posts: 2, perMs: 1_000 } } });
    try {
      const fates = [];
      for (const token of ['a', 'b', 'c', 'd'])
        fates.push(await fateOf(tight.channel.send(somePage({ token }), tight.address)));
      expect(fates.slice(0, 2)).toEqual(['sent', 'sent']);
      expect(fates.slice(2)).toMatchObject([{ kind: 'retry' }, { kind: 'retry' }]);
      expect(tight.chat.calls().filter((call) => call.status === 429)).toEqual([]);
      expect(tight.chat.messages()).toHaveLength(2);
    } finally {
      await tight.stop();
    }
  });
});

describe('editing', () => {
  it('shows the outcome, takes the buttons away and may be repeated', async () => {
    const receipt = await send();
    const page = somePage({ outcome });
    expect(await rig.channel.update(receipt, page)).toEqual(receipt);
    await rig.channel.update(receipt, page);
    expect(rig.chat.messages()[0]).toMatchObject({ edited: true, buttons: [] });
    expect(rig.chat.violations()).toEqual([]);
  });

  it('of a deleted message is gone', async () => {
    const receipt = await send();
    rig.chat.deleteMessage(receipt.messageId);
    expect(await fateOf(rig.channel.update(receipt, somePage()))).toEqual({ kind: 'gone' });
  });

  it('obeys a rate limit', async () => {
    const receipt = await send();
    rig.chat.faults.next(edit, 1, { kind: 'rate_limited', retryAfterSeconds: 1 });
    expect(await fateOf(rig.channel.update(receipt, somePage()))).toMatchObject({ kind: 'retry', afterMs: 1_050 });
  });
});

describe('check', () => {
  it('says who the bot is and where', async () => {
    expect(await rig.channel.check(rig.address)).toEqual({ ok: true, detail: '@beckon in #agents' });
  });

  it('says what is wrong and what to do', async () => {
    rig.chat.setAccess({ writable: false });
    expect(await rig.channel.check(rig.address)).toEqual({
      ok: false,
      detail: '@beckon lacks Send Messages in #agents: grant it there',
    });
    rig.chat.setAccess({ visible: false });
    expect(await rig.channel.check(rig.address)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('View Channel'),
    });
    expect(await rig.channel.check({ chatId: '999999999999999999' })).toMatchObject({ ok: false });
  });
});
