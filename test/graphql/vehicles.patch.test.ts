import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLinked, eventsOf, expectNothingWritten, nowhere } from '../rest/support.js';
import { useGateway } from '../support/gateway.js';
import {
  ask,
  createVehicle,
  expectRefusal,
  patch,
  plain,
  readVehicle,
  refusal,
  remove,
  serverId,
  unlinked,
} from './support.js';

const gateway = useGateway();
let vehicle: { id: string } & Record<string, unknown>;
let here: Awaited<ReturnType<typeof createLinked>>;

beforeAll(async () => {
  here = await createLinked(gateway, gateway);
  await createVehicle(gateway, { vin: 'TAKEN' });
});
beforeEach(async () => {
  await gateway.database.prisma.vehicle.deleteMany({ where: { vin: plain.vin } });
  vehicle = await createVehicle(gateway, plain);
});

type Operations = readonly object[];
const apply = async (operations: Operations) =>
  (await ask(gateway, patch, { id: vehicle.id, operations })).vehicle;

describe('patchVehicle', () => {
  test.each<[string, Operations, object]>([
    ['replaces', [{ op: 'replace', path: '/licensePlate', value: 'ZZ 9' }], { licensePlate: 'ZZ 9' }],
    ['copies what is read-only', [{ op: 'copy', from: '/id', path: '/typeId' }], { typeId: serverId }],
    [
      'reaches into a list',
      [{ op: 'replace', path: '/customFields/0/value', value: '3' }],
      { customFields: [{ ...plain.customFields[0], value: '3' }] },
    ],
    [
      'takes names in any case, and no leading slash',
      [{ op: 'RePlace', path: 'LICENSEplate', value: 'ZZ 9' }],
      { licensePlate: 'ZZ 9' },
    ],
  ])('%s', async (_, operations, expected) => {
    const after = { ...vehicle, ...expected, modified: expect.any(String) };
    expect(await apply(operations)).toEqual(after);
    expect(await readVehicle(gateway, vehicle.id)).toEqual(after);
  });

  test('links and unlinks', async () => {
    const linked = await apply([
      { op: 'add', path: '/assignedTo', value: { id: gateway.userId } },
      { op: 'add', path: '/locationId', value: here.locationId },
      { op: 'add', path: '/assignedToContactId', value: here.contactId },
    ]);
    expect(linked).toMatchObject({
      assignedTo: { id: gateway.userId, name: 'Ada Admin' },
      location: { id: here.locationId },
      assignedToContact: { id: here.contactId },
    });
    const tested = { op: 'test', path: '/assignedTo/email', value: 'ada@example.com' };
    const paths = ['/assignedTo', '/locationId', '/assignedToContactId'];
    const removed = await apply([tested, ...paths.map((path) => ({ op: 'remove', path }))]);
    expect(removed).toMatchObject(unlinked);
  });

  test('writes one event for all of its operations', async () => {
    await apply([
      { op: 'replace', path: '/name', value: 'One' },
      { op: 'replace', path: '/name', value: 'Two' },
      { op: 'remove', path: '/bodyType' },
    ]);
    const [, event, ...others] = await eventsOf(gateway, vehicle);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ typeId: 2, description: 'Vehicle "Two" was updated: name, body_type' });
    expect(JSON.parse(event?.details ?? '')).toEqual({
      name: { before: 'Van 7', after: 'Two' },
      body_type: { before: 'van', after: null },
    });
  });

  const good = { op: 'replace', path: '/name', value: 'not kept' };
  test.each<[string, string, () => object, RegExp?]>([
    ['a member that there is not', 'BAD_REQUEST', () => ({ op: 'add', path: '/wheels', value: 4 }), /wheels/],
    [
      'a name of the other door',
      'BAD_REQUEST',
      () => ({ op: 'add', path: '/license_plate', value: 'x' }),
      /license_plate/,
    ],
    ['the id', 'BAD_REQUEST', () => ({ op: 'replace', path: '/id', value: nowhere }), /read-only/],
    ['the time of change', 'BAD_REQUEST', () => ({ op: 'remove', path: '/modified' }), /read-only/],
    ['a field of the user', 'BAD_REQUEST', () => ({ op: 'add', path: '/assignedTo/name', value: 'x' })],
    ['no UUID', 'BAD_REQUEST', () => ({ op: 'add', path: '/statusId', value: 'x' }), /statusId: .*UUID/],
    [
      'a value against the rules',
      'BAD_REQUEST',
      () => ({ op: 'add', path: '/name', value: 'x'.repeat(256) }),
      /name: must have at most 255/,
    ],
    [
      'a location that there is not',
      'BAD_REQUEST',
      () => ({ op: 'add', path: '/locationId', value: nowhere }),
      /locationId: names no location/,
    ],
    [
      'a user that there is not',
      'BAD_REQUEST',
      () => ({ op: 'add', path: '/assignedTo', value: { id: nowhere } }),
      /assignedTo\.id: names no user/,
    ],
    ['a VIN that is taken', 'CONFLICT', () => ({ op: 'add', path: '/vin', value: 'taken' }), /vin: /],
    ['a test that fails', 'CONFLICT', () => ({ op: 'test', path: '/year', value: 2023 })],
    ['a test of the type', 'CONFLICT', () => ({ op: 'test', path: '/year', value: '2024' })],
  ])('refuses %s: %s, naming the operation, and applies none', async (_, code, bad, message = /./) => {
    const variables = { id: vehicle.id, operations: [good, bad()] };
    await expectNothingWritten(gateway, async () => {
      const refused = refusal(gateway, patch, variables);
      await expectRefusal(refused, code, undefined, /^operation 1: /);
      expect((await refused).message).toMatch(message);
    });
  });

  test('takes 500 operations, but no more', async () => {
    const many = Array.from({ length: 500 }, (_, i) => ({ op: 'replace', path: '/name', value: `${i}` }));
    expect(await apply(many)).toMatchObject({ name: '499' });
    const variables = { id: vehicle.id, operations: [...many, good] };
    await expectRefusal(refusal(gateway, patch, variables), 'BAD_REQUEST', undefined, /at most 500/);
  });

  test('values may stand in the document itself', async () => {
    const query = `mutation ($id: ID!, $id2: JSON) {
      patchVehicle(id: $id, operations: [
        { op: "add", path: "/customFields/0", value: { id: $id2, name: "first", value: "\\u00e9" } }
        { op: "add", path: "/msrp", value: 1.5 }
      ]) { msrp customFields { id name value } }
    }`;
    expect(await ask(gateway, query, { id: vehicle.id, id2: nowhere })).toEqual({
      patchVehicle: {
        msrp: 1.5,
        customFields: [{ id: nowhere, name: 'first', value: 'é' }, ...plain.customFields],
      },
    });
  });
});

