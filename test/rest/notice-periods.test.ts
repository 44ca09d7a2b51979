import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { createItem, renew } from './items.support.js';
import { expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

const at = (id: string) => `/v1/expirationitems/${id}/notice-period`;
const get = (id: string) => gateway.send('GET', at(id));
const put = (id: string, body: unknown, headers = {}) => gateway.send('PUT', at(id), { body, headers });
const remove = (id: string, headers = {}) => gateway.send('DELETE', at(id), { headers });

const months = { unit: 'months', count: 3 };

const change = (id: string, input: object) =>
  gateway.graphql(
    'mutation ($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { noticeDate noticeRule { unit count before } } }',
    { id, input },
  );

const noticeOf = async (id: string) => {
  const { data } = await gateway.graphql(
    'query ($id: ID!) { expirationItem(id: $id) { noticeDate noticeRule { unit count before } status } }',
    { id },
  );
  return data.expirationItem;
};

test('a rule computes the day, and again when the expiration date changes', async () => {
  const item = await createItem(gateway, { expirationDate: '2027-05-31' });
  expectError(await get(item.id), 404, 'NOT_FOUND');
  expectError(await remove(item.id), 404, 'NOT_FOUND');
  const made = await put(item.id, { rule: months });
  expect(made.status, made.text).toBe(200);
  expect(made.json).toEqual({
    ...{ expiration_item_id: item.id, expiration_date: '2027-05-31', notice_date: '2027-02-28' },
    ...{ rule: { unit: 'months', count: 3, before: 'expiration' } },
    modified: expect.any(String),
  });
  expect((await get(item.id)).json).toEqual(made.json);
  // A client of the contract knows nothing of it.
  const body = { name: item.name, expiration_date: '2027-06-30' };
  const written = await gateway.send('PUT', `/v1/expirationitems/${item.id}`, { body });
  expect(written.status, written.text).toBe(200);
  expect(Object.keys(written.json).filter((member) => member.startsWith('notice'))).toEqual([]);
  expect((await get(item.id)).json.notice_date).toBe('2027-03-30');
  await renew(gateway, item, { expiration_date: '2028-05-31' });
  expect((await get(item.id)).json.notice_date).toBe('2028-02-29');
  const gone = await remove(item.id);
  expect(gone.json).toMatchObject({ notice_date: '2028-02-29' });
  expectError(await get(item.id), 404, 'NOT_FOUND');
});

test('a typed day stays when the date changes, and moves along with a renewal', async () => {
  const item = await createItem(gateway, { expirationDate: '2027-03-31' });
  await put(item.id, { notice_date: '2026-12-31' });
  await change(item.id, { expirationDate: '2027-04-30' });
  expect((await noticeOf(item.id)).noticeDate).toBe('2026-12-31');
  await renew(gateway, item, { expiration_date: '2028-04-30' });
  expect((await noticeOf(item.id)).noticeDate).toBe('2027-12-31');
});

test('a typed day ends the rule, and a rule takes the place of a typed day', async () => {
  const { id } = await createItem(gateway, { expirationDate: '2027-05-31' });
  const rule = { unit: 'WEEKS', count: 6, before: 'END_OF_QUARTER' };
  const computed = await change(id, { noticeRule: rule });
  expect(computed.data.updateExpirationItem).toEqual({ noticeDate: '2027-02-17', noticeRule: rule });
  const typed = await change(id, { noticeDate: '2027-01-01' });
  expect(typed.data.updateExpirationItem).toEqual({ noticeDate: '2027-01-01', noticeRule: null });
  // The day that a rule computes is not taken from what is sent with it.
  const both = await change(id, { noticeDate: '2027-01-02', noticeRule: rule });
  expect(both.data.updateExpirationItem).toEqual({ noticeDate: '2027-02-17', noticeRule: rule });
  const none = await change(id, { noticeDate: null });
  expect(none.data.updateExpirationItem).toEqual({ noticeDate: null, noticeRule: null });
});

test('the status follows the expiration date alone', async () => {
  const { id } = await createItem(gateway, { expirationDate: '2029-05-31' });
  await put(id, { notice_date: '2020-01-01' });
  expect((await noticeOf(id)).status).toBe('CURRENT');
});

test('lists are filtered and ordered by it, and events name it', async () => {
  const { id } = await createItem(gateway, { expirationDate: '2041-05-31' });
  await put(id, { rule: { unit: 'years', count: 1 } });
  const list = async (filter: object) => {
    const { data } = await gateway.graphql(
      'query ($filter: ExpirationItemFilter) { expirationItems(filter: $filter, orderBy: [{ field: NOTICE_DATE, direction: DESC }]) { nodes { id } } }',
      { filter },
    );
    return data.expirationItems.nodes.map((node: { id: string }) => node.id);
  };
  expect(await list({ noticeAfter: '2040-05-30', noticeBefore: '2040-06-01' })).toEqual([id]);
  expect(await list({ noticeAfter: '2040-05-31' })).toEqual([]);
  const today = gateway.clock.now.toISOString().slice(0, 10);
  await put(id, { notice_date: today });
  expect(await list({ noticeWithinDays: 0 })).toEqual([id]);
  const { data } = await gateway.graphql(
    `{ eventLogs(filter: { entityId: "${id}" }) { nodes { description details } } }`,
  );
  expect(data.eventLogs.nodes[0].description).toContain('notice_date');
  expect(JSON.stringify(data.eventLogs.nodes[0].details)).toContain('2040-05-31');
});

test('a copy has it, computed from its own date', async () => {
  const { id } = await createItem(gateway, { expirationDate: '2027-05-31' });
  await put(id, { rule: months });
  const copy = async (input: object) => {
    const { data } = await gateway.graphql(
      'mutation ($id: ID!, $input: CopyExpirationItemInput) { copyExpirationItem(id: $id, input: $input) { noticeDate } }',
      { id, input },
    );
    return data.copyExpirationItem.noticeDate;
  };
  expect(await copy({})).toBe('2027-02-28');
  expect(await copy({ expirationDate: '2028-05-31' })).toBe('2028-02-29');
});

test('without a day and a rule, the item has none', async () => {
  const { id } = await createItem(gateway);
  await put(id, { rule: months });
  expect((await put(id, {})).json).toMatchObject({ notice_date: null, rule: null });
  expectError(await get(id), 404, 'NOT_FOUND');
});

test('conditions are about the version of the item', async () => {
  const { id } = await createItem(gateway);
  expectError(await put(id, { rule: months }, { 'If-Match': '*' }), 412, 'PRECONDITION_FAILED');
  const made = await put(id, { rule: months }, { 'If-None-Match': '*' });
  expect(made.status, made.text).toBe(200);
  expectError(await put(id, { rule: months }, { 'If-None-Match': '*' }), 412, 'PRECONDITION_FAILED');
  const etag = made.headers.get('etag') ?? '';
  expect((await put(id, { notice_date: '2027-01-01' }, { 'If-Match': etag })).status).toBe(200);
  expectError(await remove(id, { 'If-Match': etag }), 412, 'PRECONDITION_FAILED');
});

test.each([
  [{ notice_date: '2099-01-01' }, 'notice_date'],
  [{ notice_date: '2027-02-30' }, 'notice_date'],
  [{ rule: { unit: 'months', count: 0 } }, 'count'],
  [{ rule: { unit: 'months', count: 2_000_000_000 } }, 'count'],
  [{ rule: { unit: 'fortnights', count: 1 } }, 'unit'],
  [{ rule: { unit: 'days', count: 1, before: 'easter' } }, 'before'],
])('%j is a bad request that names %s', async (body, field) => {
  const { id } = await createItem(gateway, { expirationDate: '2027-05-31' });
  expectBadRequest(await put(id, body), new RegExp(field));
});

test('dates at the ends of the calendar have a day, too', async () => {
  const { id } = await createItem(gateway, { expirationDate: '0001-01-01' });
  expect((await put(id, { rule: { unit: 'years', count: 100 } })).json.notice_date).toBe('0001-01-01');
  await change(id, { expirationDate: '9999-12-31' });
  expect((await get(id)).json.notice_date).toBe('9899-12-31');
  expect((await put(id, { notice_date: '0001-01-01' })).status).toBe(200);
  const copy = await gateway.graphql(
    'mutation ($id: ID!) { copyExpirationItem(id: $id, input: { expirationDate: "2027-12-31" }) { noticeDate } }',
    { id },
  );
  expect(copy.data).toEqual({ copyExpirationItem: { noticeDate: '0001-01-01' } });
});

test('it is acknowledged by itself', async () => {
  const { id } = await createItem(gateway, { expirationDate: '2027-05-31' });
  const acknowledge = (about: string | null) =>
    gateway.graphql(
      'mutation ($id: ID!, $about: ItemDate) { acknowledgeExpirationItem(id: $id, input: { about: $about, silence: true }) { acknowledgement { about expirationDate } noticeAcknowledgement { about expirationDate silence } } }',
      { id, about },
    );
  const none = await acknowledge('NOTICE');
  expect(none.errors?.[0]?.message).toContain('last day to give notice');
  await put(id, { rule: months });
  const notice = { about: 'NOTICE', expirationDate: '2027-02-28', silence: true };
  expect((await acknowledge('NOTICE')).data.acknowledgeExpirationItem).toEqual({
    acknowledgement: null,
    noticeAcknowledgement: notice,
  });
  expect((await acknowledge(null)).data.acknowledgeExpirationItem).toEqual({
    acknowledgement: { about: 'EXPIRATION', expirationDate: '2027-05-31' },
    noticeAcknowledgement: notice,
  });
  const { data } = await gateway.graphql(
    'query ($id: ID!) { acknowledgement(id: $id) { about } notice: acknowledgement(id: $id, about: NOTICE) { about } }',
    { id },
  );
  expect(data).toEqual({ acknowledgement: { about: 'EXPIRATION' }, notice: { about: 'NOTICE' } });
});
