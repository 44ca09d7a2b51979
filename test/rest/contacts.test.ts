import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { settle, shapesOf } from '../support/statements.js';
import {
  describeCreate,
  describePatch,
  describeRefusals,
  expectNoTrace,
  made,
  type Rows,
} from './records.js';
import { createLinked, eventsOf, expectBadRequest, expectError, nowhere } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  await settle(gateway);
});
afterAll(() => gateway.close());

const path = '/v1/contacts';
const put = ({ id }: { id: string }, body: unknown, token?: string) =>
  gateway.send('PUT', `${path}/${id}`, { body, ...(token && { token }) });
const patch = ({ id }: { id: string }, operations: unknown) =>
  gateway.send('PATCH', `${path}/${id}`, { body: operations });

let count = 0;
const email = () => `person-${count++}@example.com`;

async function links(teamId = gateway.teamId) {
  const { locationId } = await createLinked(gateway, gateway, teamId);
  const { id } = await made(gateway, '/v1/contacttypes', { name: `Type ${count++}`, team_id: teamId });
  return { location_id: locationId, type_id: id };
}

const blank = {
  name: null,
  timezone: null,
  mobile: null,
  phone: null,
  assigned_to: null,
  type_id: null,
  contact_id: null,
  location_id: null,
  is_active: true,
  custom_fields: [],
};

const full = async () => ({
  name: 'Grace Hopper',
  email: ' Grace.Hopper@Example.com ',
  timezone: 'America/New_York',
  mobile: '+1 555 0100',
  phone: '+1 555 0101',
  assigned_to: { id: gateway.userId },
  contact_id: 'any text: 7',
  team_id: gateway.teamId,
  is_active: false,
  custom_fields: [{ id: '15111111-1111-4111-8111-111111111111', name: 'Badge', value: '7' }],
  ...(await links()),
});

const rows: Rows = {
  gateway: () => gateway,
  path,
  kind: 5,
  noun: 'contact',
  blank: { ...blank, email: '' },
  needed: () => ({ email: email() }),
  full,
};

describeCreate(rows);
describePatch(rows, { member: 'timezone', value: 'Asia/Calcutta', wrong: 'Mars/Olympus' });

describeRefusals(rows, [
  ...['', ' ', 'nobody', '@example.com', 'a@', 'a b@example.com', 'a@b@c', 'a@-b.com', 'a..b@c.de', 'a@b..c']
    .concat(['.a@b.c', 'a@b.c.', 'a\n@b.c', 'Grace <a@b.c>', 'a,b@c.d', `${'x'.repeat(250)}@b.com`])
    .map((wrong) => ['email', () => ({ email: wrong })] as const),
  ['email', () => ({ email: null })],
  ['email', () => ({ email: undefined })],
  ['email', () => ({ email: ['a@b.c'] })],
  ...['', 'Mars/Olympus', '+02:00', 'GMT+2', 'PST', 'UTC ', 'Factory'].map(
    (wrong) => ['timezone', () => ({ timezone: wrong })] as const,
  ),
  ['type_id', () => ({ type_id: nowhere })],
  ['type_id', () => ({ type_id: 'no-uuid' })],
  ['location_id', () => ({ location_id: nowhere })],
  ['assigned_to', () => ({ assigned_to: { id: nowhere } })],
  ['team_id', () => ({ team_id: gateway.otherTeamId })],
  ['is_active', () => ({ is_active: 'yes' })],
  ['custom_fields', () => ({ custom_fields: Array(101).fill({}) })],
  ['custom_fields[0].value', () => ({ custom_fields: [{ value: 'x'.repeat(4_097) }] })],
]);

test.each([
  'user@localhost',
  "o'brien+tag&more@sub.example.co.uk",
  'jörg@münchen.example',
  '"quoted local"@example.com',
  'x@[192.0.2.1]',
])('%s is an address', async (address) => {
  expect(await made(gateway, path, { email: address })).toMatchObject({ email: address });
});

test.each(['UTC', 'Europe/Kyiv', 'Asia/Kolkata', 'US/Pacific', 'EST5EDT', 'Etc/GMT-14'])(
  '%s is a time zone',
  async (timezone) => {
    expect(await made(gateway, path, { email: email(), timezone })).toMatchObject({ timezone });
  },
);

test('400: a type and a location that the caller does not see', async () => {
  const hidden = await links(gateway.otherTeamId);
  const abroad = await createTenant(gateway.database, 'Initech');
  const foreign = await createLinked(gateway, abroad);
  await expectNoTrace(gateway, async () => {
    for (const [member, id] of [...Object.entries(hidden), ['location_id', foreign.locationId] as const]) {
      const body = { email: email(), [member]: id };
      const response = await gateway.send('POST', path, { body, token: gateway.member });
      expectBadRequest(response, new RegExp(`^${member}\\b`));
    }
  });
});

