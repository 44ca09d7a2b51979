import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startImports } from '../../src/csv/start-jobs.js';
import { importTeam } from '../../src/csv/workspace/import-team.js';
import { importedId } from '../../src/csv/workspace/lists.js';
import { schema } from '../../src/graphql/schema.js';
import { claimImports } from '../../src/imports/queue.js';
import { idOf, sendByTus } from '../clients/tus.support.js';
import { createItem } from '../rest/items.support.js';
import { eventually } from '../support/eventually.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { downloaded, exported, rowsOf, startExporting, unzip } from './workspace.support.js';
import { workspaceZip, zipOf } from './zip.support.js';

const startImporting = ({ database, clock }: TestGateway) =>
  startImports({
    ...{ database, clock: () => clock.now, log: pino({ level: 'silent' }), pollMs: 20 },
    loadSchema: async () => schema,
  });

/** Exports a workspace. */
async function exportOf(gateway: TestGateway, teamId = gateway.teamId): Promise<Buffer> {
  const stop = startExporting(gateway);
  const { json } = await gateway.send('POST', `/v1/exports?team_id=${teamId}`);
  const { download_url: url } = await exported(gateway, json.id);
  await stop();
  return (await downloaded(url)).body;
}

/** Sends a ZIP file, and returns the import once it has its preview. */
async function preview(gateway: TestGateway, zip: Buffer, teamId = gateway.teamId, query = '') {
  const headers = { 'content-type': 'application/zip', authorization: `Bearer ${gateway.admin}` };
  const made = await fetch(`${gateway.url}/v1/imports?kind=workspace&team_id=${teamId}${query}`, {
    ...{ method: 'POST', headers, body: new Uint8Array(zip) },
  });
  const shown = await made.json();
  if (made.status !== 201) throw new Error(JSON.stringify(shown));
  return settled(gateway, shown.id);
}

const settled = (gateway: TestGateway, id: string) =>
  eventually(async () => {
    const { json } = await gateway.send('GET', `/v1/imports/${id}`);
    if (['reading', 'running'].includes(json.state)) throw new Error(`The import is ${json.state}.`);
    return json;
  });

/** Imports a ZIP file. */
async function run(gateway: TestGateway, zip: Buffer, teamId = gateway.teamId, query = '') {
  const { id, state, error } = await preview(gateway, zip, teamId, query);
  expect(state, error).toBe('ready');
  await gateway.send('POST', `/v1/imports/${id}/run`);
  return settled(gateway, id);
}

/** Adds records of each kind, which name one another. */
async function fill(gateway: TestGateway) {
  const post = async (path: string, body: object) => (await gateway.send('POST', path, { body })).json;
  const site = await post('/v1/locations', { name: 'Site' });
  const hall = await post('/v1/locations', { name: 'Hall', parent_location_id: site.id });
  const contact = await post('/v1/contacts', {
    name: '=Ann',
    email: 'ann@example.com',
    location_id: hall.id,
  });
  await post('/v1/companies', { name: 'Acme', tax_id: 'T1', primary_contact_id: contact.id });
  const vehicle = await post('/v1/vehicles', {
    name: 'Van',
    vin: 'V1',
    assigned_to_contact_id: contact.id,
    location_id: site.id,
  });
  await post('/v1/categories', { name: 'Licence', custom_fields: [{ name: 'Number' }] });
  const bytes = [randomBytes(9 * 1024 * 1024), Buffer.from('two'), Buffer.alloc(0)];
  const attachments = bytes.map((content, at) => ({
    ...{ name: `${at}.bin`, contentType: 'application/pdf', content: content.toString('base64') },
  }));
  const item = await createItem(gateway, {
    ...{ name: 'Trade "licence"; A', categoryName: 'Licence', expirationDate: '2031-05-01' },
    ...{ contacts: [{ id: contact.id }], locations: [{ id: hall.id }], tags: [{ name: 'yearly' }] },
    ...{ customFields: [{ name: 'Number', value: '007' }], attachments },
    holders: [
      { kind: 'VEHICLE', id: vehicle.id },
      { kind: 'LOCATION', id: hall.id },
    ],
  });
  const dated = [
    { noticeRule: { unit: 'WEEKS', count: 6, before: 'END_OF_QUARTER' }, renewUntil: '2030-06-01' },
    { noticeDate: '2027-04-01', renewalsLeft: 2 },
  ];
  for (let at = 0; at < 7; at++)
    await createItem(gateway, { name: `Item ${at}`, categoryName: 'Licence', ...dated[at] });
  return { site, hall, contact, vehicle, item, bytes };
}

