#!/usr/bin/env node
// Compiles src/ into dist/ and copies what is served as it is. The new dist replaces the old one whole.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const fresh = join(root, 'dist.new');
rmSync(fresh, { recursive: true, force: true });
const result = spawnSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', fresh],
  {
    cwd: root,
    stdio: ['ignore', 2, 2],
  },
);
if (result.status !== 0) process.exit(result.status ?? 1);

const compiled = new Set(['.ts', '.tsx']);
cpSync(join(root, 'src'), fresh, {
  recursive: true,
  filter: (path) =>
    !path.includes('/store/generated') && (statSync(path).isDirectory() || !compiled.has(extname(path))),
});
const old = join(root, 'dist.old');
rmSync(old, { recursive: true, force: true });
if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old);
renameSync(fresh, join(root, 'dist'));
rmSync(old, { recursive: true, force: true });
