import { describe, expect, it } from 'vitest';
import { createWaiters } from '../../src/bot/waiters.ts';

describe('blocked calls', () => {
  it('are woken by their own request only, and all at once', async () => {
    const waiters = createWaiters();
    const woken: string[] = [];
    const sleepers = ['a', 'a', 'b'].map((id, index) => {
      const waiter = waiters.register(id);
      return waiter.sleep(60_000).then(() => {
        woken.push(`${id}${index}`);
        waiter.done();
      });
    });
    waiters.wake('a');
    await Promise.all(sleepers.slice(0, 2));
    expect(woken.sort()).toEqual(['a0', 'a1']);
    expect(waiters.count).toBe(1);
    waiters.wakeAll();
    await Promise.all(sleepers);
    expect(waiters.count).toBe(0);
  });

  it('do not sleep when the wake came between register and sleep', async () => {
    const waiters = createWaiters();
    const waiter = waiters.register('a');
    waiters.wake('a');
    await waiter.sleep(60_000);
    waiter.done();
    expect(waiters.count).toBe(0);
  });

  it('end when the caller gives up', async () => {
    const waiters = createWaiters();
    const waiter = waiters.register('a');
    const giveUp = new AbortController();
    const asleep = waiter.sleep(60_000, giveUp.signal);
    giveUp.abort();
    await asleep;
    waiter.done();
    waiter.done();
    expect(waiters.count).toBe(0);
  });
});
