import { describe, expect, test } from 'vitest';
import { pass, receive, settled, withWorker } from '../jobs/support.js';
import { type TestRequest, useGateway } from '../support/gateway.js';
import { createItem, put, readItem } from './items.support.js';
import { expectError, expectNotModified } from './support.js';

const gateway = useGateway();

const read = (id: string, request: TestRequest = {}) => gateway.send('GET', `/v1/uploads/${id}`, request);
const list = async (query: string, token?: string) =>
  (await gateway.send('GET', `/v1/uploads?${query}`, { ...(token && { token }) })).json;
const retry = (id: string, request: TestRequest = {}) =>
  gateway.send('POST', `/v1/uploads/${id}/retry`, request);
const confirm = (id: string, body: object, request: TestRequest = {}) =>
  gateway.send('POST', `/v1/uploads/${id}/confirm`, { body, ...request });

/** Receives an upload and lets a worker settle it: it fails when its tags are wrong. */
async function worked(filename: string, upload_Tags: object): Promise<string> {
  const id = await receive(gateway, { filename, upload_Tags });
  await withWorker(gateway, {}, () => settled(gateway, id));
  return id;
}

const failed = (filename: string) => worked(filename, { expiration_date: 'soon' });
const tagOf = async (id: string) => (await read(id)).headers.get('etag') ?? '';

describe('GET /v1/uploads', () => {
  test('lists by state, in any letter case, the last received first', async () => {
    const ids: Record<string, string> = {};
    ids.failed = await failed('inbox failed');
    pass(gateway, 1_000);
    ids.filed = await worked('inbox filed', {});
    pass(gateway, 1_000);
    ids.ignored = await receive(gateway, { filename: 'inbox ignored' }, undefined, 'fp.delete');
    pass(gateway, 1_000);
    ids.received = await receive(gateway, { filename: 'inbox received' });
    for (const [state, id] of Object.entries(ids)) {
      for (const word of [state, state.toUpperCase()]) {
        const { uploads, total } = await list(`term=inbox&state=${word}`);
        expect([uploads.map((upload: { id: string }) => upload.id), total], word).toEqual([[id], 1]);
        expect(uploads[0]).toMatchObject({ state, filename: `inbox ${state}` });
      }
    }
    const all = (await list('term=inbox')).uploads.map(({ state }: { state: string }) => state);
    expect(all).toEqual(['received', 'ignored', 'filed', 'failed']);
    const sorted = (await list('term=inbox&sort=filename')).uploads;
    expect(sorted.map(({ state }: { state: string }) => state)).toEqual([
      ...['failed', 'filed', 'ignored', 'received'],
    ]);
  });

  test('writes numbers to the last digit, as GraphQL does', async () => {
    const tags =
      '{"n":9007199254740993,"price":1.10,"share":0.1000,"zero":-0,"large":1E5,"list":[{"long":12345678901234567890.123}],"plain":1.5}';
    const raw = `{"id": 9007199254740993, "action": "fp.delete", "timestamp": -9223372036854775808,
      "text": {"filename": "exact", "size": 9223372036854775807, "upload_Tags": ${tags}}}`;
    const headers = { 'Content-Type': 'application/json' };
    await gateway.send('POST', '/v1/bulkscan/receive', { raw, headers });
    const { text, json } = await gateway.send('GET', '/v1/uploads?term=exact');
    const alone = await read(json.uploads[0].id);
    for (const answer of [text, alone.text]) {
      expect(answer).toContain('"notification_id":9007199254740993,');
      expect(answer).toContain('"timestamp":-9223372036854775808,');
      expect(answer).toContain('"size":9223372036854775807,');
      expect(answer).toContain(`"upload_Tags":${tags},`);
    }
    const query = `{ uploadNotifications(filter: {term: "exact"}) {
      nodes { notificationId timestamp size uploadTags uploadTagsText }
    } }`;
    expect((await gateway.send('POST', '/graphql', { body: { query } })).text).toBe(
      `{"data":{"uploadNotifications":{"nodes":[{"notificationId":"9007199254740993","timestamp":"-9223372036854775808","size":"9223372036854775807","uploadTags":${tags},"uploadTagsText":${JSON.stringify(tags)}}]}}}`,
    );
    expect(
      (await read(json.uploads[0].id, { headers: { 'If-None-Match': await tagOf(json.uploads[0].id) } }))
        .status,
    ).toBe(304);
  });
});

test('an item that the caller may not see is not named', async () => {
  const id = await worked('elsewhere', { team_id: gateway.otherTeamId });
  expect((await read(id)).json).toMatchObject({
    state: 'filed',
    expiration_item_id: expect.any(String),
    attachment_id: expect.any(String),
  });
  const { json } = await read(id, { token: gateway.member });
  expect(json).toMatchObject({ state: 'filed', expiration_item_id: null, attachment_id: null });
});

