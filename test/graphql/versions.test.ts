import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { ask, createVehicle, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const rename = `mutation ($id: ID!, $name: String, $ifVersion: String) {
  vehicle: updateVehicle(id: $id, input: { name: $name }, ifVersion: $ifVersion) { id name version } }`;
const renameAll = `mutation ($ids: [ID!]!, $name: String, $ifVersions: [String!]) {
  vehicles: updateVehicles(ids: $ids, input: { name: $name }, ifVersions: $ifVersions) { id name version } }`;

const vehicle = async () => {
  const { id } = await createVehicle(gateway, { name: 'first' });
  return (await ask(gateway, 'query ($id: ID!) { vehicle(id: $id) { id version } }', { id })).vehicle;
};

const errorsOf = async (query: string, variables: object, headers?: Record<string, string>) => {
  const { json } = await gateway.send('POST', '/graphql', {
    token: gateway.admin,
    body: { query, variables },
    ...(headers && { headers }),
  });
  return json.errors;
};

test('of two writers that change the same version, one gets a conflict with the current version', async () => {
  const { id, version } = await vehicle();
  const both = await Promise.all(
    ['left', 'right'].map((name) => gateway.graphql(rename, { id, name, ifVersion: version })),
  );
  const [done] = both.filter(({ errors }) => !errors);
  const [refused] = both.filter(({ errors }) => errors);
  expect(refused?.errors).toMatchObject([
    { extensions: { code: 'PRECONDITION_FAILED', id, version: done?.data.vehicle.version } },
  ]);
  expect(done?.data.vehicle.version).not.toBe(version);
  const again = await ask(gateway, rename, { id, name: 'later', ifVersion: done?.data.vehicle.version });
  expect(again.vehicle.name).toBe('later');
});

test('null and none are no condition, and an empty version is none that a record has', async () => {
  const { id } = await vehicle();
  await ask(gateway, rename, { id, name: 'a', ifVersion: null });
  await ask(gateway, rename, { id, name: 'b' });
  await expectRefusal(refusal(gateway, rename, { id, name: 'c', ifVersion: '' }), 'PRECONDITION_FAILED');
});

test('a change that changes nothing keeps the version', async () => {
  const { id, version } = await vehicle();
  const answer = await ask(gateway, rename, { id, name: 'first', ifVersion: version });
  expect(answer.vehicle.version).toBe(version);
});

test('many records have a version each, and an outdated one prevents all changes', async () => {
  const [one, two] = [await vehicle(), await vehicle()];
  const ids = [one.id.toUpperCase(), two.id];
  const versions = [one.version, two.version];
  const stale = { ids, name: 'x', ifVersions: [one.version, '0'] };
  expect(await errorsOf(renameAll, stale)).toMatchObject([
    { extensions: { code: 'PRECONDITION_FAILED', id: two.id, version: two.version } },
  ]);
  await expectRefusal(
    refusal(gateway, renameAll, { ids, name: 'x', ifVersions: [one.version] }),
    'BAD_REQUEST',
    'ifVersions',
  );
  // An id that comes twice has one version.
  await expectRefusal(
    refusal(gateway, renameAll, { ids: [...ids, one.id], name: 'x', ifVersions: [...versions, '0'] }),
    'PRECONDITION_FAILED',
  );
  const done = await ask(gateway, renameAll, {
    ids: [...ids, one.id],
    name: 'x',
    ifVersions: [...versions, one.version],
  });
  expect(done.vehicles.map(({ name }: { name: string }) => name)).toEqual(['x', 'x']);
});

test('a patch tests the version, and does not write it', async () => {
  const { id, version } = await vehicle();
  const patch = `mutation ($id: ID!, $operations: [PatchOperationInput!]!) {
    vehicle: patchVehicle(id: $id, operations: $operations) { name version } }`;
  const run = (value: string, name: string) => ({
    id,
    operations: [
      { op: 'test', path: '/version', value },
      { op: 'replace', path: '/name', value: name },
    ],
  });
  await expectRefusal(refusal(gateway, patch, run('0', 'no')), 'CONFLICT');
  expect((await ask(gateway, patch, run(version, 'yes'))).vehicle.name).toBe('yes');
  const write = { id, operations: [{ op: 'replace', path: '/version', value: 'mine' }] };
  await expectRefusal(refusal(gateway, patch, write), 'BAD_REQUEST');
});

test('`If-Match` is for one mutation, by its version in quotes or its entity tag', async () => {
  const { id, version } = await vehicle();
  const read = await gateway.send('GET', `/v1/vehicles/${id}`, { token: gateway.admin });
  const tag = read.headers.get('etag') ?? '';
  expect(tag.startsWith(`"${version}-`)).toBe(true);
  const two = `mutation ($id: ID!) { a: updateVehicle(id: $id, input: {name: "a"}) { id } ...B }
    fragment B on Mutation { b: updateVehicle(id: $id, input: {name: "b"}) { id } }`;
  expect(await errorsOf(two, { id }, { 'If-Match': '*' })).toMatchObject([
    { message: expect.stringContaining('`ifVersion`'), extensions: { code: 'BAD_REQUEST' } },
  ]);
  const creation = 'mutation { createTag(input: {name: "t"}) { id } }';
  expect(await errorsOf(creation, {}, { 'If-Match': `"${version}"` })).toMatchObject([
    { extensions: { code: 'PRECONDITION_FAILED' } },
  ]);
  const one = 'mutation ($id: ID!) { __typename updateVehicle(id: $id, input: {name: "first"}) { id } }';
  for (const header of [`"${version}"`, tag, `"0", "${version}"`, '*']) {
    expect(await errorsOf(one, { id }, { 'If-Match': header }), header).toBeUndefined();
  }
  expect(await errorsOf(one, { id }, { 'If-Match': version })).toMatchObject([
    { extensions: { code: 'PRECONDITION_FAILED' } },
  ]);
  // Both hold.
  expect(await errorsOf(rename, { id, ifVersion: version }, { 'If-Match': '"0"' })).toHaveLength(1);
  expect(await errorsOf(rename, { id, ifVersion: '0' }, { 'If-Match': '*' })).toHaveLength(1);
});

test('REST takes the version in quotes, for reading and for writing', async () => {
  const { id, version } = await vehicle();
  const send = (method: string, header: string, body?: object) =>
    gateway.send(method, `/v1/vehicles/${id}`, {
      token: gateway.admin,
      headers: { 'If-Match': header },
      ...(body && { body }),
    });
  expect((await send('GET', `"${version}"`)).status).toBe(200);
  expect((await send('GET', '"0"')).status).toBe(412);
  const patch = [{ op: 'replace', path: '/name', value: 'rest' }];
  expect((await send('PATCH', '"0"', patch)).status).toBe(412);
  expect((await send('PATCH', version, patch)).status).toBe(412);
  expect((await send('PATCH', `"${version}"`, patch)).status).toBe(200);
  const refused = await send('PATCH', `"${version}"`, patch);
  expect(refused.status).toBe(412);
  expect(Object.keys(refused.json).sort()).toEqual(['code', 'message', 'ok']);
});

test('the caller, the organization and memberships are changed on a version, too', async () => {
  const query =
    'mutation ($v: String) { result: updateMe(language: "it", ifVersion: $v) { user { version } } }';
  const { me, organization, teams } = await ask(
    gateway,
    '{ me { user { id version } } organization { version } teams(first: 1) { nodes { id } } }',
    {},
  );
  await expectRefusal(refusal(gateway, query, { v: '0' }), 'PRECONDITION_FAILED');
  const { result } = await ask(gateway, query, { v: me.user.version });
  expect(result.user.version).not.toBe(me.user.version);

  const rename =
    'mutation ($v: String) { result: updateOrganization(name: "New", ifVersion: $v) { version } }';
  await expectRefusal(refusal(gateway, rename, { v: '0' }), 'PRECONDITION_FAILED');
  const renamed = await ask(gateway, rename, { v: organization.version });
  expect(renamed.result.version).not.toBe(organization.version);

  const args = { teamId: teams.nodes[0].id, userId: me.user.id };
  for (const name of ['removeTeamMember', 'addTeamMember']) {
    const change = `mutation ($teamId: ID!, $userId: ID!, $v: String) {
      result: ${name}(teamId: $teamId, userId: $userId, ifVersion: $v) { version } }`;
    await expectRefusal(refusal(gateway, change, { ...args, v: '0' }), 'PRECONDITION_FAILED');
    const { user } = (await ask(gateway, '{ me { user { version } } }', {})).me;
    expect((await ask(gateway, change, { ...args, v: user.version })).result.version).not.toBe(user.version);
  }
});
