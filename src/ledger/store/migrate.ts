import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationDirectory } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { createEngineConnections } from './engine-connections.ts';
import { DatabaseUnusable, unusable } from './failures.ts';
import { withMigrationLock } from './migration-lock.ts';
import type { Database } from './open-database.ts';
import { createSchemaEngine } from './schema-engine.ts';

/** The database was written by a newer Beckon; nothing was touched. */
export class DatabaseTooNew extends DatabaseUnusable {
  override readonly code = 'database_too_new';
  constructor(migration: string) {
    super(
      `The database was written by a newer Beckon (it has the migration ${migration}, which this one does not know). Start that version again, or restore a backup made before it.`,
    );
    this.name = 'DatabaseTooNew';
  }
}

/** Seen from src/ and from dist/ alike. */
const migrationsFolder = fileURLToPath(new URL('../../../prisma/migrations/', import.meta.url));

/**
 * Brings the schema up to date. Processes that start together wait for each other; running it again changes nothing.
 * @throws DatabaseTooNew, DatabaseUnusable
 */
export async function migrate(database: Database): Promise<void> {
  const known = await readMigrations(join(migrationsFolder, database.kind));
  if (isUpToDate(await readApplied(database), known)) return;
  await withMigrationLock(database, async () => {
    if (isUpToDate(await readApplied(database), known)) return;
    await apply(database, known);
  });
}

interface Applied {
  readonly name: string;
  readonly isFinished: boolean;
}

/** @throws DatabaseTooNew, DatabaseUnusable */
function isUpToDate(applied: readonly Applied[], known: readonly MigrationDirectory[]): boolean {
  const names = new Set(known.map(({ path }) => path));
  const newer = applied.find(({ name }) => !names.has(name));
  if (newer !== undefined) throw new DatabaseTooNew(newer.name);
  const broken = applied.find(({ isFinished }) => !isFinished);
  if (broken !== undefined) {
    throw new DatabaseUnusable(
      `The migration ${broken.name} of the database was not finished. Restore a backup, then start again.`,
    );
  }
  return applied.length === known.length;
}

async function apply(database: Database, migrationDirectories: MigrationDirectory[]): Promise<void> {
  const connections = createEngineConnections(database.factory);
  try {
    const engine = await createSchemaEngine(connections.factory);
    try {
      await engine.applyMigrations({
        migrationsList: {
          baseDir: migrationsFolder,
          lockfile: { path: 'migration_lock.toml', content: lockfileOf(database) },
          shadowDbInitScript: '',
          migrationDirectories,
        },
        filters: { externalTables: [], externalEnums: [] },
      });
      await connections.commit();
    } finally {
      engine.free();
    }
  } catch (error) {
    throw unusable(error, database.path ?? database.kind);
  } finally {
    await connections.close();
  }
}

function lockfileOf({ kind }: Database): string {
  return `provider = "${kind === 'sqlite' ? 'sqlite' : 'postgresql'}"\n`;
}

async function readMigrations(folder: string): Promise<MigrationDirectory[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(folder, path, 'migration.sql'), 'utf8') },
      },
    })),
  );
}

/** What the engine recorded; nothing on a fresh database. */
async function readApplied({ client, kind }: Database): Promise<Applied[]> {
  const [table] =
    kind === 'sqlite'
      ? await client.$queryRaw<
          { one: number }[]
        >`SELECT 1 AS one FROM sqlite_master WHERE type = 'table' AND name = '_prisma_migrations'`
      : await client.$queryRaw<
          { one: number }[]
        >`SELECT 1 AS one FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = '_prisma_migrations'`;
  if (table === undefined) return [];
  const rows = await client.$queryRaw<{ name: string; isFinished: unknown }[]>`
    SELECT "migration_name" AS "name", ("finished_at" IS NOT NULL) AS "isFinished" FROM "_prisma_migrations"
    WHERE "rolled_back_at" IS NULL ORDER BY "started_at"`;
  return rows.map(({ name, isFinished }) => ({ name, isFinished: Boolean(isFinished) }));
}
