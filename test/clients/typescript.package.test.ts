import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { browserTimeout, describeInBrowser, inPage, openBrowser } from '../browser/support/browser.js';
import { project, run } from '../packaging/support.js';
import { tempFolder } from '../support/folders.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const source = join(project, 'clients/typescript');
const name = 'expiration-gateway-client';

/** What the types must refuse. */
const mistakes = [
  ['a path’s id left out', 'client.vehicles.get()'],
  ['a method that is not there', 'client.eventLogs.delete(id)'],
  ['a required member left out', `client.contacts.create({ name: 'Ada' })`],
  ['a wrong type', `client.vehicles.create({ year: '2024' })`],
  ['an unknown parameter', `client.vehicles.list({ termm: 'van' })`],
  ['a word that is none', `client.vehicles.list({ sort: 'age' })`],
  ['a list read without waiting', 'client.vehicles.list().total'],
  ['a record that may be unchanged', 'client.vehicles.get(id, { ifNoneMatch: id }).then((van) => van.name)'],
  ['a member that no record has', 'client.vehicles.get(id).then((van) => van.owner)'],
] as const;

const refused = `import { createClient } from '${name}';
const client = createClient({ baseUrl: '', token: '' });
const id = '';
${mistakes.map(([what, code]) => `// @ts-expect-error ${what}\n${code};`).join('\n')}
export const sound = client.vehicles.get(id).then((van) => van.name);`;

const settings = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
  },
  include: ['*.ts'],
};

/** Serves an empty page, and the built package. */
async function servePages() {
  const server = createServer(async ({ url = '' }, response) => {
    const [, file] = /^\/client\/(\w+\.js)$/.exec(url) ?? [];
    response.setHeader('Content-Type', file ? 'text/javascript' : 'text/html');
    response.end(file ? await readFile(join(folder, `node_modules/${name}/dist`, file)) : '<title>A</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

let pages: Awaited<ReturnType<typeof servePages>>;
let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  pages = await servePages();
  gateway = await startGateway({ CORS_ORIGINS: pages.url });
  const copy = join(await tempFolder(0o755), 'client');
  await cp(source, copy, { recursive: true, filter: (path) => !/node_modules|dist$|\.tgz$/.test(path) });
  await run(copy, 'npm', 'ci');
  await run(copy, 'npm', 'run', 'build');
  await run(copy, 'npm', 'pack', '--silent');
  const { version } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'));
  const tarball = join(copy, `${name}-${version}.tgz`);
  process.stdout.write(`${(await stat(tarball)).size} bytes packed\n`);

  folder = join(await tempFolder(0o755), 'application');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await run(folder, 'npm', 'install', '--offline', tarball);
  const readme = await readFile(join(source, 'README.md'), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const day = example.replace('https://gateway.example', gateway.url).replace('egw_…', gateway.admin);
  await writeFile(join(folder, 'day.ts'), day);
  await writeFile(join(folder, 'refused.ts'), refused);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  await run(folder, process.execPath, join(copy, 'node_modules/typescript/bin/tsc'));
}, 300_000);
afterAll(async () => {
  pages.close();
  await gateway.close();
});

test('the package contains the build, and needs no other package', async () => {
  const manifest = JSON.parse(await readFile(join(folder, `node_modules/${name}/package.json`), 'utf8'));
  const own = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ version: own.version, license: own.license, engines: own.engines });
  expect(manifest).not.toHaveProperty('dependencies');
  const listed = await readdir(join(folder, `node_modules/${name}`));
  expect(listed.sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  expect((await readdir(join(folder, 'node_modules'))).filter((entry) => !entry.startsWith('.'))).toEqual([
    name,
  ]);
});

test('its README says how it was built, packed and installed here', async () => {
  const readme = await readFile(join(source, 'README.md'), 'utf8');
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  expect(readme).toContain('npm ci && npm run build && npm pack');
  expect(readme).toMatch(new RegExp(`npm install \\S+/${name}-${version.replaceAll('.', '\\.')}\\.tgz\n`));
});

test('the example of its README compiles and runs', async () => {
  const item = { name: 'Old licence', expiration_date: '2026-01-31' };
  await gateway.send('POST', '/v1/expirationitems', { body: item });
  expect(await run(folder, process.execPath, 'day.js')).toBe('Old licence 2026-01-31\n');
  const { json } = await gateway.send('GET', '/v1/vehicles');
  expect(json.vehicles).toMatchObject([{ name: 'Van 13', license_plate: null }]);
  const { json: items } = await gateway.send('GET', '/v1/expirationitems?term=insurance');
  expect(items.expiration_items).toMatchObject([{ attachments: [{ name: 'policy.pdf' }] }]);
});

/** What a page does with the package, which its server has at /client. */
const inThePage = `async ([baseUrl, token]) => {
  const { createClient, etagOf } = await import('/client/index.js');
  const client = createClient({ baseUrl, token });
  const made = await client.locations.create({ name: 'North' });
  await client.locations.create({ name: 'South' });
  await client.locations.update(made.id, { name: 'East' }, { ifMatch: made });
  const late = client.locations.update(made.id, { name: 'West' }, { ifMatch: etagOf(made) });
  const code = await late.catch((error) => error.code);
  const names = [];
  for await (const { name } of client.locations.list({ paging: 1 })) names.push(name);
  return [code, ...names];
}`;

describeInBrowser('a page of another origin', { timeout: browserTimeout }, () => {
  test('reads and writes', async () => {
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    await inPage(browser, {}, async (page) => {
      await page.goto(pages.url);
      const given = JSON.stringify([gateway.url, gateway.admin]);
      expect(await page.evaluate(`(${inThePage})(${given})`)).toEqual([
        'PRECONDITION_FAILED',
        'East',
        'South',
      ]);
    });
  });
});
