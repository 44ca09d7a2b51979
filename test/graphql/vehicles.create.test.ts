import { beforeAll, describe, expect, test } from 'vitest';
import { createLinked, eventsOf, expectNothingWritten, nowhere } from '../rest/support.js';
import { createTenant, type Tenant, testTime, useGateway } from '../support/gateway.js';
import { create, createVehicle, expectRefusal, refusal, serverId } from './support.js';

const gateway = useGateway();
let foreign: Tenant;
/** A location and a contact in the member's workspace, in another one, and in another organization. */
let here: Linked;
let elsewhere: Linked;
let abroad: Linked;
type Linked = Awaited<ReturnType<typeof createLinked>>;

beforeAll(async () => {
  foreign = await createTenant(gateway.database, 'Globex');
  here = await createLinked(gateway, gateway);
  elsewhere = await createLinked(gateway, gateway, gateway.otherTeamId);
  abroad = await createLinked(gateway, foreign);
});

describe('createVehicle', () => {
  test('goes to the given workspace, else to the caller’s default one', async () => {
    const { teamId, otherTeamId } = gateway;
    expect((await createVehicle(gateway, { teamId: otherTeamId.toUpperCase() })).teamId).toBe(otherTeamId);
    expect((await createVehicle(gateway, {}, gateway.member)).teamId).toBe(teamId);
  });

  test('keeps custom fields in order and gives the nameless ids', async () => {
    const sent = [{ name: 'b', value: '2' }, { name: 'a' }, { id: nowhere, value: '' }];
    const { customFields } = await createVehicle(gateway, { customFields: sent });
    expect(customFields).toEqual([
      { id: serverId, name: 'b', value: '2' },
      { id: serverId, name: 'a', value: null },
      { id: nowhere, name: null, value: '' },
    ]);
  });

  test.each([
    ['named', { name: 'Van "7"', year: 2020 }, 'Vehicle "Van "7"" was created'],
    ['with a plate, too', { licensePlate: 'AB 1' }, 'Vehicle "Van" was created'],
  ])('writes its event with it: %s', async (_, input, description) => {
    const vehicle = await createVehicle(gateway, input);
    const { organizationId, teamId, userId } = gateway;
    const events = await eventsOf(gateway, vehicle);
    expect(events).toEqual([
      {
        id: serverId,
        organizationId,
        teamId,
        userId,
        userName: 'Ada Admin',
        typeId: 1,
        description,
        details: expect.any(String),
        created: testTime,
        entities: [{ eventId: events[0]?.id, entityId: vehicle.id, typeId: 3, position: 0 }],
      },
    ]);
    const details = JSON.parse(events[0]?.details ?? '');
    for (const [name, after] of Object.entries(input)) {
      const member = name === 'licensePlate' ? 'license_plate' : name;
      expect(details[member]).toEqual({ before: null, after });
    }
    // The event has the workspace itself, and what is as usual says nothing.
    expect(Object.keys(details).filter((name) => /^(team_id|is_archived|custom_fields)$/.test(name))).toEqual(
      [],
    );
  });

  test('stores values at the limits', async () => {
    const entry = { id: nowhere, name: 'n'.repeat(255), value: 'v'.repeat(4096) };
    const input = {
      name: 'é'.repeat(255),
      year: -2_147_483_648,
      primaryMeterReading: 2_147_483_647,
      msrp: -1e300,
      customFields: Array.from({ length: 100 }, () => entry),
    };
    expect(await createVehicle(gateway, input)).toMatchObject(input);
  });

  test('takes the largest double, or says that it cannot', async () => {
    const input = { name: 'Van', msrp: Number.MAX_VALUE };
    const { data, errors } = await gateway.graphql(create, { input });
    expect(data?.vehicle?.msrp ?? errors[0].extensions).toSatisfy(
      (answer) => answer === input.msrp || (answer.code === 'BAD_REQUEST' && answer.field === 'msrp'),
    );
  });

  const long = 'x'.repeat(256);
  test.each<[string, string, () => object]>([
    ['name', 'at most 255', () => ({ name: long })],
    ['licensePlate', 'at most 255', () => ({ licensePlate: long })],
    ['color', 'NUL', () => ({ color: 'a\0b' })],
    ['trim', 'Unicode', () => ({ trim: 'a\ud800b' })],
    ['id', 'UUID', () => ({ id: 'van-7' })],
    ['locationId', 'UUID', () => ({ locationId: 'yard' })],
    ['locationId', 'no location', () => ({ locationId: nowhere })],
    ['locationId', 'no location', () => ({ locationId: abroad.locationId })],
    ['locationId', 'no location', () => ({ locationId: elsewhere.locationId })],
    ['locationId', 'no location', () => ({ locationId: here.contactId })],
    ['assignedToContactId', 'no contact', () => ({ assignedToContactId: nowhere })],
    ['assignedToContactId', 'no contact', () => ({ assignedToContactId: abroad.contactId })],
    ['assignedToContactId', 'no contact', () => ({ assignedToContactId: elsewhere.contactId })],
    ['assignedTo.id', 'no user', () => ({ assignedTo: { id: nowhere } })],
    ['assignedTo.id', 'no user', () => ({ assignedTo: { id: foreign.userId } })],
    ['assignedTo.id', 'UUID', () => ({ assignedTo: { id: 'ada' } })],
    ['teamId', 'workspace', () => ({ teamId: 'main' })],
    ['teamId', 'workspace', () => ({ teamId: nowhere })],
    ['teamId', 'workspace', () => ({ teamId: foreign.teamId })],
    ['teamId', 'workspace', () => ({ teamId: gateway.otherTeamId })],
    ['customFields.1.name', 'at most 255', () => ({ customFields: [{}, { name: long }] })],
    ['customFields.0.value', 'at most 4096', () => ({ customFields: [{ value: 'v'.repeat(4097) }] })],
    ['customFields.0.id', 'UUID', () => ({ customFields: [{ id: 'axles' }] })],
  ])('refuses %s: %s', async (field, expected, input) => {
    await expectNothingWritten(gateway, () =>
      expectRefusal(
        refusal(gateway, create, { input: { name: 'Van', vin: 'refused', ...input() } }, gateway.member),
        'BAD_REQUEST',
        field,
        new RegExp(expected),
      ),
    );
  });

  test.each<[string, object]>([
    ['a fraction for an Int', { year: 2020.5 }],
    ['an Int that is too large', { year: 2 ** 31 }],
    ['a text for an Int', { primaryMeterReading: '1' }],
    ['a text for a Float', { msrp: '1' }],
    ['a number for a String', { name: 7 }],
    ['a list for a String', { name: ['x'] }],
    ['a word for a Boolean', { isArchived: 'yes' }],
    ['no UUID for a UUID', { statusId: 'open' }],
    ['a text for a user', { assignedTo: 'ada' }],
    ['a field that the server sets', { created: testTime.toISOString() }],
    ['a field that there is not', { wheels: 4 }],
  ])('refuses %s', async (_, input) => {
    await expectNothingWritten(gateway, async () => {
      const { json } = await gateway.send('POST', '/graphql', {
        body: { query: create, variables: { input: { name: 'Van', ...input } } },
      });
      expect(json.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
      expect(json.errors[0].extensions.violations).toMatchObject([{ path: ['input', expect.anything()] }]);
      expect(json.data).toBeUndefined();
    });
  });

  test.each([null, {}, { id: null }])('assigned to %j is assigned to nobody', async (assignedTo) => {
    expect((await createVehicle(gateway, { assignedTo })).assignedTo).toBeNull();
  });
});
