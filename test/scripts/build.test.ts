import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exclusively } from '../../scripts/lock.mjs';
import { generatedFrom } from '../../scripts/stamps.mjs';
import { onPosix } from '../support/skipping.js';

const project = fileURLToPath(new URL('../..', import.meta.url));

let root: string;

/** Returns a small project: the scripts, two files to compile to one, and code that counts as generated. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gateway-build-'));
  await cp(join(project, 'scripts'), join(root, 'scripts'), { recursive: true });
  await mkdir(join(root, 'schema'));
  for (const name of ['package.json', 'package-lock.json', 'schema/v1.answers.json'])
    await cp(join(project, name), join(root, name));
  await write('scripts/entries.mjs', "export const entries = { main: 'main.ts' };\n");
  for (const name of ['node_modules', 'tools']) await symlink(join(project, name), join(root, name));
  for (const folder of ['src', 'prisma/generated']) await mkdir(join(root, folder), { recursive: true });
  await write(
    'src/main.ts',
    "import { name } from './name.js';\nconsole.log(name satisfies string, process.argv[2]);\n",
  );
  await write('src/name.ts', "export const name: string = 'first';\n");
  await write('prisma/generated/stamp.json', JSON.stringify(generatedFrom(root)));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = (path: string, text: string) => writeFile(join(root, path), text);

interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script of the project, perhaps as another user. */
function run(script: string, options: { uid?: number; env?: NodeJS.ProcessEnv } = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'scripts', script)], options, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

test('start builds, runs, and rebuilds only after a change', async () => {
  expect(await run('start.mjs')).toEqual({
    status: 0,
    stdout: 'first serve\n',
    stderr: 'Compiling.\n',
  });
  expect(await run('start.mjs')).toEqual({ status: 0, stdout: 'first serve\n', stderr: '' });
  // A checkout changes times alone.
  await utimes(join(root, 'src/name.ts'), new Date(), new Date());
  expect((await run('start.mjs')).stderr).toBe('');
  await write('src/name.ts', "export const name: string = 'second';\n");
  const changed = { status: 0, stdout: 'second serve\n', stderr: 'Compiling.\n' };
  expect(await run('start.mjs')).toEqual(changed);
});

test('a changed generator is noticed', async () => {
  const before = generatedFrom(root);
  await write('scripts/columns.mjs', 'export {};\n');
  expect(generatedFrom(root)).not.toEqual(before);
});

test('the answers of the reference are compiled along, and anew when they change', async () => {
  await run('build.mjs');
  await write('schema/v1.answers.json', '{}');
  expect((await run('build.mjs')).stderr).toBe('Compiling.\n');
});

test('dist contains the latest build, and nothing else', async () => {
  await write('src/more.ts', "import('./name.js').then(({ name }) => console.log(name));\n");
  await write('src/program.mjs', 'process.exit();\n');
  await mkdir(join(root, 'src/deeply/placed'), { recursive: true });
  await write('src/deeply/placed/program.mjs', 'process.exit();\n');
  await write(
    'scripts/entries.mjs',
    "export const entries = { main: 'main.ts', more: 'more.ts', program: 'program.mjs', 'deeply/placed/program': 'deeply/placed/program.mjs' };\n",
  );
  await run('build.mjs');
  const before = await readdir(join(root, 'dist'));
  expect(before).toEqual(expect.arrayContaining(['main.js', 'more.js', 'more.js.map', 'program.mjs']));
  expect(await readdir(join(root, 'dist/deeply/placed'))).toContain('program.mjs');
  expect(before.filter((name) => /^name-.+\.js$/.test(name))).toHaveLength(1);
  for (const path of ['src/more.ts', 'src/program.mjs', 'src/deeply'])
    await rm(join(root, path), { recursive: true });
  await write('scripts/entries.mjs', "export const entries = { main: 'main.ts' };\n");
  await mkdir(join(root, 'dist/data'));
  await write('dist/data/list.js', 'left by another version');
  await run('build.mjs');
  const after = ['THIRD-PARTY.txt', 'main.js', 'main.js.map', 'packages.json', 'stamp.json'];
  expect((await readdir(join(root, 'dist'))).sort()).toEqual(after);
});

test('packages are compiled along, with their licences, and anew when they change', async () => {
  await write('src/name.ts', "import { version } from 'graphql';\nexport const name: string = version;\n");
  const { version } = JSON.parse(await readFile(join(project, 'node_modules/graphql/package.json'), 'utf8'));
  expect(await run('start.mjs')).toMatchObject({ status: 0, stdout: `${version} serve\n` });
  const notices = await readFile(join(root, 'dist/THIRD-PARTY.txt'), 'utf8');
  expect(notices).toContain(`graphql ${version} (MIT)`);
  expect(notices).toContain(await readFile(join(project, 'node_modules/graphql/LICENSE'), 'utf8'));
  await write('package-lock.json', '{}');
  expect((await run('build.mjs')).stderr).toBe('Compiling.\n');
});