describe('deleteVehicle', () => {
  test('writes an event with the deleted values', async () => {
    await ask(gateway, remove, { id: vehicle.id }, gateway.member);
    const event = (await eventsOf(gateway, vehicle)).at(-1);
    expect(event).toMatchObject({
      typeId: 4,
      teamId: gateway.teamId,
      userName: 'Max Member',
      description: 'Vehicle "Van 7" was deleted',
      entities: [{ entityId: vehicle.id, typeId: 3, position: 0 }],
    });
    const details = JSON.parse(event?.details ?? '');
    expect(details).toMatchObject({
      vin: { before: plain.vin, after: null },
      custom_fields: { before: plain.customFields, after: null },
    });
  });

  test('frees its VIN and its id', async () => {
    await ask(gateway, remove, { id: vehicle.id });
    expect(await createVehicle(gateway, { id: vehicle.id, vin: plain.vin })).toMatchObject({
      vin: plain.vin,
    });
  });

  test('of many callers at once, one deletes it', async () => {
    const bodies = Array.from({ length: 5 }, () => ({ query: remove, variables: { id: vehicle.id } }));
    const answers = await Promise.all(bodies.map((body) => gateway.send('POST', '/graphql', { body })));
    const codes = answers.map(({ json }) => json.errors?.[0].extensions.code ?? 'deleted').sort();
    expect(codes).toEqual([...Array(4).fill('NOT_FOUND'), 'deleted']);
  });
});