describe('one address is one contact in an organization', () => {
  test('409: in any spelling, from any workspace', async () => {
    const address = email();
    await made(gateway, path, { email: address, team_id: gateway.otherTeamId });
    const other = await made(gateway, path, { email: email() });
    const spelled = { email: ` ${address.toUpperCase()}\u00a0` };
    await expectNoTrace(gateway, async () => {
      const conflicts = [
        await gateway.send('POST', path, { body: spelled, token: gateway.member }),
        await put(other, spelled),
        await patch(other, [{ op: 'replace', path: '/email', value: spelled.email }]),
      ];
      for (const response of conflicts) expectError(response, 409, 'CONFLICT', /\bemail\b/);
    });
    const abroad = await createTenant(gateway.database, 'Umbrella');
    expect(await made(gateway, path, spelled, abroad.admin)).toMatchObject(spelled);
  });

  test('20 creates at once: one is made, 19 conflict', async () => {
    const address = email();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const body = { email: i % 2 ? address : address.toUpperCase(), name: 'Racer' };
        return gateway.send('POST', path, { body });
      }),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectError(response, 409, 'CONFLICT', /^email\b/);
    }
    const { prisma } = gateway.database;
    expect(await prisma.contact.count({ where: { name: 'Racer' } })).toBe(1);
    expect(await prisma.eventLog.count({ where: { description: { contains: 'Racer' } } })).toBe(1);
  });
});

describe(`PUT ${path}/{id}`, () => {
  test('200: a member left out returns to its default, a list to []', async () => {
    const contact = await made(gateway, path, { ...(await full()), email: email() });
    const address = email();
    const response = await put(contact, { email: address });
    expect(response.status, response.text).toBe(200);
    expect(response.json).toStrictEqual({
      ...blank,
      id: contact.id,
      email: address,
      team_id: gateway.teamId,
      modified: '2026-11-20T09:30:00.001Z',
    });
    const [, event, ...others] = await eventsOf(gateway, contact);
    expect(others).toEqual([]);
    // Back in use, so not only an update.
    expect(event).toMatchObject({ typeId: 6 });
    expect(JSON.parse(event?.details ?? '')).toMatchObject({
      email: { before: contact.email, after: address },
      custom_fields: { before: contact.custom_fields, after: [] },
    });
  });

  test('200: what was read can be sent back, and changes nothing', async () => {
    const contact = await made(gateway, path, { ...(await full()), email: email() });
    await expectNoTrace(gateway, async () => expect((await put(contact, contact)).json).toEqual(contact));
  });

  test('200: a contact keeps its own address, in another spelling too', async () => {
    const contact = await made(gateway, path, { email: email() });
    const spelled = contact.email.toUpperCase();
    expect((await put(contact, { email: spelled })).json.email).toBe(spelled);
  });

  test.each([
    ['left out', {}],
    ['null', { email: null }],
    ['no address', { email: 'nobody' }],
  ])('400: the address is %s', async (_what, body) => {
    const contact = await made(gateway, path, { email: email() });
    await expectNoTrace(gateway, async () => expectBadRequest(await put(contact, body), /^email\b/));
  });

  test('404: never creates, and shows nobody else’s', async () => {
    const contact = await made(gateway, path, { email: email(), team_id: gateway.otherTeamId });
    await expectNoTrace(gateway, async () => {
      expectError(await put({ id: nowhere }, { email: email() }), 404, 'NOT_FOUND');
      expectError(await put(contact, { email: email() }, gateway.member), 404, 'NOT_FOUND');
    });
  });
});

test('PATCH: the address cannot be removed', async () => {
  const contact = await made(gateway, path, { email: email() });
  await expectNoTrace(gateway, async () => {
    expectBadRequest(await patch(contact, [{ op: 'remove', path: '/email' }]), /\bemail\b/);
  });
});

test('a write looks each reference up once, and nothing else', async () => {
  const body = { ...(await full()), email: email() };
  const lookups = ['read contact_types', 'read locations', 'read users'];
  const event = ['insert event_logs', 'insert event_log_entities', 'commit'];
  expect(await shapesOf(gateway, () => made(gateway, path, body))).toEqual([
    ...lookups,
    'insert contacts',
    ...event,
    'read users',
  ]);
  const contact = await made(gateway, path, { email: email() });
  expect(await shapesOf(gateway, () => put(contact, { email: email() }))).toEqual([
    'lock contacts',
    'read contacts',
    'update contacts',
    ...event,
  ]);
});
