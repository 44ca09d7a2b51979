// Removes from node_modules the packages that recognize words, some 110 MB, because an image has Debian's command. It is
// for images, whose packages are never updated. The first argument is the folder with node_modules.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

const modules = join(process.argv[2] ?? '.', 'node_modules');
const names = ['tesseract.js', 'tesseract.js-core', '@tesseract.js-data', 'zlibjs', 'bmp-js'];
await Promise.all(names.map((name) => rm(join(modules, name), { recursive: true, force: true })));
process.stdout.write('Removed the packages that recognize words.\n');
