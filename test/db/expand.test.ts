import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listMigrations, MIGRATIONS_FOLDER, readMigrations } from '../../src/db/migrations/migrate.js';

/** The last migration before the rule. The last release was tested on its schema. */
const last = '20261125152500_partition_event_logs';

/** Statements that may take away what the version before uses, or refuse what it writes. */
const contracting = [
  /\bDROP (?:TABLE|COLUMN|VIEW|FUNCTION|TYPE)\b/i,
  /\bRENAME\b/i,
  /\bALTER COLUMN\b[^;,]*\b(?:TYPE|SET NOT NULL|DROP DEFAULT)\b/i,
  /\bADD COLUMN\b(?=[^;,]*\bNOT NULL\b)(?![^;,]*\b(?:DEFAULT|GENERATED)\b)/i,
  /\bALTER TABLE\b[^;]*\bADD (?:CONSTRAINT\b[^;]*)?(?:CHECK|UNIQUE)\b/i,
];

/** Returns the statements of a script, except those that change a table that it creates itself. */
function statementsOnOthers(script: string): string {
  const statements = script.replace(/--.*$/gm, '');
  const created = [...statements.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/gi)].map(
    ([, name]) => name,
  );
  const altersNew = new RegExp(`^\\s*ALTER TABLE "?(?:${created.join('|')})"?\\s`, 'i');
  return statements
    .split(';')
    .filter((statement) => created.length === 0 || !altersNew.test(statement))
    .join(';');
}

/** Returns the names of the unique indexes that scripts create. Only by one of them can `ON CONFLICT` find a row. */
const uniqueIn = (text: string): string[] =>
  [...text.matchAll(/\bCREATE UNIQUE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?"?(\w+)/gi)].map(
    ([, name = '']) => name,
  );

/** Returns the names of the indexes that a script drops. */
const droppedIn = (text: string): string[] =>
  [...text.matchAll(/\bDROP INDEX (?:CONCURRENTLY )?(?:IF EXISTS )?([^;]+);/gi)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replaceAll('"', '').trim()),
  );

/**
 * Returns whether a script may break the version before, and says nothing about that.
 * @param unique the unique indexes that earlier scripts create
 */
function isUnsaid(script: string, unique: readonly string[] = []): boolean {
  const statements = statementsOnOthers(script);
  const drops = droppedIn(statements).some((name) => unique.includes(name));
  if (!drops && !contracting.some((pattern) => pattern.test(statements))) return false;
  return !/FUNCTION oldest_version\(\)/i.test(statements) && !/^-- Older versions: \S/m.test(script);
}

const scripts = await readMigrations(MIGRATIONS_FOLDER, await listMigrations(MIGRATIONS_FOLDER));

test('a migration that takes something away says which versions can still use the schema', () => {
  const later = scripts.filter(({ name }) => name > last);
  const unique = scripts.flatMap(({ script }) => uniqueIn(script));
  expect(later.filter(({ script }) => isUnsaid(script, unique)).map(({ name }) => name)).toEqual([]);
});

test.each([
  ['ALTER TABLE "vehicles" DROP COLUMN "make";', true],
  ['ALTER TABLE "vehicles" RENAME COLUMN "make" TO "brand";', true],
  ['ALTER TABLE "vehicles" ALTER COLUMN "make" SET NOT NULL;', true],
  ['ALTER TABLE "vehicles" ADD COLUMN "seats" INTEGER NOT NULL;', true],
  ['ALTER TABLE "vehicles" ADD CONSTRAINT "seats" CHECK (seats > 0);', true],
  ['ALTER TABLE "vehicles" ADD COLUMN "seats" INTEGER NOT NULL DEFAULT 4;', false],
  ['ALTER TABLE "vehicles" ADD COLUMN "seats" INTEGER;', false],
  ['-- DROP TABLE "vehicles"\nCREATE TABLE "seats" ("id" UUID NOT NULL);', false],
  ['CREATE TABLE "seats" ("n" INT); ALTER TABLE "seats" ADD CONSTRAINT "n" CHECK (n > 0);', false],
  ['CREATE TABLE "seats" ("n" INT); ALTER TABLE "vehicles" ADD CONSTRAINT "n" CHECK (n > 0);', true],
  ['-- Older versions: the view has the old name.\nALTER TABLE "vehicles" RENAME TO "cars";', false],
  ["DROP TABLE a; CREATE OR REPLACE FUNCTION oldest_version() RETURNS text AS $$ SELECT '9' $$;", false],
])('%s: %s', (script, expected) => {
  expect(isUnsaid(script)).toBe(expected);
});

test.each([
  ['DROP INDEX "vehicles_vin_key";', true],
  ['DROP INDEX CONCURRENTLY IF EXISTS vehicles_make_idx, vehicles_vin_key;', true],
  ['DROP INDEX "vehicles_make_idx";', false],
  ['-- Older versions: they only look for it.\nDROP INDEX "vehicles_vin_key";', false],
])('a unique index that goes is said, unlike any other: %s: %s', (script, expected) => {
  expect(isUnsaid(script, uniqueIn('CREATE UNIQUE INDEX "vehicles_vin_key" ON "vehicles"("vin");'))).toBe(
    expected,
  );
});

test('the last release can use the schema', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const [, released = ''] = /^## \[(\d[^\]]*)\] - \d/m.exec(changelog) ?? [];
  const definitions = scripts.flatMap(({ script }) => [
    ...script.matchAll(/FUNCTION oldest_version\(\)[\s\S]*?SELECT '([^']+)'/g),
  ]);
  const oldest = definitions.at(-1)?.[1] ?? '';
  expect(oldest.localeCompare(released, 'en', { numeric: true })).toBeLessThanOrEqual(0);
});
