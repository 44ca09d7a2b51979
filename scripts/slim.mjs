// Removes Prisma Client's WebAssembly for other databases from node_modules, some 50 MB that nothing here
// loads. It is for images, whose packages are never updated. The first argument is the folder with
// node_modules.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const runtime = join(process.argv[2] ?? '.', 'node_modules/@prisma/client/runtime');
const other = /^query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./;
const names = (await readdir(runtime)).filter((name) => other.test(name));
await Promise.all(names.map((name) => rm(join(runtime, name))));
process.stdout.write(`Removed ${names.length} files of other databases.\n`);
