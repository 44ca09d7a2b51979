// Removes from node_modules what an image does not load: Prisma Client's WebAssembly for other databases, some 50 MB,
// and the packages that recognize words, some 100 MB, because an image has Debian's command. It is for images, whose
// packages are never updated. The first argument is the folder with node_modules.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const modules = join(process.argv[2] ?? '.', 'node_modules');
const runtime = join(modules, '@prisma/client/runtime');
const other = /^query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./;
const names = (await readdir(runtime)).filter((name) => other.test(name));
await Promise.all(names.map((name) => rm(join(runtime, name))));
for (const name of ['tesseract.js', 'tesseract.js-core', '@tesseract.js-data'])
  await rm(join(modules, name), { recursive: true, force: true });
process.stdout.write(`Removed ${names.length} files of other databases, and what recognizes words.\n`);
