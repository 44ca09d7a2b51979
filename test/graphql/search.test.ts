import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
const ids: Record<string, string> = {};
beforeAll(async () => {
  const { prisma } = gateway.database;
  const { organizationId, teamId, otherTeamId } = gateway;
  const row = <Values extends object>(name: string, values: Values = {} as Values) => {
    ids[name] = newId();
    return { id: ids[name], organizationId, teamId, name, ...values };
  };
  await prisma.tag.create({ data: row('Zebra') });
  await prisma.category.create({ data: row('zebra crossing') });
  await prisma.vehicle.createMany({
    data: [row('Van', { make: 'ZEBRA' }), row('Old zebra van'), row('Xzebra', { teamId: otherTeamId })],
  });
  await prisma.vehicle.create({ data: row('Plate', { licensePlate: 'HH-NX 1730' }) });
  const { id: categoryId } = await prisma.category.create({ data: row('Papers of vans') });
  const item = (key: string, name: string) => ({ ...row(key), name, categoryId });
  await prisma.expirationItem.createMany({
    data: [
      item('Papers', 'Inspection HH-NX 1730'),
      item('Spaced', 'HH NX 17 30'),
      item('Fee 49,00 paid', 'Fee 49,00 paid'),
    ],
  });
  await prisma.contact.create({ data: row('Person', { email: 'zebra@example.com', phone: '100%_\\' }) });
  await prisma.note.create({
    data: row('Note', { bodyText: `${'a '.repeat(100)}the zebra ${'b '.repeat(300)}` }),
  });
});

const query = `query ($term: String!, $kinds: [RecordKind!], $first: Int, $after: String, $last: Int, $before: String) {
  search(term: $term, kinds: $kinds, first: $first, after: $after, last: $last, before: $before) {
    totalCount
    edges { cursor node { kind field snippet record { __typename ... on Node { id } } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

interface Edge {
  readonly cursor: string;
  readonly node: { kind: string; field: string; snippet: string; record: { __typename: string; id: string } };
}

const lists = `query ($term: String!) {
  vehicles(filter: { term: $term }) { nodes { id } }
  expirationItems(filter: { term: $term }) { nodes { id } }
}`;

const search = async (args: object, token?: string) => (await ask(gateway, query, args, token)).search;
const found = ({ edges }: { edges: Edge[] }) => edges.map(({ node }) => node.record.id);

/** Returns what is found of zebras, the best first. */
const all = () =>
  ['Zebra', 'Van', 'zebra crossing', 'Person', 'Old zebra van', 'Note', 'Xzebra'].map((name) => ids[name]);

describe('search', () => {
  test('finds records of all kinds, the best first, and tells what matches', async () => {
    const answer = await search({ term: 'zebra' });
    expect(found(answer)).toEqual(all());
    expect(answer.totalCount).toBe(7);
    const [tag, van, , , , note] = answer.edges.map(({ node }: Edge) => node);
    expect(tag).toMatchObject({
      kind: 'TAG',
      field: 'name',
      snippet: 'Zebra',
      record: { __typename: 'Tag' },
    });
    expect(van).toMatchObject({ kind: 'VEHICLE', field: 'make', snippet: 'ZEBRA' });
    expect(note).toMatchObject({ kind: 'NOTE', field: 'bodyText' });
    expect(note.snippet).toMatch(/^(?=.{100,160}$).*the zebra b b/);
  });

  test('pages both ways, without repeating or missing a record', async () => {
    for (const size of [1, 2, 3]) {
      const forward: string[] = [];
      for (let after = null, more = true; more; ) {
        const page = await search({ term: 'ZEBRA', first: size, after });
        forward.push(...found(page));
        ({ hasNextPage: more, endCursor: after } = page.pageInfo);
      }
      expect(forward).toEqual(all());
      const backward: string[] = [];
      for (let before = null, more = true; more; ) {
        const page = await search({ term: 'zebra', last: size, before });
        backward.unshift(...found(page));
        ({ hasPreviousPage: more, startCursor: before } = page.pageInfo);
      }
      expect(backward).toEqual(all());
    }
  });

  test('finds only the kinds that are named', async () => {
    expect(found(await search({ term: 'zebra', kinds: ['NOTE', 'TAG'] }))).toEqual([ids.Zebra, ids.Note]);
    expect(found(await search({ term: 'zebra', kinds: [] }))).toEqual(all());
  });

  test('takes special characters literally, and finds nothing that does not exist', async () => {
    expect(found(await search({ term: '100%_\\' }))).toEqual([ids.Person]);
    expect(found(await search({ term: 'zeb_a' }))).toEqual([]);
    expect(await search({ term: '   zebra crossing ' })).toMatchObject({ totalCount: 1 });
  });

  test.each([
    ['HH-NX', ['Plate', 'Papers']],
    ['HH NX 17', ['Plate', 'Papers', 'Spaced']],
    ['hhnx1730', ['Plate', 'Papers', 'Spaced']],
    ['nx-17 30', ['Plate', 'Papers', 'Spaced']],
    ['49,00', ['Fee 49,00 paid']],
    ['hhnx', []],
    ['hhnx1739', []],
  ])('finds licence plates and numbers as people type them: %s', async (term, names) => {
    const wanted = names.map((name) => ids[name]);
    expect(found(await search({ term })).sort()).toEqual(wanted.toSorted());
    const list = (await ask(gateway, lists, { term })) as Record<string, { nodes: { id: string }[] }>;
    const listed = Object.values(list).flatMap(({ nodes }) => nodes.map(({ id }) => id));
    expect(listed.sort()).toEqual(wanted.toSorted());
  });

  test('finds what the caller may see', async () => {
    expect(found(await search({ term: 'zebra' }, gateway.member))).toEqual(all().slice(0, -1));
    const foreign = await createTenant(gateway.database, 'Globex');
    expect(await search({ term: 'zebra' }, foreign.admin)).toMatchObject({ totalCount: 0, edges: [] });
  });

  test('takes a statement for each kind, and those of the records', async () => {
    const sent = await namesOf(gateway, () => search({ term: 'zebra', first: 2 }));
    expect(sent.filter((name) => name.endsWith('.matches'))).toHaveLength(11);
    expect(sent.filter((name) => !/matches|pg_stats/.test(name)).sort()).toEqual([
      'tags.find',
      'vehicles.find',
    ]);
  });

  test.each<[string, object, string]>([
    ['no term', { term: ' ' }, 'term'],
    ['too short a term', { term: 'ze' }, 'term'],
    ['two letters and signs', { term: 'z-%e ' }, 'term'],
    ['signs alone', { term: '%%%' }, 'term'],
    ['a NUL', { term: 'zeb\0' }, 'term'],
    ['too long a term', { term: 'z'.repeat(256) }, 'term'],
    ['too large a page', { term: 'zebra', first: 501 }, 'first'],
    ['a cursor of nothing', { term: 'zebra', after: 'x' }, 'after'],
  ])('refuses %s', async (_, args, field) => {
    await expectRefusal(refusal(gateway, query, args), 'BAD_REQUEST', field);
  });

  test('refuses a cursor with wrong values', async () => {
    const names = ['rank', 'place', 'title'];
    for (const values of [
      ['0', 0, ''],
      [null, 0, ''],
      [0, 0, 1],
      [0, 0],
    ]) {
      const content = [names, ['asc', 'asc', 'asc'], values, newId(), 'SearchResult'];
      const after = Buffer.from(JSON.stringify(content)).toString('base64url');
      await expectRefusal(
        refusal(gateway, query, { term: 'zebra', after }),
        'BAD_REQUEST',
        'after',
        /cursor/,
      );
    }
  });
});
