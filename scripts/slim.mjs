// Removes from node_modules the Prisma client's WebAssembly of other databases, which nothing here loads: some 50 MB.
// For an image, whose packages nobody updates. The first argument is the folder that has node_modules.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const runtime = join(process.argv[2] ?? '.', 'node_modules/@prisma/client/runtime');
const other = /^query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./;
const names = (await readdir(runtime)).filter((name) => other.test(name));
await Promise.all(names.map((name) => rm(join(runtime, name))));
process.stdout.write(`Removed ${names.length} files of other databases.\n`);
