import type { GraphQLOutputType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entityKinds } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import { camelCase } from '../../src/domain/text/names.js';
import { routes } from '../../src/rest/routes.js';
import { testTime } from '../support/gateway.js';
import { filteredKind, nameOf, valueAt } from './cases.js';
import { expectUntold, type Observation, type Sent } from './observe.js';
import { rows, shared } from './rows.js';
import {
  documentOf,
  doors,
  isList,
  lacksOf,
  ordersOf,
  type Position,
  positionsIn,
  records,
  selectionOf,
} from './schema-walk.js';
import { foreignWords, type Ids, type Kind, makeRecords, makeWorld, type World } from './world.js';

let world: World;
/** Records of another workspace, which the member does not see. */
let hidden: Ids;
/** Ids of records of the member's, which link to the hidden ones. */
let linked: readonly string[];
let member: string;
let admin: string;
beforeAll(async () => {
  world = await makeWorld();
  const { gateway, home } = world;
  const beyond = world.beyond.find(({ what }) => what === 'another workspace');
  if (!beyond) throw new Error('There is no other workspace.');
  hidden = beyond.ids;
  member = beyond.token;
  admin = gateway.admin;
  const ids = await makeRecords(gateway, home, hidden);
  // An exemption is of one record: here of what no other one is of.
  const exempt = (['contact', 'company', 'location'] as const).map((holderKind) => ({
    ...{ id: newId(), organizationId: home.organizationId, teamId: home.teamId, holderKind },
    ...{ [`${holderKind}Id`]: hidden[holderKind], requirementId: ids.requirement },
    ...{ from: testTime, reason: home.word },
  }));
  await gateway.database.prisma.exemption.createMany({ data: exempt });
  const asked = exempt.map(({ requirementId: _requirement, from: _from, reason: message, ...about }) => ({
    ...{ ...about, id: newId(), message, created: testTime, modified: testTime },
  }));
  await gateway.database.prisma.documentRequest.createMany({ data: asked });
  const stuck = exempt.map(({ requirementId: _requirement, from: _from, reason: name, ...about }) => ({
    ...{ ...about, id: newId(), name, created: testTime, modified: testTime },
    ...{ hash: Buffer.from(newId()), sealedSecret: Buffer.from('-') },
  }));
  await gateway.database.prisma.complianceLink.createMany({ data: stuck });
  linked = [...Object.values(ids), ...[...exempt, ...asked, ...stuck].map(({ id }) => id)];
});
afterAll(() => world.close());

/** Queries with a filter, but for those that only admins ask. */
const filtered = Object.values(doors.query).filter(
  ({ name, args }) => args.some((arg) => arg.name === 'filter') && rows.query[name]?.needs !== 'administer',
);

const ask = async (query: string, variables: object, token: string) => {
  const { data, errors } = await world.gateway.graphql(query, variables, token);
  expect(errors).toBeUndefined();
  return data;
};

/** Every place of a filter that takes the id of a record which can be hidden. */
const places = filtered.flatMap((field) =>
  positionsIn(field).flatMap((at) => {
    const kind = filteredKind(at);
    return at.path[0] === 'filter' && kind && !shared.includes(kind) ? [[field, at, kind] as const] : [];
  }),
);

/** Filters with an id, alone and in other filters. */
const shapes: readonly ((filter: unknown) => object)[] = [
  (filter) => filter as object,
  (filter) => ({ or: [filter, { modifiedSince: '2999-01-01T00:00:00Z' }] }),
  (filter) => ({ not: { not: filter } }),
];

const listed = ({ json }: Observation): readonly { readonly id: string }[] => json.data.result.nodes ?? [];

test.each(places.map(([field, at, kind]) => [`${field.name}: ${nameOf(at)}`, field, at, kind] as const))(
  '%s finds no link to a hidden record',
  async (_name, field, at, kind) => {
    const query = documentOf({ door: 'query', field });
    for (const shape of shapes) {
      const request =
        (token: string) =>
        (id: string): Sent => ({
          ...{ method: 'POST', path: '/graphql', token },
          body: {
            query,
            variables: {
              filter: shape(valueAt(at, 1, id) as object),
              ...(isList(field) && { first: 100 }),
            },
          },
        });
      const answer = await expectUntold(world, request(member), hidden[kind]);
      expect(answer.json.errors).toBeUndefined();
      expect(listed(answer)).toEqual([]);
      expect(answer.json.data.result.totalCount ?? 0).toBe(0);
    }
  },
);

