import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { importedId } from '../../src/csv/workspace/lists.js';
import { eventTypes } from '../../src/domain/models.js';
import { rowsOf, sha256 } from '../csv/workspace.support.js';
import { workspaceZip } from '../csv/zip.support.js';
import { eventually } from '../support/eventually.js';
import { onPosix, prepareBench, timeout } from './fixture.js';
import { query } from './support.js';

const bench = prepareBench();
const { token } = bench;
const headers = { Authorization: `Bearer ${token}` };

const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

/** Records and attached files of the workspace. The files take several batches. */
const [contacts, items, files] = [ids(300), ids(3_000), ids(160)];
const total = contacts.length + items.length + files.length;
const bytes = files.map((_, at) => randomBytes(1 + at * 400));

const table = (header: string, rows: readonly string[]) => [header, ...rows, ''].join('\r\n');

/** Writes the ZIP file of a workspace whose items have contacts and files. */
const zip = () =>
  workspaceZip([
    {
      name: 'contacts.csv',
      content: table(
        'id,name,email',
        contacts.map((id, at) => `${id},Contact ${at},contact-${at}@example.com`),
      ),
    },
    {
      name: 'items.csv',
      content: table(
        'id,name,expiration_date,contacts',
        items.map((id, at) => `${id},Item ${at},2031-05-01,${contacts[at % contacts.length]}`),
      ),
    },
    {
      name: 'files.csv',
      content: table(
        'id,expiration_item_id,name,content_type,path',
        files.map((id, at) => `${id},${items[at * 7]},${at}.pdf,application/pdf,files/${at}.pdf`),
      ),
    },
    ...bytes.map((content, at) => ({ name: `files/${at}.pdf`, content, isStored: true })),
  ]);

interface Shown {
  readonly state: string;
  readonly row_count: number;
  readonly done_count: number;
}

/** Moments at which the gateway is killed: while it reads, and while it writes records and files. */
const kills: readonly ((shown: Shown) => boolean)[] = [
  ({ state }) => state === 'reading',
  ({ state, done_count: done }) => state === 'running' && done === 0,
  ({ done_count: done }) => done > contacts.length,
  ({ done_count: done }) => done > contacts.length + items.length / 2,
  ({ done_count: done }) => done > contacts.length + items.length,
];

onPosix('the import of a workspace survives gateways that are killed', { timeout }, async () => {
  const databaseUrl = await bench.database();
  const start = () => bench.start({ databaseUrl, env: { WORKER: 'on' } });
  let gateway = await start();
  const [team] = await query<{ id: string }>(databaseUrl, 'SELECT id FROM teams');
  const teamId = team?.id ?? '';
  const created = await fetch(`${gateway.url}/v1/imports?kind=workspace&team_id=${teamId}`, {
    ...{ method: 'POST', body: new Uint8Array(zip()) },
    headers: { ...headers, 'Content-Type': 'application/zip' },
  });
  const { id } = await created.json();
  const path = `/v1/imports/${id}`;
  const shown = async (): Promise<Shown> => (await fetch(gateway.url + path, { headers })).json();
  const ready = (isReady: (shown: Shown) => boolean) =>
    eventually(async () => {
      const now = await shown();
      expect(isReady(now), JSON.stringify(now)).toBe(true);
      return now;
    }, 60_000);

  for (const [at, isMoment] of kills.entries()) {
    if (at === 1) {
      await ready(({ state }) => state === 'ready');
      await fetch(`${gateway.url}${path}/run`, { method: 'POST', headers });
    }
    const before = await ready(isMoment);
    await gateway.kill();
    expect(before.done_count).toBeLessThan(total);
    gateway = await start();
  }
  const done = await ready(({ state }) => state === 'done');
  expect(done).toMatchObject({ row_count: total, done_count: total, created_count: total, failed_count: 0 });

  const here = (given: readonly string[]) => given.map((one) => importedId(teamId, one)).sort();
  const idsIn = async (name: string) =>
    (await query<{ id: string }>(databaseUrl, `SELECT id FROM ${name} ORDER BY id`)).map((row) => row.id);
  expect(await idsIn('contacts')).toEqual(here(contacts));
  expect(await idsIn('expiration_items')).toEqual(here(items));
  const stored = await query<{ id: string; content: Buffer }>(
    databaseUrl,
    'SELECT attachment_id AS id, content FROM attachment_contents ORDER BY attachment_id',
  );
  const hashes = files.map((one, at) => [importedId(teamId, one), sha256(bytes[at] ?? Buffer.alloc(0))]);
  expect(stored.map((one) => [one.id, sha256(one.content)])).toEqual(hashes.sort());
  const eventsOf = async (type: keyof typeof eventTypes) =>
    (await query(databaseUrl, `SELECT FROM event_logs WHERE type_id = ${eventTypes[type]}`)).length;
  expect(await eventsOf('imported')).toBe(1);
  // Items without a document type share one, which the first of them creates.
  expect(await eventsOf('created')).toBe(contacts.length + items.length + 1);
  const result = await fetch(`${gateway.url}${path}/result.csv`, { headers });
  const outcomes = rowsOf(Buffer.from(await result.arrayBuffer()));
  expect(outcomes).toHaveLength(total);
  expect(new Set(outcomes.map((row) => row.id)).size).toBe(total);
  // The bytes of the ZIP file are not kept.
  await eventually(async () => expect(await query(databaseUrl, 'SELECT FROM archive_parts')).toEqual([]));
});

/** Moments at which the gateway is killed while it takes an import back. */
const undoKills = [0, 500, 1_500] as const;

onPosix('taking an import back survives gateways that are killed', { timeout }, async () => {
  const databaseUrl = await bench.database();
  const start = () => bench.start({ databaseUrl, env: { WORKER: 'on' } });
  let gateway = await start();
  const rows = Array.from({ length: 3_000 }, (_, at) => `Paper ${at},2031-05-01`);
  const send = (method: string, path: string, body?: string) =>
    fetch(`${gateway.url}${path}`, {
      ...{ method, ...(body !== undefined && { body }) },
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'text/csv' }) },
    });
  const created = await send('POST', '/v1/imports?kind=items', ['name,expires', ...rows, ''].join('\n'));
  const path = `/v1/imports/${(await created.json()).id}`;
  const ready = (isReady: (shown: { state: string; undo: { deleted: number } | null }) => boolean) =>
    eventually(async () => {
      const now = await (await send('GET', path)).json();
      expect(isReady(now), JSON.stringify({ ...now, preview: null })).toBe(true);
      return now;
    }, 60_000);
  await ready(({ state }) => state === 'ready');
  await send('POST', `${path}/run`);
  await ready(({ state }) => state === 'done');
  expect((await send('POST', `${path}/undo`)).status).toBe(200);
  for (const deleted of undoKills) {
    await ready(({ undo }) => (undo?.deleted ?? 0) >= deleted);
    await gateway.kill();
    gateway = await start();
  }
  const { undo } = await ready(({ state }) => state === 'undone');
  expect(undo).toEqual({ deleted: rows.length, restored: 0, gone: 0, kept: 0, records: [] });
  const counted = async (sql: string) => (await query(databaseUrl, sql)).length;
  expect(await counted('SELECT FROM expiration_items')).toBe(0);
  expect(await counted(`SELECT FROM event_logs WHERE type_id = ${eventTypes.deleted}`)).toBe(rows.length);
  // One of the import, and one of taking it back.
  expect(await counted(`SELECT FROM event_logs WHERE type_id = ${eventTypes.imported}`)).toBe(2);
  expect((await send('POST', `${path}/undo`)).status).toBe(409);
});
