import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { createItem, renew } from './items.support.js';
import { expectBadRequest, expectError, nowhere } from './support.js';

const gateway = useGateway();

const list = (id: string, query = '', token = gateway.admin) =>
  gateway.send('GET', `/v1/expirationitems/${id}/renewals${query}`, { token });

/** Returns an item that was renewed once a year. */
async function renewed(...years: number[]): Promise<{ id: string }> {
  const item = await createItem(gateway);
  for (const year of years) {
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 1_000);
    await renew(gateway, item, { expiration_date: `${year}-06-01`, details: `For ${year}.` });
  }
  return item;
}

test("lists an item's old and new dates, by whom and when, newest first", async () => {
  const { id } = await renewed(2028, 2029);
  await renewed(2031);
  const { status, json } = await list(id);
  expect(status).toBe(200);
  const user = expect.objectContaining({ id: gateway.userId });
  const created = gateway.clock.now.getTime();
  expect(json).toEqual({
    renewals: [
      {
        id: expect.any(String),
        ...{ previous_date: '2028-06-01', expiration_date: '2029-06-01', details: 'For 2029.', user },
        created: new Date(created - 1_000).toISOString(),
      },
      {
        id: expect.any(String),
        ...{ previous_date: '2027-06-01', expiration_date: '2028-06-01', details: 'For 2028.', user },
        created: new Date(created - 2_000).toISOString(),
      },
    ],
    ...{ pages: 1, page: 1, total: 2 },
  });
});

test('pages, orders and searches', async () => {
  const { id } = await renewed(2028, 2029, 2030);
  const dates = async (query: string) =>
    (await list(id, query)).json.renewals.map((one: { expiration_date: string }) => one.expiration_date);
  expect(await dates('?paging=2&page=2')).toEqual(['2028-06-01']);
  expect(await dates('?sort=expiration_date')).toEqual(['2028-06-01', '2029-06-01', '2030-06-01']);
  expect(await dates('?term=for%202029')).toEqual(['2029-06-01']);
  expectBadRequest(await list(id, '?sort=details'), /^sort/);
});

test('an item that was never renewed has none, and an unknown one is 404', async () => {
  const { id } = await createItem(gateway);
  expect((await list(id)).json).toEqual({ renewals: [], pages: 0, page: 1, total: 0 });
  for (const other of [nowhere, 'no-uuid', '%00']) expectError(await list(other), 404, 'NOT_FOUND');
  const elsewhere = await createItem(gateway, { teamId: gateway.otherTeamId });
  expectError(await list(elsewhere.id, '', gateway.member), 404, 'NOT_FOUND');
  await gateway.send('DELETE', `/v1/expirationitems/${id}`);
  expectError(await list(id), 404, 'NOT_FOUND');
});

test('GraphQL lists the renewals of all items', async () => {
  const item = await renewed(2035);
  const { data } = await gateway.graphql(
    'query ($id: ID!) { renewals(first: 1, filter: {expirationItemId: $id}) { totalCount nodes { id expirationItem { id } } } }',
    { id: item.id },
  );
  expect(data.renewals).toMatchObject({ totalCount: 1, nodes: [{ expirationItem: { id: item.id } }] });
  const [{ id }] = data.renewals.nodes;
  const one = await gateway.graphql('query ($id: ID!) { renewal(id: $id) { details } }', { id });
  expect(one.data.renewal).toEqual({ details: 'For 2035.' });
});
