import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

/**
 * Prisma's migration engine, in process. Its own entry point imports the `.wasm` as a module, which Node 20 cannot, so it is
 * bound by hand; that needs the loader's two functions, which its types leave out.
 */
export async function createSchemaEngine(
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<bindings.SchemaEngine> {
  loaded ??= load();
  await loaded;
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

/** One instance a process: the bindings hold it. */
let loaded: Promise<void> | null = null;

async function load(): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const bytes = await readFile(join(folder, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': importsOf(bindings) });
  const loader = bindings as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void };
  loader.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === 'function') start();
}

/** The bindings, except that a timer of the engine does not keep the process alive: it leaves the one of its lock running for 10 s. */
function importsOf(all: object): WebAssembly.ModuleImports {
  return Object.fromEntries(
    Object.entries(all).map(([name, value]: [string, WebAssembly.ImportValue]) =>
      name.startsWith('__wbg_setTimeout') && typeof value === 'function'
        ? [name, unreferenced(value as (...args: unknown[]) => unknown)]
        : [name, value],
    ),
  );
}

function unreferenced(start: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
  return (...args) => {
    const timer = start(...args);
    if (timer instanceof Object && 'unref' in timer && typeof timer.unref === 'function') timer.unref();
    return timer;
  };
}