/** Members whose ids lead to no record of another workspace: the record is in the workspace of what it has. */
const within = (at: Position) =>
  /\.(team|expirationItem|delivery|import)Ids?$/.test(nameOf(at)) ||
  ['BinFilter.recordId', 'CustomFieldFilter.id'].includes(nameOf(at)) ||
  nameOf(at).startsWith('MailTextFilter.');

test.each(
  places
    .filter(([field, at]) => isList(field) && !within(at))
    .map(([field, at, kind]) => [`${field.name}: ${nameOf(at)}`, field, at, kind] as const),
)('%s finds the link for whoever sees the record', async (_name, field, at, kind) => {
  const variables = { filter: valueAt(at, 1, hidden[kind]), first: 100 };
  const { result } = await ask(documentOf({ door: 'query', field }), variables, admin);
  const ids = result.nodes.map(({ id }: { id: string }) => id);
  expect(linked.filter((id) => ids.includes(id))).toHaveLength(1);
});

describe.each(['notes', 'eventLogs'])('%s about a record', (list) => {
  const count = async (filter: object, token: string): Promise<number> => {
    const type = `${list === 'notes' ? 'Note' : 'EventLog'}Filter`;
    const query = `query ($filter: ${type}) { list: ${list}(filter: $filter) { totalCount } }`;
    return (await ask(query, { filter }, token)).list.totalCount;
  };

  test.each([...entityKinds])('of kind %i, %s', async (entityType, kind) => {
    const entityId = hidden[kind];
    for (const filter of [{ entityId }, { entityId, entityType }]) {
      // A workspace has the notes and events of its own records.
      expect(await count(filter, member), JSON.stringify(filter)).toBe(0);
      expect(await count(filter, admin)).toBeGreaterThan(0);
    }
    expect(await count({ entityId, entityType: (entityType % entityKinds.size) + 1 }, member)).toBe(0);
    expect(await count({ entityId: world.own[kind], entityType }, member)).toBeGreaterThan(0);
    const [found] = await world.gateway.database.sql<object>(
      'SELECT record_exists($1, $2) AS hidden, record_exists($1, $3) AS own, record_exists($1, $4) AS nobodys',
      [entityType, hidden[kind], world.own[kind], newId()],
    );
    expect(found).toEqual({ hidden: true, own: true, nobodys: false });
  });

  test('that was deleted, or is of another system, are found', async () => {
    const { gateway, home } = world;
    const { prisma } = gateway.database;
    const entityId = newId();
    const { organizationId, teamId } = home;
    const about = { create: { entityId, position: 0 } };
    if (list === 'notes') {
      const relations = { create: { ...about.create, entityType: 3 } };
      await prisma.note.create({ data: { organizationId, teamId, id: newId(), relations } });
    } else {
      const entities = { create: { ...about.create, typeId: 3 } };
      const event = { organizationId, teamId, id: newId(), typeId: 4, description: 'own' };
      await prisma.eventLog.create({ data: { ...event, created: gateway.clock.now, entities } });
    }
    for (const token of [member, admin]) {
      expect(await count({ entityId }, token)).toBe(1);
      expect(await count({ entityId, entityType: 3 }, token)).toBe(1);
      expect(await count({ entityId, entityType: 4 }, token)).toBe(0);
    }
  });
});

/** Returns what is selected of a field: how many rows of a list, and otherwise its plain values. */
const shownOf = (type: GraphQLOutputType) =>
  /Connection!?$/.test(String(type)) ? '{ totalCount }' : selectionOf(type);

const listsOfRecords = Object.values(doors.query).filter(isList);

const typeOf = (name: string) => {
  const connection = doors.query[name]?.type.toString().replace(/Connection!?$/, '');
  return records.find((type) => type.name === connection);
};

