import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import { startFileRemovals } from '../../src/db/files/contents.js';
import { createFolderStore } from '../../src/db/files/folder.js';
import { countStoredFiles, examineFiles, moveFiles } from '../../src/db/files/maintenance.js';
import { createS3Store, type S3Address } from '../../src/db/files/s3.js';
import { stageFiles } from '../../src/db/files/staging.js';
import { type FileStore, FileStores, type FileStoresOptions } from '../../src/db/files/store.js';
import { answerCode, type Fault, type S3Service, startS3 } from '../clients/s3.support.js';
import { createItem } from '../rest/items.support.js';
import { eventually } from '../support/eventually.js';
import { filesBelow } from '../support/files-below.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const bytes = randomBytes(2 * 1024 * 1024 + 17);
const file = (content = bytes) => ({ name: 'scan.pdf', content: content.toString('base64') });

let folder: string;
let s3: S3Service;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'egw-files-'));
  s3 = await startS3();
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

const removals = ({ database }: TestGateway) =>
  startFileRemovals({ database, clock: () => new Date(), log: pino({ level: 'silent' }), pollMs: 20 });

const kinds = [
  { kind: 'FOLDER', open: (): FileStore => createFolderStore(folder), keys: () => filesBelow(folder) },
  { kind: 'S3', open: (): FileStore => s3.store, keys: () => s3.keys() },
];

describe.each(kinds)('files in $kind', ({ kind, open, keys }) => {
  let gateway: TestGateway;
  /** Lengths of what was read from the store. */
  const reads: number[] = [];
  beforeAll(async () => {
    const store = open();
    const read: FileStore['read'] = (key, first, length) => {
      reads.push(length);
      return store.read(key, first, length);
    };
    const files = new FileStores({ target: Object.assign(Object.create(store), { ...store, read }) });
    gateway = await startGateway({ BIN_DAYS: '0' }, undefined, { files });
  });
  afterAll(() => gateway.close());

  const rows = () =>
    gateway.database.sql<{ store: string | null; key: string | null; size: number | null; inside: boolean }>(
      'SELECT store, object_key AS key, object_size AS size, content IS NOT NULL AS inside FROM attachment_contents',
    );
  const pending = () => gateway.database.sql('SELECT object_key FROM file_removals');

  async function download(id: string, range?: string) {
    const headers = { Authorization: `Bearer ${gateway.admin}`, ...(range && { Range: range }) };
    const response = await fetch(`${gateway.url}/attachments/${id}`, { headers });
    return { response, body: Buffer.from(await response.arrayBuffer()) };
  }

  test('are written, read in whole and in part, copied and removed', async () => {
    const { id, attachments } = await createItem(gateway, {
      attachments: [file(), file(), file(Buffer.alloc(0))],
    });
    const stored = await rows();
    expect(stored.map(({ store, size, inside }) => [store, size, inside]).sort()).toEqual([
      [kind, 0, false],
      [kind, bytes.length, false],
      [kind, bytes.length, false],
    ]);
    expect(new Set(stored.map(({ key }) => key)).size).toBe(3);
    for (const { key } of stored)
      expect(key).toMatch(new RegExp(`^${gateway.organizationId}/[0-9a-f]{2}/[0-9a-f-]{36}$`));
    expect(await keys()).toHaveLength(3);
    expect(await pending()).toEqual([]);

    const whole = await download(attachments[0].id);
    expect(whole.body.equals(bytes)).toBe(true);
    const part = await download(attachments[0].id, 'bytes=1048570-1048585');
    expect([part.response.status, part.body]).toEqual([206, bytes.subarray(1048570, 1048586)]);
    const { json } = await gateway.send('GET', '/v1/attachments/expirationitem?includeFileContent=true');
    expect(json.attachments.map((entry: { content: string }) => entry.content)).toEqual(
      attachments.map((_: unknown, at: number) => (at < 2 ? file().content : '')),
    );

    const copy =
      'mutation ($id: ID!) { copyExpirationItem(id: $id, input: { withAttachments: true }) { id attachments { edges { node { content } } } } }';
    const copied = (await gateway.graphql(copy, { id })).data.copyExpirationItem;
    expect(copied.attachments.edges[0].node.content).toBe(file().content);
    expect(await keys()).toHaveLength(3);

    const worker = removals(gateway);
    await gateway.send('DELETE', `/v1/expirationitems/${id}`);
    await eventually(async () => expect(await pending()).toEqual([]));
    expect(await keys()).toHaveLength(3);
    await gateway.send('DELETE', `/v1/expirationitems/${copied.id}`);
    await eventually(async () => expect(await keys()).toEqual([]));
    await eventually(async () => expect(await pending()).toEqual([]));
    await worker.stop();
  });

  test('are compared in pieces with what is sent for them, until one differs', async () => {
    const mebibyte = 1024 * 1024;
    const { id, attachments } = await createItem(gateway, { attachments: [file()] });
    /** Sends content for the file; returns what was read for that, and whether the file has it afterwards. */
    const send = async (content: typeof bytes) => {
      reads.length = 0;
      await gateway.send('PUT', `/v1/expirationitems/${id}`, {
        body: {
          ...{ name: 'Compared', expiration_date: '2031-01-01' },
          attachments: [{ id: attachments[0].id, ...file(content) }],
        },
      });
      const compared = [...reads];
      return { compared, isStored: (await download(attachments[0].id)).body.equals(content) };
    };
    const flipped = (at: number) => {
      const other = Buffer.from(bytes);
      other[at] = (other[at] as number) ^ 1;
      return other;
    };
    const pieces = [mebibyte, mebibyte, 17];
    const kept = await send(bytes);
    expect([kept.isStored, kept.compared.slice(0, 3)]).toEqual([true, pieces]);
    const replaced = await send(flipped(bytes.length - 1));
    expect([replaced.isStored, replaced.compared.slice(0, 3)]).toEqual([true, pieces]);
    const other = await send(flipped(0));
    expect([other.isStored, other.compared.includes(17)]).toEqual([true, false]);
    const worker = removals(gateway);
    await gateway.send('DELETE', `/v1/expirationitems/${id}`);
    await eventually(async () => expect(await keys()).toEqual([]));
    await eventually(async () => expect(await pending()).toEqual([]));
    await worker.stop();
  });
});

