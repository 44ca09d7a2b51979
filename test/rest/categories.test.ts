import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../graphql/support.js';
import { createTenant, startGateway, type Tenant, type TestGateway } from '../support/gateway.js';
import { eventsOf, expectBadRequest, expectError, nowhere } from './support.js';

let gateway: TestGateway;
let foreign: Tenant;
beforeAll(async () => {
  gateway = await startGateway();
  foreign = await createTenant(gateway.database, 'Globex');
});
afterAll(() => gateway.close());

let made = 0;
async function create(input: object = {}, token?: string): Promise<{ id: string }> {
  made += 1;
  const query = 'mutation ($input: CreateCategoryInput!) { createCategory(input: $input) { id } }';
  return (await ask(gateway, query, { input: { name: `Type ${made}`, ...input } }, token)).createCategory;
}

const put = (id: string, body: unknown, request = {}) =>
  gateway.send('PUT', `/v1/categories/${id}`, { body, ...request });
const stored = (id: string) => gateway.database.prisma.category.findUniqueOrThrow({ where: { id } });

describe('PUT /v1/categories/{id}', () => {
  test('200: exactly the members of the model', async () => {
    const { id } = await create();
    const fields = [{ name: 'Number', internal_name: 'no' }, { id: nowhere }];
    const response = await put(id, { name: 'Licence', is_active: false, custom_fields: fields });
    expect(response.status, response.text).toBe(200);
    expect(response.headers.get('etag')).toMatch(/^"/);
    expect(response.json).toStrictEqual({
      id,
      name: 'Licence',
      is_active: false,
      team_id: gateway.teamId,
      modified: '2026-11-20T09:30:00.001Z',
      custom_fields: [
        { id: expect.any(String), name: 'Number', internal_name: 'no' },
        { id: nowhere, name: null, internal_name: null },
      ],
    });
  });

  test('a field left out is kept, null clears, a sent list replaces the old one', async () => {
    const customFields = [{ name: 'a' }, { name: 'b' }];
    const { id } = await create({ isActive: false, customFields });
    expect((await put(id, { name: 'Kept' })).json).toMatchObject({
      is_active: false,
      custom_fields: customFields,
    });
    const replaced = await put(id, { name: 'Kept', custom_fields: [{ name: 'c' }] });
    expect(replaced.json.custom_fields).toMatchObject([{ name: 'c' }]);
    const cleared = await put(id, { name: 'Kept', custom_fields: null, is_active: null });
    expect(cleared.json).toMatchObject({ custom_fields: [], is_active: true });
  });

  test('what the server sets is ignored', async () => {
    const { id } = await create();
    const response = await put(id, { name: 'Mine', id: nowhere, modified: '2001-01-01', other: 1 });
    expect(response.json).toMatchObject({ id, name: 'Mine', modified: '2026-11-20T09:30:00.001Z' });
  });

  test('the same again changes nothing, and leaves no event', async () => {
    const { id } = await create({ name: 'Same' });
    const response = await put(id, { name: 'Same' });
    expect(response.status).toBe(200);
    expect(response.json.modified).toBe('2026-11-20T09:30:00.000Z');
    expect(await eventsOf(gateway, { id })).toHaveLength(1);
  });

  test.each([
    [{}, /name.*required/],
    [{ name: null }, /name.*required/],
    [{ name: '' }, /^name: must not be empty/],
    [{ name: ' \t' }, /^name: must not be empty/],
    [{ name: 5 }, /^name: /],
    [{ name: 'x'.repeat(256) }, /^name: must have at most 255 characters/],
    [{ name: 'a\0b' }, /^name: .*NUL/],
    [{ name: 'x', is_active: 'yes' }, /^is_active: /],
    [{ name: 'x', custom_fields: {} }, /^custom_fields: must be a list/],
    [{ name: 'x', custom_fields: Array(101).fill({}) }, /^custom_fields: .*100/],
    [
      { name: 'x', custom_fields: [{ internal_name: 'x'.repeat(256) }] },
      /^custom_fields\[0\]\.internal_name: /,
    ],
    [{ name: 'x', custom_fields: [{ id: 'no' }] }, /^custom_fields\[0\]\.id: must be a UUID/],
    [{ name: 'x', team_id: nowhere }, /^team_id: /],
    [[], /object/],
  ])('400 for %j', async (body, message) => {
    const { id } = await create();
    const before = await stored(id);
    expectBadRequest(await put(id, body), message);
    expect(await stored(id)).toEqual(before);
  });

  test('404: unknown, no UUID, another organization’s, another workspace’s', async () => {
    const theirs = await create({}, foreign.admin);
    const elsewhere = await create({ teamId: gateway.otherTeamId });
    for (const id of [nowhere, 'no-uuid', theirs.id]) {
      expectError(await put(id, { name: 'x' }), 404, 'NOT_FOUND');
    }
    expectError(await put(elsewhere.id, { name: 'x' }, { token: gateway.member }), 404, 'NOT_FOUND');
  });

  test('409 naming name, when another one of the workspace has it; other workspaces may', async () => {
    await create({ name: 'Passport' });
    const { id } = await create();
    expectError(await put(id, { name: ' PASSPORT ' }), 409, 'CONFLICT', /^name: /);
    const elsewhere = await create({ teamId: gateway.otherTeamId });
    expect((await put(elsewhere.id, { name: 'Passport' })).status).toBe(200);
    expectError(await put(elsewhere.id, { name: 'Passport', team_id: gateway.teamId }), 409, 'CONFLICT');
  });

  test('401, 403, 405, 412, 415', async () => {
    const { id } = await create();
    const body = { name: 'x' };
    expectError(await put(id, body, { token: null }), 401, 'UNAUTHORIZED');
    expectError(await put(id, body, { token: gateway.viewer }), 403, 'FORBIDDEN');
    expectError(await put(id, body, { token: gateway.uploader }), 403, 'FORBIDDEN');
    expectError(await gateway.send('POST', `/v1/categories/${id}`), 405, 'METHOD_NOT_ALLOWED');
    expectError(await put(id, body, { headers: { 'If-Match': '"old"' } }), 412, 'PRECONDITION_FAILED');
    const headers = { 'Content-Type': 'text/plain' };
    expectError(await put(id, body, { headers }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test('an event tells what changed, in the contract’s names', async () => {
    const { id } = await create({ name: 'Told' });
    await put(id, { name: 'Told again', custom_fields: [{ id: nowhere, internal_name: 'x' }] });
    await put(id, { name: 'Told again', is_active: false });
    const events = await eventsOf(gateway, { id });
    expect(events.map(({ typeId, description }) => [typeId, description])).toEqual([
      [1, 'Document type "Told" was created'],
      [2, 'Document type "Told again" was updated: name, custom_fields'],
      [5, 'Document type "Told again" was archived: is_active'],
    ]);
    expect(JSON.parse(events[1]?.details ?? '')).toEqual({
      name: { before: 'Told', after: 'Told again' },
      custom_fields: { before: [], after: [{ id: nowhere, name: null, internal_name: 'x' }] },
    });
  });
});
