import { describe, expect, test } from 'vitest';
import { largestFile } from '../../src/domain/files.js';
import { findSuggestion } from '../../src/uploads/worker/worker.js';
import { type TestRequest, useGateway } from '../support/gateway.js';
import { settled, storedUpload, withWorker } from '../uploads/support.js';
import { createItem, readItem } from './items.support.js';
import { expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

const text = 'Insurance certificate\nValid until 31 January 2033\n';

/** Creates a request with a form. */
async function formOf(parts: Readonly<Record<string, string | File>>): Promise<TestRequest> {
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) data.append(name, value);
  const form = new Response(data);
  const headers = { 'Content-Type': form.headers.get('content-type') ?? '' };
  return { raw: new Uint8Array(await form.arrayBuffer()), headers };
}

const scan = () => new File([text], 'Certificate.txt', { type: 'text/plain' });

async function send(parts: Readonly<Record<string, string | File>>, request: TestRequest = {}) {
  const form = await formOf(parts);
  const headers = { ...form.headers, ...request.headers };
  return gateway.send('POST', '/v1/uploads', { ...form, ...request, headers });
}

/** Reads waiting documents, as a worker does. */
const readAll = (id: string) =>
  withWorker(
    gateway,
    {
      findFile: async (_upload, _signal, locale, stored) =>
        stored
          ? findSuggestion(stored, { ocr: 'off', ocrCommand: '', locale, today: gateway.clock.now })
          : {},
    },
    () => settled(gateway, id),
  );

const readUpload = async (id: string) => (await gateway.send('GET', `/v1/uploads/${id}`)).json;

describe('POST /v1/uploads', () => {
  test('stores a file, files it, and suggests what it says', async () => {
    const { status, json, headers } = await send({ file: scan(), name: 'Insurance' });
    expect([status, headers.get('location')]).toEqual([201, `/v1/uploads/${json.id}`]);
    expect(json).toMatchObject({ state: 'filed', filename: 'Certificate.txt', type: 'text/plain', size: 50 });
    const stored = await storedUpload(gateway, json.id);
    const item = await readItem(gateway, { id: stored.expirationItemId ?? '' });
    expect(item).toMatchObject({
      name: 'Insurance',
      expirationDate: null,
      attachments: [{ name: 'Certificate.txt' }],
    });
    await readAll(json.id);
    expect(await readUpload(json.id)).toMatchObject({
      needs_review: true,
      suggestions: [{ field: 'expiration_date', value: '2033-01-31', source: 'text' }],
    });
    expect((await storedUpload(gateway, json.id)).dueAt).toBeNull();
  });

  test('takes the date that is sent, and then does not read the document', async () => {
    const { json } = await send({ file: scan(), expiration_date: '2031-07-15' });
    const { expirationItemId, dueAt } = await storedUpload(gateway, json.id);
    expect(dueAt).toBeNull();
    const item = await readItem(gateway, { id: expirationItemId ?? '' });
    expect(item.expirationDate).toBe('2031-07-15');
  });

  test('uses the date of the document if the sender trusts it', async () => {
    const { json } = await send({ file: scan(), trust_scan: 'true' });
    await readAll(json.id);
    const { expirationItemId } = await storedUpload(gateway, json.id);
    expect((await readItem(gateway, { id: expirationItemId ?? '' })).expirationDate).toBe('2033-01-31');
    expect((await readUpload(json.id)).needs_review).toBe(false);
  });

  test('adds the file to an item', async () => {
    const item = await createItem(gateway);
    const { status, json } = await send({ file: scan(), expiration_item_id: item.id });
    expect(status).toBe(201);
    await readAll(json.id);
    const { attachments, expirationDate } = await readItem(gateway, item);
    expect([attachments.length, expirationDate]).toEqual([1, '2027-06-01']);
    expect((await readUpload(json.id)).needs_review).toBe(true);
  });

  test('takes JSON as well', async () => {
    const body = { content: Buffer.from(text).toString('base64'), file_name: 'a.txt' };
    const { status, json } = await gateway.send('POST', '/v1/uploads', { body });
    expect([status, json.filename, json.size]).toEqual([201, 'a.txt', 50]);
  });

  test('does the same request once, although another form has other boundaries', async () => {
    const headers = { 'Idempotency-Key': 'scan-1' };
    const first = await send({ file: scan() }, { headers });
    const again = await send({ file: scan() }, { headers });
    expect([again.status, again.json.id]).toEqual([201, first.json.id]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expectError(await send({ file: scan(), name: 'Other' }, { headers }), 422, 'UNPROCESSABLE');
  });

  test('answers 400 to what cannot be filed, naming the member', async () => {
    expectBadRequest(await send({ name: 'No file' }), /file/);
    expectBadRequest(await send({ file: 'text' }), /file/);
    expectBadRequest(await send({ file: new File([], 'a.txt') }), /^file: is empty/);
    expectBadRequest(await send({ file: scan(), expiration_date: 'soon' }), /^expiration_date: /);
    expectBadRequest(await send({ file: scan(), contact_email: 'x' }), /^contact_email: /);
    expectBadRequest(await send({ file: scan(), trust_scan: 'maybe' }), /^trust_scan: /);
    const nowhere = '00000000-0000-4000-8000-000000000000';
    expectBadRequest(await send({ file: scan(), team_id: nowhere }), /^team_id: /);
    expectBadRequest(await send({ file: scan(), expiration_item_id: nowhere }), /^expiration_item_id: /);
    expectBadRequest(await gateway.send('POST', '/v1/uploads', { body: {} }));
    expectBadRequest(await gateway.send('POST', '/v1/uploads', { body: { content: 'ä' } }), /^content: /);
    const broken = { raw: 'x', headers: { 'Content-Type': 'multipart/form-data; boundary=b' } };
    expectBadRequest(await gateway.send('POST', '/v1/uploads', broken));
    const form = await formOf({ file: scan() });
    const data = new FormData();
    data.append('file', scan());
    data.append('file', scan());
    const twice = new Response(data);
    const raw = new Uint8Array(await twice.arrayBuffer());
    const headers = { ...form.headers, 'Content-Type': twice.headers.get('content-type') ?? '' };
    expectBadRequest(await gateway.send('POST', '/v1/uploads', { raw, headers }), /more than one part/);
  });

  test('answers 401, 403, 412, 413 and 415', async () => {
    expectError(await send({ file: scan() }, { token: null }), 401, 'UNAUTHORIZED');
    expectError(await send({ file: scan() }, { token: gateway.viewer }), 403, 'FORBIDDEN');
    expectError(await send({ file: scan() }, { token: gateway.uploader }), 403, 'FORBIDDEN');
    expectError(await send({ file: scan() }, { headers: { 'If-Match': '"x"' } }), 412, 'PRECONDITION_FAILED');
    const large = new File([new Uint8Array(largestFile + 1)], 'large.bin');
    expectError(await send({ file: large }), 413, 'PAYLOAD_TOO_LARGE');
    const csv = { raw: 'x', headers: { 'Content-Type': 'text/csv' } };
    expectError(await gateway.send('POST', '/v1/uploads', csv), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test('leaves nothing behind that could not be filed', async () => {
    const { prisma } = gateway.database;
    const count = () => Promise.all([prisma.uploadNotification.count(), prisma.attachment.count()]);
    const before = await count();
    await send({ file: scan(), contact_email: 'x' });
    expect(await count()).toEqual(before);
  });
});
