import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from '../src/config/config.js';
import { errorKinds } from '../src/domain/errors.js';
import { limits } from '../src/graphql/limits/limits.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const packageJson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The rows of the one table below a heading of the README, without the two lines at its top. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n##');
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** A cell without the marks of code around its whole text. */
function plain(cell: string | undefined): string | undefined {
  return cell?.replace(/^`([^`]*)`$/, '$1');
}

test('the settings table is the one that the gateway reads', () => {
  const rows = tableUnder('Settings').map(([name, standard, description]) => ({
    name: plain(name),
    default: plain(standard),
    description,
  }));
  expect(rows).toEqual(settings);
});

test('the error table is the one that both doors answer from', () => {
  const rows = tableUnder('Errors').map(([code, status, when]) => [plain(code), Number(status), when]);
  expect(rows).toEqual(
    Object.entries(errorKinds).map(([code, { status, meaning }]) => [code, status, meaning]),
  );
});

test('the table of limits has all of them', () => {
  const rows = tableUnder('Limits of a GraphQL request').map(([name, most]) => [plain(name), Number(most)]);
  expect(rows).toEqual(Object.entries(limits));
});

test('the code map names files that are there, and every folder of the source', () => {
  const source = new URL('../src/', import.meta.url);
  const paths = tableUnder('The way of a request').flatMap(([cell = '']) => {
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    // `rest/query.ts`, `body.ts`: a name without a folder is in the folder of the first.
    const folder = /^.*\//.exec(names[0] ?? '')?.[0] ?? '';
    return names.map((name, index) => (index === 0 ? name : folder + name));
  });
  expect(paths.filter((path) => !existsSync(new URL(path, source)))).toEqual([]);
  const mapped = new Set(paths.map((path) => path.split('/')[0]));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const folders = files.filter((file) => file.endsWith('.ts')).map((file) => file.split('/')[0] ?? '');
  const made = 'generated';
  expect([...new Set(folders)].filter((name) => name !== made && !mapped.has(name))).toEqual([]);
});

test('the table of clients has the versions that are tried', () => {
  const { dependencies, devDependencies } = packageJson;
  const rows = tableUnder('Clients').map(([name, version]) => [plain(name), version]);
  expect(rows.length).toBeGreaterThan(5);
  const tried: Record<string, string> = { ...dependencies, ...devDependencies };
  expect(rows).toEqual(rows.map(([name = '']) => [name, tried[name]]));
});

test('every npm script that it names is there', () => {
  const { scripts } = packageJson;
  const named = [...readme.matchAll(/\bnpm run ([a-z]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
