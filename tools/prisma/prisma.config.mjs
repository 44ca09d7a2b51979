import { join } from 'node:path';
import { cwd, env, execPath } from 'node:process';

// `generate` and `validate` work in JavaScript alone, but Prisma's command line would first download a native
// schema engine. Pointing it at a file that exists stops that; new migrations are written with the WebAssembly engine
// (scripts/migration.mjs).
env.PRISMA_SCHEMA_ENGINE_BINARY ??= execPath;

export default { schema: join(cwd(), 'prisma') };
