import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { eventually } from '../support/eventually.js';
import { tempFolder } from '../support/folders.js';
import { drawLines } from '../uploads/pictures.support.js';
import {
  copyProject,
  environment,
  expectAnswers,
  expectPages,
  mebibytes,
  project,
  run,
  token,
} from './support.js';

const read = (path: string) => readFileSync(join(project, path), 'utf8');
const { version } = JSON.parse(read('package.json'));

let copy: string;
let tarball: string;
let folder: string;

beforeAll(async () => {
  copy = await tempFolder(0o755);
  // Packing builds what is not up to date; from nothing, the image's test does.
  await build();
  await copyProject(copy, new Set(['.git', '.data', 'node_modules', 'bench', 'coverage', 'test', 'docs']));
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'));
  await run(copy, 'npm', 'run', 'pack', '--silent');
  tarball = join(copy, `expiration-gateway-${version}.tgz`);
  folder = join(await tempFolder(0o755), 'application');
  await mkdir(folder);
  await run(folder, 'npm', 'install', tarball);
}, 600_000);

test('the package has what runs, and neither sources nor tests', async () => {
  const names = (await run(copy, 'tar', '-tzf', tarball)).trim().split('\n');
  const tops = new Set(names.map((name) => name.split('/')[1]));
  const expected = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'npm-shrinkwrap.json', 'package.json'];
  expect([...tops].sort()).toEqual([...expected, 'prisma', 'public', 'schema'].sort());
  expect(names).toContain('package/dist/main.js');
  expect(names).toEqual(
    expect.arrayContaining(['package/dist/THIRD-PARTY.txt', 'package/dist/packages.json']),
  );
  const ofConsole = ['index.html', 'index.html.br', 'operations.json', 'THIRD-PARTY.md'];
  for (const name of ofConsole) expect(names).toContain(`package/dist/console/${name}`);
  expect(names.filter((name) => /\.map$|\.env$|\.data|\.tsx$/.test(name))).toEqual([]);
  const notices = await run(copy, 'tar', '-xzOf', tarball, 'package/dist/console/THIRD-PARTY.md');
  expect(notices).toMatch(/preact/);
});

test('its shrinkwrap is the lockfile less what only development needs, and is gone afterwards', async () => {
  const text = await run(copy, 'tar', '-xzOf', tarball, 'package/npm-shrinkwrap.json');
  const { '': own, ...shrinkwrap } = JSON.parse(text).packages;
  const { '': _, ...locked } = JSON.parse(read('package-lock.json')).packages;
  expect(own).toMatchObject({ name: 'expiration-gateway', version });
  expect(own).not.toHaveProperty('devDependencies');
  const shipped = Object.entries(locked).filter(([, entry]) => !(entry as { dev?: boolean }).dev);
  expect(shrinkwrap).toEqual(Object.fromEntries(shipped));
  expect(shrinkwrap).toHaveProperty('node_modules/koffi');
  expect(shrinkwrap).not.toHaveProperty('node_modules/graphql-yoga');
  expect(existsSync(join(copy, 'npm-shrinkwrap.json'))).toBe(false);
});

test('its install is as small as the one of production', async () => {
  const size = await mebibytes(folder);
  process.stdout.write(`${Math.round(size)} MiB installed from the package\n`);
  // Half of it reads pictures.
  expect(size).toBeLessThanOrEqual(260);
  expect(existsSync(join(folder, 'node_modules/typescript'))).toBe(false);
});

test('what it has bundled and copied reads pictures', async () => {
  const installed = join(folder, 'node_modules/expiration-gateway');
  const picture = join(folder, 'policy.png');
  await writeFile(
    picture,
    drawLines(['Insurance policy', 'Expiration date: 2031-08-17', 'Policy number: AB-12345']),
  );
  const program = `
    const { readFileSync } = await import('node:fs');
    const { readDocument } = await import(process.argv[1]);
    const options = { ocr: 'on', ocrCommand: 'tesseract', today: new Date('2026-11-26'), locale: 'de' };
    const { findings, problem } = await readDocument({ bytes: readFileSync(process.argv[2]) }, options);
    process.stdout.write(JSON.stringify({ problem, values: findings.map(({ value }) => value) }));`;
  const path = pathToFileURL(join(installed, 'dist/reading.js')).href;
  const output = await run(folder, process.execPath, '--input-type=module', '--eval', program, path, picture);
  expect(JSON.parse(output)).toEqual({ problem: null, values: expect.arrayContaining(['2031-08-17']) });
});

test('its command tells the version and refuses a wrong word', async () => {
  const npx = (...args: string[]) => run(folder, 'npx', '--no-install', 'expiration-gateway', ...args);
  expect(await npx('--version')).toBe(`${version}\n`);
  await expect(npx('sevre')).rejects.toMatchObject({ code: 2 });
});

test('`npx expiration-gateway serve` runs it in an empty folder, and Ctrl-C ends it', async () => {
  const env = { ...environment, HOST: '127.0.0.1', PORT: '0', BOOTSTRAP_TOKEN: token };
  const child = spawn('npx', ['--no-install', 'expiration-gateway', 'serve'], {
    cwd: folder,
    env,
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  onTestFinished(() => end(child, 'SIGKILL'));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const url = await eventually(() => {
    const ready = output.split('\n').find((line) => line.includes('"ready"'));
    if (ready === undefined) throw new Error(`It is not ready: ${output}`);
    return JSON.parse(ready).url as string;
  }, 50_000);
  await expectAnswers(url);
  await expectPages(url);
  end(child, 'SIGINT');
  await ended;
  await eventually(async () => expect(await answers(url)).toBe(false));
  await eventually(() => expect(existsSync(join(folder, '.data/postgres/data/postmaster.pid'))).toBe(false));
});

/** Signals npx and what it runs, which are one group, as a terminal does. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-Number(child.pid), signal);
  } catch {
    // All of them have ended.
  }
}

const answers = (url: string) =>
  fetch(`${url}/health/live`).then(
    () => true,
    () => false,
  );
