import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from '../../src/config/config.js';
import { withEndpoints } from '../../src/contracts.js';
import { exportKinds } from '../../src/domain/doors/paths.js';
import { errorKinds, violationRules } from '../../src/domain/errors.js';
import { mailFields } from '../../src/domain/reminders/mail-words.js';
import { requestLimits } from '../../src/graphql/limits/limits.js';
import { complianceEndpoints } from '../../src/http/compliance.js';
import { teamExportEndpoints } from '../../src/http/exports.js';
import { importEndpoints } from '../../src/http/imports.js';
import { fieldEndpoints } from '../../src/http/rest.js';
import { resumableUploadEndpoints } from '../../src/http/resumable-uploads.js';
import { routes } from '../../src/rest/routes.js';
import { pages, plain, readText, root, tableUnder } from './pages.js';

const packageJson = JSON.parse(readText('package.json'));

test('the settings table is the one that the gateway reads', () => {
  const rows = tableUnder('docs/run/configuration.md', 'Configuration').map(
    ([name, standard, description]) => ({
      name: plain(name),
      default: plain(standard),
      description,
    }),
  );
  expect(rows).toEqual(settings);
});

test('the error table is the one that both doors answer from', () => {
  const rows = tableUnder('docs/use/errors.md', 'Codes').map(([code, status, when]) => [
    plain(code),
    Number(status),
    when,
  ]);
  expect(rows).toEqual(
    Object.entries(errorKinds).map(([code, { status, meaning }]) => [code, status, meaning]),
  );
});

test('the table of rules equals that of the code', () => {
  const rows = tableUnder('docs/use/errors.md', 'Rules').map(([rule, what]) => [plain(rule), what]);
  expect(rows).toEqual(Object.entries(violationRules));
});

test('the table of limits has all of them', () => {
  const rows = tableUnder('docs/use/graphql.md', 'Limits of a GraphQL request').map(([name, most]) => [
    plain(name),
    Number(most),
  ]);
  expect(rows).toEqual(Object.entries(requestLimits));
});

test('the table of fields in mails has all of them', () => {
  const rows = tableUnder('docs/use/reminders.md', 'Fields of own words').map(([name, what]) => [
    plain(name),
    what,
  ]);
  expect(rows).toEqual(Object.entries(mailFields).map(([name, what]) => [`{{${name}}}`, what]));
});

test('the table of endpoints is what the code says', () => {
  const page = readText('docs/use/rest.md');
  expect(page === withEndpoints(page), 'docs/use/rest.md is out of date: run `npm run contracts`.').toBe(
    true,
  );
  expect(tableUnder('docs/use/rest.md', 'Endpoints')).toHaveLength(
    routes.length +
      exportKinds.length +
      [
        ...importEndpoints(),
        ...fieldEndpoints(),
        ...teamExportEndpoints(),
        ...resumableUploadEndpoints(0),
        ...complianceEndpoints(),
      ].flatMap(({ methods }) => Object.keys(methods)).length,
  );
});

test('the table of rooms has every folder of the source, and folders of tests that exist', () => {
  const rows = tableUnder('docs/inside/contributing.md', 'Where a room is tested');
  const rooms = readdirSync(new URL('src/', root), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(rows.map(([room]) => plain(room)).sort()).toEqual(rooms.map(({ name }) => name).sort());
  for (const [room, where = ''] of rows) {
    const named = [...where.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(named, room).not.toEqual([]);
    expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  }
});

test('the table of clients has the versions that are tried', () => {
  const { dependencies, devDependencies } = packageJson;
  const rows = tableUnder('docs/use/clients.md', 'What was tried').map(([name, version]) => [
    plain(name),
    version,
  ]);
  expect(rows.length).toBeGreaterThan(5);
  const ofFolder = (folder: string) => JSON.parse(readText(`${folder}/package.json`)).dependencies;
  const tried: Record<string, string> = {
    ...dependencies,
    ...devDependencies,
    ...ofFolder('test/clients'),
    ...ofFolder('.ci/generators'),
  };
  expect(rows).toEqual(rows.map(([name = '']) => [name, tried[name]]));
});

/** Removes what formatters disagree about. */
function compact(code: string): string {
  return code.replace(/\s+/g, '').replace(/,([}\])])/g, '$1');
}

test.each([
  ['Apollo Client', /new InMemoryCache\((\{\n[\s\S]*?\n\})\);/, 'test/clients/apollo.test.ts'],
  ['Graphcache', /^cacheExchange\((\{[\s\S]*?\n\})\);/m, 'test/clients/urql.test.ts'],
  ['Relay', /(const withoutOwnId = [^;]+;)/, 'test/clients/relay.flow.ts.txt'],
  ['GraphQL Code Generator', /(scalars: \{[^}]+\}),\n {4}\}/, 'test/clients/codegen.test.ts'],
])('%s is tried with the settings that docs/use/clients.md shows', (_client, pattern, tried) => {
  const [, settingsShown = 'not shown'] = pattern.exec(readText('docs/use/clients.md')) ?? [];
  expect(compact(readText(tried))).toContain(compact(settingsShown));
});

test('every npm script that a page names is there', () => {
  const { scripts } = packageJson;
  const named = pages
    .filter((page) => !page.startsWith('bench/'))
    .flatMap((page) => [...readText(page).matchAll(/\bnpm run (?:--silent )?([a-z:-]+)/g)])
    .map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
