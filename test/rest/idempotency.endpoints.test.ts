import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderStore } from '../../src/db/files/folder.js';
import { FileStores } from '../../src/db/files/store.js';
import { newId } from '../../src/domain/rules.js';
import { exportEndpoints, teamExportEndpoints } from '../../src/http/exports.js';
import { importEndpoints } from '../../src/http/imports.js';
import { partsWithoutBoundary } from '../../src/http/request/request.js';
import { fieldEndpoints, restEndpoints } from '../../src/http/rest.js';
import { resumableUploadEndpoints } from '../../src/http/resumable-uploads.js';
import { startGateway, type TestGateway, type TestRequest, type TestResponse } from '../support/gateway.js';
import { isReplay, keyed, shown } from './idempotency.support.js';
import { expectBadRequest, expectError } from './support.js';

/** Operations with handlers of their own: all but the routes of the contract's table. */
const own = [
  ...exportEndpoints(2),
  ...teamExportEndpoints(),
  ...importEndpoints(),
  ...fieldEndpoints(),
  ...resumableUploadEndpoints(1),
];
const writing = [...restEndpoints(), ...own].flatMap(({ path, methods }) =>
  Object.keys(methods)
    .filter((method) => method !== 'GET')
    .map((method) => `${method} ${path}`),
);

const tus = { 'Tus-Resumable': '1.0.0' };
const pieceType = { 'Content-Type': 'application/offset+octet-stream' };

