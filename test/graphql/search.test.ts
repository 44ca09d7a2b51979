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
  const customFields = (...values: (string | null)[]) =>
    values.map((value, index) => ({ id: newId(), name: `Field ${index}`, value }));
  await prisma.expirationItem.create({
    data: {
      ...item('Custom', 'Has values'),
      customFields: customFields(null, 'Ölheizung "Q7" 5%', 'Straße'),
    },
  });
  await prisma.vehicle.create({ data: row('Custom van', { customFields: customFields('ÖLHEIZUNG') }) });
  await prisma.contact.create({
    data: row('Custom person', {
      email: 'c@example.com',
      customFields: customFields('oelheizung [a], b', 'c'),
    }),
  });
  await prisma.company.create({
    data: row('Custom firm', { customFields: customFields('x', 'kölheizungs') }),
  });
  await prisma.location.create({
    data: row('Custom place', { customFields: customFields('ölheizung'), teamId: otherTeamId }),
  });
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

const lists = `query ($term: String!, $custom: Boolean) {
  vehicles(filter: { term: $term, termInCustomFields: $custom }) { nodes { id } }
  expirationItems(filter: { term: $term, termInCustomFields: $custom }) { nodes { id } }
  contacts(filter: { term: $term, termInCustomFields: $custom }) { nodes { id } }
  companies(filter: { term: $term, termInCustomFields: $custom }) { nodes { id } }
  locations(filter: { term: $term, termInCustomFields: $custom }) { nodes { id } }
}`;
const listed = async (term: string, custom?: boolean) => {
  const answer = (await ask(gateway, lists, { term, custom })) as Record<string, { nodes: { id: string }[] }>;
  return Object.values(answer).flatMap(({ nodes }) => nodes.map(({ id }) => id));
};

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
    expect((await listed(term)).sort()).toEqual(wanted.toSorted());
  });

  test.each([
    ['ölheizung', ['Custom van', 'Custom', 'Custom firm', 'Custom place']],
    ['HEIZUNG "q7" 5%', ['Custom']],
    ['strasse', ['Custom']],
    // Neither the values between, nor their fields' names, nor what separates values in the index.
    ['5%", "str', []],
    ['null', []],
    ['field 1', []],
  ])('finds values of custom fields, as lists do: %s', async (term, names) => {
    const wanted = names.map((name) => ids[name]).sort();
    expect(found(await search({ term })).sort()).toEqual(wanted);
    expect((await listed(term)).sort()).toEqual(wanted);
    expect(await listed(term, false)).toEqual([]);
  });

  test.each(['[', ']', ',', '],'])(
    'does not take what JSON has between values for them: %s',
    async (term) => {
      const others = await listed(term, false);
      expect((await listed(term)).filter((id) => !others.includes(id))).toEqual([ids['Custom person']]);
    },
  );

  test('shows a value with the name of its field, and ranks it by the value', async () => {
    const answer = await search({ term: 'ölheizung' });
    const nodes: Edge['node'][] = answer.edges.map(({ node }: Edge) => node);
    const item = nodes.find(({ kind }) => kind === 'EXPIRATION_ITEM');
    expect(nodes[0]).toMatchObject({ kind: 'VEHICLE', field: 'customFields', snippet: 'Field 0: ÖLHEIZUNG' });
    // Two values are the term itself, and come before those that begin with it.
    expect(nodes.map(({ kind }) => kind)).toEqual(['VEHICLE', 'LOCATION', 'EXPIRATION_ITEM', 'COMPANY']);
    expect(item).toMatchObject({
      snippet: expect.stringMatching(/^Field \d: Ölheizung "Q7" 5%$/),
    });
  });

  test('the contract’s list of vehicles keeps to the texts that the contract names', async () => {
    const read = async (path: string) => (await gateway.send('GET', path)).json;
    expect((await read('/v1/vehicles?term=ölheizung')).total).toBe(0);
    expect((await read('/v1/contacts?term=oelheizung')).total).toBe(1);
    const { paths } = await read('/v1/openapi.json');
    const described = (path: string) =>
      paths[path].get.parameters.find(({ name }: { name: string }) => name === 'term').description;
    expect(described('/v1/vehicles')).not.toMatch(/custom fields/);
    expect(described('/v1/contacts')).toMatch(/Values of custom fields/);
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
