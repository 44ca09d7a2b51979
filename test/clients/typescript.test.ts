import * as lossless from 'lossless-json';
import { beforeAll, describe, expect, test } from 'vitest';
import { attachment, bytesOf, type Client, etagOf } from '../../clients/typescript/src/index.js';
import { nextOf } from '../../clients/typescript/src/list.js';
import { nowhere } from '../rest/support.js';
import { useGateway } from '../support/gateway.js';
import { clientOf, refusalOf, watchedFetch } from './typescript.support.js';

const gateway = useGateway();
let client: Client;
beforeAll(async () => {
  client = clientOf(gateway);
});

test('a record is created, read, replaced, patched, listed and deleted', async () => {
  const made = await client.contacts.create({ email: 'grace@example.com', name: 'Grace' });
  expect(await client.contacts.get(made.id)).toEqual(made);
  const replaced = await client.contacts.replace(made.id, { email: 'grace@example.com', phone: '1' });
  expect(replaced).toMatchObject({ name: null, phone: '1' });
  const operations = [{ op: 'add', path: '/name', value: 'Grace Hopper' }];
  expect(await client.contacts.patch(made.id, operations)).toMatchObject({ name: 'Grace Hopper' });
  expect(await client.contacts.patch(made.id, operations)).toBeUndefined();
  const page = await client.contacts.list({ term: 'hopper', sort: 'name', paging: 5 });
  expect(page).toMatchObject({ contacts: [{ id: made.id }], page: 1, pages: 1, total: 1 });
  expect(await client.contacts.delete(made.id)).toMatchObject({ id: made.id });
  expect((await refusalOf(client.contacts.get(made.id))).status).toBe(404);
  expect(await client.bulkscan.receiveUpload({ id: 1, action: 'fp.convert' })).toBeUndefined();
});

test('numbers keep their digits with another `json`', async () => {
  const exact = clientOf(gateway, { json: lossless });
  const tags = { n: 9_007_199_254_740_993n, price: new lossless.LosslessNumber('1.10') };
  await exact.bulkscan.receiveUpload({
    id: 2,
    action: 'fp.convert',
    text: { filename: 'digits', upload_Tags: tags },
  });
  const [exactly] = (await exact.uploadNotifications.list({ term: 'digits' })).uploads;
  expect(lossless.stringify(exactly?.upload_Tags)).toBe('{"n":9007199254740993,"price":1.10}');
  const [rounded] = (await client.uploadNotifications.list({ term: 'digits' })).uploads;
  expect(rounded?.upload_Tags).toEqual({ n: 2 ** 53, price: 1.1 });
});

