import { getNullableType, isInterfaceType, isObjectType, isUnionType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { modelName, recordKinds } from '../../src/db/sql/models.js';
import type { RecordKind } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import { schema } from '../../src/graphql/schema.js';
import { type Ids, makeRows } from '../db/scope.fixture.js';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { ask, expectRefusal, refusal } from './support.js';

/** What the rows of the fixture call the ids of some kinds of records. */
const short: Partial<Record<RecordKind, keyof Ids>> = {
  expirationItem: 'item',
  uploadNotification: 'upload',
  eventLog: 'event',
  accessToken: 'token',
};

/** The types of records by what the rows of the fixture call their ids; workspaces are there before the rows. */
const kinds = Object.fromEntries(
  recordKinds.filter((kind) => kind !== 'team').map((kind) => [modelName(kind), short[kind] ?? kind]),
) as Record<Exclude<Capitalize<RecordKind>, 'Team'>, keyof Ids>;
const names = Object.keys(kinds) as (keyof typeof kinds)[];

const gateway = useGateway();
let foreign: Tenant;
let own: Awaited<ReturnType<typeof makeRows>>;
let elsewhere: typeof own;
let abroad: typeof own;
beforeAll(async () => {
  const { database, organizationId, teamId, otherTeamId } = gateway;
  foreign = await createTenant(database, 'Globex');
  own = await makeRows(database.prisma, { organizationId, teamId });
  elsewhere = await makeRows(database.prisma, { organizationId, teamId: otherTeamId });
  const { organizationId: other, teamId: otherTeam } = foreign;
  abroad = await makeRows(database.prisma, { organizationId: other, teamId: otherTeam });
});

const one = 'query ($id: ID!) { node(id: $id) { __typename id } }';
const many = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
const idsOf = ({ ids }: typeof own) => names.map((name) => ids[kinds[name]]);

test('every type with an id of its own is a Node', () => {
  const node = schema.getType('Node');
  if (!isInterfaceType(node)) throw new Error('There is no Node.');
  const types = schema.getPossibleTypes(node).map(({ name }) => name);
  expect(types.sort()).toEqual([...names, 'Team'].sort());
  const edges = Object.values(schema.getTypeMap()).filter(({ name }) => name.endsWith('Edge'));
  expect(edges.length).toBeGreaterThan(10);
  for (const edge of edges) {
    const found = isObjectType(edge) && getNullableType(edge.getFields().node?.type);
    const rows = isUnionType(found) ? found.getTypes().map(String) : [String(found)];
    // What a search finds, what the feed of changes tells and what is to come is about a record, and none itself.
    const isRecord = !['RecordChange', 'SearchResult', 'UpcomingReminder'].includes(String(found));
    if (isRecord) expect(types).toEqual(expect.arrayContaining(rows));
  }
});

describe('node', () => {
  test.each(names)('finds a record of the type %s by its id alone, in any letter case', async (name) => {
    const id = own.ids[kinds[name]];
    expect(await ask(gateway, one, { id: id.toUpperCase() })).toEqual({ node: { __typename: name, id } });
  });

  test('finds a workspace, and answers its fields', async () => {
    const query =
      'query ($id: ID!) { node(id: $id) { ... on Team { id name } ... on Vehicle { licensePlate } } }';
    const { teamId: id } = gateway;
    expect(await ask(gateway, query, { id })).toEqual({ node: { id, name: 'Acme Main' } });
  });

  test('finds nothing that the caller may not see', async () => {
    const seenByAll = ['User'];
    for (const [rows, token] of [
      [elsewhere, gateway.member],
      [abroad, gateway.admin],
      [own, foreign.admin],
    ] as const) {
      for (const name of names) {
        const { node } = await ask(gateway, one, { id: rows.ids[kinds[name]] }, token);
        const shown = rows === elsewhere && seenByAll.includes(name);
        expect(node, name).toEqual(shown ? { __typename: name, id: rows.ids[kinds[name]] } : null);
      }
    }
    expect(await ask(gateway, one, { id: gateway.otherTeamId }, gateway.member)).toEqual({ node: null });
    expect(await ask(gateway, one, { id: newId() })).toEqual({ node: null });
    expect(await ask(gateway, one, { id: 'no-uuid' })).toEqual({ node: null });
  });

  test('is not for uploaders', async () => {
    await expectRefusal(refusal(gateway, one, { id: own.ids.vehicle }, gateway.uploader), 'FORBIDDEN');
  });
});

describe('nodes', () => {
  test('come in the order of their ids, null for unknown ones, twice for a repeated id', async () => {
    const ids = [...idsOf(own), newId(), ...idsOf(abroad).slice(0, 2), own.ids.vehicle];
    const { nodes } = await ask(gateway, many, { ids });
    const expected = [
      ...names.map((__typename) => ({ __typename, id: own.ids[kinds[__typename]] })),
      ...[null, null, null],
      { __typename: 'Vehicle', id: own.ids.vehicle },
    ];
    expect(nodes).toEqual(expected);
  });

  test('take one statement to find their types and one for each type', async () => {
    const ids = [
      own.ids.vehicle,
      own.spare.vehicle,
      elsewhere.ids.vehicle,
      own.ids.contact,
      own.spare.contact,
    ];
    const sent = await namesOf(gateway, () => ask(gateway, many, { ids }));
    expect(sent.sort()).toEqual(['contacts.find', 'records.kinds', 'vehicles.find']);
    const none = Array.from({ length: 500 }, () => newId());
    expect(await namesOf(gateway, () => ask(gateway, many, { ids: none }))).toEqual(['records.kinds']);
  });

  test('are at most 500', async () => {
    const ids = Array.from({ length: 501 }, () => newId());
    await expectRefusal(refusal(gateway, many, { ids }), 'BAD_REQUEST', 'ids', /at most 500/);
  });

  test('of an id that records of two types have mean the first of them', async () => {
    const { organizationId, teamId, database } = gateway;
    const id = newId();
    await database.prisma.tag.create({ data: { id, organizationId, teamId, name: 'Twin' } });
    await database.prisma.vehicle.create({ data: { id, organizationId, teamId, name: 'Twin' } });
    expect(await ask(gateway, many, { ids: [id] })).toEqual({ nodes: [{ __typename: 'Vehicle', id }] });
  });
});
