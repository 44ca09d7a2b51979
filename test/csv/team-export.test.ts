import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CsvExporter } from '../../src/csv/export.js';
import { processExport } from '../../src/csv/workspace/export-team.js';
import { startFileRemovals } from '../../src/db/files/contents.js';
import { createFolderStore } from '../../src/db/files/folder.js';
import { FileStores } from '../../src/db/files/store.js';
import { claimExports } from '../../src/exports/exports.js';
import { schema } from '../../src/graphql/schema.js';
import { createItem } from '../rest/items.support.js';
import { eventually } from '../support/eventually.js';
import { filesBelow } from '../support/files-below.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { downloaded, exported, rowsOf, sha256, startExporting, unzip } from './workspace.support.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'egw-exports-'));
});
afterAll(() => rm(folder, { recursive: true }));

const create = (gateway: TestGateway, teamId = gateway.teamId, token = gateway.admin) =>
  gateway.send('POST', `/v1/exports?team_id=${teamId}`, { token });

const file = (name: string | null, bytes: Buffer) => ({
  name,
  contentType: 'application/pdf',
  content: bytes.toString('base64'),
});

const partsOf = ({ database }: TestGateway, id: string | null = null) =>
  database.sql<{ number: number; key: string | null }>(
    `SELECT number, object_key AS key FROM archive_parts WHERE archive_id = coalesce($1::uuid, archive_id)
     ORDER BY archive_id, number`,
    [id],
  );

const places = [
  { place: 'the database', open: () => new FileStores() },
  { place: 'a folder', open: () => new FileStores({ target: createFolderStore(folder) }) },
];