describe('files in several places', () => {
  let gateway: TestGateway;
  let places: Record<'FOLDER' | 'S3' | 'database', Database>;
  const few = Array.from({ length: 6 }, (_, at) => Buffer.alloc(1_000 * at, at));
  const idsOf = (attachments: { id: string }[]) => attachments.map(({ id }) => id);

  beforeAll(async () => {
    const inFolder = createFolderStore(folder);
    const files = new FileStores({ target: s3.store, from: inFolder });
    gateway = await startGateway({}, undefined, { files });
    const open = (stores: FileStoresOptions) =>
      openDatabase({
        url: gateway.databaseUrl,
        poolSize: 4,
        files: new FileStores(stores),
        onError: () => {},
      });
    places = {
      FOLDER: open({ target: inFolder, from: s3.store }),
      database: open({ from: inFolder }),
      S3: open({ target: s3.store }),
    };
  });
  afterAll(async () => {
    await Promise.all(Object.values(places).map((database) => database.close()));
    await gateway.close();
  });

  async function contentOf(id: string): Promise<Buffer> {
    const headers = { Authorization: `Bearer ${gateway.admin}` };
    const response = await fetch(`${gateway.url}/attachments/${id}`, { headers });
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  test('are moved while they are read, and an interrupted move is repeated', async () => {
    const { attachments } = await createItem(gateway, { attachments: few.map((content) => file(content)) });
    const ids = idsOf(attachments);
    const { id: binned } = await createItem(gateway, { attachments: [file()] });
    await gateway.send('DELETE', `/v1/expirationitems/${binned}`);
    const later = () => new Date(Date.now() + 120_000);
    const worker = startFileRemovals({
      ...{ database: gateway.database, clock: later, log: pino({ level: 'silent' }), pollMs: 20 },
    });
    for (const [place, database] of Object.entries(places)) {
      const stop = new AbortController();
      const onMoved = ({ moved }: { moved: number }) => moved >= 2 && stop.abort(new Error('stopped'));
      await expect(moveFiles(database, { signal: stop.signal, onMoved })).rejects.toThrow('stopped');
      const reading = (async () => {
        for (const [at, id] of ids.entries())
          expect((await contentOf(id)).equals(few[at] as Buffer)).toBe(true);
      })();
      await moveFiles(database);
      await reading;
      expect(await countStoredFiles(database)).toEqual([
        { store: place === 'database' ? null : place, files: 7, bytes: 15_000 + bytes.length },
      ]);
      for (const [at, id] of ids.entries())
        expect((await contentOf(id)).equals(few[at] as Buffer)).toBe(true);
      await eventually(async () => {
        expect(await filesBelow(folder)).toHaveLength(place === 'FOLDER' ? 7 : 0);
        expect(await s3.keys()).toHaveLength(place === 'S3' ? 7 : 0);
      });
      expect(await moveFiles(database)).toEqual({ moved: 0, lost: 0 });
    }
    const [first] = await gateway.database.sql<{ key: string }>(
      'SELECT object_key AS key FROM attachment_contents WHERE object_size > 0',
    );
    await s3.store.remove(first?.key ?? '');
    const { checked, faults } = await examineFiles(places.S3);
    expect([checked, faults]).toEqual([
      7,
      [expect.objectContaining({ store: 'S3', objectKey: first?.key, problem: 'missing' })],
    ]);
    expect(await moveFiles(places.FOLDER)).toEqual({ moved: 6, lost: 1 });
    await worker.stop();
  });
});

describe('a store that fails', () => {
  let gateway: TestGateway;
  let service: S3Service;
  let item: { id: string; attachments: { id: string }[] };
  beforeAll(async () => {
    service = await startS3({ silence: 500, whole: 1_500 });
    const files = new FileStores({ target: service.store });
    gateway = await startGateway({ BIN_DAYS: '0' }, undefined, { files });
    item = await createItem(gateway, { attachments: [file()] });
  });
  afterAll(async () => {
    await gateway.close();
    await service.close();
  });

  const faults: [string, Fault][] = [
    ['says nothing', () => {}],
    ['answers 500', answerCode(500, 'InternalError')],
    ['refuses the key', answerCode(403, 'AccessDenied')],
    ['has lost its bucket', answerCode(404, 'NoSuchBucket')],
    ['hangs up', (request) => void request.socket.destroy()],
    [
      'never ends',
      (_request, response) => {
        response.writeHead(206);
        const timer = setInterval(() => response.write(Buffer.alloc(1_000)), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
    [
      'answers too much',
      (_request, response) => void response.writeHead(206).end(Buffer.alloc(4 * 1024 * 1024)),
    ],
  ];

  test.each(faults)(
    'that %s leads to 503 for files alone, shows records without, and loses none',
    async (_name, fault) => {
      service.fail(fault);
      const input = { name: 'n', expiration_date: '2030-01-01', category_name: 'c', attachments: [file()] };
      const answers = await Promise.all([
        gateway.send('PUT', `/v1/expirationitems/${item.id}`, { body: input }),
        gateway.send('GET', `/attachments/${item.attachments[0]?.id}`),
      ]);
      const record = await gateway.send('GET', `/v1/expirationitems/${item.id}?includeFileContent=true`);
      const others = await gateway.send('GET', '/v1/vehicles');
      service.fail(undefined);
      expect(others.status).toBe(200);
      for (const { status, headers, json } of answers) {
        expect([status, headers.get('retry-after'), json.code]).toEqual([503, '5', 'UNAVAILABLE']);
      }
      expect([record.status, record.json.attachments[0].content]).toEqual([200, null]);
      expect(record.headers.get('unreadable-files')).toBe(`"${item.attachments[0]?.id}";problem=unavailable`);
      const again = await gateway.send('GET', `/v1/expirationitems/${item.id}?includeFileContent=true`);
      expect(again.json.attachments[0].content).toBe(file().content);
      expect(again.headers.get('unreadable-files')).toBeNull();
      expect(again.json.attachments).toHaveLength(1);
      const worker = removals(gateway);
      await eventually(async () =>
        expect(await gateway.database.sql('SELECT FROM file_removals')).toEqual([]),
      );
      await worker.stop();
      expect(await service.keys()).toHaveLength(1);
    },
  );

  test('is refused when the gateway starts', async () => {
    const { address, store } = service;
    const check = (other: Partial<S3Address>) => createS3Store({ ...address, ...other }).check();
    await check({});
    expect(await service.keys()).toHaveLength(1);
    await expect(check({ bucket: 'other' })).rejects.toThrow(
      /bucket other of FILES does not exist .*: create it/,
    );
    await expect(check({ secretAccessKey: 'x' })).rejects.toThrow(
      /SignatureDoesNotMatch\): correct FILES_ACCESS/,
    );
    await expect(check({ endpoint: 'http://127.0.0.1:1' })).rejects.toThrow(/ECONNREFUSED\): make sure that/);
    for (const [method, right] of Object.entries({ PUT: 'Put', GET: 'Get', DELETE: 'Delete' })) {
      service.fail(answerCode(403, 'AccessDenied'), method);
      await expect(store.check()).rejects.toThrow(
        `(AccessDenied): grant it s3:${right}Object on files/gateway/*.`,
      );
    }
    service.fail(undefined);
    const away = createFolderStore(join(folder, 'away'));
    await expect(away.check()).rejects.toThrow(/away of FILES cannot be used \(ENOENT\): create it/);
  });

  test('keeps nothing of a write that was killed', async () => {
    const { database, organizationId } = gateway;
    const { store } = service;
    await stageFiles(database, store, organizationId, [{ bytes: new Uint8Array(10) }]);
    // The check that may not remove has left its own object.
    const keys = async () => (await service.keys()).filter((key) => key.includes(organizationId));
    expect(await keys()).toHaveLength(2);
    const worker = startFileRemovals({
      ...{
        database,
        clock: () => new Date(Date.now() + 16 * 60_000),
        log: pino({ level: 'silent' }),
        pollMs: 20,
      },
    });
    await eventually(async () => expect(await keys()).toHaveLength(1));
    await worker.stop();
  });
});
