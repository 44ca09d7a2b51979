import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tables } from '../../console/src/i18n/texts/index.js';
import { labelNames } from '../../console/src/records/label-names.js';

const folder = new URL('../../console/src/', import.meta.url);
const tablesFolder = new URL('i18n/texts/', folder);

/** Reads the sources below a folder, without what is generated. */
const sourcesOf = (folder: URL) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('generated'))
    .map((file) => readFileSync(new URL(file.replaceAll('\\', '/'), folder), 'utf8'))
    .join('\n');

const program = sourcesOf(folder);
const server = sourcesOf(new URL('../../src/', import.meta.url));
const schema = readFileSync(new URL('../../schema/gateway.graphql', import.meta.url), 'utf8');

type Row = readonly [key: string, texts: readonly string[]];

const rows: readonly Row[] = Object.entries(tables).flatMap(([table, of]) =>
  Object.entries(of).map(([name, texts]): Row => [`${table}.${name}`, texts]),
);

/** Lists the keys of rows that something is wrong with. */
const wrong = (isWrong: (texts: readonly string[], key: string) => boolean) =>
  rows.filter(([key, texts]) => isWrong(texts, key)).map(([key]) => key);

const isSameForAll = (values: readonly string[]) => new Set(values).size === 1;

/** Lists the placeholders of a form. */
const placeholdersOf = (form: string) =>
  [...new Set([...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort().join();

const enumValues = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]*)$/gm)].map(([, word]) => word);

/** Words that a key can get at run time: values of enums, and what both programs have between quotes or as a name. */
const words = new Set([
  ...enumValues,
  ...[...`${program}\n${server}`.matchAll(/['"]([\w-]+)['"]/g)].map(([, word]) => word),
  ...[...program.matchAll(/^\s*([\w-]+):/gm)].map(([, word]) => word),
]);

/** Keys that are put together at run time, such as `health.unsent_${reason}`: what is before and after the word. */
const composed = [...program.matchAll(/`(\w+\.\w*)\$\{[^}]*\}(\w*)`/g)].map(
  ([, before = '', after = '']): readonly [string, string] => [before, after],
);

/** Keys that each kind of records with screens has, and the values of its choices. */
const ofKinds = new Set(
  [...program.matchAll(/folder: '\/(\w+)'/g)].flatMap(([, table]) =>
    ['title', 'add', 'empty', 'empty_text', ...enumValues].map((name) => `${table}.${name}`),
  ),
);

/** Tables that other tests compare with the gateway: codes (test/domain/reasons.test.ts), and labels (below). */
const tablesOfCodes = ['notTold', 'unreadReasons', 'uploadReasons', 'fields'];

/** Returns whether the program uses a key, as it is or put together. */
const isUsed = (key: string) =>
  program.includes(`'${key}'`) ||
  program.includes(`"${key}"`) ||
  ofKinds.has(key) ||
  tablesOfCodes.some((table) => key.startsWith(`${table}.`)) ||
  composed.some(
    ([before, after]) =>
      key.startsWith(before) &&
      key.endsWith(after) &&
      words.has(key.slice(before.length, key.length - after.length)),
  );

describe("the console's texts", () => {
  test('every table belongs to the register', () => {
    const files = readdirSync(tablesFolder).filter((file) => file.endsWith('.js') && file !== 'index.js');
    expect(files.map((file) => file.slice(0, -3)).sort()).toEqual(Object.keys(tables).sort());
  });

  test('are there in six languages, and none is empty', () => {
    expect(wrong((texts) => texts.length !== 6 || texts.some((text) => text.trim() === ''))).toEqual([]);
  });

  test('have the same placeholders in each language', () => {
    expect(wrong((texts) => !isSameForAll(texts.map(placeholdersOf)))).toEqual([]);
  });

  // Some languages need a bar where others have one form for both.
  test('have at most a singular and a plural, and both only where there is a number', () => {
    const isWrong = (text: string) => {
      const forms = text.split('|');
      return (
        forms.length > 2 ||
        forms.some((form) => form.trim() === '') ||
        (forms.length === 2 && !text.includes('{n}'))
      );
    };
    expect(wrong((texts) => texts.some(isWrong))).toEqual([]);
  });

  test('are used', () => {
    expect(wrong((_texts, key) => !isUsed(key))).toEqual([]);
  });

  /** Members that no form, event or file of the console has. */
  const unlabelled = ['id', 'until', 'address', 'expirationItemId'];

  test('every field that people write has a label, for forms, history and imports', () => {
    const { resources, imports } = JSON.parse(
      readFileSync(new URL('../../schema/resources.json', import.meta.url), 'utf8'),
    ) as {
      resources: Record<string, { fields: object }>;
      imports: Record<string, { of: string; columns: string[] }>;
    };
    const written = Object.entries(resources).flatMap(([kind, { fields }]) =>
      Object.keys(fields).map((name) => [kind, name] as const),
    );
    const columns = Object.values(imports).flatMap(({ of, columns }) =>
      columns.map((column) => [of, column] as const),
    );
    const labels = new Set(Object.keys(tables.fields));
    const missing = [...written, ...columns].filter(
      ([kind, field]) =>
        !unlabelled.includes(field) && !labelNames(kind, field).some((name) => labels.has(name)),
    );
    expect(missing).toEqual([]);
    const used = new Set(
      [...written, ...columns].flatMap(
        ([kind, field]) => labelNames(kind, field).find((name) => labels.has(name)) ?? [],
      ),
    );
    expect([...labels].filter((name) => !used.has(name) && !program.includes(`'fields.${name}'`))).toEqual(
      [],
    );
  });

  test('an unused one would be found', () => {
    expect(isUsed('common.cancel')).toBe(true);
    expect(isUsed('health.unsent_NO_MAIL')).toBe(true);
    expect(isUsed('health.unsent_NO_PAPER')).toBe(false);
    expect(isUsed('common.never_written')).toBe(false);
  });
});
