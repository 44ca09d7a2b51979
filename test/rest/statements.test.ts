import { expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { create, createLinked, patch } from './support.js';

const gateway = useGateway();

async function fill(count: number): Promise<void> {
  const { organizationId, teamId, userId } = gateway;
  const users = Array.from({ length: count }, () => newId());
  const { prisma } = gateway.database;
  await prisma.user.createMany({
    data: users.map((id) => ({ id, organizationId, teamId, name: id, email: `${id}@example.com` })),
  });
  await prisma.vehicle.createMany({
    data: users.map((id, i) => ({
      id: newId(),
      organizationId,
      teamId,
      name: `Vehicle ${i}`,
      assignedToId: i % 10 === 0 ? userId : id,
      customFields: [{ id: newId(), name: 'Bay', value: `${i}` }],
    })),
  });
}

test('a list takes the same three statements for 3 vehicles and for 100: caller, rows with users, count', async () => {
  const list = () => gateway.send('GET', '/v1/vehicles?paging=100');
  const expected = ['vehicles.count', 'vehicles.list + users'];
  await fill(3);
  expect((await namesOf(gateway, list)).sort()).toEqual(expected);
  await fill(97);
  expect((await namesOf(gateway, list)).sort()).toEqual(expected);
  const { json } = await list();
  expect(json.vehicles).toHaveLength(100);
  expect(json.vehicles.every((vehicle: { assigned_to: unknown }) => vehicle.assigned_to !== null)).toBe(true);
});

test('a search is made once, for rows and count, whatever the page', async () => {
  const query = '/v1/vehicles?term=vehicle&page=2&paging=10&sort=year&sortDirection=desc';
  const sent = () => namesOf(gateway, () => gateway.send('GET', query));
  expect(await sent()).toEqual(['pg_stats.read', 'vehicles.search + users']);
  expect(await sent()).toEqual(['vehicles.search + users']);
});

test('a create writes the vehicle and its event in one transaction', async () => {
  const body = { name: 'Van', vin: 'STATEMENTS 1' };
  const sent = await namesOf(gateway, () => gateway.send('POST', '/v1/vehicles', { body }));
  expect(sent).toEqual(['vehicles.insert + users', 'COMMIT']);
});

const changed = ['vehicles.lock', 'vehicles.update + users', 'COMMIT'];

test('a replacement locks, reads, writes', async () => {
  const { id } = await create(gateway, { name: 'Van' });
  const body = { name: 'Bus' };
  expect(await namesOf(gateway, () => gateway.send('PUT', `/v1/vehicles/${id}`, { body }))).toEqual(changed);
});

test('a patch takes as many statements as a replacement, whatever the number of operations', async () => {
  const vehicle = await create(gateway, { name: 'Van' });
  const value = { name: 'x' };
  const operations = Array.from({ length: 90 }, () => ({ op: 'add', path: '/custom_fields/-', value }));
  expect(await namesOf(gateway, () => patch(gateway, vehicle, operations))).toEqual(changed);
  expect(await namesOf(gateway, () => patch(gateway, vehicle, operations.slice(0, 1)))).toEqual(changed);
});

test('a patch that changes nothing writes nothing', async () => {
  const vehicle = await create(gateway);
  const sent = await namesOf(gateway, () => patch(gateway, vehicle, []));
  expect(sent).toEqual(['vehicles.lock', 'COMMIT']);
});

test('each given reference is looked up once, and the shown user is read with the insert', async () => {
  const { locationId, contactId } = await createLinked(gateway, gateway);
  const body = {
    location_id: locationId,
    assigned_to_contact_id: contactId,
    assigned_to: { id: gateway.userId },
  };
  const sent = await namesOf(gateway, () => gateway.send('POST', '/v1/vehicles', { body }));
  const lookups = ['locations.find', 'contacts.find', 'users.find'];
  expect(sent).toEqual([...lookups, 'vehicles.insert + users', 'COMMIT']);
});

test('one statement writes an item with its lists and event, and reads the answer', async () => {
  const shown = '{ id category { name } contacts { id email } tags { name } }';
  const create = `mutation($input: CreateExpirationItemInput!) { item: createExpirationItem(input: $input) ${shown} }`;
  const update = `mutation($id: ID!, $input: UpdateExpirationItemInput!) {
    item: updateExpirationItem(id: $id, input: $input) ${shown} }`;
  const tags = [{ name: 'one' }, { name: 'two' }];
  const made: { id: string }[] = [];
  const creating = (email: string) =>
    namesOf(gateway, async () => {
      const category = { name: 'Permits' };
      const own = { name: 'Permit', expirationDate: '2031-01-31' };
      const { data } = await gateway.graphql(create, {
        input: { ...own, category, contacts: [{ email }], tags },
      });
      expect(data.item).toMatchObject({ category, contacts: [{ email: email.toLowerCase() }], tags });
      made.push(data.item);
    });
  const written = 'expiration_items.insert + categories + contacts + tags';
  const resolving = 'categories.resolve + contacts + tags';
  expect(await creating('first@example.com')).toEqual([
    ...[resolving, 'categories.insert', 'contacts.insert', 'tags.insert', written, 'COMMIT'],
  ]);
  expect(await creating('second@example.com')).toEqual([resolving, 'contacts.insert', written, 'COMMIT']);
  expect(await creating('SECOND@example.com')).toEqual([resolving, written, 'COMMIT']);
  const input = { contacts: [{ email: 'first@example.com' }, { email: 'second@example.com' }], tags: [] };
  const changing = await namesOf(gateway, async () => {
    const { data } = await gateway.graphql(update, { id: made[0]?.id, input });
    expect(data.item).toMatchObject(input);
  });
  expect(changing).toEqual([
    ...['expiration_items.lock', 'expiration_items.links', 'contacts.resolve'],
    ...['expiration_items.update + categories + contacts', 'COMMIT'],
  ]);
});

test('of a refused write nothing is kept, its event included: COMMIT is a ROLLBACK then', async () => {
  await create(gateway, { vin: 'STATEMENTS 2' });
  const body = { vin: 'statements 2' };
  const events = () => gateway.database.prisma.eventLog.count();
  const before = await events();
  const sent = await namesOf(gateway, async () => {
    expect((await gateway.send('POST', '/v1/vehicles', { body })).status).toBe(409);
  });
  expect(sent).toEqual(['vehicles.insert + users', 'COMMIT']);
  expect(await events()).toBe(before);
});

test('with an unknown token nothing but the token is asked for, with a malformed one not even that', async () => {
  const send = (authorization: string) => () =>
    gateway.send('GET', '/v1/vehicles', { token: null, headers: { Authorization: authorization } });
  expect(await namesOf(gateway, send('Bearer unknown'))).toEqual([]);
  expect(await gateway.statements(send('Basic x'))).toEqual([]);
});
