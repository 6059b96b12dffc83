import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ask } from '../../src/ledger/index.ts';
import { claimInstance } from '../../src/mcp/instance-claim.ts';
import { tryLock } from '../../src/mcp/process-lock.ts';
import { temporaryFolder } from '../support/beckon-process.ts';

let home: ReturnType<typeof temporaryFolder>;
let folder: string;
let ids = 0;
beforeEach(() => {
  home = temporaryFolder('claim');
  folder = join(home.path, 'shop');
  mkdirSync(folder);
});
afterEach(() => home.remove());

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const ask: Ask = { kind: 'permission', title: 'Deploy?', gist: 'Now.', extended: null, dangerLevel: null, options: [] };
const claim = (more: { sessionName?: string; role?: 'agent' | 'script' } = {}) =>
  claimInstance({
    dataDir: join(home.path, 'data'),
    folder,
    sessionName: more.sessionName ?? null,
    role: more.role ?? 'agent',
    newId: () => {
      ids += 1;
      return `instance-${ids}`;
    },
    clock: { now: () => new Date() },
    log: quiet,
  });

describe('claiming an identity', () => {
  it('gives ten who start together ten identities, numbered without a gap', async () => {
    const claimed = await Promise.all(Array.from({ length: 10 }, () => claim()));
    expect(new Set(claimed.map((one) => one.current().id)).size).toBe(10);
    expect(claimed.map((one) => one.current().label).sort()).toEqual(
      ['shop', ...Array.from({ length: 9 }, (_, index) => `shop #${index + 2}`)].sort(),
    );
    for (const one of claimed) one.release();
  });

  it('gives the next start the identity of one that ended, first one with open questions', async () => {
    const [first, second] = [await claim(), await claim()];
    await second.ledger.asked('open', ask);
    const id = second.current().id;
    first.release();
    second.release();
    const next = await claim();
    expect(next.current()).toEqual({ id, label: 'shop #2' });
    expect(await next.ledger.known()).toEqual(['open']);
    const other = await claim();
    expect(other.current().label).toBe('shop');
    next.release();
    other.release();
  });

  it('keeps names, and scripts and agents, apart', async () => {
    const all = [await claim(), await claim({ sessionName: 'nightly' }), await claim({ role: 'script' })];
    expect(all.map((one) => one.current().label)).toEqual(['shop', 'nightly', 'shop']);
    expect(new Set(all.map((one) => one.current().id)).size).toBe(3);
    for (const one of all) one.release();
  });

  it('follows the branch while it runs', async () => {
    const claimed = await claim();
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    expect(claimed.current().label).toBe('shop · main');
    claimed.release();
  });

  it('keeps its folder to this account, and leaves no lock behind', async () => {
    const claimed = await claim();
    claimed.release();
    claimed.release();
    const instances = join(home.path, 'data', 'instances');
    const [own] = readdirSync(instances);
    expect(statSync(join(instances, own ?? '')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(instances, own ?? ''))).toEqual([expect.stringMatching(/^instance-\d+\.jsonl$/)]);
  });
});

describe('a process lock', () => {
  it('is held by one, and free again when released', () => {
    const lock = tryLock(home.path, 'x');
    expect(lock).not.toBeNull();
    expect(tryLock(home.path, 'x')).toBeNull();
    expect(tryLock(home.path, 'y')).not.toBeNull();
    lock?.release();
    expect(tryLock(home.path, 'x')).not.toBeNull();
  });

  it('does not count for a process that is dead, or whose id somebody else has now', () => {
    const gone = join(home.path, 'x.lock.999999999.1-abcdefgh.00');
    const reused = join(home.path, `x.lock.${process.ppid}.1-abcdefgh.00`);
    writeFileSync(gone, '');
    writeFileSync(reused, '');
    expect(tryLock(home.path, 'x')).not.toBeNull();
    expect(readdirSync(home.path).filter((name) => name.endsWith('.00'))).toEqual([]);
  });

  it('counts for a living process of unknown start', () => {
    writeFileSync(join(home.path, `x.lock.${process.ppid}.x.00`), '');
    expect(tryLock(home.path, 'x')).toBeNull();
  });
});
