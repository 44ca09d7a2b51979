import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { partBytes } from '../../src/db/files/file-parts.js';
import { createFolderStore } from '../../src/db/files/folder.js';
import { FileStores } from '../../src/db/files/store.js';
import { forgetResumable, resumableLimits } from '../../src/uploads/resumable.js';
import { idOf, sendByTus } from '../clients/tus.support.js';
import { createTenant, startGateway, type TestGateway, type TestRequest } from '../support/gateway.js';
import { storedUpload } from '../uploads/support.js';
import { readItem } from './items.support.js';
import { expectBadRequest, expectError } from './support.js';

const path = '/v1/resumable-uploads';
const tus = { 'Tus-Resumable': '1.0.0' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'egw-pieces-'));
});
afterAll(() => rm(folder, { recursive: true }));

const places = [
  { place: 'the database', open: () => new FileStores() },
  { place: 'a folder', open: () => new FileStores({ target: createFolderStore(folder) }) },
];

describe.each(places)('uploads in pieces with files in $place', ({ open }) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ UPLOAD_SPACE: '1', CORS_ORIGINS: 'https://app.example.com' }, undefined, {
      files: open(),
    });
  });
  afterAll(() => gateway.close());

  const begin = (length: number | string, { headers, ...request }: TestRequest = {}) =>
    gateway.send('POST', path, {
      ...request,
      headers: { ...tus, 'Upload-Length': String(length), ...headers },
    });
  const append = (
    id: string,
    offset: number | string,
    raw: string | Uint8Array<ArrayBuffer>,
    { headers, ...request }: TestRequest = {},
  ) =>
    gateway.send('PATCH', `${path}/${id}`, {
      ...{ ...request, raw },
      headers: {
        ...tus,
        'Content-Type': 'application/offset+octet-stream',
        'Upload-Offset': String(offset),
        ...headers,
      },
    });
  const head = async (id: string, request: TestRequest = {}) => {
    const { status, headers } = await gateway.send('HEAD', `${path}/${id}`, { headers: tus, ...request });
    return [status, headers.get('upload-offset')];
  };
  const remove = (id: string, request: TestRequest = {}) =>
    gateway.send('DELETE', `${path}/${id}`, { ...request, headers: tus });
  const add = (resumable_upload_id: string, more: object = {}, token = gateway.admin) =>
    gateway.send('POST', '/v1/uploads', { token, body: { resumable_upload_id, ...more } });
  const receiver = () => ({ url: gateway.url, token: gateway.admin });
  const partsOf = (id: string) =>
    gateway.database.sql('SELECT FROM archive_parts WHERE archive_id = $1::uuid', [id]);
  const contentOf = async (uploadId: string) => {
    const { attachmentId } = await storedUpload(gateway, uploadId);
    const headers = { Authorization: `Bearer ${gateway.admin}` };
    const response = await fetch(`${gateway.url}/attachments/${attachmentId}`, { headers });
    return Buffer.from(await response.arrayBuffer());
  };

  test('tell what they can do', async () => {
    const { status, headers } = await gateway.send('OPTIONS', path, { token: null });
    expect([status, headers.get('tus-version'), headers.get('tus-max-size')]).toEqual([
      204,
      '1.0.0',
      String(16 * 1024 ** 2),
    ]);
    expect(headers.get('tus-extension')).toBe('creation,expiration,termination');
    const origin = { Origin: 'https://app.example.com' };
    const asked = {
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'upload-offset',
    };
    const preflight = await gateway.send('OPTIONS', path, { token: null, headers: { ...origin, ...asked } });
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('upload-offset');
    const { headers: shown } = await begin(1, { headers: origin });
    const exposed = shown.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['Location', 'Tus-Resumable', 'Upload-Offset']));
  });

  test('become a file of an item, sent by the usual client', async () => {
    const bytes = randomBytes(9 * 1024 * 1024 + 5);
    const address = await sendByTus(receiver(), bytes, {
      chunkSize: partBytes,
      metadata: { filename: 'Führerschein.pdf', filetype: 'application/pdf', relativePath: '' },
    });
    const id = idOf(address);
    const { status, json } = await add(id, { name: 'Licence' });
    expect([status, json.filename, json.type, json.size]).toEqual([
      201,
      'Führerschein.pdf',
      'application/pdf',
      bytes.length,
    ]);
    expect(bytes.equals(await contentOf(json.id))).toBe(true);
    const { expirationItemId } = await storedUpload(gateway, json.id);
    expect(await readItem(gateway, { id: expirationItemId ?? '' })).toMatchObject({ name: 'Licence' });
    // The bytes are the item's now.
    expect(await partsOf(id)).toEqual([]);
    expect((await head(id))[0]).toBe(404);
  });

  test('continue where they were cut, with pieces of any size', async () => {
    const bytes = randomBytes(3 * 1024 * 1024 + 1);
    const uploadUrl = await sendByTus(receiver(), bytes, { cutAt: 1 });
    expect(await head(idOf(uploadUrl))).toEqual([200, String(1024 * 1024)]);
    const again = await sendByTus(receiver(), bytes, { uploadUrl, chunkSize: 700_001 });
    expect(again).toBe(uploadUrl);
    const { json } = await add(idOf(uploadUrl), { file_name: 'a.bin' });
    expect(bytes.equals(await contentOf(json.id))).toBe(true);
  });

  test('are used once, however often and at once they are asked for', async () => {
    const id = idOf(await sendByTus(receiver(), Buffer.from('once')));
    const answers = await Promise.all([1, 2, 3].map(() => add(id)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const later = await add(id);
    expect(new Set([...answers, later].map(({ json }) => json.id)).size).toBe(1);
    const { data } = await gateway.graphql(
      'mutation ($input: AddUploadInput!) { addUpload(input: $input) { id } }',
      { input: { resumableUploadId: id } },
    );
    expect(data.addUpload.id).toBe(later.json.id);
    // To another person it is none.
    expectBadRequest(await add(id, {}, gateway.member), /^resumable_upload_id: names no/);
  });

  test('tell how far they have come', async () => {
    const metadata = `filename ${Buffer.from('a.txt').toString('base64')},is_private`;
    const { status, json, headers } = await begin(4, { headers: { 'Upload-Metadata': metadata } });
    expect([status, headers.get('location')]).toEqual([201, `${path}/${json.id}`]);
    const expires = new Date(gateway.clock.now.getTime() + 24 * 3_600_000);
    expect(headers.get('upload-expires')).toBe(expires.toUTCString());
    const piece = await append(json.id, 0, 'ab');
    expect([piece.status, piece.headers.get('upload-offset')]).toEqual([204, '2']);
    expectError(await add(json.id), 409, 'CONFLICT');
    const shown = await gateway.send('GET', `${path}/${json.id}`);
    expect(shown.json).toMatchObject({ file_name: 'a.txt', length: 4, offset: 2, team_id: gateway.teamId });
    expect(shown.headers.get('upload-metadata')).toBe(metadata);
    const last = await append(json.id, 2, 'cd');
    expect([last.headers.get('upload-offset'), last.headers.get('upload-expires')]).toEqual(['4', null]);
    expect(last.headers.get('tus-resumable')).toBe('1.0.0');
  });

  test('take pieces and end by POST, for browsers without PATCH and DELETE', async () => {
    const { id } = (await begin(3)).json;
    // The description has these as the operations that they stand for.
    const post = (method: string, headers: Record<string, string>, body?: string) =>
      fetch(`${gateway.url}${path}/${id}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${gateway.admin}`,
          ...tus,
          'X-HTTP-Method-Override': method,
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
    const piece = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' };
    const { status, headers } = await post('PATCH', piece, 'abc');
    expect([status, headers.get('upload-offset')]).toEqual([204, '3']);
    expect((await post('PUT', {})).status).toBe(405);
    expect((await post('delete', {})).status).toBe(204);
    expect((await head(id))[0]).toBe(404);
  });

  test('take each piece once, at its place', async () => {
    const { id } = (await begin(6)).json;
    expect((await append(id, 0, 'abc')).status).toBe(204);
    expectError(await append(id, 0, 'abc'), 409, 'CONFLICT');
    expectError(await append(id, 4, 'e'), 409, 'CONFLICT');
    const both = await Promise.all([append(id, 3, 'd'), append(id, 3, 'd')]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect((await append(id, 4, '')).headers.get('upload-offset')).toBe('4');
    expectError(await append(id, 4, 'too long'), 413, 'PAYLOAD_TOO_LARGE');
    expect(await head(id)).toEqual([200, '4']);
  });

  test('refuse what is no piece', async () => {
    const { id } = (await begin(16 * 1024 * 1024)).json;
    const large = await append(id, 0, new Uint8Array(resumableLimits.piece + 1));
    expectError(large, 413, 'PAYLOAD_TOO_LARGE');
    expect(large.json.message).toContain(String(8 * 1024 * 1024));
    expect(large.headers.get('tus-resumable')).toBe('1.0.0');
    expectError(
      await append(id, 0, 'a', { headers: { 'Content-Type': 'text/plain' } }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
    expectBadRequest(await append(id, '-1', 'a'), /Upload-Offset/);
    const old = await append(id, 0, 'a', { headers: { 'Tus-Resumable': '0.2.2' } });
    expectError(old, 412, 'PRECONDITION_FAILED');
    expect(old.headers.get('tus-version')).toBe('1.0.0');
    for (const version of ['0.2.2', '']) {
      const headers = { 'Tus-Resumable': version };
      expect((await gateway.send('HEAD', `${path}/${id}`, { headers })).status).toBe(412);
    }
    expectBadRequest(await begin('many'), /Upload-Length/);
    expectBadRequest(await begin(1, { headers: { 'Upload-Defer-Length': '1' } }), /Upload-Length/);
    for (const metadata of ['filename ä', 'a YQ==,a YQ==', ',', 'a Y', `a ${'A'.repeat(4096)}`])
      expectBadRequest(await begin(1, { headers: { 'Upload-Metadata': metadata } }), /Upload-Metadata/);
    expectError(await append('nothing', 0, 'a'), 404, 'NOT_FOUND');
  });

  test("are their sender's alone, in a workspace that the sender sees", async () => {
    const { id } = (await begin(1)).json;
    const { admin: stranger } = await createTenant(gateway.database, 'Other');
    for (const token of [gateway.member, stranger]) {
      expect((await head(id, { token }))[0]).toBe(404);
      expectError(await append(id, 0, 'a', { token }), 404, 'NOT_FOUND');
      expectError(await remove(id, { token }), 404, 'NOT_FOUND');
      expectBadRequest(await add(id, {}, token), /^resumable_upload_id: names no/);
    }
    expectError(await begin(1, { token: gateway.viewer }), 403, 'FORBIDDEN');
    expect(await head(id)).toEqual([200, '0']);
    const named = (teamId: string) => ({
      headers: { 'Upload-Metadata': `team_id ${Buffer.from(teamId).toString('base64')}` },
    });
    const elsewhere = await begin(1, named(gateway.otherTeamId));
    expect(elsewhere.json.team_id).toBe(gateway.otherTeamId);
    expectError(await begin(1, named('00000000-0000-4000-8000-000000000000')), 404, 'NOT_FOUND');
    expectError(await begin(1, { ...named(gateway.otherTeamId), token: gateway.member }), 404, 'NOT_FOUND');
    await append(elsewhere.json.id, 0, 'a');
    const { json } = await add(elsewhere.json.id);
    expect((await storedUpload(gateway, json.id)).teamId).toBe(gateway.otherTeamId);
  });

  test('have a limit for each, and one for all unfinished ones of a workspace', async () => {
    const most = 16 * 1024 ** 2;
    const { headers: told } = await gateway.send('OPTIONS', path);
    expect(told.get('tus-max-size')).toBe(String(most));
    for (const length of [most + 1, '9007199254740993', '9'.repeat(40)])
      expectError(await begin(length), 413, 'PAYLOAD_TOO_LARGE');
    const { data } = await gateway.graphql('mutation { createTeam(input: {name: "Full"}) { id } }');
    const headers = {
      'Upload-Metadata': `team_id ${Buffer.from(data.createTeam.id).toString('base64')}`,
    };
    const whole = await begin(most, { headers });
    expect(whole.status).toBe(201);
    // The workspace may have one gibibyte.
    const others = await Promise.all(Array.from({ length: 63 }, () => begin(most, { headers })));
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([201]));
    const refused = await begin(1, { headers });
    expectError(refused, 429, 'TOO_MANY_REQUESTS');
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect((await remove(whole.json.id)).status).toBe(204);
    expect((await begin(1, { headers })).status).toBe(201);
    const empty = (await begin(0)).json;
    expectBadRequest(await add(empty.id), /^resumable_upload_id: is empty/);
    expectBadRequest(await add(empty.id, { content: 'eA==' }), /^resumable_upload_id: cannot be sent/);
  });

  test('begin anew when PostgreSQL has emptied the table of their pieces', async () => {
    const { id } = (await begin(3)).json;
    await append(id, 0, 'abc');
    await gateway.database.sql('DELETE FROM archive_parts WHERE archive_id = $1::uuid', [id]);
    expect(await head(id)).toEqual([200, '0']);
    expectError(await add(id), 409, 'CONFLICT');
    expect((await append(id, 0, 'abc')).status).toBe(204);
    expect((await add(id)).status).toBe(201);
  });

  test('are gone when they are deleted, and after a day', async () => {
    const [deleted, expired] = [(await begin(2)).json, (await begin(2)).json];
    await append(deleted.id, 0, 'a');
    await append(expired.id, 0, 'a');
    expect((await remove(deleted.id)).status).toBe(204);
    expect(await partsOf(deleted.id)).toEqual([]);
    const { now } = gateway.clock;
    gateway.clock.now = new Date(now.getTime() + 24 * 3_600_000);
    try {
      for (const { id } of [deleted, expired]) {
        expect((await head(id))[0]).toBe(404);
        expectError(await append(id, 1, 'b'), 404, 'NOT_FOUND');
        expectError(await remove(id), 404, 'NOT_FOUND');
      }
      expect(await partsOf(expired.id)).toHaveLength(1);
      await forgetResumable(gateway.database, gateway.clock.now);
    } finally {
      gateway.clock.now = now;
    }
    expect(await partsOf(expired.id)).toEqual([]);
    expect(
      await gateway.database.sql('SELECT FROM resumable_uploads WHERE id = $1::uuid', [expired.id]),
    ).toEqual([]);
  });
});
