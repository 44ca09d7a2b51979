import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** The layers from left to right: a file imports from its own layer or from one to its left. */
const order = [
  'version',
  'domain',
  'mail',
  'db',
  'records',
  'resources',
  'items',
  'compliance',
  'access',
  'calendar',
  'sign-in',
  'outbound',
  'uploads',
  'requests',
  'reminders',
  'webhooks',
  'imports',
  'exports',
  'personal-data',
  'live',
  'setup',
  'graphql',
  'config',
  'web',
  'rest',
  'csv',
  'http',
  'mcp',
  'app',
  'cli',
  'main',
];

/** What only one layer may touch. */
const owners: Record<string, string> = {
  'prisma/generated/client': 'db',
  'prisma/generated/pothos': 'graphql',
  '@prisma/client': 'db',
  pg: 'db',
  'sofa-api': 'rest',
  jose: 'http',
  nodemailer: 'mail',
};

/** What a pure layer may use of the world: packages that compute. */
const pure = new Set(['zod', 'uuid', 'fastest-levenshtein', 'htmlparser2', 'lossless-json', 'sanitize-html']);

interface Import {
  readonly file: string;
  readonly layer: string;
  readonly target: string;
}

function layerOf(path: string): string {
  const [first = ''] = path.split('/');
  return first.replace(/\.(ts|js)$/, '').replace(/^(contracts|worker)$/, 'app');
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(source, file), 'utf8');
  const targets = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  return targets.map((target) => ({
    file,
    layer: layerOf(file),
    target: target.startsWith('.')
      ? relative(source, normalize(join(source, dirname(file), target)))
      : target,
  }));
});

const isOurs = ({ target }: Import) => files.includes(target.replace(/\.js$/, '.ts'));

test('the walk sees the source', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(imports.filter(isOurs).length).toBeGreaterThan(100);
  expect([...new Set(files.map(layerOf))].filter((layer) => !order.includes(layer))).toEqual([]);
});

test('every resource and every file of types is listed', () => {
  const read = (file: string) => readFileSync(join(source, file), 'utf8');
  const declared = files.flatMap((file) =>
    [...read(file).matchAll(/^export const (\w+) = declare(?:Resource|List|Endpoints)\(/gm)].map(
      ([, name]) => name,
    ),
  );
  const listed = read('graphql/resources.ts')
    .split('export const resources = [')[1]
    ?.match(/\w+(?=,)/g);
  expect(declared.length).toBeGreaterThan(20);
  expect(listed?.sort()).toEqual(declared.sort());
  const types = files.filter((file) => file.startsWith('graphql/types/'));
  const loaded = imports.filter(({ file }) => file === 'graphql/schema.ts').map(({ target }) => target);
  expect(types.filter((file) => !loaded.includes(file.replace(/ts$/, 'js')))).toEqual([]);
});

test('imports point to the left', () => {
  const wrong = imports
    .filter(isOurs)
    .filter(({ layer, target }) => order.indexOf(layerOf(target)) > order.indexOf(layer))
    .map(({ file, target }) => `${file} imports ${target}`);
  expect(wrong).toEqual([]);
});

test('docs/inside/architecture.md shows this order', () => {
  const page = readFileSync(new URL('../docs/inside/architecture.md', import.meta.url), 'utf8');
  expect(page).toContain(`\n${order.join(' ← ')}\n`);
});

/** The rooms of `http` from left to right; the files beside them, which put them together, come last. */
const httpRooms = [
  'request',
  'connections',
  'load',
  'routing',
  'session',
  'responses',
  'auth',
  'metrics',
  'pages',
  'graphql',
  'websocket',
  'server',
];

test('imports within http point to the left', () => {
  const roomOf = (path: string) => (path.split('/').length > 2 ? path.split('/')[1] : undefined);
  const positionOf = (path: string) => {
    const room = roomOf(path);
    return room === undefined ? httpRooms.length : httpRooms.indexOf(room);
  };
  const within = imports
    .filter(isOurs)
    .filter(({ layer, target }) => [layer, layerOf(target)].every((of) => of === 'http'));
  expect(within.length).toBeGreaterThan(100);
  expect(within.filter(({ file }) => positionOf(file) === -1).map(({ file }) => file)).toEqual([]);
  const wrong = within
    .filter(({ file, target }) => positionOf(target) > positionOf(file))
    .map(({ file, target }) => `${file} imports ${target}`);
  expect(wrong).toEqual([]);
});

/** Returns the shortest way from a file back to itself, import by import; undefined when there is none. */
function circleFrom(start: string, targetsOf: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const ways = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way; way = ways.shift()) {
    for (const target of targetsOf.get(way.at(-1) as string) ?? []) {
      if (target === start) return [...way, start];
      if (seen.has(target)) continue;
      seen.add(target);
      ways.push([...way, target]);
    }
  }
  return undefined;
}

