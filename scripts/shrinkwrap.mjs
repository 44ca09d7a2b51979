// Writes npm-shrinkwrap.json, the lockfile of a published package: package-lock.json without development
// dependencies. npm puts neither package-lock.json nor the overrides of package.json into a package.
// `prepack` creates this file, and `postpack` removes it with --remove, because next to package-lock.json npm
// would use it as the project's lockfile.
import { readFile, rm, writeFile } from 'node:fs/promises';

const root = new URL('../', import.meta.url);
const shrinkwrap = new URL('npm-shrinkwrap.json', root);

async function writeShrinkwrap() {
  const lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8'));
  const { '': own, ...others } = lock.packages;
  const { devDependencies, ...shipped } = own;
  const needed = Object.entries(others).filter(([, { dev }]) => !dev);
  const packages = { '': shipped, ...Object.fromEntries(needed) };
  await writeFile(shrinkwrap, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
}

if (process.argv.includes('--remove')) await rm(shrinkwrap);
else await writeShrinkwrap();
