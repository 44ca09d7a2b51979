import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openFileStores } from '../../src/cli/database.js';
import { createFolderStore } from '../../src/db/files/folder.js';
import { examineFiles, moveFiles } from '../../src/db/files/maintenance.js';
import { type FileStore, FileStores, type StoreFailure } from '../../src/db/files/store.js';
import { newId } from '../../src/domain/rules.js';
import { answerCode, type S3Service, startS3 } from '../clients/s3.support.js';
import { createItem } from '../rest/items.support.js';
import { startGateway, type TestGateway, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';

const small = Buffer.from('The bytes of a small file.');
// Several slices, and a part of one.
const large = randomBytes(3 * 1024 * 1024 + 17);
const file = (name: string, content: Buffer) => ({ name, content: content.toString('base64') });

interface Made {
  readonly id: string;
  readonly name: string;
  readonly attachments: { readonly id: string; readonly name: string }[];
}

const make = (gateway: TestGateway): Promise<Made> =>
  createItem(gateway, {
    name: newId(),
    attachments: [file('good', Buffer.from('good')), file('small', small), file('large', large)],
  });

const digestOf = (bytes: Buffer) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

const download = (gateway: TestGateway, id: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${gateway.url}/attachments/${id}`, {
    method,
    headers: { Authorization: `Bearer ${gateway.admin}`, ...headers },
  });

let folder: string;
let s3: S3Service;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'egw-unreadable-'));
  s3 = await startS3();
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

const kinds = [
  { kind: 'FOLDER', open: () => createFolderStore(folder) },
  { kind: 'S3', open: () => s3.store },
];

describe.each(kinds)('a file in $kind', ({ kind, open }) => {
  const failures: StoreFailure[] = [];
  let onRead = async () => {};
  let gateway: TestGateway;
  let item: Made;
  beforeAll(async () => {
    const store = open();
    const target: FileStore = {
      ...store,
      async read(...what) {
        await onRead();
        return store.read(...what);
      },
    };
    const files = new FileStores({ target, onFailure: (failure) => failures.push(failure) });
    gateway = await startGateway({}, undefined, { files });
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    item = await make(gateway);
  });
  afterEach(() => {
    s3.fail(undefined);
    onRead = async () => {};
    failures.length = 0;
  });

  async function keyOf(id: string): Promise<string> {
    const [row] = await gateway.database.sql<{ key: string }>(
      'SELECT object_key AS key FROM attachment_contents WHERE attachment_id = $1::uuid',
      [id],
    );
    return row?.key ?? '';
  }

  /** Replaces an object by something else. */
  async function replace(key: string, bytes: Buffer): Promise<void> {
    await open().remove(key);
    await open().write(key, new Uint8Array(bytes));
  }

  const faults: { fault: string; problem: string; only?: string; happen: (key: string) => Promise<void> }[] =
    [
      { fault: 'is gone', problem: 'missing', happen: (key) => open().remove(key) },
      { fault: 'is shorter', problem: 'damaged', happen: (key) => replace(key, small.subarray(1)) },
      {
        // The service of the tests never answers a range of an empty object.
        ...{ fault: 'is empty', problem: 'damaged', only: 'FOLDER' },
        happen: (key) => replace(key, Buffer.alloc(0)),
      },
      {
        fault: 'has other bytes',
        problem: 'damaged',
        async happen(key) {
          const [row] = await gateway.database.sql<{ size: number }>(
            'SELECT object_size AS size FROM attachment_contents WHERE object_key = $1',
            [key],
          );
          await replace(key, Buffer.alloc(row?.size ?? 0, 7));
        },
      },
      {
        ...{ fault: 'is a folder', problem: 'damaged', only: 'FOLDER' },
        async happen(key) {
          await open().remove(key);
          await mkdir(join(folder, key));
        },
      },
    ];
  const here = faults.filter(({ only }) => only === undefined || only === kind);

  describe.each(here)('that $fault', ({ problem, happen }) => {
    test.each(['small', 'large'])('is null in its record, and a header says so (%s)', async (name) => {
      const { id, attachments } = item;
      const [, , third] = attachments;
      const broken = attachments.find((attachment) => attachment.name === name) ?? third;
      await happen(await keyOf(broken?.id ?? ''));
      const told = `"${broken?.id}";problem=${problem}`;
      const shown = [file('good', Buffer.from('good')), file('small', small), file('large', large)].map(
        (other) => [other.name, other.name === name ? null : other.content],
      );
      const path = `/v1/expirationitems/${id}?includeFileContent=true`;
      const patch = { body: [{ op: 'replace', path: '/details', value: `of ${name}` }] };
      const before = await gateway.send('GET', path);
      const patched = await gateway.send('PATCH', path, patch);
      const posted = await gateway.send('POST', `/v1/expirationitems/${id}/attachment`, {
        body: file('more', small),
      });
      for (const { status, json, headers, text } of [before, patched, posted]) {
        expect(String(status)).toMatch(/^20[01]$/);
        const files = json.attachments.slice(0, 3) as { name: string; content: string | null }[];
        expect(files.map((entry) => [entry.name, entry.content])).toEqual(shown);
        expect(headers.get('unreadable-files')).toBe(told);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
      }
      expect(patched.json.details).toBe(`of ${name}`);
      const list = await gateway.send('GET', `/v1/attachments/expirationitem/${broken?.id}`);
      expect([list.status, list.json.content, list.headers.get('unreadable-files')]).toEqual([
        200,
        null,
        told,
      ]);
      const page = await gateway.send('GET', `/v1/expirationitems?includeFileContent=true&term=${item.name}`);
      expect(page.status).toBe(200);
      expect(page.headers.get('unreadable-files')).toBe(told);
      const all = await gateway.send('GET', '/v1/attachments/expirationitem?term=good');
      expect([all.status, all.headers.get('unreadable-files')]).toEqual([200, null]);
    });

    test('is null in GraphQL, with an error of its field alone, also after a change', async () => {
      const victim = item.attachments[1]?.id ?? '';
      await happen(await keyOf(victim));
      const query = `mutation ($id: ID!) { updateExpirationItem(id: $id, input: { details: "changed" }) {
        details attachments { nodes { id content } } } }`;
      for (const key of [undefined, 'unreadable']) {
        const headers: Record<string, string> = key ? { 'Idempotency-Key': `${key}-${item.id}` } : {};
        const { json } = await gateway.send('POST', '/graphql', {
          headers,
          body: { query, variables: { id: item.id } },
        });
        const { details, attachments } = json.data.updateExpirationItem;
        expect([details, attachments.nodes.map(({ content }: { content: string }) => content)]).toEqual([
          'changed',
          [Buffer.from('good').toString('base64'), null, large.toString('base64')],
        ]);
        expect(json.errors).toMatchObject([
          {
            path: ['updateExpirationItem', 'attachments', 'nodes', 1, 'content'],
            extensions: { code: 'GONE' },
          },
        ]);
      }
    });

    test('is 410 where it is downloaded, and reported with its reason', async () => {
      const victim = item.attachments[1]?.id ?? '';
      await happen(await keyOf(victim));
      failures.length = 0;
      for (const path of [`/attachments/${victim}`, `/attachments/${victim}?page=1`]) {
        const answer = await gateway.send('GET', path);
        expect([answer.status, answer.json.code]).toEqual([410, 'GONE']);
        expect(answer.json.message).not.toContain('There is no');
      }
      expect(failures.at(-1)).toMatchObject({ operation: 'read', reason: problem });
      expect(failures.at(-1)?.message).not.toBe('');
      const metrics = await fetch(`${gateway.url}/metrics`);
      expect(await metrics.text()).toMatch(
        new RegExp(`gateway_file_failures_total\\{operation="read",reason="${problem}"\\} [1-9]`),
      );
    });

    test('is found by a check, does not stop a move, and is mended by sending it again', async () => {
      const { id, attachments } = item;
      await happen(await keyOf(attachments[1]?.id ?? ''));
      const found = (await examineFiles(gateway.database)).faults.filter(({ itemId }) => itemId === id);
      expect(found).toMatchObject([{ attachmentId: attachments[1]?.id, name: 'small', problem }]);
      expect((await moveFiles(gateway.database)).moved).toBe(0);
      const body = [{ op: 'replace', path: '/attachments/1/content', value: small.toString('base64') }];
      const patched = await gateway.send('PATCH', `/v1/expirationitems/${id}`, { body });
      expect([patched.status, patched.headers.get('unreadable-files')]).toEqual([200, null]);
      expect((await gateway.send('GET', `/attachments/${attachments[1]?.id}`)).text).toBe(String(small));
    });

    test('cannot be copied by a patch, which changes nothing', async () => {
      const { id, attachments } = item;
      await happen(await keyOf(attachments[1]?.id ?? ''));
      const body = [
        { op: 'replace', path: '/details', value: 'never' },
        { op: 'copy', from: '/attachments/1', path: '/attachments/-' },
        { op: 'replace', path: '/attachments/3/id', value: null },
      ];
      const { status, json } = await gateway.send('PATCH', `/v1/expirationitems/${id}`, { body });
      expect([status, json.code]).toEqual([409, 'CONFLICT']);
      const { json: read } = await gateway.send('GET', `/v1/expirationitems/${id}`);
      expect([read.details, read.attachments.length]).toEqual([null, 3]);
    });
  });

  test('has a digest, and a large one with other bytes breaks its download off', async () => {
    const id = item.attachments[2]?.id ?? '';
    const whole = await download(gateway, id);
    expect(whole.headers.get('repr-digest')).toBe(digestOf(large));
    expect(Buffer.from(await whole.arrayBuffer()).equals(large)).toBe(true);
    const head = await download(gateway, id, {}, 'HEAD');
    expect(head.headers.get('repr-digest')).toBe(digestOf(large));
    const other = Buffer.from(large);
    other[100] = (other[100] ?? 0) ^ 1;
    await replace(await keyOf(id), other);
    const broken = await download(gateway, id);
    expect(broken.status).toBe(200);
    await expect(broken.arrayBuffer()).rejects.toThrow();
    const part = await download(gateway, id, { Range: 'bytes=200-299' });
    expect([part.status, part.headers.get('repr-digest')]).toEqual([206, digestOf(large)]);
    expect(Buffer.from(await part.arrayBuffer()).equals(large.subarray(200, 300))).toBe(true);
    expect((await download(gateway, id, { Range: 'bytes=0-' })).status).toBe(206);
  });

  test('that is removed between two slices breaks its download off', async () => {
    const id = item.attachments[2]?.id ?? '';
    const key = await keyOf(id);
    let reads = 0;
    onRead = async () => {
      if (++reads === 2) await open().remove(key);
    };
    const response = await download(gateway, id);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect((await download(gateway, id)).status).toBe(410);
  });
});

test('a bucket that answers 500, or is full, is logged with its reason, and records stay readable', async () => {
  const lines: object[] = [];
  const { accessKeyId, secretAccessKey, ...bucket } = s3.address;
  const files = openFileStores(
    { target: { kind: 'S3', ...bucket }, from: undefined, key: { accessKeyId, secretAccessKey } },
    { warn: (details, message) => lines.push({ ...details, message }) },
  );
  const gateway = await startGateway({}, undefined, { files });
  const item = await make(gateway);
  const path = `/v1/expirationitems/${item.id}`;
  s3.fail(answerCode(500, 'InternalError'));
  const body = [{ op: 'replace', path: '/details', value: 'stored' }];
  const { status, json, headers } = await gateway.send('PATCH', path, { body });
  s3.fail(answerCode(403, 'QuotaExceeded'), 'PUT');
  const refused = await gateway.send('POST', `${path}/attachment`, { body: file('more', small) });
  s3.fail(undefined);
  expect([status, json.details]).toEqual([200, 'stored']);
  const ids = item.attachments.map(({ id }) => id);
  expect(headers.get('unreadable-files')).toBe(ids.map((id) => `"${id}";problem=unavailable`).join(', '));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await gateway.send('GET', path)).json.attachments).toHaveLength(3);
  expect(lines[0]).toEqual({
    ...{ operation: 'read', reason: 'unavailable', store: 's3://files/gateway/', key: expect.any(String) },
    ...{ said: expect.stringContaining('InternalError'), message: 'A file could not be read' },
  });
  expect(lines.at(-1)).toMatchObject({
    ...{ operation: 'write', reason: 'full', message: 'A file could not be stored' },
    said: expect.stringContaining('QuotaExceeded'),
  });
  await gateway.close();
});

describe('a file in the database', () => {
  const gateway = useGateway();

  test('is compared with its digest, and one without gets it from a check', async () => {
    const item = await make(gateway);
    const { database } = gateway;
    const [, second] = item.attachments;
    const set = (what: string) =>
      database.sql(`UPDATE attachment_contents SET ${what} WHERE attachment_id = $1::uuid`, [second?.id]);
    await set('digest = NULL');
    const read = () => download(gateway, second?.id ?? '');
    expect((await read()).headers.get('repr-digest')).toBeNull();
    const { checked, filled, faults } = await examineFiles(database);
    expect([checked, filled, faults]).toEqual([3, 1, []]);
    expect((await read()).headers.get('repr-digest')).toBe(digestOf(small));
    await set('content = set_byte(content, 3, 255 - get_byte(content, 3))');
    expect((await read()).status).toBe(410);
    const { json, headers } = await gateway.send('GET', `/v1/expirationitems/${item.id}`);
    expect(json.attachments.map(({ content }: { content: string | null }) => content === null)).toEqual([
      false,
      true,
      false,
    ]);
    expect(headers.get('unreadable-files')).toBe(`"${second?.id}";problem=damaged`);
    expect((await examineFiles(database)).faults).toMatchObject([{ store: null, problem: 'damaged' }]);
  });

  test('is read once for an answer, like the others of its page', async () => {
    await createItem(gateway, { name: 'Once', attachments: [file('once 1', small), file('once 2', small)] });
    const list = () => gateway.send('GET', '/v1/attachments/expirationitem?term=once');
    const names = await namesOf(gateway, list);
    expect(names.filter((name) => name.startsWith('attachment_contents'))).toEqual([
      'attachment_contents.size',
      'attachment_contents.read',
    ]);
  });
});
