import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { folded } from '../../src/domain/text/names.js';
import { useGateway } from '../support/gateway.js';
import { create } from './support.js';

const gateway = useGateway();
const names = [
  'Straße 5',
  'STRASSE 6',
  'Café',
  'Cafe\u0301 two',
  'Größe',
  'ΟΔΟΣ',
  'οδός',
  '100%_\\',
  'Åland',
  'ẞ-Werk',
];
beforeAll(async () => {
  for (const name of names) await create(gateway, { name });
});

async function found(term: string): Promise<string[]> {
  const rest = await gateway.send('GET', `/v1/vehicles?${new URLSearchParams({ term })}`);
  const query = 'query ($term: String) { vehicles(first: 50, filter: { term: $term }) { nodes { name } } }';
  const graphql = await gateway.send('POST', '/graphql', { body: { query, variables: { term } } });
  const shown = rest.json.vehicles.map(({ name }: { name: string }) => name);
  expect(graphql.json.data.vehicles.nodes.map(({ name }: { name: string }) => name)).toEqual(shown);
  return shown.sort();
}

test.each([
  ['STRASSE', ['Straße 5', 'STRASSE 6']],
  ['straße', ['Straße 5', 'STRASSE 6']],
  ['ß', ['Straße 5', 'STRASSE 6', 'Größe', 'ẞ-Werk']],
  ['SS-werk', ['ẞ-Werk']],
  ['CAFÉ', ['Café', 'Cafe\u0301 two']],
  ['cafe\u0301', ['Café', 'Cafe\u0301 two']],
  ['GRÖSSE', ['Größe']],
  ['gro\u0308ße', ['Größe']],
  ['οδοσ', ['ΟΔΟΣ']],
  ['οδος', ['ΟΔΟΣ']],
  ['ΟΔΌΣ', ['οδός']],
  ['a\u030aLAND', ['Åland']],
  ['%_\\', ['100%_\\']],
])('%j finds %j at both doors, kept as they were written', async (term, expected) => {
  expect(await found(term)).toEqual(expected.toSorted());
});

test('the database folds as the domain does', async () => {
  const letter = fc.constantFrom(
    ...'aAzZßẞÄöÜéÉñςΣσΩЖж%_\\ 1-',
    'e\u0301',
    'u\u0308',
    'ﬁ',
    '中',
    '\u{1f600}',
  );
  const texts = fc.sample(fc.string({ unit: letter, maxLength: 12 }), { numRuns: 500, seed: 20261122 });
  const rows = await gateway.database.sql<{ text: string; folded: string }>(
    'SELECT text, folded(text) AS folded FROM unnest($1::text[]) AS text',
    [texts],
  );
  for (const row of rows) expect(row.folded, JSON.stringify(row.text)).toBe(folded(row.text));
});
