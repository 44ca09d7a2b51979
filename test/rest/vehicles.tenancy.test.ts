import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant, startGateway, type Tenant, type TestGateway } from '../support/gateway.js';
import {
  create,
  createLinked,
  expectBadRequest,
  expectError,
  expectNothingWritten,
  patch,
} from './support.js';

let gateway: TestGateway;
let stranger: Tenant;
beforeAll(async () => {
  gateway = await startGateway();
  stranger = await createTenant(gateway.database, 'Stranger');
});
afterAll(() => gateway.close());

const rename = [{ op: 'replace', path: '/name', value: 'Mine' }];

async function listed(token: string): Promise<string[]> {
  const { json } = await gateway.send('GET', '/v1/vehicles?paging=500', { token });
  expect(json.total).toBe(json.vehicles.length);
  return json.vehicles.map(({ id }: { id: string }) => id);
}

/** A vehicle that a token must not reach: of another organization, or of a workspace beyond it. */
const beyond: [what: string, make: () => Promise<{ id: string }>, token: () => string][] = [
  ['another organization', () => create(gateway, { name: 'Theirs' }, stranger.admin), () => gateway.admin],
  [
    'another workspace',
    () => create(gateway, { name: 'Theirs', team_id: gateway.otherTeamId }),
    () => gateway.member,
  ],
];

describe.each(beyond)('a vehicle of %s', (_what, make, token) => {
  test('cannot be replaced or patched: 404, as for an id that names nothing', async () => {
    const theirs = await make();
    await expectNothingWritten(gateway, async () => {
      const options = { token: token() };
      const put = await gateway.send('PUT', `/v1/vehicles/${theirs.id}`, {
        body: { name: 'Mine' },
        ...options,
      });
      expectError(put, 404, 'NOT_FOUND');
      expectError(await patch(gateway, theirs, rename, options), 404, 'NOT_FOUND');
      expectError(await patch(gateway, theirs, [], options), 404, 'NOT_FOUND');
      const headers = { 'If-Match': '"stale"' };
      expectError(await patch(gateway, theirs, rename, { ...options, headers }), 404, 'NOT_FOUND');
    });
  });

  test('is in no list', async () => {
    const theirs = await make();
    expect(await listed(token())).not.toContain(theirs.id);
    const { json } = await gateway.send('GET', '/v1/vehicles?term=theirs', { token: token() });
    expect(json).toMatchObject({ vehicles: [], total: 0, pages: 0 });
  });

  test('keeps its id to itself: 409', async () => {
    const theirs = await make();
    await expectNothingWritten(gateway, async () => {
      const response = await gateway.send('POST', '/v1/vehicles', {
        body: { id: theirs.id },
        token: token(),
      });
      expectError(response, 409, 'CONFLICT', /^id\b/);
    });
  });
});

test('each organization sees all of its own vehicles, each member those of its workspaces', async () => {
  const mine = await create(gateway, { name: 'Own' });
  const other = await create(gateway, { name: 'Own', team_id: gateway.otherTeamId });
  expect(await listed(gateway.admin)).toEqual(expect.arrayContaining([mine.id, other.id]));
  expect(await listed(gateway.member)).toContain(mine.id);
  expect(await listed(gateway.member)).not.toContain(other.id);
  expect(await listed(stranger.admin)).not.toContain(mine.id);
});

test("a vin is one organization's affair", async () => {
  await create(gateway, { vin: 'SHARED 1' });
  expect((await create(gateway, { vin: 'shared 1' }, stranger.admin)).vin).toBe('shared 1');
});

test('the default workspace is the one of the caller', async () => {
  expect((await create(gateway, {}, gateway.member)).team_id).toBe(gateway.teamId);
  expect((await create(gateway, {}, stranger.member)).team_id).toBe(stranger.teamId);
});

/** References in bodies to what exists, but not for the caller. */
const references: [member: string, of: string, token: () => string, body: () => Promise<object>][] = [
  ['team_id', 'another organization', () => gateway.admin, async () => ({ team_id: stranger.teamId })],
  ['team_id', 'another workspace', () => gateway.member, async () => ({ team_id: gateway.otherTeamId })],
  [
    'assigned_to',
    'another organization',
    () => gateway.admin,
    async () => ({ assigned_to: { id: stranger.userId } }),
  ],
  [
    'location_id',
    'another organization',
    () => gateway.admin,
    async () => ({ location_id: (await createLinked(gateway, stranger)).locationId }),
  ],
  [
    'location_id',
    'another workspace',
    () => gateway.member,
    async () => ({ location_id: (await createLinked(gateway, gateway, gateway.otherTeamId)).locationId }),
  ],
  [
    'assigned_to_contact_id',
    'another organization',
    () => gateway.admin,
    async () => ({ assigned_to_contact_id: (await createLinked(gateway, stranger)).contactId }),
  ],
  [
    'assigned_to_contact_id',
    'another workspace',
    () => gateway.member,
    async () => ({
      assigned_to_contact_id: (await createLinked(gateway, gateway, gateway.otherTeamId)).contactId,
    }),
  ],
];

test.each(references)(
  '%s of %s: 400 naming it, from POST, PUT and PATCH',
  async (member, _of, token, make) => {
    const vehicle = await create(gateway);
    const body: Record<string, unknown> = { ...(await make()) };
    const named = new RegExp(`(^|[^\\w])${member}(?!\\w)`);
    const options = { token: token() };
    await expectNothingWritten(gateway, async () => {
      expectBadRequest(await gateway.send('POST', '/v1/vehicles', { body, ...options }), named);
      expectBadRequest(await gateway.send('PUT', `/v1/vehicles/${vehicle.id}`, { body, ...options }), named);
      const operations = [{ op: 'replace', path: `/${member}`, value: body[member] }];
      expectBadRequest(await patch(gateway, vehicle, operations, options), named);
    });
  },
);

test('a reference that was set by one who sees it survives a write by one who does not', async () => {
  const { locationId } = await createLinked(gateway, gateway, gateway.otherTeamId);
  const vehicle = await create(gateway, { location_id: locationId });
  const response = await patch(gateway, vehicle, rename, { token: gateway.member });
  expect(response.json).toMatchObject({ name: 'Mine', location_id: locationId });
});

test('a member cannot move a vehicle beyond its workspaces, an admin can', async () => {
  const vehicle = await create(gateway);
  const move = [{ op: 'replace', path: '/team_id', value: gateway.otherTeamId }];
  expectBadRequest(await patch(gateway, vehicle, move, { token: gateway.member }), /\bteam_id\b/);
  expect((await patch(gateway, vehicle, move)).json.team_id).toBe(gateway.otherTeamId);
  expectError(await patch(gateway, vehicle, rename, { token: gateway.member }), 404, 'NOT_FOUND');
});
