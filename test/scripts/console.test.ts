import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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

/** A small console: Vite bundles its page, and its operations are generated. */
const files = {
  'index.html': '<!doctype html><script type="module" src="/src/main.ts"></script>',
  'vite.config.mjs':
    "export default { base: '/console/', build: { outDir: '../dist/console', emptyOutDir: true } };",
  'scripts/operations.mjs': `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('src/generated', { recursive: true });
writeFileSync('src/generated/now.ts', String(Date.now()));
`,
  'src/main.ts': "console.log('first');\n",
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gateway-console-'));
  await cp(join(project, 'scripts'), join(root, 'scripts'), { recursive: true });
  const folders = [
    'src/domain/text',
    'prisma/generated',
    'console/src',
    'console/scripts',
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
    'schema/resources.json',
    'public/corners.css',
    'public/page-picture.js',
    'public/session.js',
    'public/tokens.css',
    'src/domain/text/mentions.ts',
  ];
  for (const name of names) await cp(join(project, name), join(root, name));
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'));
  await write('scripts/entries.mjs', "export const entries = { main: 'main.ts' };\n");
  await write('src/main.ts', 'console.log(process.argv[2]);\n');
  for (const [name, text] of Object.entries(files)) await write(`console/${name}`, text);
  await write('prisma/generated/stamp.json', JSON.stringify(generatedFrom(root)));
  await write('dist/stamp.json', JSON.stringify(compiledFrom(root)));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Finds the script that Vite has written. */
const script = async () =>
  (await readdir(join(root, 'dist/console/assets'))).find((name) => name.endsWith('.js'));

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
  await write('console/src/main.ts', "console.log('second');\n");
  expect(await build()).toEqual(changed);
  expect(String(await read(`dist/console/assets/${await script()}`))).toContain('second');
  await write('schema/gateway.graphql', 'type Query { me: ID }\n');
  expect(await build()).toEqual(changed);
  await write('console/src/generated/now.ts', 'made from others');
  expect(await build()).toEqual([0, '']);
});

test('build output is compressed beside it', async () => {
  await build();
  for (const name of ['index.html', `assets/${await script()}`]) {
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
  await write('console/vite.config.mjs', "throw new Error('There is a mistake.');\n");
  for (const _ of ['once', 'twice']) {
    const [status, said] = await build();
    expect(status).toBe(1);
    expect(said).toMatch(/The gateway cannot be built: .*vite.js build failed in .*console\./);
    expect(said).toContain('There is a mistake.');
  }
});
