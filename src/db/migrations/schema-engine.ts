import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';

/** Part of WebAssembly that Node has and the type library without a browser lacks. */
declare const WebAssembly: {
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

/** No table or enum is somebody else's business. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Schema engine, one per process. The glue code has room for one instance, and mixes up the memory of two.
 */
let loaded: ReturnType<typeof loadEngine> | undefined;

/**
 * Starts Prisma's schema engine over a driver adapter. It is 5 MB of WebAssembly: load it only when needed.
 * Call `free()` when done.
 * @throws {Error} when the database behind the adapter does not answer.
 */
export async function startEngine(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<SchemaEngine> {
  loaded ??= loadEngine();
  const engine = await loaded;
  const ignoreLog = () => {};
  return engine.SchemaEngine.new(
    { datamodels: undefined },
    ignoreLog,
    bindMigrationAwareSqlAdapterFactory(adapter),
  );
}

/**
 * Loads the engine's WebAssembly by hand. The package's main file imports the .wasm as a module, which Node
 * does not do without a flag.
 */
async function loadEngine() {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(path.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': { ...glue } });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return glue;
}

/** Extracts the engine's message, without the Rust stack trace. */
export function engineMessage(text: string): string {
  return text.replace(/\n\s*0: [\s\S]*$/, '').trim();
}
