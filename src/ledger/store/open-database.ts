import { accessSync, constants, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { DatabaseUnusable, unusable } from './failures.ts';
import type { PrismaClient } from './generated/sqlite/client.ts';
import { createMemoryFactory, createSqliteFactory } from './sqlite-connection.ts';

/** An open database. Both clients are typed as the SQLite one: their types differ, what Beckon uses of them does not. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  readonly client: PrismaClient;
  /** Makes further connections, for the migration engine. */
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  /** Of the SQLite file; null for Postgres and in memory. */
  readonly path: string | null;
  close(): Promise<void>;
}

/**
 * Opens the database without looking at its schema.
 * `url`: `postgres://…`, `file:` and a path, a plain path, or `:memory:`. Relative paths are taken from `dataDir`.
 * @throws DatabaseUnusable with one sentence for the operator
 */
export async function openDatabase({ url, dataDir }: { url: string; dataDir?: string }): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url);
  if (/^[a-z][a-z+]+:\/\//i.test(url)) {
    throw new DatabaseUnusable(
      `The database must be a file or a postgres:// address, not "${url.slice(0, url.indexOf(':'))}://…".`,
    );
  }
  const place = url.replace(/^file:/, '');
  return place === ':memory:' ? openMemory() : openSqlite(resolve(dataDir ?? '.', place));
}

/** Transactions wait for each other on SQLite, and for a connection on Postgres: thousands at once take their time. */
const transactionOptions = { maxWait: 60_000, timeout: 20_000 };

async function openSqlite(path: string): Promise<Database> {
  prepareFolder(dirname(path));
  const factory = createSqliteFactory(path);
  const { PrismaClient } = await import('./generated/sqlite/client.ts');
  const client = new PrismaClient({ adapter: factory, transactionOptions });
  return connected({ kind: 'sqlite', client, factory, path, close: () => client.$disconnect() }, path);
}

async function openMemory(): Promise<Database> {
  const { factory, close } = createMemoryFactory();
  const { PrismaClient } = await import('./generated/sqlite/client.ts');
  const client = new PrismaClient({ adapter: factory, transactionOptions });
  const closeBoth = async () => {
    await client.$disconnect();
    await close();
  };
  return connected({ kind: 'sqlite', client, factory, path: null, close: closeBoth }, ':memory:');
}

async function openPostgres(url: string): Promise<Database> {
  const name = nameOf(url);
  const adapter = new PrismaPg(createPool(url, { max: 10, query_timeout: queryMs }), { disposeExternalPool: true });
  const { PrismaClient } = await import('./generated/postgres/client.ts');
  const client = new PrismaClient({ adapter, transactionOptions }) as unknown as PrismaClient;
  const factory = createPostgresFactory(url);
  return connected({ kind: 'postgres', client, factory, path: null, close: () => client.$disconnect() }, name);
}

/** So that a server which stops answering without closing the connection holds no caller for ever. A migration may take longer. */
const queryMs = 15_000;

function createPool(url: string, limits: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'beckon',
    ...limits,
  });
  // A connection that dies between being handed out and being used has no other listener: Node would end the process.
  pool.on('connect', (connection) => connection.on('error', () => {}));
  return pool;
}

/** A pool of one for each connection that the engine asks for. */
function createPostgresFactory(url: string): SqlMigrationAwareDriverAdapterFactory {
  const single = () => new PrismaPg(createPool(url, { max: 1 }), { disposeExternalPool: true });
  const { provider, adapterName } = single();
  return {
    provider,
    adapterName,
    connect: () => single().connect(),
    connectToShadowDb: () => single().connectToShadowDb(),
  };
}

async function connected(database: Database, name: string): Promise<Database> {
  try {
    // Reads the file or the server for the first time: what is wrong with it comes up here.
    await database.client.$queryRaw`SELECT 1 AS one`;
    return database;
  } catch (error) {
    await database.close().catch(() => {});
    throw unusable(error, name);
  }
}

function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new DatabaseUnusable(
      `The data folder ${folder} cannot be written. Give this account the right to write there, or set BECKON_DATA_DIR to another folder.`,
      { cause },
    );
  }
}

/** The address without user, password and parameters. */
function nameOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `postgres://${host}${pathname}`;
  } catch {
    throw new DatabaseUnusable(
      'The Postgres address is not a valid URL. It looks like postgres://user:password@host:5432/beckon.',
    );
  }
}
