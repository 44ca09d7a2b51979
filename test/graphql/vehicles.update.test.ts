import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLinked, eventsOf, expectNothingWritten, nowhere } from '../rest/support.js';
import { testTime, useGateway } from '../support/gateway.js';
import {
  ask,
  blank,
  createVehicle,
  expectRefusal,
  plain,
  readVehicle,
  refusal,
  replace,
  update,
} from './support.js';

const gateway = useGateway();
let links: { locationId: string; assignedToContactId: string; assignedTo: { id: string } };
/** A vehicle with a value in every field. */
let full: { id: string } & Record<string, unknown>;

const later = new Date(testTime.getTime() + 60_000);

beforeAll(async () => {
  const { locationId, contactId } = await createLinked(gateway, gateway);
  links = { locationId, assignedToContactId: contactId, assignedTo: { id: gateway.userId } };
});
beforeEach(async () => {
  gateway.clock.now = testTime;
  await gateway.database.prisma.vehicle.deleteMany();
  full = await createVehicle(gateway, { ...plain, ...links });
  gateway.clock.now = later;
});

const change = async (mutation: string, input: object, token?: string) =>
  (await ask(gateway, mutation, { id: full.id, input }, token)).vehicle;

describe('updateVehicle', () => {
  test('changes the given values, in one event that uses the contract’s names', async () => {
    const input = { licensePlate: 'ZZ 9', year: 2025, customFields: [{ name: 'Axles', value: '3' }] };
    // One without an id stays the stored one of its name.
    const customFields = [{ ...plain.customFields[0], name: 'Axles', value: '3' }];
    const after = { ...full, ...input, customFields, modified: later.toISOString() };
    expect(await change(update, input)).toEqual(after);
    const [, event, ...others] = await eventsOf(gateway, full);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      typeId: 2,
      teamId: gateway.teamId,
      userId: gateway.userId,
      description: 'Vehicle "Van 7" was updated: license_plate, year, custom_fields',
      created: later,
      entities: [{ entityId: full.id, typeId: 3, position: 0 }],
    });
    expect(JSON.parse(event?.details ?? '')).toEqual({
      license_plate: { before: 'AB 123', after: 'ZZ 9' },
      year: { before: 2024, after: 2025 },
      custom_fields: { before: plain.customFields, after: customFields },
    });
  });

  test('the workspace is kept, too, also by null', async () => {
    const { otherTeamId } = gateway;
    await change(update, { teamId: otherTeamId });
    expect(await change(update, { name: 'Elsewhere' })).toMatchObject({ teamId: otherTeamId });
    expect(await change(update, { teamId: null })).toMatchObject({ name: 'Elsewhere', teamId: otherTeamId });
  });
});

describe('replaceVehicle', () => {
  test('the workspace left out stays', async () => {
    await change(update, { teamId: gateway.otherTeamId });
    expect(await change(replace, { name: 'Van' })).toMatchObject({ teamId: gateway.otherTeamId });
  });

  test('writes an event with all that changed', async () => {
    await change(replace, { ...plain, ...links, isArchived: false, color: null });
    const [, event] = await eventsOf(gateway, full);
    expect(JSON.parse(event?.details ?? '')).toEqual({
      color: { before: 'white', after: null },
      is_archived: { before: true, after: false },
    });
  });
});

describe.each([
  ['updateVehicle', update, () => ({})],
  ['replaceVehicle', replace, () => ({ ...plain, ...links })],
])('%s', (_, mutation, rest) => {
  test('that changes nothing writes nothing, and the vehicle stays of its time', async () => {
    await expectNothingWritten(gateway, async () => {
      expect(await change(mutation, rest())).toEqual(full);
      expect(await change(mutation, { ...rest(), ...plain, ...links })).toEqual(full);
    });
  });

  test.each([
    [false, 6, 'restored'],
    [true, 5, 'archived'],
  ])('isArchived %s is event %i', async (isArchived, typeId, word) => {
    if (isArchived) await change(mutation, { ...rest(), isArchived: false });
    await change(mutation, { ...rest(), isArchived });
    const event = (await eventsOf(gateway, full)).at(-1);
    expect(event).toMatchObject({ typeId, description: `Vehicle "Van 7" was ${word}: is_archived` });
  });

  test('moves the vehicle to a workspace of the caller’s', async () => {
    const teamId = gateway.otherTeamId;
    expect(await change(mutation, { ...rest(), teamId })).toMatchObject({ teamId, team: { id: teamId } });
    expect(await readVehicle(gateway, full.id, gateway.member)).toBeNull();
    expect((await eventsOf(gateway, full)).at(-1)).toMatchObject({ teamId });
  });

  test('a change in the same millisecond still moves `modified` on', async () => {
    gateway.clock.now = testTime;
    const { modified } = await change(mutation, { ...rest(), name: 'Again' });
    expect(modified).toBe(new Date(testTime.getTime() + 1).toISOString());
  });

  test.each<[string, string, () => object]>([
    ['name', 'BAD_REQUEST', () => ({ name: 'x'.repeat(256) })],
    ['teamId', 'BAD_REQUEST', () => ({ teamId: gateway.otherTeamId })],
    ['locationId', 'BAD_REQUEST', () => ({ locationId: nowhere })],
    ['assignedToContactId', 'BAD_REQUEST', () => ({ assignedToContactId: gateway.userId })],
    ['assignedTo.id', 'BAD_REQUEST', () => ({ assignedTo: { id: nowhere } })],
    ['customFields.0.value', 'BAD_REQUEST', () => ({ customFields: [{ value: '\0' }] })],
    ['vin', 'CONFLICT', () => ({ vin: ' taken' })],
  ])('refuses %s: %s', async (field, code, input) => {
    await createVehicle(gateway, { vin: 'TAKEN' });
    const variables = { id: full.id, input: { ...rest(), color: 'red', ...input() } };
    await expectNothingWritten(gateway, () =>
      expectRefusal(refusal(gateway, mutation, variables, gateway.member), code, field),
    );
  });

  test('a reference that was kept needs not be seen', async () => {
    const { locationId } = await createLinked(gateway, gateway, gateway.otherTeamId);
    await change(update, { locationId });
    const input = { ...rest(), locationId, name: 'By the member' };
    expect(await change(mutation, input, gateway.member)).toMatchObject({ locationId, location: null });
  });
});

test('concurrent updates follow one another: none is lost, each is logged', async () => {
  const none = { ...blank, name: 'Van', isArchived: false, customFields: [] };
  const inputs = Object.entries(none).map(([name, value]) => ({
    [name]: value,
  }));
  const times = await Promise.all(inputs.map(async (input) => (await change(update, input)).modified));
  expect(await readVehicle(gateway, full.id)).toMatchObject(none);
  expect(new Set(times).size).toBe(inputs.length);
  expect(await eventsOf(gateway, full)).toHaveLength(1 + inputs.length);
});
