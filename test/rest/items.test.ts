import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { createItem, put, readItem } from './items.support.js';
import { eventsOf, expectError, nowhere } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

describe('PUT /v1/expirationitems/{id}: 200', () => {
  test('answers every member of the contract', async () => {
    const item = await createItem(gateway);
    const response = await put(gateway, item, {
      time_of_day: '08:15:30',
      details: 'In the safe',
      category_name: 'Passport',
      assigned_to: { id: gateway.userId, name: 'ignored' },
      contacts: [{ email: 'First@example.com' }],
      locations: [{ name: 'Depot' }],
      tags: [{ name: 'urgent' }],
      custom_fields: [{ name: 'Number', value: 'X1' }],
      attachments: [{ name: 'scan.txt', content_type: 'text/plain', content: 'aGVsbG8=' }],
      status: 'expired',
      status_id: 3,
      modified: '1999-01-01T00:00:00.000Z',
      id: nowhere,
    });
    expect(response.status, response.text).toBe(200);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const modified = expect.stringMatching(/^2026-11-20T09:30:00\.\d{3}Z$/);
    const team_id = gateway.teamId;
    expect(response.json).toStrictEqual({
      id: item.id,
      name: 'Licence',
      expiration_date: '2027-06-01',
      status: 'current',
      status_id: 1,
      time_of_day: '08:15',
      category: { name: 'Passport', id, modified, is_active: true, team_id, custom_fields: [] },
      category_name: 'Passport',
      details: 'In the safe',
      assigned_to: { name: 'Ada Admin', email: 'ada@example.com', id: gateway.userId, team_id },
      modified,
      is_active: true,
      team_id,
      contacts: [
        {
          name: null,
          id,
          email: 'First@example.com',
          timezone: null,
          mobile: null,
          phone: null,
          assigned_to: null,
          type_id: null,
          contact_id: null,
          location_id: null,
          team_id,
          is_active: true,
          modified,
          custom_fields: [],
        },
      ],
      attachments: [
        {
          id,
          content: 'aGVsbG8=',
          name: 'scan.txt',
          content_type: 'text/plain',
          created: modified,
          content_legth: 5,
        },
      ],
      custom_fields: [{ id, name: 'Number', value: 'X1' }],
      locations: [{ id, parent_location_id: null, name: 'Depot', team_id, modified, custom_fields: [] }],
      tags: [{ id, name: 'urgent', team_id, modified, organization_id: gateway.organizationId }],
      contact_id: null,
    });
  });

  test('keeps missing values, clears null ones', async () => {
    const item = await createItem(gateway, {
      details: 'Old',
      timeOfDay: '07:00',
      contacts: [{ email: 'kept@example.com' }],
      tags: [{ name: 'kept' }],
      customFields: [{ name: 'a', value: 'b' }],
      category: { name: 'Visa' },
    });
    expect((await put(gateway, item, { name: 'New' })).status).toBe(200);
    const kept = await readItem(gateway, item);
    expect(kept).toEqual({ ...item, name: 'New' });
    await put(gateway, item, {
      name: 'New',
      details: null,
      time_of_day: null,
      contacts: null,
      tags: [],
      category: null,
    });
    expect(await readItem(gateway, item)).toEqual({
      ...kept,
      details: null,
      timeOfDay: null,
      contacts: [],
      tags: [],
      category: { id: expect.any(String), name: 'Generic' },
    });
  });

  test('a date-time is taken by its date as written', async () => {
    const item = await createItem(gateway);
    const { json } = await put(gateway, item, { expiration_date: '2028-02-29T23:59:59-11:00' });
    expect(json.expiration_date).toBe('2028-02-29');
  });

  test.each([
    ['2026-11-19', 'expired', 3],
    ['2026-11-20', 'notifying', 2],
    ['2026-12-20', 'notifying', 2],
    ['2026-12-21', 'current', 1],
  ])('the status of %s is %s', async (expiration_date, status, status_id) => {
    const item = await createItem(gateway);
    expect((await put(gateway, item, { expiration_date })).json).toMatchObject({ status, status_id });
    expect((await put(gateway, item, { expiration_date, is_active: false })).json).toMatchObject({
      status: 'archived',
      status_id: 4,
    });
  });

  test('writes one event with what changed; archiving is an event of its own', async () => {
    const item = await createItem(gateway, { tags: [{ name: 'x' }] });
    await put(gateway, item, { name: 'Other', tags: [] });
    await put(gateway, item, { name: 'Other', is_active: false });
    await put(gateway, item, { name: 'Other', is_active: false });
    const [, updated, archived, ...more] = await eventsOf(gateway, item);
    expect(more).toEqual([]);
    expect(updated).toMatchObject({
      typeId: 2,
      userId: gateway.userId,
      description: expect.stringContaining('Other'),
    });
    expect(Object.keys(JSON.parse(updated?.details ?? ''))).toEqual(['name', 'tags']);
    expect(archived).toMatchObject({ typeId: 5 });
  });

  test('If-Match names the version that may be changed', async () => {
    const item = await createItem(gateway);
    const etag = (await put(gateway, item, { details: '1' })).headers.get('etag') ?? '';
    expect((await put(gateway, item, { details: '2' }, { headers: { 'If-Match': etag } })).status).toBe(200);
    expectError(
      await put(gateway, item, { details: '3' }, { headers: { 'If-Match': etag } }),
      412,
      'PRECONDITION_FAILED',
    );
  });
});