describe('a list', () => {
  const names = Array.from({ length: 260 }, (_, index) => `Item ${String(index).padStart(3, '0')}`);
  beforeAll(async () => {
    const make = (name: string) => client.expirationItems.create({ name, expiration_date: '2027-06-01' });
    for (let start = 0; start < names.length; start += 20)
      await Promise.all(names.slice(start, start + 20).map(make));
  });

  test('of 260 items is gone through, each once, in order', async () => {
    const watched = watchedFetch();
    const found: string[] = [];
    const list = clientOf(gateway, watched).expirationItems.list({ term: 'item', sort: 'name' });
    expect(watched.sent).toEqual([]);
    for await (const item of list) found.push(item.name);
    expect(found).toEqual(names);
    expect(watched.sent).toHaveLength(3);
  });

  test('is read page by page, from the requested page on', async () => {
    const sizes = [];
    for await (const page of client.expirationItems.list({ paging: 90, page: 2 }).pages())
      sizes.push(page.expiration_items.length);
    expect(sizes).toEqual([90, 80]);
  });

  test('is left when the caller has enough', async () => {
    const watched = watchedFetch();
    for await (const item of clientOf(gateway, watched).expirationItems.list()) {
      expect(item.name).toBeTypeOf('string');
      break;
    }
    expect(watched.sent).toHaveLength(1);
  });

  test.each([
    ['a link', '</v1/a?x=1&cursor=c%2B>; rel="next", </v1/a>; rel="first"', { x: '1', cursor: 'c+' }],
    ['a link behind others', '</v1/a?page=1>; rel=first,<?page=3>;rel=next', { page: '3' }],
    ['the parameters of a link to another host', '<http://evil.example/?page=2>; rel="next"', { page: '2' }],
    ['nothing where links lead back', '</v1/a?page=1>; rel="prev"', undefined],
    ['nothing without a link', null, undefined],
  ])('continues by %s', (_what, link, next) => {
    expect(nextOf(link)).toEqual(next);
  });

  test('that is rejected throws where it is read', async () => {
    const refused = clientOf(gateway, { token: gateway.uploader }).expirationItems.list();
    expect(await refusalOf(refused)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});

describe('versions', () => {
  test('a write to a record that somebody else has changed is refused', async () => {
    const mine = await client.vehicles.create({ name: 'Van' });
    expect(etagOf(mine)).toMatch(/^"/);
    const theirs = await client.vehicles.replace(mine.id, { name: 'Truck' }, { ifMatch: mine });
    const refused = client.vehicles.replace(mine.id, { name: 'Bus' }, { ifMatch: mine });
    expect(await refusalOf(refused)).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    const ifMatch = etagOf(theirs) ?? '';
    expect(await client.vehicles.replace(mine.id, { name: 'Bus' }, { ifMatch })).toMatchObject({
      name: 'Bus',
    });
  });

  test('an unchanged record is not sent again', async () => {
    const made = await client.vehicles.create({ name: 'Van' });
    expect(await client.vehicles.get(made.id, { ifNoneMatch: made })).toBeUndefined();
    await client.vehicles.replace(made.id, { name: 'Truck' });
    expect(await client.vehicles.get(made.id, { ifNoneMatch: made })).toMatchObject({ name: 'Truck' });
  });

  test('a record that was not answered has none', async () => {
    await expect(client.vehicles.replace(nowhere, {}, { ifMatch: {} })).rejects.toThrow(TypeError);
  });
});

/** Creates a client with a token, the admin's unless given. */
type By = (token?: string) => Client;

describe('a refusal', () => {
  test.each([
    ['BAD_REQUEST', 400, (by: By) => by().contacts.create({ email: 'nobody' })],
    ['UNAUTHORIZED', 401, (by: By) => by('egw_no').teams.list()],
    ['FORBIDDEN', 403, (by: By) => by(gateway.viewer).vehicles.create({})],
    ['NOT_FOUND', 404, (by: By) => by().companies.get(nowhere)],
    ['CONFLICT', 409, (by: By) => by().teams.delete(gateway.teamId)],
  ] as const)('has the problem, and is not retried: %s', async (code, status, request) => {
    const watched = watchedFetch();
    const error = await refusalOf(
      request((token = gateway.admin) => clientOf(gateway, { ...watched, token })),
    );
    expect(watched.sent).toHaveLength(1);
    expect(error).toMatchObject({ code, status, retryAfter: undefined });
    expect(error.message).toMatch(/\w/);
    expect(error.requestId).toMatch(/\w/);
  });

  test.each(['', '.', '..'])('comes before anything is sent for the id "%s"', (id) => {
    expect(() => client.vehicles.get(id)).toThrow(TypeError);
  });

  test('of a key that another request has used is not sent again', async () => {
    const idempotencyKey = crypto.randomUUID();
    await client.vehicles.create({ name: 'One' }, { idempotencyKey });
    const watched = watchedFetch();
    const refused = clientOf(gateway, watched).vehicles.create({ name: 'Two' }, { idempotencyKey });
    expect(await refusalOf(refused)).toMatchObject({ status: 422, code: 'UNPROCESSABLE' });
    expect(watched.sent).toHaveLength(1);
  });
});

test('a file goes there and comes back', async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const file = await attachment('scan.pdf', new Blob([bytes], { type: 'application/pdf' }));
  const body = { name: 'Insurance', expiration_date: '2027-01-31', attachments: [file] };
  const { id } = await client.expirationItems.create(body, { includeFileContent: false });
  const [kept] = (await client.expirationItems.get(id)).attachments;
  expect(kept).toMatchObject({ name: 'scan.pdf', content_type: 'application/pdf', content_legth: 60_000 });
  expect(kept && bytesOf(kept)).toEqual(bytes);
  expect(await attachment('a', new Uint8Array([1, 2]))).toMatchObject({
    content: 'AQI=',
    content_type: 'application/octet-stream',
  });
});

test('a token that was refreshed meanwhile is taken', async () => {
  const tokens = [gateway.viewer, gateway.admin];
  const refreshing = clientOf(gateway, { token: async () => tokens.shift() ?? 'none' });
  expect((await refusalOf(refreshing.teams.create({ name: 'North' }))).status).toBe(403);
  expect(await refreshing.teams.create({ name: 'North' })).toMatchObject({ name: 'North' });
});
