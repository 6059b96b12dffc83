import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchOf } from '../../src/mcp/instance-branch.ts';
import { labelOf } from '../../src/mcp/instance-label.ts';
import { temporaryFolder } from '../support/beckon-process.ts';

let home: ReturnType<typeof temporaryFolder>;
let shop: string;
beforeEach(() => {
  home = temporaryFolder('label');
  shop = join(home.path, 'shop');
  mkdirSync(shop);
});
afterEach(() => home.remove());

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: shop,
    encoding: 'utf8',
  }).trim();
const label = (folder = shop) => labelOf({ folder, sessionName: null, place: 1 });

describe('the label of an instance', () => {
  it('is the folder alone without git', () => {
    expect(label()).toBe('shop');
  });

  it('is folder and branch, also of a branch without a commit and from a folder below', () => {
    git('init', '-q', '-b', 'feature/checkout');
    expect(label()).toBe('shop · feature/checkout');
    mkdirSync(join(shop, 'web'));
    expect(label(join(shop, 'web'))).toBe('web · feature/checkout');
  });

  it('is folder and short hash with a detached head', () => {
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('checkout', '-q', '--detach');
    expect(label()).toBe(`shop · ${git('rev-parse', '--short=7', 'HEAD')}`);
  });

  it('knows the branch of a worktree', () => {
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('worktree', 'add', '-q', '-b', 'hotfix', '../shop-hotfix');
    expect(label(join(home.path, 'shop-hotfix'))).toBe('shop-hotfix · hotfix');
  });

  it('follows a relative gitdir file, as submodules have', () => {
    mkdirSync(join(home.path, 'modules', 'shop'), { recursive: true });
    writeFileSync(join(home.path, 'modules', 'shop', 'HEAD'), 'ref: refs/heads/sub\n');
    writeFileSync(join(shop, '.git'), 'gitdir: ../modules/shop\n');
    expect(branchOf(shop)).toBe('sub');
  });

  it('is the folder alone where .git makes no sense', () => {
    writeFileSync(join(shop, '.git'), 'gitdir: ../nowhere\n');
    expect(branchOf(shop)).toBeNull();
  });

  it('counts the agents that share a folder, and stays within 100 characters', () => {
    expect(labelOf({ folder: shop, sessionName: null, place: 2 })).toBe('shop #2');
    const long = labelOf({ folder: shop, sessionName: '🚀'.repeat(100), place: 12 });
    expect([...long]).toHaveLength(100);
    expect(long.endsWith('🚀… #12')).toBe(true);
  });

  it('is one line whatever the folder is called', () => {
    expect(labelOf({ folder: '/srv/a\nb', sessionName: null, place: 1 })).toBe('a\ufffdb');
    expect(labelOf({ folder: '/', sessionName: null, place: 1 })).toBe('/');
  });
});
