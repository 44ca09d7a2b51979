// Writes npm-shrinkwrap.json, the lockfile of a published package: package-lock.json less what only development needs.
// npm puts neither package-lock.json nor the overrides of package.json into a package. `prepack` makes this file, and
// `postpack` removes it: beside package-lock.json npm would take it for the project's own.
import { readFile, writeFile } from 'node:fs/promises';

const root = new URL('../', import.meta.url);
const lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8'));
const { '': own, ...others } = lock.packages;
const { devDependencies, ...shipped } = own;
const needed = Object.entries(others).filter(([, { dev }]) => !dev);
const packages = { '': shipped, ...Object.fromEntries(needed) };
await writeFile(new URL('npm-shrinkwrap.json', root), `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