test('every writing operation is described with its key', async () => {
  const document = JSON.parse(await readFile('schema/v1.openapi.json', 'utf8'));
  const described = Object.entries<Record<string, { parameters?: { $ref?: string }[]; responses: object }>>(
    document.paths,
  ).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'get')
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  expect(described.map(([name]) => name).sort()).toEqual([...writing].sort());
  for (const [name, { parameters, responses }] of described) {
    expect(
      parameters?.map(({ $ref }) => $ref),
      name,
    ).toContain('#/components/parameters/IdempotencyKey');
    expect(Object.keys(responses), name).toEqual(expect.arrayContaining(['409', '422']));
  }
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'egw-keys-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A request with all that its answer depends on. */
type Sent = readonly [method: string, path: string, request?: TestRequest];

const csv = { headers: { 'Content-Type': 'text/csv' } };

/** Requests to each operation with a handler of its own, made so that they succeed once. */
const requests: Readonly<Record<string, (gateway: TestGateway) => Promise<Sent>>> = {
  'POST /v1/imports': async () => [
    'POST',
    '/v1/imports?kind=contacts',
    { ...csv, raw: `email\n${newId()}@example.com` },
  ],
  'POST /v1/imports of a workspace': async ({ teamId }) => [
    'POST',
    `/v1/imports?kind=workspace&team_id=${teamId}`,
    { headers: { 'Content-Type': 'application/zip' }, raw: `PK ${newId()}` },
  ],
  'POST /v1/imports of a file in pieces': async (gateway) => [
    'POST',
    `/v1/imports?kind=contacts&resumable_upload_id=${await sendPieces(gateway, 'email\npieces@example.com')}`,
  ],
  'POST /v1/imports of a workspace in pieces': async (gateway) => [
    'POST',
    `/v1/imports?kind=workspace&team_id=${gateway.teamId}&resumable_upload_id=${await sendPieces(gateway, `PK ${newId()}`)}`,
  ],
  'POST /v1/imports/{id}/run': async (gateway) => [
    'POST',
    `/v1/imports/${await makeImport(gateway, 'READY')}/run`,
  ],
  'POST /v1/imports/{id}/undo': async (gateway) => [
    'POST',
    `/v1/imports/${await makeImport(gateway, 'DONE')}/undo`,
  ],
  'POST /v1/imports/{id}/cancel': async (gateway) => [
    'POST',
    `/v1/imports/${await makeImport(gateway, 'RUNNING')}/cancel`,
  ],
  'POST /v1/documentrequests/bulk': async (gateway) => {
    const { json } = await gateway.send('POST', '/v1/categories', { body: { name: newId() } });
    const requests = [{ category_id: json.id, email: 'ann@example.com' }];
    return ['POST', '/v1/documentrequests/bulk', { body: { requests } }];
  },
  'PUT /v1/digests/{id}': async () => ['PUT', '/v1/digests/me', { body: { mode: 'daily' } }],
  'DELETE /v1/digests/{id}': async (gateway) => {
    await gateway.send('PUT', '/v1/digests/organization', { body: { mode: 'single' } });
    return ['DELETE', '/v1/digests/organization'];
  },
  'POST /v1/exports': async ({ otherTeamId }) => ['POST', `/v1/exports?team_id=${otherTeamId}`],
  'DELETE /v1/exports/{id}': async (gateway) => {
    const { json } = await gateway.send('POST', `/v1/exports?team_id=${gateway.teamId}`);
    return ['DELETE', `/v1/exports/${json.id}`];
  },
  'POST /v1/resumable-uploads': async () => [
    'POST',
    '/v1/resumable-uploads',
    { headers: { ...tus, 'Upload-Length': '5' } },
  ],
  'PATCH /v1/resumable-uploads/{id}': async (gateway) => {
    const id = await begin(gateway, 5);
    return [
      'PATCH',
      `/v1/resumable-uploads/${id}`,
      { headers: { ...tus, ...pieceType, 'Upload-Offset': '0' }, raw: 'hello' },
    ];
  },
  'DELETE /v1/resumable-uploads/{id}': async (gateway) => [
    'DELETE',
    `/v1/resumable-uploads/${await begin(gateway, 5)}`,
    { headers: tus },
  ],
};

async function begin(gateway: TestGateway, length: number): Promise<string> {
  const headers = { ...tus, 'Upload-Length': String(length) };
  return (await gateway.send('POST', '/v1/resumable-uploads', { headers })).json.id;
}

async function sendPieces(gateway: TestGateway, text: string): Promise<string> {
  const id = await begin(gateway, text.length);
  const headers = { ...tus, ...pieceType, 'Upload-Offset': '0' };
  const sent = await gateway.send('PATCH', `/v1/resumable-uploads/${id}`, { headers, raw: text });
  expect(sent.status).toBe(204);
  return id;
}

async function makeImport(gateway: TestGateway, state: 'READY' | 'RUNNING' | 'DONE'): Promise<string> {
  const raw = `email\n${newId()}@example.com`;
  const { json } = await gateway.send('POST', '/v1/imports?kind=contacts', { ...csv, raw });
  const done = state === 'DONE' ? { doneCount: 1, undoUntil: new Date('2100-01-01') } : {};
  await gateway.database.prisma.import.update({ where: { id: json.id }, data: { state, ...done } });
  return json.id;
}

/** Returns all that an answer tells. */
const told = (response: TestResponse) => ({
  ...shown(response),
  progress: ['upload-offset', 'upload-length', 'tus-resumable'].map((name) => response.headers.get(name)),
});

test('every operation with a handler of its own is here', () => {
  const names = Object.keys(requests).map((name) => name.split(' ').slice(0, 2).join(' '));
  const wanted = writing.filter((name) => own.some(({ path }) => name.endsWith(` ${path}`)));
  expect([...new Set(names)].sort()).toEqual(wanted.sort());
});

const gateways: readonly { place: string; env: Record<string, string>; open: () => FileStores }[] = [
  { place: 'in the database', env: {}, open: () => new FileStores() },
  { place: 'in a folder', env: {}, open: () => new FileStores({ target: createFolderStore(folder) }) },
  { place: 'in the database, with row security', env: { ROW_SECURITY: 'on' }, open: () => new FileStores() },
  {
    ...{ place: 'in a folder, with row security', env: { ROW_SECURITY: 'on' } },
    open: () => new FileStores({ target: createFolderStore(folder) }),
  },
];

describe.each(gateways)('with files $place', ({ env, open }) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway(env, undefined, { files: open() });
  });
  afterAll(() => gateway.close());
  const send = ([method, path, request]: Sent, key: string) =>
    gateway.send(method, path, keyed(request, key));

  test.each(Object.entries(requests))('%s is done once, and answered again', async (_name, make) => {
    const [sent, key] = [await make(gateway), newId()];
    const first = await send(sent, key);
    expect([Math.floor(first.status / 100), isReplay(first)], first.text).toEqual([2, false]);
    for (let again = 0; again < 2; again++) {
      const replay = await send(sent, key);
      expect(told(replay)).toEqual(told(first));
      expect(isReplay(replay)).toBe(true);
    }
    const [method, path, request] = sent;
    expectError(
      await send([method, `${path}${path.includes('?') ? '&' : '?'}x=1`, request], key),
      422,
      'UNPROCESSABLE',
    );
  });

  test('a piece with a key is stored once, and continues the file', async () => {
    const id = await begin(gateway, 6);
    const append = (offset: number, raw: string, key: string) =>
      send(
        [
          'PATCH',
          `/v1/resumable-uploads/${id}`,
          { headers: { ...tus, ...pieceType, 'Upload-Offset': `${offset}` }, raw },
        ],
        key,
      );
    const [one, two] = [newId(), newId()];
    expect((await append(0, 'abc', one)).headers.get('upload-offset')).toBe('3');
    expect((await append(3, 'abc', two)).headers.get('upload-offset')).toBe('6');
    expect((await append(0, 'abc', one)).headers.get('upload-offset')).toBe('3');
    // The place is a part of the request.
    expectError(await append(3, 'abc', one), 422, 'UNPROCESSABLE');
    const { headers } = await gateway.send('HEAD', `/v1/resumable-uploads/${id}`, { headers: tus });
    expect(headers.get('upload-offset')).toBe('6');
  });

  test('the size of a file in pieces is a part of the request', async () => {
    const key = newId();
    const make = (length: string) =>
      send(['POST', '/v1/resumable-uploads', { headers: { ...tus, 'Upload-Length': length } }], key);
    expect((await make('5')).status).toBe(201);
    expectError(await make('6'), 422, 'UNPROCESSABLE');
  });

  test('a refused request is not stored, and runs again', async () => {
    const [id, key] = [await makeImport(gateway, 'RUNNING'), newId()];
    const run: Sent = ['POST', `/v1/imports/${id}/run`];
    expectError(await send(run, key), 409, 'CONFLICT');
    await gateway.database.prisma.import.update({ where: { id }, data: { state: 'READY' } });
    expect((await send(run, key)).status).toBe(200);
    expect(isReplay(await send(run, key))).toBe(true);
  });
});

