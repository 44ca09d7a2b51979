import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installPackages } from '../../scripts/packages.mjs';

let folder: string;
/** How often something was installed. */
let times: number;

/** Makes a folder whose lockfile has a package that comes from another folder, so that no network is needed. */
beforeEach(async () => {
  times = 0;
  folder = await mkdtemp(join(tmpdir(), 'gateway-packages-'));
  await write('one/package.json', JSON.stringify({ name: 'one', version: '1.0.0' }));
  await lock({});
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, text: string) {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** Writes a manifest and its lockfile, with further dependencies and packages. */
async function lock(packages: object, more: object = {}) {
  const manifest = { name: 'of-tests', version: '0.0.0', dependencies: { one: 'file:one', ...more } };
  await write('package.json', JSON.stringify(manifest));
  const links = { one: { version: '1.0.0' }, 'node_modules/one': { resolved: 'one', link: true } };
  const text = { lockfileVersion: 3, packages: { '': manifest, ...links, ...packages } };
  await write('package-lock.json', JSON.stringify(text));
}

const install = () =>
  installPackages(folder, () => {
    times += 1;
  });

test('packages are installed once, also by many at a time', async () => {
  await Promise.all([install(), install(), install()]);
  await install();
  expect(times).toBe(1);
});

test.each([
  ['a package', 'node_modules/one'],
  ['the record of npm', 'node_modules/.package-lock.json'],
])('an installation that was cut is repeated: without %s', async (_what, path) => {
  await install();
  await rm(join(folder, path), { recursive: true });
  await install();
  expect(times).toBe(2);
});

/** A build of a program for a system, which cannot be downloaded. */
const build = (system: object) => ({
  'node_modules/build': { version: '1.0.0', resolved: 'file:nothing.tgz', optional: true, ...system },
});

test("a program's build for this system is needed, although npm goes on without it", async () => {
  await lock(build({ os: [process.platform], cpu: [process.arch] }));
  await expect(install()).rejects.toThrow(/^npm ci left out node_modules\/build in .*gateway-packages-/);
});

test.each([
  ['another system', { os: ['aix'], cpu: [process.arch] }],
  ['any but this', { os: [`!${process.platform}`] }],
  ['another processor', { cpu: ['mips'] }],
  ['another C library', { os: [process.platform], libc: ['dietlibc'] }],
  ['no system in particular', {}],
])('an optional package for %s is not needed', async (_what, system) => {
  await lock(build(system));
  await install();
  await install();
  expect(times).toBe(1);
});

test('a failure is told with what npm says, and tried again', async () => {
  const entry = { version: '1.0.0', resolved: 'file:nothing.tgz', integrity: 'sha512-AA==' };
  await lock({ 'node_modules/nothing': entry }, { nothing: '1.0.0' });
  for (const _ of ['once', 'twice'])
    await expect(install()).rejects.toThrow(/^npm ci .* failed in .*gateway-packages-/);
  expect(times).toBe(2);
});
