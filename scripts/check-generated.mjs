#!/usr/bin/env node
// Part of `npm run check`: what is generated or promised about files is up to date.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (path) => readFileSync(join(root, path), 'utf8');
const faults = [];

if (/"resolved":/.test(read('package-lock.json'))) {
  faults.push(
    "package-lock.json names a registry host: run `npm install --package-lock-only` with this folder's .npmrc",
  );
}

// Every variable that the code knows is documented, and the document knows no other.
const documented = new Set(read('docs/configuration.md').match(/\b(?:BECKON_[A-Z_]+[A-Z]|DATABASE_URL)\b/g));
const sources = [
  'src/bot/config.ts',
  'src/channels/slack/config.ts',
  'src/channels/discord/config.ts',
  'src/channels/telegram/config.ts',
];
const known = new Set(sources.flatMap((path) => read(path).match(/\b(?:BECKON_[A-Z_]+[A-Z]|DATABASE_URL)\b/g) ?? []));
for (const name of known)
  if (!documented.has(name) && name !== 'BECKON_TEST') faults.push(`docs/configuration.md does not mention ${name}`);

if (faults.length > 0) {
  for (const fault of faults) console.error(`check: ${fault}`);
  process.exit(1);
}
