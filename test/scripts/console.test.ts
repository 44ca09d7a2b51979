import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compiledFrom, generatedFrom } from '../../scripts/stamps.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));

let root: string;

const write = (path: string, text: string) => writeFile(join(root, path), text);
const read = (path: string) => readFile(join(root, path));

/** What stands in for Vite: it writes the page, and a script that has the console's source in it. */
const program = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const target = '../dist/console';
mkdirSync(target + '/assets', { recursive: true });
mkdirSync('src/generated', { recursive: true });
writeFileSync('src/generated/now.ts', String(Date.now()));
writeFileSync(target + '/index.html', '<!doctype html>');
writeFileSync(target + '/operations.json', '{}');
writeFileSync(target + '/assets/index.js', readFileSync('src/main.ts'));
`;

/** Returns a small project whose gateway is compiled, with a console that needs no package. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gateway-console-'));
  await cp(join(project, 'scripts'), join(root, 'scripts'), { recursive: true });
  const folders = [
    'src/generated',
    'src/graphql/types',
    'src/rest/rows',
    'prisma',
    'console/src',
    'schema',
    'public',
    'dist',
  ];
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
  const names = [
    'package.json',
    'package-lock.json',
    'schema/v1.answers.json',
    'schema/gateway.graphql',
    'public/session.js',
    'public/tokens.css',
  ];
  for (const name of names) await cp(join(project, name), join(root, name));
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'));
  await write('scripts/entries.mjs', "export const entries = { main: 'main.ts' };\n");
  await write('src/main.ts', 'console.log(process.argv[2]);\n');
  const manifest = { name: 'console', version: '0.0.0', scripts: { build: 'node build.mjs' } };
  await write('console/package.json', JSON.stringify(manifest));
  await write(
    'console/package-lock.json',
    JSON.stringify({ lockfileVersion: 3, packages: { '': manifest } }),
  );
  await write('console/build.mjs', program);
  await write('console/src/main.ts', 'export const first = 1;\n');
  await write('src/generated/stamp.json', JSON.stringify(generatedFrom(root)));
  await write('dist/stamp.json', JSON.stringify(compiledFrom(root)));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Builds; answers its exit status, and what it says. */
const build = () =>
  new Promise<[status: number, said: string]>((resolve) => {
    execFile(process.execPath, [join(root, 'scripts/build.mjs')], (error, _stdout, stderr) =>
      resolve([Number(error?.code ?? 0), stderr]),
    );
  });

test('the console is built, and again only when it has changed', async () => {
  expect(await build()).toEqual([0, 'Building the console.\n']);
  expect(await build()).toEqual([0, '']);
  const changed = [0, 'Building the console.\n'];
  await write('console/src/main.ts', 'export const second = 2;\n');
  expect(await build()).toEqual(changed);
  expect(String(await read('dist/console/assets/index.js'))).toContain('second');
  await write('schema/gateway.graphql', 'type Query { me: ID }\n');
  expect(await build()).toEqual(changed);
  await write('console/src/generated/now.ts', 'made from others');
  await mkdir(join(root, 'console/node_modules'));
  await write('console/node_modules/x.js', '');
  expect(await build()).toEqual([0, '']);
});

test('build output is compressed beside it', async () => {
  await build();
  for (const name of ['index.html', 'assets/index.js']) {
    const [plain, compressed] = [await read(`dist/console/${name}`), await read(`dist/console/${name}.br`)];
    expect(brotliDecompressSync(compressed)).toEqual(plain);
  }
});

test('the gateway is compiled without it, and the console stays', async () => {
  await build();
  await write('src/main.ts', 'console.log(process.argv[3]);\n');
  expect(await build()).toEqual([0, 'Compiling.\n']);
  expect(String(await read('dist/console/index.html'))).toContain('doctype');
  expect(await build()).toEqual([0, '']);
});

test('an error is reported, and retried', async () => {
  await write('console/build.mjs', "throw new Error('There is a mistake.');\n");
  for (const _ of ['once', 'twice']) {
    const [status, said] = await build();
    expect(status).toBe(1);
    expect(said).toMatch(/The gateway cannot be built: npm run build failed in .*console\./);
    expect(said).toContain('There is a mistake.');
  }
});

test('missing packages are installed by its lock file, and a failure is reported', async () => {
  const entry = { version: '1.0.0', resolved: `file:${join(root, 'nothing.tgz')}`, integrity: 'sha512-AA==' };
  const manifest = { name: 'console', version: '0.0.0', dependencies: { nothing: '1.0.0' } };
  const packages = { '': manifest, 'node_modules/nothing': entry };
  await write('console/package.json', JSON.stringify(manifest));
  await write('console/package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
  const [status, said] = await build();
  expect(status).toBe(1);
  expect(said).toContain('npm ci --include=dev --no-audit --no-fund failed in ');
});