describe.each(places)('exports with files in $place', ({ place, open }) => {
  let gateway: TestGateway;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    gateway = await startGateway({}, undefined, { files: open() });
    stop = startExporting(gateway);
  });
  afterAll(async () => {
    await stop();
    await gateway.close();
  });

  test('have the lists, the files and a manifest that tells what they are', async () => {
    const post = async (path: string, body: object) => (await gateway.send('POST', path, { body })).json;
    const place = await post('/v1/locations', { name: 'Hall; 1' });
    const contact = await post('/v1/contacts', { name: 'Ben', email: 'ben@example.com' });
    await post('/v1/vehicles', { name: '=2+5' });
    const type = await post('/v1/categories', { name: 'Insurance' });
    const rule = { name: 'Insured', holder_kind: 'vehicle', any_of: [type.id] };
    await post('/v1/requirements', rule);
    const there = { team_id: gateway.otherTeamId };
    const other = await post('/v1/categories', { name: 'Insurance there', ...there });
    await post('/v1/requirements', { ...rule, any_of: [other.id], ...there });
    const large = randomBytes(10 * 1024 * 1024 + 3);
    const item = await createItem(gateway, {
      name: 'Trade/licence: "A" ',
      locations: [{ id: place.id }],
      contacts: [{ id: contact.id }],
      attachments: [
        file('../scan.pdf', large),
        file('../scan.pdf', Buffer.from('two')),
        file(null, Buffer.alloc(0)),
      ],
    });
    await createItem(gateway, { name: 'Elsewhere', teamId: gateway.otherTeamId });

    const made = await create(gateway);
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/exports/${made.json.id}`]);
    const done = await exported(gateway, made.json.id);
    expect(done).toMatchObject({ state: 'done', progress: 100, file_count: 3, team_id: gateway.teamId });
    const { response, body } = await downloaded(done.download_url);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toContain('filename="workspace-2026-11-20.zip"');
    expect(body).toHaveLength(done.size);

    const files = await unzip(body);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    expect(manifest).toMatchObject({
      format: 'expiration-gateway workspace',
      version: 1,
      created: '2026-11-20T09:30:00.000Z',
      team: { id: gateway.teamId, name: 'Acme Main' },
      counts: { items: 1, contacts: 1, vehicles: 1, locations: 1, companies: 0, requirements: 1, files: 3 },
      missing: [],
    });
    const entries = [...files].filter(([path]) => path !== 'manifest.json');
    expect(manifest.entries).toEqual(
      entries.map(([path, bytes]) => ({ path, size: bytes.length, sha256: sha256(bytes) })),
    );
    const folderName = `files/Trade_licence_ _A_ ${item.id.slice(-12)}`;
    expect(entries.map(([path]) => path).filter((path) => path.startsWith('files/'))).toEqual([
      `${folderName}/1 .._scan.pdf`,
      `${folderName}/2 .._scan.pdf`,
      `${folderName}/3 file`,
    ]);
    expect(files.get(`${folderName}/1 .._scan.pdf`)?.equals(large)).toBe(true);
    expect(rowsOf(files.get('items.csv'))).toMatchObject([
      { id: item.id, contacts: contact.id, locations: place.id },
    ]);
    expect(rowsOf(files.get('vehicles.csv'))).toMatchObject([{ name: "'=2+5" }]);
    expect(rowsOf(files.get('requirements.csv'))).toMatchObject([
      { name: 'Insured', holder_kind: 'vehicle', any_of: type.id, category_names: 'Insurance' },
    ]);
    const listed = rowsOf(files.get('files.csv'));
    expect(listed.map(({ id, path, size }) => ({ id, path, size }))).toEqual(
      item.attachments.map(({ id }: { id: string }, at: number) => ({
        id,
        path: entries.map(([path]) => path).filter((path) => path.startsWith(folderName))[at],
        size: String([large.length, 3, 0][at]),
      })),
    );
  });

  test('are read in ranges across their parts, and continued', async () => {
    const { json } = await create(gateway);
    const { download_url: url, size } = await exported(gateway, json.id);
    const parts = await partsOf(gateway);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every(({ key }) => (key === null) === (place === 'the database'))).toBe(true);
    const whole = await downloaded(url);
    const border = 8 * 1024 * 1024;
    const part = await downloaded(url, { Range: `bytes=${border - 2}-${border + 1}` });
    expect([part.response.status, part.body]).toEqual([206, whole.body.subarray(border - 2, border + 2)]);
    const rest = await downloaded(url, { Range: `bytes=${border + 5}-`, 'If-Range': `"${json.id}"` });
    expect(rest.body.equals(whole.body.subarray(border + 5))).toBe(true);
    const beyond = await downloaded(url, { Range: `bytes=${size}-` });
    expect(beyond.response.status).toBe(416);
  });

  test('replace one another, and leave nothing behind when they are deleted', async () => {
    const before = await create(gateway);
    await exported(gateway, before.json.id);
    const made = await create(gateway);
    expect(made.json.id).not.toBe(before.json.id);
    expect((await gateway.send('GET', `/v1/exports/${before.json.id}`)).status).toBe(404);
    const done = await exported(gateway, made.json.id);
    const { data } = await gateway.graphql('{ teamExports { id state size downloadUrl } }');
    expect(data.teamExports).toMatchObject([{ id: made.json.id, state: 'DONE', size: String(done.size) }]);
    expect((await downloaded(data.teamExports[0].downloadUrl)).response.status).toBe(200);
    expect((await gateway.send('DELETE', `/v1/exports/${made.json.id}`)).status).toBe(204);
    expect((await gateway.send('DELETE', `/v1/exports/${made.json.id}`)).status).toBe(404);
    expect((await downloaded(done.download_url)).response.status).toBe(404);
    await eventually(async () => expect(await partsOf(gateway)).toEqual([]));
    if (place === 'the database') return;
    const removals = startFileRemovals({
      ...{ database: gateway.database, clock: () => new Date(), log: pino({ level: 'silent' }), pollMs: 20 },
    });
    const kept = await gateway.database.sql('SELECT FROM attachment_contents');
    await eventually(async () => expect(await filesBelow(folder)).toHaveLength(kept.length));
    await removals.stop();
  });
});

describe('an export', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const claim = async () => {
    const now = gateway.clock.now;
    const [claimed] = await claimExports(gateway.database, { count: 1, now, leaseUntil: now });
    if (!claimed) throw new Error('Nothing is due.');
    return claimed;
  };
  const work = () => ({
    database: gateway.database,
    clock: () => gateway.clock.now,
    exporter: new CsvExporter(schema),
  });
  const never = new AbortController().signal;

  test('is made once, however often it is asked for, and shows what its creator sees', async () => {
    await createItem(gateway, { name: 'Here' });
    const [first, second] = await Promise.all([
      create(gateway, gateway.teamId, gateway.viewer),
      create(gateway, gateway.teamId, gateway.viewer),
    ]);
    expect(first.json.id).toBe(second.json.id);
    expect(first.json).toMatchObject({ state: 'running', download_url: null });
    const early = await gateway.send('GET', `/v1/exports/${first.json.id}/workspace.zip`, {
      token: gateway.viewer,
    });
    expect([early.status, early.json.code]).toEqual([409, 'CONFLICT']);
    expect(await processExport(work(), await claim(), never)).toBe('done');
    const done = await exported(gateway, first.json.id, gateway.viewer);
    const files = await unzip((await downloaded(done.download_url)).body);
    expect(rowsOf(files.get('items.csv')).map(({ name }) => name)).toEqual(['Here']);
  });

  test('belongs to the person who created it, and to the workspace', async () => {
    const { json } = await create(gateway, gateway.teamId, gateway.viewer);
    expect(await processExport(work(), await claim(), never)).toBe('done');
    const done = await exported(gateway, json.id, gateway.viewer);
    for (const path of [`/v1/exports/${json.id}`, `/v1/exports/${json.id}/workspace.zip`]) {
      const other = await gateway.send('GET', path);
      expect([other.status, other.json.code], path).toEqual([404, 'NOT_FOUND']);
    }
    const hidden = await create(gateway, gateway.otherTeamId, gateway.viewer);
    expect([hidden.status, hidden.json.code]).toEqual([404, 'NOT_FOUND']);
    const stranger = await createTenant(gateway.database, 'Strangers');
    const foreign = await create(gateway, gateway.teamId, stranger.admin);
    expect([foreign.status, foreign.json.code]).toEqual([404, 'NOT_FOUND']);
    expect((await create(gateway, gateway.teamId, gateway.uploader)).status).toBe(403);
    // A link opens only what it was made for, for an hour, and only as long as its caller sees the workspace.
    const foreignLink = done.download_url.replace(json.id, '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40');
    expect((await downloaded(foreignLink)).response.status).toBe(401);
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 3_599_000);
    expect((await downloaded(done.download_url)).response.status).toBe(200);
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 1_000);
    expect((await downloaded(done.download_url)).response.status).toBe(401);
    const { download_url: again } = await exported(gateway, json.id, gateway.viewer);
    await gateway.database.sql('DELETE FROM memberships WHERE team_id = $1::uuid', [gateway.teamId]);
    expect((await downloaded(again)).response.status).toBe(404);
  });

  test('is made anew when its worker dies, and the dead one changes nothing any more', async () => {
    const bytes = randomBytes(9 * 1024 * 1024);
    for (const name of ['a.bin', 'b.bin']) await createItem(gateway, { attachments: [file(name, bytes)] });
    const { json } = await create(gateway);
    const dead = await claim();
    // It stops in the middle: after its first part, it waits for a moment that comes too late.
    const { database } = gateway;
    const inTransaction = database.inTransaction.bind(database);
    let goOn = () => {};
    const middle = new Promise<void>((resolve) => {
      vi.spyOn(database, 'inTransaction').mockImplementation(async (...args) => {
        if ((await partsOf(gateway, json.id)).length === 1) {
          vi.mocked(database.inTransaction).mockRestore();
          await new Promise<void>((waited) => {
            goOn = waited;
            resolve();
          });
        }
        return inTransaction(...args);
      });
    });
    const late = processExport(work(), dead, never);
    await middle;
    expect(await processExport(work(), await claim(), never)).toBe('done');
    const done = await exported(gateway, json.id);
    goOn();
    expect(await late).toBe('failed');
    expect(await exported(gateway, json.id)).toMatchObject({ size: done.size });
    const files = await unzip((await downloaded(done.download_url)).body);
    expect([...files.keys()].filter((path) => path.startsWith('files/'))).toHaveLength(2);
  });

  test('marks files that are deleted while it is made', async () => {
    const item = await createItem(gateway, { attachments: [file('gone.pdf', Buffer.from('gone'))] });
    await create(gateway);
    const { database } = gateway;
    const inSnapshot = database.inSnapshot.bind(database);
    vi.spyOn(database, 'inSnapshot').mockImplementationOnce(async (...args) => {
      const lists = await inSnapshot(...args);
      await gateway.send('DELETE', `/v1/expirationitems/${item.id}`);
      return lists;
    });
    expect(await processExport(work(), await claim(), never)).toBe('done');
    const { data } = await gateway.graphql('{ teamExports { downloadUrl } }');
    const files = await unzip((await downloaded(data.teamExports[0].downloadUrl)).body);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    expect(manifest.missing).toEqual([item.attachments[0].id]);
    expect(rowsOf(files.get('files.csv')).map(({ id }) => id)).toContain(item.attachments[0].id);
  });

  test('goes on past files whose bytes are damaged, and names them', async () => {
    const item = await createItem(gateway, {
      attachments: [file('right.pdf', Buffer.from('right')), file('damaged.pdf', Buffer.from('damaged'))],
    });
    const [right, damaged] = item.attachments;
    await gateway.database.sql(
      "UPDATE attachment_contents SET content = 'damAged' WHERE attachment_id = $1::uuid",
      [damaged.id],
    );
    await create(gateway);
    expect(await processExport(work(), await claim(), never)).toBe('done');
    const { data } = await gateway.graphql('{ teamExports { downloadUrl } }');
    const files = await unzip((await downloaded(data.teamExports[0].downloadUrl)).body);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    expect(manifest.missing).toEqual([damaged.id]);
    const rows = rowsOf(files.get('files.csv'));
    const pathOf = (id: string) => rows.find((row) => row.id === id)?.path ?? '';
    expect(String(files.get(pathOf(right.id)))).toBe('right');
    expect(files.has(pathOf(damaged.id))).toBe(false);
    await gateway.send('DELETE', `/v1/expirationitems/${item.id}`);
  });

  test('says why it cannot be made', async () => {
    const { json } = await create(gateway);
    await gateway.database.sql(`UPDATE users SET is_active = false WHERE id = $1::uuid`, [gateway.userId]);
    expect(await processExport(work(), await claim(), never)).toBe('failed');
    await gateway.database.sql('UPDATE users SET is_active = true WHERE id = $1::uuid', [gateway.userId]);
    expect(await exported(gateway, json.id)).toMatchObject({
      state: 'failed',
      error: 'The person who created the export may no longer read.',
    });
    expect((await gateway.send('POST', '/v1/exports')).json.message).toContain('team_id');
    expect((await gateway.send('GET', '/v1/exports/nothing')).status).toBe(404);
  });

  test('is gone after a day, with its bytes', async () => {
    const { json } = await create(gateway);
    expect(await processExport(work(), await claim(), never)).toBe('done');
    expect((await partsOf(gateway)).length).toBeGreaterThan(0);
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 24 * 3_600_000);
    expect((await gateway.send('GET', `/v1/exports/${json.id}`)).status).toBe(404);
    const stop = startExporting(gateway);
    await eventually(async () => expect(await partsOf(gateway)).toEqual([]));
    await stop();
    expect(await gateway.database.sql('SELECT FROM team_exports')).toEqual([]);
  });
});