test('files of packages are copied along, and found from wherever they are used', async () => {
  const file = 'swagger-ui-dist/swagger-ui.css';
  await mkdir(join(root, 'src/deeply'));
  await write('src/name.ts', `export const name: string = import.meta.resolve('${file}');\n`);
  await write('src/deeply/program.mjs', `console.log(import.meta.resolve('${file}'));\n`);
  await write(
    'scripts/entries.mjs',
    "export const entries = { main: 'main.ts', 'deeply/program': 'deeply/program.mjs' };\n",
  );
  const { stdout } = await run('start.mjs');
  const [found = ''] = stdout.split(' ');
  expect(found).toMatch(/\/dist\/assets\/swagger-ui-[^/]+\.css$/);
  const original = await readFile(join(project, 'node_modules', file));
  expect(await readFile(new URL(found))).toEqual(original);
  expect((await run('../dist/deeply/program.mjs')).stdout.trim()).toBe(found);
  expect(await readFile(join(root, 'dist/THIRD-PARTY.txt'), 'utf8')).toMatch(
    /swagger-ui-dist .* \(Apache-2\.0\)/,
  );
  expect(await readFile(join(root, 'dist/packages.json'), 'utf8')).toContain(
    '"node_modules/swagger-ui-dist"',
  );
});

test('an error is reported with its place in the source', async () => {
  await write(
    'src/name.ts',
    "type Name = string;\n\nexport const name: Name = 'first';\nthrow new Error(name);\n",
  );
  await run('build.mjs');
  const options = { env: { ...process.env, NODE_OPTIONS: '--enable-source-maps' } };
  expect((await run('start.mjs', options)).stderr).toContain('src/name.ts:4:7');
});

test('a file finds the files beside it as its source does', async () => {
  await mkdir(join(root, 'src/data'));
  await write(
    'src/data/place.ts',
    'export const name = new URL("../../prisma/x", import.meta.url).pathname;\n',
  );
  await write('src/name.ts', "export { name } from './data/place.js';\n");
  expect((await run('start.mjs')).stdout).toBe(`${join(root, 'prisma/x')} serve\n`);
});

test('a missing import is reported', async () => {
  await write('src/name.ts', "export { name } from 'no-such-package';\n");
  expect((await run('build.mjs')).stderr).toMatch(
    /^Compiling\.\nThe gateway cannot be built: .*no-such-package' in src\/name\.ts/,
  );
});

test('a compile error is reported with its place, and retried', async () => {
  await write('src/name.ts', 'export const name: = 1;\n');
  const { status, stderr } = await run('start.mjs');
  expect(status).toBe(1);
  expect(stderr).toContain('The gateway cannot be built: ');
  expect(stderr).toContain('src/name.ts:1:20');
  expect((await run('start.mjs')).status).toBe(1);
});

test('a changed schema of the database is generated anew', async () => {
  await write('prisma/schema.prisma', 'no schema\n');
  const { status, stderr } = await run('build.mjs');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Generating the database client\.\nThe gateway cannot be built: /);
});

test('without the build packages, it says how to install them', async () => {
  await rm(join(root, 'node_modules'));
  const { status, stderr } = await run('start.mjs');
  expect(status).toBe(1);
  expect(stderr).toMatch(/packages for that are not installed\. Run npm ci, without --omit=dev\.\n$/);
});

test('an installed package without sources needs no build', async () => {
  await run('build.mjs');
  await rm(join(root, 'src'), { recursive: true });
  expect(await run('start.mjs')).toEqual({ status: 0, stdout: 'first serve\n', stderr: '' });
  await rm(join(root, 'dist'), { recursive: true });
  expect(await run('start.mjs')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is not built'),
  });
});

test('a folder that cannot be written runs as it is, or says why not', onPosix, async () => {
  await run('build.mjs');
  await chmod(root, 0o755);
  // As root, who may write everywhere, another user tries.
  const options = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  if (!options.uid) await chmod(join(root, 'dist'), 0o555);
  expect(await run('start.mjs', options)).toEqual({ status: 0, stdout: 'first serve\n', stderr: '' });
  await write('src/name.ts', "export const name: string = 'second';\n");
  const { status, stderr } = await run('start.mjs', options);
  await chmod(join(root, 'dist'), 0o755);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /has to be built, .* cannot be written \(EACCES\)\. Run npm run build as a user who may/,
  );
});

test('two that build at once do it once', async () => {
  const outcomes = await Promise.all([run('start.mjs'), run('start.mjs'), run('build.mjs')]);
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(outcomes.map(({ stderr }) => stderr).join('')).toBe('Compiling.\n');
  expect(await readFile(join(root, 'dist/main.js'), 'utf8')).not.toContain('satisfies');
});

test('a lock excludes other processes, and ends with its process', async () => {
  const text = `import { exclusively } from ${JSON.stringify(new URL('../../scripts/lock.mjs', import.meta.url).href)};
    await exclusively(process.argv[1], () => new Promise(() => { console.log('locked'); setInterval(() => {}, 1000); }), () => {});`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', text, root]);
  await once(holder.stdout, 'data');
  const said: string[] = [];
  let isRun = false;
  const task = exclusively(
    root,
    async () => {
      isRun = true;
    },
    (line) => said.push(line),
  );
  await expect.poll(() => said).toEqual([`Waiting for another process that builds ${root}.`]);
  expect(isRun).toBe(false);
  holder.kill('SIGKILL');
  await task;
  expect(isRun).toBe(true);
});