/** Returns the circles of some imports, each told once. */
function circlesOf(targetsOf: ReadonlyMap<string, readonly string[]>): string[] {
  const told = new Set<string>();
  return [...targetsOf.keys()].flatMap((file) => {
    const circle = told.has(file) ? undefined : circleFrom(file, targetsOf);
    for (const member of circle ?? []) told.add(member);
    return circle ? [circle.join(' → ')] : [];
  });
}

/** Returns what each file of a folder imports from the same folder, for types alone as well. */
function targetsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const code = new Set(all.filter((file) => /\.(tsx?|js)$/.test(file)));
  const targets = [...code].map((file): [string, string[]] => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, file), 'utf8'));
    const named = importedFiles
      .filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, '')));
    return [
      file,
      named
        .flatMap((name) => ['.ts', '.tsx', '.js'].map((end) => name + end))
        .filter((path) => code.has(path)),
    ];
  });
  return new Map(targets);
}

test.each([
  ['src', 300],
  ['console/src', 130],
])('files of %s do not import each other in a circle, for types neither', (folder, least) => {
  const targets = targetsIn(fileURLToPath(new URL(`../${folder}`, import.meta.url)));
  expect(targets.size).toBeGreaterThan(least);
  expect([...targets.values()].flat().length).toBeGreaterThan(2 * least);
  expect(circlesOf(targets)).toEqual([]);
});

test('a circle is found', () => {
  const told = circlesOf(
    new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
    ]),
  );
  expect(told).toEqual(['a → b → c → a']);
});

/** The room that holds a file for each resource, and so grows with them. */
const unlimited = new Set(['resources']);

