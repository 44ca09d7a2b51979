import { describe, expect, test } from 'vitest';
import { createLinked, nowhere } from '../rest/support.js';
import { useGateway } from '../support/gateway.js';
import { ask, createVehicle, readVehicle, refusal } from './support.js';

const gateway = useGateway();

describe('vehicle', () => {
  test('is found by its id in any letter case', async () => {
    const { id } = await createVehicle(gateway);
    expect((await readVehicle(gateway, id.toUpperCase()))?.id).toBe(id);
  });

  test.each([
    ['unknown', nowhere],
    ['empty', ''],
    ['not a UUID', 'van-7'],
    ['a UUID with more behind it', `${nowhere}0`],
    ['a UUID in braces', `{${nowhere}}`],
    ['a number', 7],
    ['SQL', "' OR true --"],
    ['with a NUL', `${nowhere.slice(0, -1)}\0`],
  ])('is null for an id that is %s', async (_, id) => {
    expect(await readVehicle(gateway, id as string)).toBeNull();
  });

  test('hides what it points at in a workspace that the caller is not in, though not its id', async () => {
    const { locationId, contactId } = await createLinked(gateway, gateway, gateway.otherTeamId);
    const { id } = await createVehicle(gateway, { locationId, assignedToContactId: contactId });
    expect(await readVehicle(gateway, id)).toMatchObject({
      location: { id: locationId },
      assignedToContact: { id: contactId },
    });
    expect(await readVehicle(gateway, id, gateway.member)).toMatchObject({
      locationId,
      assignedToContactId: contactId,
      location: null,
      assignedToContact: null,
    });
  });
});

describe('a document', () => {
  test('may ask under aliases, by nested and inline fragments, and leave fields out', async () => {
    const one = await createVehicle(gateway, { name: 'One', year: 2001 });
    const two = await createVehicle(gateway, { name: 'Two', year: 2002 });
    const query = `query Both($one: ID!, $two: ID!, $years: Boolean!) {
      first: vehicle(id: $one) { ...Names }
      second: vehicle(id: $two) { ...Names ... on Vehicle @skip(if: $years) { model } }
      none: vehicle(id: "x") { ...Names }
    }
    fragment Names on Vehicle { __typename called: name ...Years }
    fragment Years on Vehicle { year @include(if: $years) same: year }`;
    expect(await ask(gateway, query, { one: one.id, two: two.id, years: true })).toStrictEqual({
      first: { __typename: 'Vehicle', called: 'One', year: 2001, same: 2001 },
      second: { __typename: 'Vehicle', called: 'Two', year: 2002, same: 2002 },
      none: null,
    });
    expect(await ask(gateway, query, { one: one.id, two: two.id, years: false })).toStrictEqual({
      first: { __typename: 'Vehicle', called: 'One', same: 2001 },
      second: { __typename: 'Vehicle', called: 'Two', same: 2002, model: null },
      none: null,
    });
  });

  test('may hold several operations, of which one runs', async () => {
    const query = 'query Who { me { role } } query What { __typename }';
    const body = { query, operationName: 'Who' };
    expect((await gateway.send('POST', '/graphql', { body })).json).toEqual({
      data: { me: { role: 'ADMIN' } },
    });
  });

  test('may be sent by GET with its variables', async () => {
    const { id } = await createVehicle(gateway, { name: 'By GET' });
    const query = 'query ($id: ID!) { vehicle(id: $id) { name } }';
    const parameters = new URLSearchParams({ query, variables: JSON.stringify({ id }) });
    const response = await gateway.send('GET', `/graphql?${parameters}`);
    expect([response.status, response.json]).toEqual([200, { data: { vehicle: { name: 'By GET' } } }]);
  });

  test('runs its mutations in order, and each is done or not for itself', async () => {
    const query = `mutation {
      a: createVehicle(input: { name: "One", vin: "in order" }) { vin }
      b: createVehicle(input: { name: "Two", vin: "IN ORDER" }) { vin }
    }`;
    expect(await refusal(gateway, query)).toMatchObject({ code: 'CONFLICT', field: 'vin' });
    const filter = { term: 'in order' };
    const list = 'query ($filter: VehicleFilter) { vehicles(filter: $filter) { nodes { vin } } }';
    expect((await ask(gateway, list, { filter })).vehicles.nodes).toEqual([{ vin: 'in order' }]);
  });
});

describe('me', () => {
  const query = '{ me { id name email role teams { id name isActive timezone reminderDays } } }';
  const ada = { name: 'Ada Admin', email: 'ada@example.com' };
  const max = { name: 'Max Member', email: 'max@example.com' };

  test.each([
    ['admin', ada, 'ADMIN', ['Acme Main', 'Acme Other']],
    ['member', max, 'MEMBER', ['Acme Main']],
    ['viewer', max, 'VIEWER', ['Acme Main']],
    ['uploader', max, 'UPLOADER', ['Acme Main']],
  ] as const)('tells the %s who it is', async (token, user, role, names) => {
    const { me } = await ask(gateway, query, {}, gateway[token]);
    const teams = [gateway.teamId, gateway.otherTeamId].slice(0, names.length).map((id, i) => {
      return { id, name: names[i], isActive: true, timezone: 'UTC', reminderDays: 30 };
    });
    const id = token === 'admin' ? gateway.userId : expect.not.stringMatching(gateway.userId);
    expect(me).toStrictEqual({ id, ...user, role, teams });
  });
});

test('an uploader who asks for more than its own user still gets that', async () => {
  const body = { query: '{ me { role } vehicle(id: "x") { id } }' };
  const { status, json } = await gateway.send('POST', '/graphql', { token: gateway.uploader, body });
  expect(status).toBe(200);
  expect(json.data).toEqual({ me: { role: 'UPLOADER' }, vehicle: null });
  expect(json.errors).toMatchObject([{ path: ['vehicle'], extensions: { code: 'FORBIDDEN' } }]);
});
