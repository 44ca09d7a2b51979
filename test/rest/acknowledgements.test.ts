import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { createItem, renew } from './items.support.js';
import { expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

const at = (id: string) => `/v1/expirationitems/${id}/acknowledgement`;
const get = (id: string) => gateway.send('GET', at(id));
const post = (id: string, body: unknown = {}, headers = {}) =>
  gateway.send('POST', at(id), { body, headers });
const remove = (id: string, headers = {}) => gateway.send('DELETE', at(id), { headers });

const events = async (id: string) => {
  const query = `{ eventLogs(filter: {entityId: "${id}"}) { nodes { typeId description } } }`;
  const { data } = await gateway.graphql(query);
  return data.eventLogs.nodes.map(({ typeId }: { typeId: number }) => typeId);
};

test('is of the present date, says who and what, and goes with a renewal', async () => {
  const item = await createItem(gateway);
  expectError(await get(item.id), 404, 'NOT_FOUND');
  const made = await post(item.id, { note: 'On it', Snooze_Until: '2027-05-01T10:00:00Z' });
  expect(made.status, made.text).toBe(200);
  expect(made.json).toEqual({
    ...{ expiration_item_id: item.id, about: 'expiration', expiration_date: '2027-06-01' },
    ...{ note: 'On it', silence: false },
    ...{ snooze_until: '2027-05-01', created: gateway.clock.now.toISOString() },
    user: expect.objectContaining({ id: gateway.userId }),
  });
  expect(made.headers.get('location')).toBeNull();
  const read = await get(item.id);
  expect(read.json).toEqual(made.json);
  expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
  await renew(gateway, item, { expiration_date: '2028-06-01' });
  expectError(await get(item.id), 404, 'NOT_FOUND');
  expectError(await remove(item.id), 404, 'NOT_FOUND');
});

test('a new one takes the place of the one before, and has another version', async () => {
  const { id } = await createItem(gateway);
  const first = await post(id, { silence: true, note: 'First' });
  const second = await post(id, { note: 'Second' }, { 'If-Match': first.headers.get('etag') ?? '' });
  expect(second.json).toMatchObject({ note: 'Second', silence: false });
  expectError(
    await post(id, {}, { 'If-Match': first.headers.get('etag') ?? '' }),
    412,
    'PRECONDITION_FAILED',
  );
  expectError(await remove(id, { 'If-Match': first.headers.get('etag') ?? '' }), 412, 'PRECONDITION_FAILED');
  expect((await get(id)).json.note).toBe('Second');
  const gone = await remove(id, { 'If-Match': second.headers.get('etag') ?? '' });
  expect([gone.status, gone.json]).toEqual([200, second.json]);
  // Where none is, no version is the one that is meant, and `*` means any that is there.
  for (const tag of [second.headers.get('etag') ?? '', '*'])
    expectError(await post(id, {}, { 'If-Match': tag }), 412, 'PRECONDITION_FAILED');
  expectError(await get(id), 404, 'NOT_FOUND');
  expect((await post(id)).status).toBe(200);
  expect((await post(id, {}, { 'If-Match': '*' })).status).toBe(200);
  expect(await events(id)).toEqual([9, 9, 2, 9, 9, 1]);
});

test('of the last day to give notice is read and withdrawn by itself', async () => {
  const { id } = await createItem(gateway);
  const notice = `${at(id)}?about=notice`;
  await gateway.send('PUT', `/v1/expirationitems/${id}/notice-period`, {
    body: { notice_date: '2027-03-01' },
  });
  await post(id, { note: 'The end' });
  gateway.clock.now = new Date(gateway.clock.now.getTime() + 1);
  const made = await post(id, { about: 'notice', note: 'Notice given' });
  expect(made.json).toMatchObject({ about: 'notice', expiration_date: '2027-03-01' });
  const read = await gateway.send('GET', notice);
  expect([read.json, read.headers.get('etag')]).toEqual([made.json, made.headers.get('etag')]);
  expect((await get(id)).json).toMatchObject({ about: 'expiration', note: 'The end' });
  expect((await gateway.send('GET', `${at(id)}?about=expiration`)).json.note).toBe('The end');
  const stale = { 'If-Match': (await get(id)).headers.get('etag') ?? '' };
  expectError(await gateway.send('DELETE', notice, { headers: stale }), 412, 'PRECONDITION_FAILED');
  const gone = await gateway.send('DELETE', notice);
  expect([gone.status, gone.json]).toEqual([200, made.json]);
  expectError(await gateway.send('GET', notice), 404, 'NOT_FOUND');
  expectError(await gateway.send('DELETE', notice), 404, 'NOT_FOUND');
  expect((await get(id)).status).toBe(200);
  const { data } = await gateway.graphql(
    `{ eventLogs(filter: {entityId: "${id}"}) { nodes { description } } }`,
  );
  expect(data.eventLogs.nodes[0].description).toMatch(
    /^The acknowledgement of the last day to give notice of expiration item ".+" was withdrawn$/,
  );
});

test.each(['renewal', 'notice&about=expiration'])('about=%s is a bad request', async (about) => {
  const { id } = await createItem(gateway);
  for (const method of ['GET', 'DELETE'])
    expectBadRequest(await gateway.send(method, `${at(id)}?about=${about}`), /about/);
  expectBadRequest(await gateway.send('GET', `${at(id)}?abuot=notice`), /did you mean about/);
});

test("the item's version is unchanged, and independent of the acknowledgement's", async () => {
  const { id } = await createItem(gateway);
  const item = () => gateway.send('GET', `/v1/expirationitems/${id}`);
  const { headers } = await item();
  expectError(await post(id, {}, { 'If-Match': headers.get('etag') ?? '' }), 412, 'PRECONDITION_FAILED');
  await post(id);
  expect((await item()).headers.get('etag')).toBe(headers.get('etag'));
});

test('of many who say something at once, one is the last; of many who take it back, one does', async () => {
  const { id } = await createItem(gateway);
  const said = await Promise.all(Array.from({ length: 8 }, (_, index) => post(id, { note: `${index}` })));
  expect(said.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(new Set(said.map(({ headers }) => headers.get('etag'))).size).toBe(8);
  expect(await gateway.database.prisma.acknowledgement.count({ where: { itemId: id } })).toBe(1);
  const taken = await Promise.all(Array.from({ length: 4 }, () => remove(id)));
  expect(taken.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
});

test('what cannot be acknowledged is refused', async () => {
  const { id } = await createItem(gateway);
  for (const [body, message] of [
    [{ note: 'a\0b' }, /^note: /],
    [{ note: 'x'.repeat(65_537) }, /^note: /],
    [{ note: 5 }, /^note: /],
    [{ silence: 'yes' }, /^silence: /],
    [{ snooze_until: '2027-02-30' }, /^snooze_until: /],
    [
      { snooze_until: '2026-11-20' },
      /^snooze_until: must be after today, which is 2026-11-20 in the workspace/,
    ],
    [[], /object/],
  ] as const)
    expectBadRequest(await post(id, body), message);
  expectError(await get(id), 404, 'NOT_FOUND');
  const undated = await createItem(gateway);
  const where = { where: { id: undated.id }, data: { expirationDate: null } };
  await gateway.database.prisma.expirationItem.update(where);
  expectBadRequest(await post(undated.id), /without a date/);
  expectError(await get(undated.id), 404, 'NOT_FOUND');
});