test.each(listsOfRecords.map((field) => [field.name, field] as const))(
  '%s: `hasNone` finds what the answer shows without a link',
  async (name, list) => {
    const type = typeOf(name);
    for (const word of lacksOf(list)) {
      const field = type?.getFields()[camelCase(word.toLowerCase())];
      if (!field) throw new Error(`${name} has no ${word}.`);
      const query = `{
        all: ${name}(first: 20) { totalCount nodes { id shown: ${field.name} ${shownOf(field.type)} } }
        found: ${name}(first: 20, filter: {hasNone: [${word}]}) { nodes { id } }
      }`;
      for (const token of [member, admin]) {
        const { all, found } = await ask(query, {}, token);
        expect(all.totalCount).toBeLessThanOrEqual(20);
        const isNone = ({ shown }: { shown: null | [] | { totalCount?: number } }) =>
          shown === null || (Array.isArray(shown) ? shown.length === 0 : shown.totalCount === 0);
        const ids = (nodes: { id: string }[]) => nodes.map(({ id }) => id).sort();
        expect(ids(found.nodes), `${name} without ${word}`).toEqual(ids(all.nodes.filter(isNone)));
      }
    }
  },
);

test.each(listsOfRecords.map((field) => [field.name, field] as const))(
  '%s is ordered by nothing that the answer does not show',
  async (name, field) => {
    if (rows.query[name]?.needs === 'administer') return;
    const ids = Object.entries(hidden).flatMap(([kind, id]) => (shared.includes(kind as Kind) ? [] : [id]));
    for (const word of ordersOf(field)) {
      const shown = typeOf(name)?.getFields()[camelCase(word.toLowerCase())];
      const selected = shown ? `shown: ${shown.name} ${shownOf(shown.type)}` : '';
      const query = `{ list: ${name}(first: 500, orderBy: {field: ${word}}) { edges { cursor node { id ${selected} } } } }`;
      const { list } = await ask(query, {}, member);
      for (const { cursor, node } of list.edges) {
        const text = Buffer.from(cursor, 'base64url').toString();
        const told = ids.filter((id) => text.includes(id) && !JSON.stringify(node).includes(id));
        expect(told, `${name} by ${word}: ${text}`).toEqual([]);
        for (const foreign of foreignWords) expect(text).not.toContain(foreign);
      }
    }
  },
);

/** Parameters of lists in REST with the kinds of records that they name. */
const named: Readonly<Record<string, Kind>> = {
  contact_id: 'contact',
  category_id: 'category',
  team_id: 'team',
};

const lists = routes.flatMap((route) =>
  route.kind === 'list' && !route.path.includes('{')
    ? Object.entries(named)
        .filter(([name]) => (route.parameters as readonly string[]).includes(name))
        .map(([name, kind]) => [`${route.path}?${name}`, kind] as const)
    : [],
);

test.each(lists)('GET %s finds no link to a hidden record', async (path, kind) => {
  const request = (id: string): Sent => ({ method: 'GET', path: `${path}=${id}`, token: member });
  const { status, json } = await expectUntold(world, request, hidden[kind]);
  expect([status, json.total]).toEqual([200, 0]);
});

test.each([
  ...['items categoryId category', 'items contactId contact', 'vehicles locationId location'],
  ...['contacts typeId contactType', 'companies primaryContactId contact', 'events entityId vehicle'],
  'requirements categoryId category',
])('a CSV file of %s', async (row) => {
  const [file, name, kind] = row.split(' ') as [string, string, Kind];
  const request = (id: string): Sent => {
    const filter = encodeURIComponent(JSON.stringify({ [name]: id }));
    return { method: 'GET', path: `/v1/export/${file}.csv?filter=${filter}`, token: member };
  };
  const { status, body } = await expectUntold(world, request, hidden[kind]);
  expect(status).toBe(200);
  expect(String(body).trim().split('\r\n')).toHaveLength(1);
});

test('document types that are hidden are counted together', async () => {
  const query = '{ expirationSummary { total byCategory { count category { id } } } }';
  for (const token of [member, admin]) {
    const { total, byCategory } = (await ask(query, {}, token)).expirationSummary;
    const counted = byCategory.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect(counted).toBe(total);
    const untold = byCategory.filter(({ category }: { category: unknown }) => category === null);
    expect(untold).toEqual(token === member ? [{ count: 1, category: null }] : []);
  }
});
