import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderStore } from '../../src/db/files/folder.js';
import { startFileRemovals } from '../../src/db/files/removals.js';
import { type FileStore, FileStores } from '../../src/db/files/store.js';
import { createItem } from '../rest/items.support.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { filesBelow, type S3Service, startS3 } from '../support/s3.js';

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
  beforeAll(async () => {
    const files = new FileStores({ target: open() });
    gateway = await startGateway({ BIN_DAYS: '0' }, undefined, { files });
  });
  afterAll(() => gateway.close());

  const rows = () =>
    gateway.database.sql<{ store: string | null; key: string | null; size: number | null; inside: boolean }>(
      'SELECT store, object_key AS key, size, content IS NOT NULL AS inside FROM attachment_contents',
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
});
