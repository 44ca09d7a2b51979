import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { createItem, renew } from './items.support.js';
import { expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

const at = (id: string) => `/v1/expirationitems/${id}/repetition`;
const get = (id: string) => gateway.send('GET', at(id));
const put = (id: string, body: unknown, headers = {}) => gateway.send('PUT', at(id), { body, headers });
const remove = (id: string) => gateway.send('DELETE', at(id));

test('an end is set, counts down with renewals, and is removed', async () => {
  const item = await createItem(gateway, { expirationDate: '2027-05-31' });
  expectError(await get(item.id), 404, 'NOT_FOUND');
  expectError(await remove(item.id), 404, 'NOT_FOUND');
  const made = await put(item.id, { renew_until: '2030-05-31', renewals_left: 2 });
  expect(made.status, made.text).toBe(200);
  expect(made.json).toEqual({
    ...{ expiration_item_id: item.id, expiration_date: '2027-05-31' },
    ...{ renew_until: '2030-05-31', renewals_left: 2, modified: expect.any(String) },
  });
  for (const [date, left] of [
    ['2028-05-31', 1],
    ['2029-05-31', 0],
    ['2031-05-31', 0],
  ] as const) {
    expect((await renew(gateway, item, { expiration_date: date })).status).toBe(200);
    expect((await get(item.id)).json).toMatchObject({ expiration_date: date, renewals_left: left });
  }
  expect((await put(item.id, { renewals_left: 5 })).json).toMatchObject({
    renew_until: null,
    renewals_left: 5,
  });
  expect((await remove(item.id)).json).toMatchObject({ renewals_left: 5 });
  expectError(await get(item.id), 404, 'NOT_FOUND');
});

test.each([
  [{ renewals_left: -1 }, /renewals_left/],
  [{ renewals_left: 40_001 }, /renewals_left/],
  [{ renewals_left: 1.5 }, /renewals_left/],
  [{ renew_until: 'soon' }, /renew_until/],
  [{ renew_until: 5 }, /renew_until/],
])('%j is refused', async (body, message) => {
  const { id } = await createItem(gateway);
  expectBadRequest(await put(id, body), message);
  expectError(await get(id), 404, 'NOT_FOUND');
});