const written = { items: 8, contacts: 1, vehicles: 1, locations: 2, companies: 1, files: 3 };

/** Columns of a list that an import does not keep, and ids. */
const left = /^(id|.*_id|modified|contacts|locations|holders|path)$/;

/** Returns what an archive has, without ids and times. */
async function contentsOf(zip: Buffer) {
  const files = await unzip(zip);
  const lists = [...Object.keys(written), 'types'].map((name) => [
    name,
    rowsOf(files.get(`${name}.csv`))
      .map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !left.test(column))))
      .sort(),
  ]);
  const attached = [...files].filter(([path]) => path.startsWith('files/'));
  return {
    lists: Object.fromEntries(lists),
    attached: attached.map(([path, bytes]) => [path.split('/').at(-1), bytes.toString('base64')]).sort(),
  };
}

describe('a whole workspace', () => {
  let source: TestGateway;
  let gateway: TestGateway;
  let zip: Buffer;
  let stop: () => Promise<void>;
  let made: Awaited<ReturnType<typeof fill>>;
  beforeAll(async () => {
    source = await startGateway();
    gateway = await startGateway();
    made = await fill(source);
    zip = await exportOf(source);
    stop = startImporting(gateway);
  });
  afterAll(async () => {
    await stop();
    await source.close();
    await gateway.close();
  });

  test('is previewed without writing anything, and imported into another gateway', async () => {
    const seen = await preview(gateway, zip);
    expect(seen).toMatchObject({ kind: 'workspace', state: 'ready', mode: 'upsert', error: null });
    const { workspace, ...counts } = seen.preview;
    expect(counts).toMatchObject({ failed: 0, errors: [] });
    expect(workspace).toMatchObject({ name: 'Acme Main', left_out: [] });
    const lists = Object.fromEntries(workspace.lists.map((one: { list: string }) => [one.list, one]));
    for (const [list, created] of Object.entries(written))
      expect(lists[list], list).toMatchObject({ rows: created, created, imported: true });
    expect(lists.events).toMatchObject({ imported: false });
    expect((await gateway.send('GET', '/v1/expirationitems')).json.total).toBe(0);

    await gateway.send('POST', `/v1/imports/${seen.id}/run`);
    const done = await settled(gateway, seen.id);
    expect(done).toMatchObject({ state: 'done', failed_count: 0, done_count: seen.row_count });
    const again = await exportOf(gateway);
    expect(await contentsOf(again)).toEqual(await contentsOf(zip));
    const files = await unzip(again);
    const id = (old: string) => importedId(gateway.teamId, old);
    const items = rowsOf(files.get('items.csv'));
    const days = { notice_date: '', notice_rule: '', renew_until: '', renewals_left: '' };
    expect(items.find((row) => row.name === 'Item 0')).toMatchObject({
      ...{ ...days, notice_date: '2027-02-17', notice_rule: '6 weeks before the end of a quarter' },
      renew_until: '2030-06-01',
    });
    expect(items.find((row) => row.name === 'Item 1')).toMatchObject({
      ...{ ...days, notice_date: '2027-04-01', renewals_left: '2' },
    });
    expect(items.find((row) => row.id === id(made.item.id))).toMatchObject({
      ...{ contacts: id(made.contact.id), locations: id(made.hall.id) },
      holders: `vehicle: ${id(made.vehicle.id)}; location: ${id(made.hall.id)}`,
    });
    expect(rowsOf(files.get('locations.csv')).find((row) => row.name === 'Hall')).toMatchObject({
      parent_location_id: id(made.site.id),
    });
    const result = await fetch(`${gateway.url}/v1/imports/${seen.id}/result.csv`, {
      headers: { authorization: `Bearer ${gateway.admin}` },
    });
    const rows = rowsOf(Buffer.from(await result.arrayBuffer()));
    expect(rows).toHaveLength(done.row_count);
    expect(rows.find((row) => row.id === made.item.id)).toMatchObject({
      ...{ list: 'items', _result: 'created', _id: id(made.item.id), _error: '' },
    });
    // The ZIP file is not kept.
    expect(
      await gateway.database.sql('SELECT FROM archive_parts WHERE archive_id = $1::uuid', [seen.id]),
    ).toEqual([]);
  });

  test('changes nothing when it is imported twice, or where it came from', async () => {
    const same = await preview(gateway, zip);
    expect(same.state).toBe('done');
    const again = await run(gateway, zip, gateway.teamId, '&again=true');
    expect(again).toMatchObject({ state: 'done', created_count: 0, updated_count: 0, failed_count: 0 });
    const stopSource = startImporting(source);
    const home = await run(source, zip);
    expect(home).toMatchObject({ state: 'done', created_count: 0, updated_count: 0, failed_count: 0 });
    await stopSource();
  });

  test('leaves other workspaces alone, and uses their contacts and locations', async () => {
    const stopSource = startImporting(source);
    const before = await exportOf(source);
    const copied = await run(source, zip, source.otherTeamId);
    await stopSource();
    expect(await contentsOf(await exportOf(source))).toEqual(await contentsOf(before));
    // The numbers of vehicles and companies are unique in an organization.
    expect(copied).toMatchObject({ state: 'done', failed_count: 2 });
    const files = await unzip(await exportOf(source, source.otherTeamId));
    expect(rowsOf(files.get('items.csv'))).toHaveLength(8);
    expect(rowsOf(files.get('contacts.csv'))).toEqual([]);
    const item = rowsOf(files.get('items.csv')).find(({ name }) => name?.startsWith('Trade'));
    expect(item).toMatchObject({ contacts: made.contact.id, locations: made.hall.id });
    expect(rowsOf(files.get('files.csv'))).toHaveLength(3);
  });

  test('is imported by GraphQL, too', async () => {
    const small = workspaceZip([
      { name: 'contacts.csv', content: `id,name,email\r\n${made.item.id},Bo,bo@example.com\r\n` },
    ]);
    const { data, errors } = await gateway.graphql(
      'mutation ($input: CreateImportInput!) { createImport(input: $input) { id kind state } }',
      { input: { kind: 'WORKSPACE', teamId: gateway.otherTeamId, content: small.toString('base64') } },
    );
    expect(errors).toBeUndefined();
    await settled(gateway, data.createImport.id);
    const shown = await gateway.graphql(
      `query ($id: ID!) { import(id: $id) { state preview { created errors { list row }
        workspace { name exported bytes lists { list created } leftOut { list } } } } }`,
      { id: data.createImport.id },
    );
    expect(shown.data.import).toMatchObject({
      state: 'READY',
      preview: { created: 1, workspace: { name: 'Elsewhere', bytes: '0', leftOut: [] } },
    });
  });

  test('is imported from pieces, once', async () => {
    const { admin: token, teamId } = await createTenant(gateway.database, 'Pieces');
    const pieces = idOf(await sendByTus({ url: gateway.url, token }, zip));
    const create = () =>
      gateway.graphql(
        'mutation($input: CreateImportInput!) { createImport(input: $input) { id kind } }',
        { input: { kind: 'WORKSPACE', teamId, resumableUploadId: pieces } },
        token,
      );
    const first = await create();
    expect(first.errors).toBeUndefined();
    const { id } = first.data.createImport;
    const state = () =>
      eventually(async () => {
        const { json } = await gateway.send('GET', `/v1/imports/${id}`, { token });
        if (['reading', 'running'].includes(json.state)) throw new Error(`The import is ${json.state}.`);
        return json;
      });
    expect(await state()).toMatchObject({ state: 'ready', error: null });
    expect((await create()).data.createImport.id).toBe(id);
    const query = `kind=workspace&team_id=${teamId}&resumable_upload_id=${pieces}`;
    const again = await gateway.send('POST', `/v1/imports?${query}`, { token });
    expect([again.status, again.json.id]).toEqual([201, id]);
    const other = await gateway.send('POST', `/v1/imports?kind=items&resumable_upload_id=${pieces}`, {
      token,
    });
    expect(other.status).toBe(400);
    await gateway.send('POST', `/v1/imports/${id}/run`, { token });
    expect(await state()).toMatchObject({ state: 'done', failed_count: 0 });
    // The bytes are not kept once they are imported.
    const parts = 'SELECT FROM archive_parts WHERE archive_id = $1::uuid';
    await eventually(async () => expect(await gateway.database.sql(parts, [id])).toEqual([]));
  });

  test('is taken from pieces of the caller alone', async () => {
    const { admin: token } = await createTenant(gateway.database, 'Others');
    const pieces = idOf(await sendByTus({ url: gateway.url, token }, Buffer.from('PK')));
    const query = `kind=workspace&team_id=${gateway.teamId}&resumable_upload_id=${pieces}`;
    expect((await gateway.send('POST', `/v1/imports?${query}`)).status).toBe(400);
  });

  test('leaves out what names nobody', async () => {
    const header = 'id,name,email,assigned_to,type_id,location_id\r\n';
    const row = `${made.contact.id},Cy,cy@example.com,nobody@example.com,${made.item.id},${made.item.id}\r\n`;
    const done = await run(
      gateway,
      workspaceZip([{ name: 'contacts.csv', content: header + row }]),
      gateway.otherTeamId,
    );
    expect(done).toMatchObject({ state: 'done', created_count: 1, failed_count: 0 });
    expect(done.preview.workspace.left_out).toEqual(
      ['type_id', 'location_id', 'assigned_to'].map((column) => ({ list: 'contacts', column, cells: 1 })),
    );
  });

  test('is refused where it is hostile, before anything is written', async () => {
    for (const bad of [Buffer.from('PK'), zipOf([{ name: 'contacts.csv', content: 'id\r\n' }])]) {
      const seen = await preview(gateway, bad);
      expect(seen).toMatchObject({ state: 'failed', preview: null });
      expect(seen.error).toMatch(/^The ZIP file cannot be imported: /);
    }
    const twice = `id,name\r\n${made.item.id},A\r\n${made.item.id},B\r\n`;
    expect((await preview(gateway, workspaceZip([{ name: 'contacts.csv', content: twice }]))).error).toMatch(
      /line 3 of contacts.csv has the id of another row/,
    );
    const [a, b] = [made.item.id, made.contact.id];
    const cycle = `id,name,parent_location_id\r\n${a},A,${b}\r\n${b},B,${a}\r\n`;
    expect((await preview(gateway, workspaceZip([{ name: 'locations.csv', content: cycle }]))).error).toMatch(
      /lies in itself/,
    );
  });

  test('is imported by administrators alone, and into their own workspaces', async () => {
    const post = (teamId: string, token: string) =>
      gateway.send('POST', '/graphql', {
        token,
        body: {
          query: 'mutation ($input: CreateImportInput!) { createImport(input: $input) { id } }',
          variables: { input: { kind: 'WORKSPACE', teamId, content: 'UEs=' } },
        },
      });
    const code = async (teamId: string, token: string) =>
      (await post(teamId, token)).json.errors?.[0]?.extensions?.code;
    const stranger = await createTenant(gateway.database, 'Strangers');
    expect(await code(gateway.teamId, gateway.member)).toBe('FORBIDDEN');
    expect(await code(gateway.teamId, stranger.admin)).toBe('NOT_FOUND');
    const options = await gateway.send('POST', '/v1/imports?kind=workspace', { body: {} });
    expect(options.status).toBe(415);
  });
});

