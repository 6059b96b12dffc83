#!/usr/bin/env node
// In a fresh clone the compiled code is not there yet: the bootstrap makes it (everything it says goes to stderr).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
if (!existsSync(main)) {
  const bootstrap = fileURLToPath(new URL('../scripts/bootstrap.mjs', import.meta.url));
  const made = spawnSync(process.execPath, [bootstrap], { stdio: ['ignore', 2, 2] });
  if (made.status !== 0) process.exit(made.status ?? 1);
}
await import(main);