describe('an invalid key', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  test.each(writing)('is 400: %s', async (name) => {
    const [method = '', path = ''] = name.split(' ');
    const isPiece = name === 'PATCH /v1/resumable-uploads/{id}';
    const type = isPiece
      ? pieceType
      : path === '/v1/imports'
        ? csv.headers
        : { 'Content-Type': 'application/json' };
    const headers = {
      ...tus,
      ...type,
      'Upload-Length': '1',
      'Upload-Offset': '0',
      'Idempotency-Key': 'a key',
    };
    const raw = method === 'DELETE' ? {} : { raw: '{}' };
    const answer = await gateway.send(
      method,
      path.replaceAll(/\{\w+\}/g, () => newId()),
      { headers, ...raw },
    );
    expectBadRequest(answer, /Idempotency-Key/);
  });
});

test('the boundary of a form is no part of the request, and only whole delimiters are looked for', () => {
  const form = (boundary: string) => {
    const head = 'Content-Disposition: form-data; name="a"\r\n\r\n';
    return Buffer.from(`--${boundary}\r\n${head}x\r\n--${boundary}--\r\n`);
  };
  const type = (boundary: string) => `multipart/form-data; boundary=${boundary}`;
  const parts = (boundary: string) => Buffer.concat(partsWithoutBoundary(type(boundary), form(boundary)));
  expect(parts('one')).toEqual(parts('another'));
  expect(partsWithoutBoundary(type('a'), Buffer.alloc(100_000, 'a'))).toHaveLength(1);
  expect(() => partsWithoutBoundary(type('a'), Buffer.alloc(100_000, '--a'))).toThrow(/may have at most/);
});