test('a folder has at most 15 files', () => {
  const folders = new Map<string, number>();
  for (const file of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
  const large = [...folders].filter(([folder, count]) => count > 15 && !unlimited.has(folder));
  expect(large).toEqual([]);
});

test('an exported name means one thing, and a type of GraphQL that of its name', () => {
  const places = new Map<string, Set<string>>();
  for (const file of files) {
    const text = readFileSync(join(source, file), 'utf8');
    for (const [, name = ''] of text.matchAll(
      /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
    )) {
      // Pothos' references are named as the types that they make, which are those of other layers.
      if (file.startsWith('graphql/types/') && /^[A-Z]/.test(name)) continue;
      places.set(name, (places.get(name) ?? new Set()).add(file));
    }
  }
  expect(places.size).toBeGreaterThan(500);
  expect([...places].filter(([, at]) => at.size > 1)).toEqual([]);
});

/** Rooms that can be off, and the one file of each that others may import. */
const entries: Readonly<Record<string, string>> = {
  'db/replica': 'db/replica/replica.ts',
  'db/row-security': 'db/row-security/policies.ts',
};

test('optional rooms have one entry', () => {
  const wrong = Object.entries(entries).flatMap(([room, entry]) => {
    const within = imports.filter(({ target }) => target.startsWith(`${room}/`));
    expect(within, room).not.toEqual([]);
    return within
      .filter(({ file, target }) => !file.startsWith(`${room}/`) && target.replace(/\.js$/, '.ts') !== entry)
      .map(({ file, target }) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('transactions are begun in one place, which announces what they logged', () => {
  const wrong = files.filter(
    (file) =>
      file !== 'db/connection/database.ts' &&
      /\$transaction\b|\.transaction\(/.test(readFileSync(join(source, file), 'utf8')),
  );
  expect(wrong).toEqual([]);
});

test('what checks the tokens of an issuer is loaded when it is needed', () => {
  const wrong = files.filter((file) =>
    /^import (?!type ).*'jose'/m.test(readFileSync(join(source, file), 'utf8')),
  );
  expect(wrong).toEqual([]);
});

test('what speaks to assistants is loaded with their first request', () => {
  const name = '@modelcontextprotocol/server';
  const users = imports.filter(({ target }) => target === name).map(({ file }) => file);
  const wrong = files.filter((file) =>
    new RegExp(`^(import|export) (?!type )[^(]*'${name}`, 'm').test(readFileSync(join(source, file), 'utf8')),
  );
  expect(wrong).toEqual([]);
  expect(users.filter((file) => file !== 'mcp/mcp-door.ts')).toEqual([]);
});

test('the domain is pure', () => {
  const wrong = imports
    .filter((entry) => entry.layer === 'domain' && !isOurs(entry) && !pure.has(entry.target))
    .map(({ file, target }) => `${file} imports ${target}`);
  expect(wrong).toEqual([]);
  const impure = files.filter(
    (file) =>
      layerOf(file) === 'domain' &&
      /\bprocess\.|Date\.now|new Date\(\)|\bfetch\(/.test(readFileSync(join(source, file), 'utf8')),
  );
  expect(impure).toEqual([]);
});

describe.each(Object.entries(owners))('%s', (target, owner) => {
  test(`is imported by ${owner} alone`, () => {
    const wrong = imports
      .filter(
        (entry) =>
          entry.target === target || entry.target.startsWith(`${target}/`) || entry.target === `${target}.js`,
      )
      .filter(({ layer }) => !owner.split(' ').includes(layer))
      .map(({ file }) => file);
    expect(wrong).toEqual([]);
  });
});

/**
 * Test files, by folder, that import more of `src` than what they are named after. These numbers may only become less: a new
 * test reaches the gateway through `test/support` or its doors, so that a change within a room breaks the tests of that room.
 */
const reachingFurther: Readonly<Record<string, number>> = {
  '.': 1,
  access: 2,
  browser: 1,
  'browser/console': 3,
  cli: 17,
  clients: 3,
  config: 1,
  contract: 5,
  csv: 6,
  db: 17,
  deploy: 2,
  docs: 3,
  domain: 1,
  faults: 9,
  fuzz: 7,
  graphql: 48,
  http: 25,
  isolation: 7,
  live: 6,
  mail: 2,
  mcp: 5,
  packaging: 1,
  'personal-data': 2,
  records: 1,
  reminders: 14,
  rest: 21,
  scripts: 1,
  setup: 1,
  'sign-in': 6,
  upgrades: 1,
  uploads: 12,
  webhooks: 1,
};

test('a test imports of src what it is named after, and the rest through test/support', () => {
  const root = fileURLToPath(new URL('.', import.meta.url));
  const tests = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.ts') && !file.includes('node_modules'),
  );
  const further = tests.filter((file) => {
    const [room = '', ...rest] = file.split('/');
    const [name = ''] = (rest.at(-1) ?? '').split('.');
    return ts
      .preProcessFile(readFileSync(join(root, file), 'utf8'))
      .importedFiles.map(({ fileName }) => relative(source, normalize(join(root, dirname(file), fileName))))
      .filter((target) => !target.startsWith('..') && !target.startsWith(`${room}/`))
      .some((target) => !target.replace(/\.js$/, '').split('/').includes(name));
  });
  const counts = new Map<string, number>();
  for (const file of further) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  const more = [...counts].filter(([folder, count]) => count > (reachingFurther[folder] ?? 0));
  const listed = further.filter((file) => more.some(([folder]) => folder === dirname(file)));
  expect(more, `More tests than before import what they are not named after:\n${listed.join('\n')}`).toEqual(
    [],
  );
});
