import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { createItem, expectNothingStored, put, readItem, renew } from './items.support.js';
import { eventsOf, expectBadRequest } from './support.js';

const gateway = useGateway();

test('200: the date moves on, the details follow, the history keeps both', async () => {
  const item = await createItem(gateway, { expirationDate: '2026-11-01', details: 'Old' });
  const first = await renew(gateway, item, { expiration_date: '2027-11-01', details: 'Paid' });
  expect(first.status, first.text).toBe(200);
  expect(first.json).toMatchObject({ expiration_date: '2027-11-01', details: 'Paid', status: 'current' });
  expect((await renew(gateway, item, { expiration_date: '2028-11-01' })).json.details).toBe('Paid');
  const user = { id: gateway.userId };
  expect((await readItem(gateway, item)).renewals).toEqual([
    { previousDate: '2027-11-01', expirationDate: '2028-11-01', details: null, user },
    { previousDate: '2026-11-01', expirationDate: '2027-11-01', details: 'Paid', user },
  ]);
  const [, renewed] = await eventsOf(gateway, item);
  expect(renewed).toMatchObject({
    typeId: 3,
    description: 'Expiration item "Licence" was renewed: expiration_date, details',
  });
  expect(JSON.parse(renewed?.details ?? '')).toMatchObject({
    expiration_date: {
      before: expect.stringContaining('2026-11-01'),
      after: expect.stringContaining('2027-11-01'),
    },
  });
});

test.each<[string, object, RegExp]>([
  ['no date', {}, /^expiration_date: is required/],
  ['null', { expiration_date: null }, /^expiration_date: /],
  ['the same date', { expiration_date: '2027-06-01' }, /^expiration_date: must be later .*2027-06-01/],
  ['an earlier date', { expiration_date: '2027-05-31' }, /^expiration_date: must be later/],
  ['no date at all', { expiration_date: 'soon' }, /^expiration_date: /],
  ['long details', { expiration_date: '2028-01-01', details: 'x'.repeat(65_537) }, /^details: /],
])('400 for %s', async (_, body, message) => {
  const item = await createItem(gateway);
  await expectNothingStored(gateway, async () => expectBadRequest(await renew(gateway, item, body), message));
});

test('of renewals at once to one date, one wins', async () => {
  const item = await createItem(gateway);
  const statuses = await Promise.all(
    Array.from(
      { length: 10 },
      async () => (await renew(gateway, item, { expiration_date: '2029-01-01' })).status,
    ),
  );
  expect(statuses.sort()).toEqual([200, ...Array(9).fill(400)]);
  expect((await readItem(gateway, item)).renewals).toHaveLength(1);
});

const entries = (count: number, of: (i: number) => object) => Array.from({ length: count }, (_, i) => of(i));
const linked = (count: number, from = 0) => ({
  contacts: entries(count, (i) => ({ email: `c${from + i}@example.com` })),
  locations: entries(count, (i) => ({ name: `l${from + i}` })),
  tags: entries(count, (i) => ({ name: `t${from + i}` })),
});

/** Statements of: a PUT that changes every list, one that changes none, a renewal, which looks for uploads that wait. */
async function countStatements(nested: number): Promise<number[]> {
  // Both sets are there already: what is made on the way is another test's business.
  await createItem(gateway, linked(nested, 100));
  const item = await createItem(gateway, linked(nested));
  const count = async (work: () => Promise<{ status: number }>) => {
    let status: number | undefined;
    const sent = await gateway.statements(async () => {
      status = (await work()).status;
    });
    expect(status).toBe(200);
    return sent.length;
  };
  return [
    await count(() => put(gateway, item, { details: 'x', ...linked(nested, 100) })),
    await count(() => put(gateway, item, { details: 'y' })),
    await count(() => renew(gateway, item, { expiration_date: '2029-01-01' })),
  ];
}

test('the statements of PUT and renew do not grow with the contacts, tags and locations of the item', async () => {
  await readItem(gateway, await createItem(gateway));
  expect(await countStatements(2)).toEqual([6, 5, 12]);
  expect(await countStatements(20)).toEqual([6, 5, 12]);
});
