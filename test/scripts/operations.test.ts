import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { isKept, kindsReader, readDocuments, usedDocuments } from '../../console/scripts/operations.mjs';

const schema = buildSchema(readFileSync(new URL('../../schema/gateway.graphql', import.meta.url), 'utf8'));
const kindsOf = kindsReader(schema);

test.each<[what: string, document: string, kinds: string[]]>([
  [
    'a list, with everything that its rows name',
    'query { expirationItems { nodes { id category { name } assignedTo { name } ...Place } } } fragment Place on ExpirationItem { locations { name } }',
    ['CATEGORY', 'EXPIRATION_ITEM', 'LOCATION', 'USER'],
  ],
  ['a count of records', 'query { vehicles { totalCount } }', ['VEHICLE']],
  ['what is computed from records', 'query { expirationSummary { total } }', ['CATEGORY', 'EXPIRATION_ITEM']],
  ['records of any kind', 'query { node(id: "1") { id ... on Contact { name } } }', ['CONTACT']],
  [
    'what a mutation returns',
    'mutation { deleteVehicle(id: "1") { id location { id } } }',
    ['LOCATION', 'VEHICLE'],
  ],
  ['what nobody else changes', 'query { me { id } }', []],
])('the kinds of %s', (_what, document, kinds) => {
  expect(validate(schema, parse(document))).toEqual([]);
  expect(kindsOf(parse(document))).toEqual(kinds);
});

test('events are about records of many kinds', () => {
  const kinds = kindsOf(parse('query { eventLogs { nodes { id } } }'));
  expect(kinds).toEqual(expect.arrayContaining(['VEHICLE', 'CONTACT', 'NOTE']));
});

test('the manifest has the documents that the program takes, and no others', () => {
  const folders = readDocuments(schema);
  const names = (found: readonly { documents: readonly { name: string }[] }[]) =>
    found.flatMap(({ documents }) => documents.map(({ name }) => name));
  expect(names(usedDocuments(folders, 'request(CreateNote); x.vehicleDocuments'))).toEqual(
    expect.arrayContaining(['CreateNote', 'VehicleList', 'RestoreVehicle']),
  );
  expect(names(usedDocuments(folders, 'CreateNotes'))).toEqual([]);
  // Those by hand are all used.
  const byHand = names(folders.filter(({ type }) => !type));
  expect(byHand.filter((name) => !names(usedDocuments(folders)).includes(name))).toEqual([]);
  expect(names(folders).length).toBeGreaterThan(names(usedDocuments(folders)).length);
});

test('a device keeps answers of what people read, and none with a secret, a link or settings', () => {
  const all = usedDocuments(readDocuments(schema)).flatMap(({ folder, documents }) =>
    documents.map((one) => ({ ...one, folder, isKept: isKept(folder, one.kind, one.document) })),
  );
  const kept = all.filter((one) => one.isKept);
  expect(kept.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Start', 'ExpirationItemList', 'CalendarItems', 'VehicleRecord', 'Uploads']),
  );
  expect(kept.filter(({ kind }) => kind !== 'query')).toEqual([]);
  expect(kept.filter(({ folder }) => /settings|health|imports|app/.test(folder))).toEqual([]);
  // Whoever adds a field with such a name decides here whether a device may keep it.
  const secret =
    /^\s*(?!endsWithToken)\w*(token|secret|password|recovery|\burl\b|downloadUrl|\blink\b|sealed)\w*\s*$/im;
  expect(kept.filter(({ text }) => secret.test(text)).map(({ name }) => name)).toEqual([]);
  expect(all.filter(({ text, isKept }) => secret.test(text) && !isKept).length).toBeGreaterThan(3);
});
