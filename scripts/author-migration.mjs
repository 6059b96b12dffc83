#!/usr/bin/env node
// Writes the SQL of the next migration for both databases: `npm run migration -- NAME`.
// Compares prisma/models.prisma with prisma/migrations/models.prisma, the models as of the last migration, so it needs no database.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import { composeSchema, databases } from './compose-schema.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'prisma/migrations');
const lastModels = join(folder, 'models.prisma');
const adapters = {
  sqlite: () => new PrismaBetterSqlite3({ url: ':memory:' }),
  postgres: () => postgresDialect(),
};

const name = process.argv[2] ?? '';
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('beckon: give the migration a name in lower case, as in `npm run migration -- add_members`.');
  process.exit(2);
}

const engineModule = await loadEngine();
const number = String(1 + Math.max(0, ...existing())).padStart(4, '0');
const scripts = [];
for (const database of databases) scripts.push({ database, sql: await difference(database) });
if (scripts.every(({ sql }) => sql.trim() === '' || sql.includes('This is an empty migration'))) {
  console.error('beckon: the models have not changed since the last migration; nothing was written.');
  process.exit(1);
}
for (const { database, sql } of scripts) {
  const place = join(folder, database, `${number}_${name}`);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'migration.sql'), sql);
  console.log(`prisma/migrations/${database}/${number}_${name}/migration.sql`);
}
writeFileSync(lastModels, readFileSync(join(root, 'prisma/models.prisma'), 'utf8'));

async function difference(database) {
  const after = composeSchema(root, database);
  const header = readFileSync(join(root, 'prisma', database, 'header.prisma'), 'utf8');
  const container = (content) => ({ tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] });
  const adapter = bindMigrationAwareSqlAdapterFactory(adapters[database]());
  const engine = await engineModule.SchemaEngine.new({ datamodels: [['schema.prisma', after]] }, () => {}, adapter);
  const { stdout } = await engine.diff({
    from: existsSync(lastModels) ? container(`${header}\n${readFileSync(lastModels, 'utf8')}`) : { tag: 'empty' },
    to: container(after),
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout ?? '';
}

/** Comparing two schemas needs the dialect alone; the engine asks a server for nothing but its version. */
function postgresDialect() {
  const info = { provider: 'postgres', adapterName: '@prisma/adapter-pg' };
  const adapter = {
    ...info,
    queryRaw: async () => ({
      columnNames: ['exists', 'version', 'numeric_version'],
      columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
      rows: [[true, 'PostgreSQL 16.0', 160_000]],
    }),
    executeRaw: async () => 0,
    executeScript: async () => {},
    startTransaction: async () => {
      throw new Error('not a real database');
    },
    getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
    dispose: async () => {},
  };
  return { ...info, connect: async () => adapter, connectToShadowDb: async () => adapter };
}

function existing() {
  return databases.flatMap((database) => {
    const place = join(folder, database);
    return existsSync(place)
      ? readdirSync(place).flatMap((entry) => (/^\d{4}_/.test(entry) ? [Number(entry.slice(0, 4))] : []))
      : [];
  });
}

/** The engine's own module imports the .wasm as a module, which Node 20 cannot: bound by hand instead. */
async function loadEngine() {
  const base = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const bindings = await import(pathToFileURL(join(base, 'schema_engine_bg.js')).href);
  const { instance } = await WebAssembly.instantiate(readFileSync(join(base, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}
