import { defineConfig } from 'prisma/config';

// `generate` and `validate` work in JavaScript alone, but Prisma's command line would first download a native
// schema engine. Pointing it at a file that exists stops that; new migrations are written with the WebAssembly engine
// (scripts/migration.mjs).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: 'prisma' });
