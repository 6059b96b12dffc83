#!/usr/bin/env node
// Generates the two database clients from prisma/models.prisma, once under each header. Needs no network and no home folder.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeSchema, databases } from './compose-schema.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'src/ledger/store/generated');

const work = mkdtempSync(join(tmpdir(), 'beckon-generate-'));
try {
  for (const database of databases) generate(database);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function generate(database) {
  // Generated beside its final place and moved there whole: whoever imports the client meanwhile sees the old one or the new one.
  const fresh = join(target, `.${database}.new`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const schema = join(work, `${database}.prisma`);
  writeFileSync(schema, `${generator(fresh)}\n${composeSchema(root, database)}`);
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules/prisma/build/index.js'), 'generate', '--schema', schema],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        // The CLI wants to download an engine that generating does not use: any existing file keeps it from doing so.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
        HOME: work,
        XDG_CACHE_HOME: join(work, 'cache'),
      },
    },
  );
  if (result.status !== 0) {
    console.error(`beckon: the ${database} client could not be generated:\n${result.stdout}${result.stderr}`);
    process.exit(1);
  }
  const place = join(target, database);
  const old = join(target, `.${database}.old`);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(place)) renameSync(place, old);
  renameSync(fresh, place);
  rmSync(old, { recursive: true, force: true });
}

function generator(output) {
  return `generator client {
  provider               = "prisma-client"
  output                 = ${JSON.stringify(output)}
  runtime                = "nodejs"
  moduleFormat           = "esm"
  generatedFileExtension = "ts"
  importFileExtension    = "ts"
}
`;
}
