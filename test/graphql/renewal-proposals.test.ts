import { expect, test } from 'vitest';
import { createItem } from '../rest/items.support.js';
import { useGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const renew = (id: string, expirationDate: string) =>
  ask(
    gateway,
    `mutation ($id: ID!, $input: RenewExpirationItemInput!) { renewExpirationItem(id: $id, input: $input) { id } }`,
    { id, input: { expirationDate } },
  );

async function proposed(...ids: string[]): Promise<string[]> {
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ExpirationItem { proposedRenewalDate } } }';
  const { nodes } = await ask(gateway, query, { ids });
  return nodes.map((node: { proposedRenewalDate: string }) => node.proposedRenewalDate);
}

async function setRule(id: string, autoRenew: object | null) {
  const query = `mutation ($id: ID!, $input: UpdateCategoryInput!) {
    updateCategory(id: $id, input: $input) { autoRenew { every unit from byPeople requireAcknowledgement } } }`;
  return (await ask(gateway, query, { id, input: { autoRenew } })).updateCategory.autoRenew;
}

test('an item proposes a year, then the interval of its last renewal, and its series keeps its day', async () => {
  const item = await createItem(gateway, { expirationDate: '2027-01-31' });
  expect(await proposed(item.id)).toEqual(['2028-01-31']);
  const dates = [];
  await renew(item.id, '2027-02-28');
  for (let month = 0; month < 3; month++) {
    const [date = ''] = await proposed(item.id);
    dates.push(date);
    await renew(item.id, date);
  }
  expect(dates).toEqual(['2027-03-31', '2027-04-30', '2027-05-31']);
});

test('a document type says the interval, and from which day it is counted', async () => {
  const items = [
    await createItem(gateway, { expirationDate: '2027-01-31', category: { name: 'Monthly' } }),
    await createItem(gateway, { expirationDate: '2026-11-30', category: { name: 'Monthly' } }),
  ];
  const ids = items.map(({ id }) => id);
  const rule = { every: 3, unit: 'MONTHS' };
  expect(await setRule(items[0].category.id, rule)).toEqual({
    ...{ ...rule, from: 'OLD_DATE', byPeople: false, requireAcknowledgement: false },
  });
  expect(await proposed(...ids)).toEqual(['2027-04-30', '2027-02-28']);
  await renew(ids[1] ?? '', '2027-02-28');
  expect(await proposed(...ids)).toEqual(['2027-04-30', '2027-05-30']);
  const own = { every: 5, unit: 'MONTHS', from: 'TODAY', byPeople: true, requireAcknowledgement: false };
  expect(await setRule(items[0].category.id, own)).toEqual(own);
  gateway.clock.now = new Date('2026-11-20T12:00:00Z');
  expect(await proposed(...ids)).toEqual(['2027-04-20', '2027-04-20']);
});

test('a date that was edited begins a series of its own', async () => {
  const item = await createItem(gateway, { expirationDate: '2027-01-31' });
  await renew(item.id, '2027-02-28');
  const edit = `mutation ($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { id } }`;
  for (const expirationDate of ['2027-06-30', '2027-02-28'])
    await ask(gateway, edit, { id: item.id, input: { expirationDate } });
  expect(await proposed(item.id)).toEqual(['2027-03-31']);
  await ask(gateway, edit, { id: item.id, input: { expirationDate: '2027-06-30' } });
  expect(await proposed(item.id)).toEqual(['2028-06-30']);
});

test('a renewal by an interval that is asked for keeps the day of the series, and has not passed', async () => {
  const item = await createItem(gateway, { expirationDate: '2027-08-31' });
  const byMonths = async (every: number, unit = 'MONTHS') => {
    const query = `query ($id: ID!, $every: Int!, $unit: RenewalUnit!) {
      expirationItem(id: $id) { renewalDate(every: $every, unit: $unit) } }`;
    return (await ask(gateway, query, { id: item.id, every, unit })).expirationItem.renewalDate;
  };
  expect(await byMonths(6)).toBe('2028-02-29');
  await renew(item.id, '2028-02-29');
  expect(await byMonths(6)).toBe('2028-08-31');
  expect(await byMonths(1, 'DAYS')).toBe('2028-03-01');
  const past = await createItem(gateway, { expirationDate: '2020-01-31' });
  const query = 'query ($id: ID!) { expirationItem(id: $id) { renewalDate(every: 12, unit: MONTHS) } }';
  expect((await ask(gateway, query, past)).expirationItem.renewalDate).toBe('2027-01-31');
});

test.each([0, -1, 1201, 2 ** 31 - 1])('an interval of %s months is refused', async (every) => {
  const item = await createItem(gateway, { expirationDate: '2027-08-31' });
  const query =
    'query ($id: ID!, $every: Int!) { expirationItem(id: $id) { renewalDate(every: $every, unit: MONTHS) } }';
  await expectRefusal(
    refusal(gateway, query, { id: item.id, every }),
    'BAD_REQUEST',
    undefined,
    /^The interval must be at/,
  );
});
