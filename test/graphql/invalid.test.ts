import { beforeAll, describe, expect, test } from 'vitest';
import { violationRules } from '../../src/domain/errors.js';
import { newId } from '../../src/domain/rules.js';
import { startGateway, useGateway } from '../support/gateway.js';
import { id, wrong } from './invalid.cases.js';

const gateway = useGateway();

/** Everything that an error says about what is wrong. */
interface Told {
  readonly message: string;
  readonly path?: (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly violations: { path: (string | number)[]; message: string; rule: string }[];
  };
}

/** Sends a document that must be refused, and checks the shape of each error. */
async function refused(query: string, variables?: object, send = gateway.send): Promise<Told[]> {
  const { json, text } = await send('POST', '/graphql', { token: gateway.admin, body: { query, variables } });
  expect(json.errors, text).not.toHaveLength(0);
  for (const { extensions } of json.errors as Told[]) {
    expect(extensions.code).toMatch(/^[A-Z_]+$/);
    for (const { path, message, rule } of extensions.violations) {
      expect(path, text).not.toHaveLength(0);
      expect(message, text).toMatch(/\S/);
      expect(Object.keys(violationRules)).toContain(rule);
    }
  }
  return json.errors;
}

/** Returns what is wrong, and where: `field: path rule`, for each violation. */
const places = (errors: readonly Told[]) =>
  errors.flatMap(({ path, extensions: { violations } }) =>
    violations.map(({ path: place, rule }) => `${path?.join('.')}: ${place.join('.')} ${rule}`),
  );

let taken: string;
let tag: { id: string; version: string };
beforeAll(async () => {
  taken = newId();
  const { data } = await gateway.graphql(
    `mutation { createTag(input: { id: "${taken}", name: "Taken" }) { id version } }`,
  );
  tag = data.createTag;
});

/** The kind and the rest of a document. */
function headed(document: string, variables: string): string {
  const [, kind = 'query', rest = document] = /^(mutation) (.*)$/s.exec(document) ?? [];
  return `${kind} ${variables} ${rest}`;
}

describe.each(wrong)('$what', ({ document, literal, type, value, told }) => {
  test('as a literal', async () => {
    expect(places(await refused(document.replace('$value', literal)))).toEqual([told]);
  });

  test('as a variable', async () => {
    expect(places(await refused(headed(document, `($value: ${type})`), { value }))).toEqual([told]);
  });

  test('as a default value', async () => {
    const query = headed(document, `($value: ${type.replace(/!$/, '')} = ${literal})`);
    if (literal === 'null') return;
    expect(places(await refused(query))).toEqual([told]);
  });
});

test.each([
  ['a required argument that is missing', 'mutation { one: deleteTag { id } }', {}, 'one: id required'],
  ['one of a directive', '{ me { id @skip } }', {}, 'me.id: @skip.if required'],
  ['two sizes of a page', '{ vehicles(first: 1, last: 1) { totalCount } }', {}, 'vehicles: last invalid'],
  [
    'an offset and a cursor',
    '{ vehicles(offset: 1, last: 1) { totalCount } }',
    {},
    'vehicles: offset invalid',
  ],
  [
    'a file that is missing',
    `mutation { addAttachment(input: { itemId: "${id}" }) { id } }`,
    {},
    'addAttachment: input.content invalid',
  ],
  ['an argument that is not known', '{ vehicles(tern: "x") { totalCount } }', {}, 'vehicles: tern unknown'],
  [
    'a variable that is missing',
    'mutation ($id: ID!) { a: deleteTag(id: $id) { id } }',
    {},
    'a: id required',
  ],
  [
    'a variable that is null in place of its default',
    `mutation ($id: ID = "${id}") { deleteTag(id: $id) { id } }`,
    { id: null },
    'deleteTag: id required',
  ],
  [
    'a condition that is null in place of its default',
    'query ($if: Boolean = true) { me { id @include(if: $if) } }',
    { if: null },
    'me.id: @include.if required',
  ],
  [
    'a variable of another type',
    'query ($first: String) { vehicles(first: $first) { totalCount } }',
    {},
    'vehicles: first invalid',
  ],
  [
    'a variable that is not declared',
    '{ vehicles(first: $first) { totalCount } }',
    {},
    'vehicles: first invalid',
  ],
  [
    'an argument that is repeated',
    '{ vehicles(first: 1, first: 2) { totalCount } }',
    {},
    'vehicles: first invalid',
  ],
  [
    'a variable in a fragment, used twice',
    'query ($n: Int) { ...A all: vehicles(first: $n) { totalCount } } fragment A on Query { some: tags(first: $n) { totalCount } }',
    { n: 'x' },
    'some: first type',
  ],
  [
    'a variable deep in an argument',
    'query ($f: VehicleOrderField!) { vehicles(orderBy: [{ field: NAME }, { field: $f }]) { totalCount } }',
    { f: 'NONE' },
    'vehicles: orderBy.1.field format',
  ],
  [
    'a subscription to a record that does not exist',
    `subscription ($id: ID! = "${id}") { on: expirationItemChanged(id: $id) { id } }`,
    {},
    'on: id reference',
  ],
])('%s', async (_, query, variables, told) => {
  const isStream = query.startsWith('subscription');
  const { text } = await gateway.send('POST', '/graphql', {
    token: gateway.admin,
    ...(isStream && { headers: { Accept: 'text/event-stream' } }),
    body: { query, variables },
  });
  const { errors } = JSON.parse(/\{"errors".*\}/.exec(text)?.[0] ?? text);
  expect(places(errors), text).toEqual([told]);
});

