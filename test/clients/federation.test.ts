import { composeServices } from '@theguild/federation-composition';
import { type GraphQLSchema, isInterfaceType, parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordKinds } from '../../src/db/sql/models.js';
import { newId } from '../../src/domain/rules.js';
import { federate, schema } from '../../src/graphql/schema.js';
import { createTenant, startGateway, type Tenant, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let plain: TestGateway;
let other: Tenant;
beforeAll(async () => {
  gateway = await startGateway({ FEDERATION: 'on', INTROSPECTION: 'off' });
  plain = await startGateway();
  other = await createTenant(gateway.database, 'Globex');
});
afterAll(async () => {
  await gateway.close();
  await plain.close();
});

const service = '{ _service { sdl } }';
const entities = `query($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Vehicle { id name team { name } }
    ... on Contact { id email }
  }
}`;
const ask = (representations: unknown, token?: string) =>
  gateway.graphql(entities, { representations }, token);

async function create(what: string, input: object, token?: string): Promise<string> {
  const mutation = `mutation($input: Create${what}Input!) { record: create${what}(input: $input) { id } }`;
  return (await gateway.graphql(mutation, { input }, token)).data.record.id;
}

const fleet = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  interface Node { id: ID! }
  type Vehicle implements Node @key(fields: "id") { id: ID! mileage: Int }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type Trip implements Node @key(fields: "id") { id: ID! vehicle: Vehicle! }
  type Query { trips: [Trip!]! }`;
const payroll = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Contact @key(fields: "id") { id: ID! salary: Float }
  type Query { payroll: [Contact!]! }`;

test('the schema of the service composes with those of others', async () => {
  const { data, errors } = await gateway.graphql(service);
  expect(errors).toBeUndefined();
  const composed = composeServices([
    { name: 'expirations', typeDefs: parse(data._service.sdl), url: 'http://a' },
    { name: 'fleet', typeDefs: parse(fleet), url: 'http://b' },
    { name: 'payroll', typeDefs: parse(payroll), url: 'http://c' },
  ]);
  expect(composed.errors).toBeUndefined();
  const supergraph = composed.supergraphSdl ?? '';
  expect(supergraph).toMatch(/type Vehicle[^{]*@join__type\(graph: EXPIRATIONS, key: "id"\)[^{]*FLEET/);
  expect(supergraph).toMatch(/mileage: Int.*@join__field\(graph: FLEET\)/);
  expect(supergraph).toContain('licensePlate');
});

test('every record type has its key, and federation only adds to the schema', () => {
  const keyed = [...federatedTypes(schema)].sort();
  const records = recordKinds.map((kind) => `${kind[0]?.toUpperCase()}${kind.slice(1)}`);
  expect(keyed).toEqual(expect.arrayContaining(records.sort()));
  const federated = federate(schema);
  const added = Object.keys(federated.getTypeMap()).filter((name) => !schema.getType(name));
  expect(added.sort()).toEqual(['_Any', '_Entity', '_Service']);
  const own = Object.keys(schema.getQueryType()?.getFields() ?? {});
  expect(Object.keys(federated.getQueryType()?.getFields() ?? {})).toEqual([...own, '_service', '_entities']);
});

function federatedTypes(of: GraphQLSchema): Set<string> {
  const node = of.getType('Node');
  return new Set(isInterfaceType(node) ? of.getPossibleTypes(node).map(({ name }) => name) : []);
}

test('it is off by default', async () => {
  for (const query of [service, '{ _entities(representations: []) { __typename } }']) {
    const { errors } = await plain.graphql(query);
    expect(errors[0].extensions.code).toBe('BAD_REQUEST');
  }
});

test('entities are read in their order, by one statement a type, as their caller sees them', async () => {
  const vans = [await create('Vehicle', { name: 'a' }), await create('Vehicle', { name: 'b' })];
  const contact = await create('Contact', { email: 'c@example.com' });
  const hidden = await create('Vehicle', { name: 'hidden', teamId: gateway.otherTeamId });
  const foreign = await create('Vehicle', { name: 'foreign' }, other.admin);
  const of = (__typename: string, id: string) => ({ __typename, id });
  const representations = [
    of('Vehicle', vans[1] ?? ''),
    of('Contact', contact),
    of('Vehicle', foreign),
    of('Vehicle', contact),
    of('Vehicle', (vans[0] ?? '').toUpperCase()),
    of('Vehicle', hidden),
    of('Vehicle', newId()),
    of('Vehicle', 'no id'),
    of('Vehicle', vans[1] ?? ''),
  ];
  const team = { name: 'Acme Main' };
  const van = (index: number) => ({ __typename: 'Vehicle', id: vans[index], name: 'ab'[index], team });
  const expected = [van(1), { __typename: 'Contact', id: contact, email: 'c@example.com' }];
  const work = async () => {
    const { data, errors } = await ask(representations, gateway.member);
    expect(errors).toBeUndefined();
    expect(data._entities).toEqual([...expected, null, null, van(0), null, null, null, van(1)]);
  };
  await work();
  expect((await gateway.statementNames(work)).sort()).toEqual([
    'access_tokens.authenticate',
    'contacts.find',
    'teams.find',
    'vehicles.find',
  ]);
});

test('tokens are only for administrators', async () => {
  const { id } = await gateway.database.prisma.accessToken.findFirstOrThrow({
    where: { organizationId: gateway.organizationId },
  });
  const one = [{ __typename: 'AccessToken', id }];
  expect((await ask(one, gateway.member)).data._entities).toEqual([null]);
  expect((await ask(one)).data._entities).toEqual([{ __typename: 'AccessToken' }]);
});

test('invalid representations are rejected, and so are too many', async () => {
  const id = newId();
  for (const wrong of [
    null,
    1,
    'x',
    [],
    {},
    { __typename: 'Vehicle' },
    { id },
    { __typename: 'Query', id },
    { __typename: '__proto__', id },
    { __typename: 'Vehicle', id: 1 },
    { __typename: 'Vehicle', id: null },
  ]) {
    const { data, errors } = await ask([wrong]);
    expect(data?._entities ?? null).toBeNull();
    expect(errors[0].extensions.code, JSON.stringify(wrong)).toBe('BAD_REQUEST');
  }
  const many = (count: number) => Array(count).fill({ __typename: 'Vehicle', id });
  expect((await ask(many(500))).data._entities).toHaveLength(500);
  expect((await ask(many(501))).errors[0]).toMatchObject({
    message: 'representations: must have at most 500 entries',
    extensions: { code: 'BAD_REQUEST' },
  });
  expect((await ask([])).data._entities).toEqual([]);
  const literal = `{ _entities(representations: [{__typename: "Vehicle", id: "${id}"}]) { __typename } }`;
  expect((await gateway.graphql(literal)).data).toEqual({ _entities: [null] });
});

test('a token that may not read gets neither records nor the schema', async () => {
  for (const query of [service, `{ _entities(representations: []) { __typename } }`]) {
    expect((await gateway.graphql(query, {}, gateway.uploader)).errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await gateway.send('POST', '/graphql', { token: null, body: { query } })).status).toBe(401);
  }
});
