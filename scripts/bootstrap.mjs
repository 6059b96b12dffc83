#!/usr/bin/env node
// Makes a fresh clone ready to run: installs, generates and builds what is missing or out of date, and nothing else.
// Runs before `npm start`, `npm test`, `npm run demo` …; needs Node and npm only. Running it again costs about 0.1 s.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampOf = {
  install: 'node_modules/.beckon-install',
  generate: 'src/ledger/store/generated/.stamp',
  build: 'dist/.stamp',
};

requireNode(20, 19);
holdLock(() => {
  step(
    'install',
    'installing the dependencies (a minute or two, once)',
    hashOf(['package.json', 'package-lock.json'], process.version),
    install,
  );
  step(
    'generate',
    'generating the database clients',
    hashOf(['prisma', 'scripts/generate-clients.mjs'], readStamp('install')),
    () => run(process.execPath, ['scripts/generate-clients.mjs']),
  );
  step(
    'build',
    'building',
    hashOf(['src', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build.mjs'], readStamp('generate')),
    () => run(process.execPath, ['scripts/build.mjs']),
  );
});

/** Runs a step unless its stamp says that it ran on the same input. */
function step(name, what, input, work) {
  if (readStamp(name) === input) return;
  console.error(`beckon: ${what} …`);
  work();
  mkdirSync(dirname(join(root, stampOf[name])), { recursive: true });
  writeFileSync(join(root, stampOf[name]), input);
}

function install() {
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    // Prisma's installer would download an engine that Beckon does not use: any existing file keeps it from doing so.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_SKIP_POSTINSTALL_GENERATE: '1',
    ...nodeHeaders(),
  });
}

/** Where better-sqlite3 has to be compiled, the headers that came with this Node spare node-gyp a download. */
function nodeHeaders() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {};
}

function run(command, args, env = {}) {
  // stdout of a pre-script may be a protocol's: everything goes to stderr.
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32' && command.endsWith('.cmd'),
  });
  if (result.status === 0) return;
  console.error(
    `beckon: \`${command} ${args.join(' ')}\` failed${result.error ? ` (${result.error.message})` : ''}. Its own words are above.`,
  );
  process.exit(1);
}

function readStamp(name) {
  try {
    return readFileSync(join(root, stampOf[name]), 'utf8');
  } catch {
    return '';
  }
}

/** A hash over the contents of files and folders, generated ones left out, and over `also`. */
function hashOf(paths, also) {
  const hash = createHash('sha256').update(also);
  const visit = (path) => {
    if (path === 'src/ledger/store/generated' || !existsSync(join(root, path))) return;
    if (statSync(join(root, path)).isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`);
    } else {
      hash
        .update(path)
        .update('\0')
        .update(readFileSync(join(root, path)))
        .update('\0');
    }
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}

function requireNode(major, minor) {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  console.error(`beckon: needs Node ${major}.${minor} or newer; this is ${process.version}. See https://nodejs.org/.`);
  process.exit(1);
}

/** Two at once (a test run beside a start) must not install into each other: the second waits for the first. */
function holdLock(work) {
  const lock = join(root, '.beckon-bootstrap.lock');
  const deadline = Date.now() + 15 * 60_000;
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const holder = Number(safeRead(lock));
      if (!isAlive(holder)) rmSync(lock, { force: true });
      else if (Date.now() > deadline) {
        console.error(`beckon: another set-up (process ${holder}) holds ${lock}; end it or delete the file.`);
        process.exit(1);
      } else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  process.on('exit', () => rmSync(lock, { force: true }));
  work();
}

function safeRead(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