describe('a conflict', () => {
  const create = 'mutation ($input: CreateTagInput!) { one: createTag(input: $input) { id } }';

  test('of an id or a name is a violation of its member', async () => {
    const [byId] = await refused(create, { input: { id: taken, name: 'Other' } });
    expect(byId?.path).toEqual(['one']);
    expect(byId?.extensions).toEqual({
      code: 'CONFLICT',
      field: 'id',
      violations: [{ path: ['input', 'id'], message: 'is already in use', rule: 'conflict' }],
    });
    expect(places(await refused(create, { input: { name: 'TAKEN' } }))).toEqual(['one: input.name conflict']);
  });

  test('of a version is one of the argument that names it, with its place', async () => {
    const one = 'mutation ($id: ID!) { updateTag(id: $id, input: { name: "x" }, ifVersion: "old") { id } }';
    expect(places(await refused(one, tag))).toEqual(['updateTag: ifVersion conflict']);
    const { data } = await gateway.graphql('mutation { createTag(input: { name: "Other" }) { id version } }');
    const both = 'mutation ($ids: [ID!]!, $v: [String!]) { deleteTags(ids: $ids, ifVersions: $v) { id } }';
    const ids = [data.createTag.id, tag.id.toUpperCase()];
    const told = await refused(both, { ids, v: [data.createTag.version, 'old'] });
    expect(places(told)).toEqual(['deleteTags: ifVersions.1 conflict']);
    expect(told[0]?.extensions).toMatchObject({
      code: 'PRECONDITION_FAILED',
      id: tag.id,
      version: tag.version,
    });
  });

  test('of a test in a patch, and an impossible operation, are violations of the operation', async () => {
    const patch =
      'mutation ($id: ID!, $o: [PatchOperationInput!]!) { patchTag(id: $id, operations: $o) { id } }';
    const of = (...o: object[]) => refused(patch, { id: tag.id, o });
    const fine = { op: 'test', path: '/name', value: 'Taken' };
    const [failed] = await of(fine, { ...fine, value: 'Free' });
    expect(failed).toMatchObject({ path: ['patchTag'], extensions: { code: 'CONFLICT' } });
    expect(places([failed as Told])).toEqual(['patchTag: operations.1 conflict']);
    expect(places(await of(fine, fine, { op: 'add', path: '/nowhere', value: 1 }))).toEqual([
      'patchTag: operations.2 invalid',
    ]);
    expect(places(await of({ op: 'add', path: '/id', value: id }))).not.toEqual([]);
    expect(places(await of(...Array(501).fill(fine)))).toEqual(['patchTag: operations entries']);
  });
});

describe('what no field is to blame for has an empty list', () => {
  test.each([
    ['syntax', '{ me {'],
    ['an unknown operation', 'query A { me { id } } query B { me { id } }'],
    ['aliases', `{ ${Array.from({ length: 101 }, (_, at) => `a${at}: me { id }`).join(' ')} }`],
    [
      'cost',
      '{ expirationItems(first: 500) { nodes { contacts { id } notes(first: 500) { nodes { id } } } } }',
    ],
  ])('%s', async (_, query) => {
    const errors = await refused(query);
    expect(places(errors)).toEqual([]);
    expect(errors.every(({ path }) => path === undefined)).toBe(true);
  });

  test('a field that is not known has a path', async () => {
    const [error] = await refused('{ all: vehicles { nodes { colour } } }');
    expect(error).toMatchObject({ path: ['all', 'nodes', 'colour'], extensions: { violations: [] } });
  });

  test('a missing token has one, too', async () => {
    const { json } = await gateway.send('POST', '/graphql', {
      token: null,
      body: { query: '{ me { id } }' },
    });
    expect(json.errors[0].extensions).toEqual({ code: 'UNAUTHORIZED', violations: [] });
  });
});

test('names of the caller are cut, and none of the schema are suggested', async () => {
  const closed = await startGateway({ INTROSPECTION: 'off' });
  try {
    const long = 'x'.repeat(20_000);
    for (const query of [
      `{ vehicles(${long}: 1) { totalCount } }`,
      `{ vehicles(filter: { ${long}: 1 }) { totalCount } }`,
      `{ me { id @${long}(if: true) } }`,
      `{ vehicles(first: "${long}") { totalCount } }`,
    ]) {
      const { json, text } = await closed.send('POST', '/graphql', { body: { query } });
      expect(JSON.stringify(json.errors[0].extensions).length, text).toBeLessThan(1_000);
    }
    for (const [query, variables] of [
      ['{ vehicles(fist: 1) { totalCount } }', {}],
      ['{ vehicles(filter: { tem: "x" }) { totalCount } }', {}],
      ['{ vehicles(orderBy: { field: NAM }) { totalCount } }', {}],
      ['query ($o: [VehicleOrder!]) { vehicles(orderBy: $o) { totalCount } }', { o: { field: 'NAM' } }],
      ['mutation { updateVehicle(id: "x", input: { nam: "x" }) { id } }', {}],
    ] as const) {
      const { json } = await closed.send('POST', '/graphql', { body: { query, variables } });
      expect(json.errors[0].extensions.violations).toHaveLength(1);
      expect(JSON.stringify(json)).not.toMatch(/did you mean|"name"|\bNAME\b|"first"|"term"/i);
    }
  } finally {
    await closed.close();
  }
});
