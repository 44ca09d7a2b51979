import { describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { createItem, put, readItem } from './items.support.js';
import { eventsOf } from './support.js';

const gateway = useGateway();

describe('PUT /v1/expirationitems/{id}: 200', () => {
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
    const [created, updated, archived, ...more] = await eventsOf(gateway, item);
    expect(more).toEqual([]);
    // What most new items have says nothing.
    expect(Object.keys(JSON.parse(created?.details ?? ''))).not.toContain('reminder_mode');
    expect(updated).toMatchObject({
      typeId: 2,
      userId: gateway.userId,
      description: expect.stringContaining('Other'),
    });
    expect(Object.keys(JSON.parse(updated?.details ?? ''))).toEqual(['name', 'tags']);
    expect(archived).toMatchObject({ typeId: 5 });
  });
});