test('the version moves on with each step of an upload', async () => {
  const id = await receive(gateway, { filename: 'steps', upload_Tags: { expiration_date: 'soon' } });
  const tags = [await tagOf(id)];
  await withWorker(gateway, {}, () => settled(gateway, id));
  tags.push(await tagOf(id));
  expect((await retry(id)).headers.get('etag')).toBe(await tagOf(id));
  tags.push(await tagOf(id));
  await confirm(id, { expiration_date: '2028-01-31' });
  tags.push(await tagOf(id));
  const versions = tags.map((tag) => Number.parseInt(tag.slice(1).split('-')[0] ?? '', 36));
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  expectNotModified(await read(id, { headers: { 'If-None-Match': tags.at(-1) ?? '' } }));
});

describe('POST /v1/uploads/{id}/retry', () => {
  test('200: it is in the queue again, whatever its body is', async () => {
    const id = await failed('again');
    expect((await read(id)).json).toMatchObject({ state: 'failed', attempts: 1, error: expect.any(String) });
    const { status, json, headers } = await retry(id, { body: { anything: 1 } });
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, state: 'received', attempts: 0, error: null });
    expect(headers.get('location')).toBeNull();
  });

  test('409: a filed one, or one that needs no filing, is not retried', async () => {
    expectError(await retry(await worked('done', {})), 409, 'CONFLICT', /already filed/);
    const ignored = await receive(gateway, {}, undefined, 'fp.delete');
    expectError(await retry(ignored), 409, 'CONFLICT', /needs no filing/);
  });

  test('a repetition with the same Idempotency-Key is answered as the first', async () => {
    const id = await failed('repeated');
    const request = { headers: { 'Idempotency-Key': `retry ${id}`.replace(' ', '-') } };
    const first = await retry(id, request);
    pass(gateway, 1_000);
    const second = await retry(id, request);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('POST /v1/uploads/{id}/confirm', () => {
  test('200: it is filed as the body says', async () => {
    const id = await failed('decided');
    const body = { name: 'Decided', expiration_date: '2028-01-31', category: 'Permit' };
    const { status, json, headers } = await confirm(id, body);
    expect(status).toBe(200);
    expect(headers.get('etag')).toBe(await tagOf(id));
    expect(json).toMatchObject({ state: 'filed', error: null, filed_at: expect.any(String) });
    const item = await readItem(gateway, { id: json.expiration_item_id });
    expect(item).toMatchObject({
      name: 'Decided',
      expirationDate: '2028-01-31',
      category: { name: 'Permit' },
    });
    expect(item.attachments.map((file: { id: string }) => file.id)).toEqual([json.attachment_id]);
  });

  test('If-Match names the version of the upload, not of the item that it is filed under', async () => {
    const item = await createItem(gateway);
    const id = await failed('conditional');
    const tag = await tagOf(id);
    await put(gateway, item, { details: 'Another version.' });
    const stale = await confirm(id, { expiration_item_id: item.id }, { headers: { 'If-Match': '"old-1"' } });
    expectError(stale, 412, 'PRECONDITION_FAILED');
    const filed = await confirm(id, { expiration_item_id: item.id }, { headers: { 'If-Match': tag } });
    expect([filed.status, filed.json.expiration_item_id], filed.text).toEqual([200, item.id]);
    // It is filed now, and its item is what changes.
    const wrong = await confirm(id, { name: 'Renamed' }, { headers: { 'If-Match': tag } });
    expectError(wrong, 412, 'PRECONDITION_FAILED');
    const own = { headers: { 'If-Match': await tagOf(id) } };
    expect((await confirm(id, { name: 'Renamed' }, own)).status).toBe(200);
    expect((await readItem(gateway, item)).name).toBe('Renamed');
  });

  test('400 names the member, 409 what it is filed under', async () => {
    const id = await failed('refused');
    const decision = { expiration_date: '2028-01-31', contact_email: 'nobody' };
    expectError(await confirm(id, decision), 400, 'BAD_REQUEST', /^contact_email/);
    // What the decision leaves to the tags, they may have wrong.
    expectError(await confirm(id, { name: 'X' }), 400, 'BAD_REQUEST', /^upload_Tags\.expiration_date/);
    expectError(await confirm(id, { expiration_date: '2028-02-30' }), 400, 'BAD_REQUEST', /^expiration_date/);
    const filed = await worked('filed already', {});
    const other = await createItem(gateway);
    const refused = await confirm(filed, { expiration_item_id: other.id });
    expectError(refused, 409, 'CONFLICT', /under another item/);
  });
});