test('an import of a workspace whose worker dies is continued, and each record is there once', async () => {
  const gateway = await startGateway();
  const source = await startGateway();
  await fill(source);
  const zip = await exportOf(source);
  const stop = startImporting(gateway);
  const { id, row_count: rows } = await preview(gateway, zip);
  await stop();
  await gateway.send('POST', `/v1/imports/${id}/run`);
  const { database, clock } = gateway;
  const work = { database, clock: () => clock.now, schema, batchRows: 2 };
  let attempts = 0;
  for (let state = 'running'; state === 'running'; attempts++) {
    const [claimed] = await claimImports(database, { count: 1, now: clock.now, leaseUntil: clock.now });
    if (!claimed) throw new Error('Nothing is due.');
    const dying = new AbortController();
    // Each attempt ends after the first batches that it has written, and what it still does comes too late.
    const timer = setInterval(async () => {
      const { json } = await gateway.send('GET', `/v1/imports/${id}`);
      if (json.done_count > attempts * 2) dying.abort(new Error('killed'));
    }, 5);
    await importTeam(work, claimed, dying.signal).catch(() => {});
    clearInterval(timer);
    state = (await gateway.send('GET', `/v1/imports/${id}`)).json.state;
  }
  const done = await settled(gateway, id);
  expect(done).toMatchObject({ state: 'done', done_count: rows, failed_count: 0 });
  expect(await contentsOf(await exportOf(gateway))).toEqual(await contentsOf(zip));
  await source.close();
  await gateway.close();
});
