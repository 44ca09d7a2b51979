import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processImport } from '../../src/csv/import/process.js';
import { resultFile } from '../../src/csv/import/result.js';
import { startImports } from '../../src/csv/start-jobs.js';
import { Session } from '../../src/db/connection/session.js';
import { exportKinds } from '../../src/domain/doors/paths.js';
import { newId } from '../../src/domain/rules.js';
import { schema } from '../../src/graphql/schema.js';
import {
  cancelImport,
  createImport,
  findImport,
  runImport,
  type ShownImport,
} from '../../src/imports/imports.js';
import { findContactsNamed } from '../../src/imports/matches.js';
import type { NewImport } from '../../src/imports/options.js';
import { claimImports } from '../../src/imports/queue.js';
import { outcomesIn } from '../csv/outcomes.support.js';
import { some } from '../fuzz/runs.js';
import { eventually } from '../support/eventually.js';
import { createTenant, startGateway, type TestGateway, testTime } from '../support/gateway.js';

let gateway: TestGateway;
let stop: () => Promise<void>;
beforeAll(async () => {
  gateway = await startGateway();
  stop = start();
});
afterAll(async () => {
  await stop();
  await gateway.close();
});

const start = () =>
  startImports({
    database: gateway.database,
    clock: () => testTime,
    log: pino({ level: 'silent' }),
    pollMs: 20,
    loadSchema: async () => schema,
  });

const session = (now = testTime) => {
  const { database, organizationId, teamId, otherTeamId, userId } = gateway;
  const user = { id: userId, name: 'Ada Admin', email: 'ada@example.com', teamId };
  const caller = {
    tokenId: userId,
    role: 'ADMIN' as const,
    organizationId,
    teamIds: [teamId, otherTeamId],
    user,
  };
  return new Session(database, { caller, now });
};

type Given = Omit<NewImport, 'kind'> & { readonly content?: Uint8Array };

const settled = (id: string) =>
  eventually(async (): Promise<ShownImport> => {
    const found = await findImport(session(), id);
    expect(['READING', 'RUNNING']).not.toContain(found?.state);
    return found as ShownImport;
  });

const preview = async (
  kind: NewImport['kind'],
  text: string,
  { content = Buffer.from(text), ...given }: Given = {},
) => settled((await createImport(session(), { kind, ...given }, content)).id);

/** Imports a file, and returns the import and the outcome of each row. */
async function run(kind: NewImport['kind'], text: string, given: Given = {}) {
  const { id, state, error, preview: seen } = await preview(kind, text, given);
  expect(state, error ?? '').toBe('READY');
  await runImport(session(), id);
  const done = await settled(id);
  const results = await outcomesIn(session(), id);
  return { ...done, seen, results };
}

const list = async (path: string) => (await gateway.send('GET', path)).json;
const file = (kind: string, query = '') =>
  gateway.send('GET', `/v1/export/${kind}.csv${query}`).then(({ text }) => text);

test('items are previewed without writing anything, and written by running the import', async () => {
  const text = `Bezeichnung;Gültig bis;Kategorie;Kontakt;Schlagworte;custom:Nummer;Farbe
Gewerbeschein;31.12.2027;Lizenz;ben@example.com;jährlich; 7 ;rot
Falsch;29.02.2027;Lizenz;;;;
"Mit ""Quotes"" und
Zeile";01.02.2028;;;;;
`;
  const seen = await preview('ITEMS', text, { dateFormat: 'DMY' });
  expect(seen).toMatchObject({ state: 'READY', rowCount: 3, doneCount: 0 });
  expect(seen.preview).toMatchObject({
    ...{ created: 2, updated: 0, unchanged: 0, failed: 1 },
    errors: [{ row: 3, column: 'Gültig bis', value: '29.02.2027', message: 'is not a day of the calendar' }],
    rows: [
      { row: 2, action: 'created', values: { name: 'Gewerbeschein' } },
      { action: 'failed' },
      { action: 'created' },
    ],
  });
  expect(seen.preview?.columns.at(-1)).toMatchObject({ header: 'Farbe', column: null });
  expect((await list('/v1/expirationitems')).total).toBe(0);
  expect((await list('/v1/contacts')).total).toBe(0);
  await runImport(session(), seen.id);
  await expect(runImport(session(), seen.id)).rejects.toMatchObject({ code: 'CONFLICT' });
  const done = await settled(seen.id);
  expect(done).toMatchObject({ state: 'DONE', doneCount: 3, createdCount: 2, failedCount: 1 });
  const { expiration_items: items } = await list('/v1/expirationitems?sort=name');
  expect(items).toMatchObject([
    {
      name: 'Gewerbeschein',
      expiration_date: '2027-12-31',
      category_name: 'Lizenz',
      contacts: [{ email: 'ben@example.com' }],
      tags: [{ name: 'jährlich' }],
      custom_fields: [{ name: 'Nummer', value: ' 7 ' }],
    },
    { name: 'Mit "Quotes" und\nZeile', category_name: 'Generic' },
  ]);
  const results = await outcomesIn(session(), seen.id);
  expect(results).toEqual([
    ['created', items[0].id, null],
    ['failed', null, 'Gültig bis: is not a day of the calendar'],
    ['created', items[1].id, null],
  ]);
  const { eventlogs } = await list('/v1/eventlogs?type=imported');
  expect(eventlogs).toMatchObject([
    { description: 'A file with 3 items was imported', user: { name: 'Ada Admin' } },
  ]);
  expect(eventlogs[0].details).toContain(done.id);
  // The same file leads to the import that is there, unless it is to be imported again.
  const same = await createImport(session(), { kind: 'ITEMS', dateFormat: 'DMY' }, Buffer.from(text));
  expect(same.id).toBe(seen.id);
  const again = await preview('ITEMS', text, { dateFormat: 'DMY', again: true });
  expect(again.id).not.toBe(seen.id);
  expect(again.preview).toMatchObject({ created: 0, failed: 3 });
  await cancelImport(session(), again.id);
  await expect(runImport(session(), again.id)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('REST takes the file, and answers with the outcome of each row', async () => {
  const send = (method: string, path: string, raw?: string, token = gateway.admin) =>
    gateway.send(method, path, {
      token,
      ...(raw !== undefined && { raw, headers: { 'Content-Type': 'text/csv; charset=utf-8' } }),
    });
  const made = await send(
    'POST',
    '/v1/imports?kind=vehicles&mode=upsert&file_name=fleet.csv',
    'vin,Kennzeichen,year\r\nV1,AB 1,2020\r\nV2,AB 2,twenty\r\nV1,AB 3,2021\r\n\r\n,,\r\nV4,AB 4\r\n',
  );
  expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/imports/${made.json.id}`]);
  const path = `/v1/imports/${made.json.id}`;
  await settled(made.json.id);
  const read = await send('GET', path);
  expect(read.json).toMatchObject({ state: 'ready', kind: 'vehicles', mode: 'upsert', row_count: 4 });
  expect(read.json.preview).toMatchObject({ created: 1, failed: 3 });
  const stranger = await createTenant(gateway.database, `Stranger ${newId()}`);
  for (const token of [gateway.member, stranger.admin]) {
    expect((await send('GET', path, undefined, token)).status).toBe(404);
    expect((await send('POST', `${path}/run`, '', token)).status).toBe(404);
    expect((await send('GET', `${path}/result.csv`, undefined, token)).status).toBe(404);
  }
  expect((await send('POST', '/v1/imports?kind=vehicles', 'vin\r\nX', gateway.viewer)).status).toBe(403);
  expect((await send('POST', `${path}/run`, '')).json.state).toBe('running');
  expect((await send('POST', `${path}/run`, '')).status).toBe(409);
  await settled(made.json.id);
  const { text, headers } = await send('GET', `${path}/result.csv`);
  expect(headers.get('content-disposition')).toContain('fleet-result.csv');
  const rows = parse(text) as string[][];
  expect(rows[0]).toEqual(['vin', 'Kennzeichen', 'year', '_result', '_id', '_error']);
  expect(rows.slice(1).map(([vin, , , result, , error]) => [vin, result, error])).toEqual([
    ['V1', 'created', ''],
    ['V2', 'failed', 'year: must be a whole number'],
    ['V1', 'failed', 'is the same record as line 2'],
    ['V4', 'failed', 'has 2 cells, and the header has 3'],
  ]);
  const wrong: [string, string, string?][] = [
    ['/v1/imports', 'a\r\n1'],
    ['/v1/imports?kind=boats', 'a\r\n1'],
    ['/v1/imports?kind=items&mode=some', 'a\r\n1'],
    ['/v1/imports?kind=items&mapping=[]', 'a\r\n1'],
    ['/v1/imports?kind=items', ''],
  ];
  for (const [to, body] of wrong) expect((await send('POST', to, body)).status, to).toBe(400);
  const told = await send('POST', '/v1/imports?kind=items&date_format=ddmmyy', 'a\r\n1');
  expect(JSON.stringify(told.json)).toContain('must be one of ymd, dmy, mdy');
  expect((await gateway.send('POST', '/v1/imports?kind=items', { body: {} })).status).toBe(415);
  expect((await send('POST', `${path}/cancel`, '')).status).toBe(409);
});

test.each([
  ['ITEMS', 2],
  ['CONTACTS', 2],
  ['VEHICLES', 2],
  ['LOCATIONS', 3],
  ['COMPANIES', 2],
  ['TYPES', 2],
] as const)('the example file of %s works as it stands', async (kind, rows) => {
  const example = readFileSync(new URL(`../../docs/examples/${kind.toLowerCase()}.csv`, import.meta.url));
  const { seen, ...done } = await run(kind, example.toString(), { mode: 'UPSERT' });
  expect(seen?.columns.filter(({ column }) => column === null)).toEqual([]);
  expect(done).toMatchObject({ rowCount: rows, failedCount: 0, unchangedCount: 0 });
});

test('the mode decides what happens to records that exist', async () => {
  await run('CONTACTS', 'name,email\nGrace,grace@example.com\nAlan,alan@example.com\n');
  const text = 'name,E-Mail,phone\nGrace Hopper,GRACE@example.com,+1 555\nNew,new@example.com,\n';
  expect((await run('CONTACTS', text)).results.map(([action]) => action)).toEqual(['failed', 'created']);
  const other = text.replace('new@', 'newer@');
  expect((await run('CONTACTS', other, { mode: 'UPDATE_ONLY' })).results).toMatchObject([
    ['updated', expect.any(String), null],
    ['failed', null, 'matches no record that exists'],
  ]);
  const all = await run('CONTACTS', other, { mode: 'UPSERT' });
  expect(all.results.map(([action]) => action)).toEqual(['unchanged', 'created']);
  const { contacts } = await list('/v1/contacts?term=hopper');
  expect(contacts).toMatchObject([{ name: 'Grace Hopper', email: 'GRACE@example.com', phone: '+1 555' }]);
  const cleared = await run('CONTACTS', 'email,phone\ngrace@example.com,\n', { mode: 'UPSERT' });
  expect(cleared.updatedCount).toBe(1);
  expect((await list('/v1/contacts?term=hopper')).contacts[0].phone).toBe(null);
});

test('all or nothing', async () => {
  const before = (await list('/v1/companies')).total;
  const text = `name,website\nOne,\nTwo,\nThree,${'x'.repeat(300)}\n`;
  const seen = await preview('COMPANIES', text, { atomic: true });
  await runImport(session(), seen.id);
  expect(await settled(seen.id)).toMatchObject({
    state: 'FAILED',
    error: 'Nothing was imported, because of line 4: must have at most 255 characters',
    createdCount: 0,
  });
  expect((await list('/v1/companies')).total).toBe(before);
});

test('locations are found by their paths, and lie in those of earlier rows', async () => {
  const text = 'Pfad\nWorks\nWorks / Floor\nWorks / Floor / Shelf\nNowhere / Shelf\n';
  const done = await run('LOCATIONS', text);
  expect(done.seen).toMatchObject({ created: 3, failed: 1 });
  expect(done.results.map(([action]) => action)).toEqual(['created', 'created', 'created', 'failed']);
  const again = await run('LOCATIONS', text, { mode: 'UPSERT' });
  expect(again).toMatchObject({ unchangedCount: 3, createdCount: 0, failedCount: 1 });
  const ids = done.results.map(([, id]) => id);
  const { locations } = await list('/v1/locations?sort=name');
  expect(locations.filter(({ id }: { id: string }) => ids.includes(id))).toMatchObject([
    { name: 'Floor', parent_location_id: ids[0] },
    { name: 'Shelf', parent_location_id: ids[1] },
    { name: 'Works', parent_location_id: null },
  ]);
});

test("a row that names somebody else's record is an error like one that names none", async () => {
  const stranger = await createTenant(gateway.database, `Stranger ${newId()}`);
  const { json } = await gateway.send('POST', '/v1/contacts', {
    ...{ token: stranger.admin, body: { email: 'far@example.com' } },
  });
  const text = `name,expiration_date,contact_id\nA,2030-01-31,${json.id}\nB,2030-01-31,${newId()}\n`;
  const { results } = await run('ITEMS', text);
  const told = 'contact_id: names no contact that exists';
  expect(results.map(([action, , error]) => [action, error])).toEqual([
    ['failed', told],
    ['failed', told],
  ]);
  const byId = await run('CONTACTS', `id,email\n${json.id},other@example.com\n`, { mode: 'UPDATE_ONLY' });
  expect(byId.results).toEqual([['failed', null, 'matches no record that exists']]);
});

test('reminders of dates that are already due are only noted, unless they are wanted', async () => {
  const quiet = async () =>
    (
      await gateway.database.sql<{ quiet: boolean }>(
        'SELECT quiet FROM reminder_checks ORDER BY requested_at, quiet',
      )
    ).map((check) => check.quiet);
  await gateway.database.sql('DELETE FROM reminder_checks');
  await run('ITEMS', 'name,expiration_date\nSoon,2026-11-22\n');
  expect(await quiet()).toEqual([true]);
  await gateway.database.sql('DELETE FROM reminder_checks');
  await run('ITEMS', 'name,expiration_date\nSooner,2026-11-22\n', { quiet: false });
  expect(await quiet()).toEqual([false]);
});

test('an import that dies goes on with the next batch, and writes each row once', async () => {
  const rows = Array.from({ length: 52 }, (_, i) => `Many ${i},M${i}`);
  const { id } = await preview('VEHICLES', `name,vin\n${rows.join('\n')}\n`);
  await stop();
  await runImport(session(), id);
  const { database } = gateway;
  const done: number[] = [];
  for (let kill = 1; kill <= 5; kill++) {
    // Earlier leases have ended.
    const now = new Date(testTime.getTime() + kill * 60_000);
    const [claimed] = await claimImports(database, {
      ...{ count: 1, now, leaseUntil: new Date(now.getTime() + 15_000) },
    });
    const dying = new AbortController();
    let batches = 0;
    const clock = () => {
      if (++batches > 1) dying.abort(new Error('killed'));
      return now;
    };
    if (claimed)
      await processImport({ database, clock, schema, batchRows: 10 }, claimed, dying.signal).catch(() => {});
    done.push((await findImport(session(), id))?.doneCount ?? 0);
  }
  expect(done).toEqual([20, 40, 52, 52, 52]);
  stop = start();
  expect(await settled(id)).toMatchObject({ state: 'DONE', createdCount: 52, failedCount: 0 });
  expect((await list('/v1/vehicles?term=many')).total).toBe(52);
  expect(await outcomesIn(session(), id)).toHaveLength(52);
});

test('a double click creates one import, and runs it once', async () => {
  const content = Buffer.from('name,vin\nTwice,T2\n');
  const twice = () => [1, 2, 3].map(() => createImport(session(), { kind: 'VEHICLES' }, content));
  const [{ id } = { id: '' }, ...others] = await Promise.all(twice());
  expect(others.map((other) => other.id)).toEqual([id, id]);
  await settled(id);
  const runs = await Promise.allSettled([1, 2, 3].map(() => runImport(session(), id)));
  expect(runs.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const run of runs)
    if (run.status === 'rejected') expect(run.reason).toMatchObject({ code: 'CONFLICT', status: 409 });
  expect(await settled(id)).toMatchObject({ state: 'DONE', createdCount: 1 });
  expect((await list('/v1/vehicles?term=twice')).total).toBe(1);
});

const awkward = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    "'",
    "'=1",
    '=1+1',
    '-1',
    '@x',
    'a;b',
    'a,b',
    'a\nb',
    'a\r\nb',
    '"',
    ' lead',
    'true',
    '1',
    'é',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const text = awkward.map((value) => value.replaceAll('\0', '').toWellFormed());
const name = text.map((value) => `n ${value}`.slice(0, 200));

test('an exported file that is imported again changes nothing', async () => {
  const { organizationId, teamId, userId } = gateway;
  const { prisma } = gateway.database;
  const base = () => ({ id: newId(), organizationId, teamId, modified: testTime });
  const fields = fc.array(fc.record({ id: fc.uuid(), name: fc.option(text), value: fc.option(text) }), {
    maxLength: 4,
  });
  const several = <T>(value: fc.Arbitrary<T>) => fc.sample(value, some(60));
  const locations = several(name).map((of, i) => ({ ...base(), name: `${of} ${i}` }));
  const twins = locations.slice(0, 5).map((of) => ({ ...base(), name: of.name, parentLocationId: of.id }));
  await prisma.location.createMany({ data: [...locations, ...twins] });
  const contacts = several(
    fc.record({ name: fc.option(text), phone: fc.option(text), customFields: fields }),
  ).map((of, i) => ({
    ...base(),
    ...of,
    email: `round-${i}@example.com`,
    ...(i % 3 === 0 && { assignedToId: userId }),
  }));
  await prisma.contact.createMany({ data: contacts });
  await prisma.vehicle.createMany({
    data: several(fc.record({ name: fc.option(text), make: fc.option(text), customFields: fields })).map(
      (of, i) => ({
        ...{
          ...base(),
          ...of,
          year: i,
          msrp: i / 7,
          isArchived: i % 2 === 0,
          locationId: twins[i % 5]?.id ?? null,
        },
      }),
    ),
  });
  const types = several(name).map((of, i) => ({
    ...{ ...base(), name: `${of} ${i}`, customFields: [{ id: newId(), name: `a;${i}`, internalName: 'x' }] },
  }));
  await prisma.category.createMany({ data: types });
  await prisma.company.createMany({
    data: several(fc.record({ name, city: fc.option(text) })).map((of) => ({ ...base(), ...of })),
  });
  const tags = several(name).map((of, i) => ({ ...base(), name: `${of} ${i}` }));
  await prisma.tag.createMany({ data: tags });
  for (const [i, of] of several(
    fc.record({ name, details: fc.option(text), customFields: fields }),
  ).entries()) {
    await prisma.expirationItem.create({
      data: {
        ...{ ...base(), ...of, categoryId: types[i]?.id ?? '', contactId: contacts[i]?.id ?? null },
        expirationDate: i % 5 === 0 ? null : new Date('2031-01-31'),
        contacts: { create: [{ contactId: contacts[i]?.id ?? '', position: 0 }] },
        tags: { create: [{ tagId: tags[i]?.id ?? '', position: 0 }] },
        locations: { create: [{ locationId: twins[i % 5]?.id ?? '', position: 0 }] },
      },
    });
  }
  for (const kind of exportKinds.slice(0, 6)) {
    const exported = await file(kind);
    const { seen, ...done } = await run(kind.toUpperCase() as NewImport['kind'], exported, {
      mode: 'UPSERT',
    });
    const wrong = done.results.filter(([action]) => action !== 'unchanged');
    expect([kind, wrong]).toEqual([kind, []]);
    expect(done.rowCount).toBeGreaterThan(0);
    expect(await file(kind)).toBe(exported);
  }
});

test('a preview shows each value as it will be stored, with the one before it', async () => {
  const item = await gateway.graphql(
    'mutation { createExpirationItem(input: { name: "Shown", expirationDate: "2026-12-31", customFields: [{ name: "No", value: "7" }] }) { id } }',
  );
  const { id } = item.data.createExpirationItem;
  const text = `id,name,expiration_date,custom:No\n${id},Shown,01/02/2027,8\n,New one,03/04/2027,\n`;
  const changes = async (dateFormat: 'DMY' | 'MDY') => {
    const shown = await preview('ITEMS', text, { mode: 'UPSERT', dateFormat });
    return shown.preview?.rows.map((row) =>
      row.changes.map(({ column, before, after }) => [column, before, after]),
    );
  };
  expect(await changes('DMY')).toEqual([
    [
      ['expiration_date', '2026-12-31', '2027-02-01'],
      ['custom:No', '7', '8'],
    ],
    [
      ['name', null, 'New one'],
      ['expiration_date', null, '2027-04-03'],
    ],
  ]);
  expect((await changes('MDY'))?.map((row) => row.find(([column]) => column === 'expiration_date'))).toEqual([
    ['expiration_date', '2026-12-31', '2027-01-02'],
    ['expiration_date', null, '2027-03-04'],
  ]);
});

test('dates of unusual years are told, and imported', async () => {
  const dates = ['25.4.2570', '31.12.1969', '1.1.1970', '31.12.2200', '1.1.2201'];
  const text = `name,expiration_date\n${dates.map((date) => `Odd ${date},${date}`).join('\n')}\n`;
  const shown = await preview('ITEMS', text, { dateFormat: 'DMY' });
  expect(shown.preview).toMatchObject({ created: 5, failed: 0 });
  expect(shown.preview?.warnings?.map(({ row, value }) => [row, value])).toEqual([
    [2, '25.4.2570'],
    [3, '31.12.1969'],
    [6, '1.1.2201'],
  ]);
});

test('a preview shows links by what the file calls them, and paths as they will be', async () => {
  const { data } = await gateway.graphql(`mutation {
    tag: createTag(input: { name: "Old tag" }) { id }
    place: createLocation(input: { name: "Plant 7" }) { id }
    item: createExpirationItem(input: { name: "Linked", expirationDate: "2027-01-01", categoryName: "Permit",
      tags: [{ name: "Old tag" }], contacts: [{ email: "old@links.test" }] }) { id }
  }`);
  const items = `id,category_name,tags,contacts,expiration_date\n${data.item.id},Licence,OLD TAG;New tag,,2027-01-01\n`;
  const changed = await preview('ITEMS', items, { mode: 'UPDATE_ONLY' });
  const none = { damage: null, leftOut: false };
  expect(changed.preview?.rows[0]?.changes).toEqual([
    { column: 'category_name', before: 'Permit', after: 'Licence', ...none },
    { column: 'tags', before: 'Old tag', after: 'Old tag; New tag', ...none },
    { column: 'contacts', before: 'old@links.test', after: null, ...none },
  ]);
  const paths = `id,path\n,plant 7/Hall 1\n,Plant 7 / Hall 1 / Room 2\n${data.place.id},Plant 8\n`;
  const placed = await preview('LOCATIONS', paths, { mode: 'UPSERT' });
  expect(placed.preview?.rows.flatMap(({ changes }) => changes)).toEqual([
    { column: 'path', before: null, after: 'Plant 7 / Hall 1', ...none },
    { column: 'path', before: null, after: 'Plant 7 / Hall 1 / Room 2', ...none },
    { column: 'path', before: 'Plant 7', after: 'Plant 8', ...none },
  ]);
});

test('numbers that a spreadsheet has shortened are told where no record has the whole ones', async () => {
  const made = await gateway.send('POST', '/v1/vehicles', { body: { vin: 'SHORTENED', license_plate: '' } });
  const text = `id,name,vin,license_plate,custom:Key\n,New,1.23457E+16,5E10,"1,2E+12"\n${made.json.id},,,4.2E+012,\n`;
  const shown = await preview('VEHICLES', text, { mode: 'UPSERT' });
  expect(shown.preview).toMatchObject({ created: 1, updated: 1, damaged: [] });
  expect(shown.preview?.warnings?.map(({ row, column, value }) => [row, column, value])).toEqual([
    [2, 'vin', '1.23457E+16'],
    [2, 'custom:Key', '1,2E+12'],
    [3, 'license_plate', '4.2E+012'],
  ]);
});

test('what a spreadsheet has damaged is left out of updates, unless its column is chosen', async () => {
  const vin = '12345678901234567';
  const made = await gateway.send('POST', '/v1/vehicles', {
    body: { name: 'Damaged', vin, license_plate: '0012', custom_fields: [{ name: 'Key', value: '007' }] },
  });
  const { id } = made.json;
  const text = `id,name,vin,license_plate,custom:Key\n${id},Changed,1.23457E+16,12,7\n`;
  const shown = await preview('VEHICLES', text, { mode: 'UPDATE_ONLY' });
  expect(shown.preview?.damaged).toEqual([
    { column: 'vin', damage: 'ROUNDED', cells: 1, before: vin, after: '1.23457E+16', accepted: false },
    { column: 'license_plate', damage: 'LOST_ZEROS', cells: 1, before: '0012', after: '12', accepted: false },
    { column: 'custom:Key', damage: 'LOST_ZEROS', cells: 1, before: '007', after: '7', accepted: false },
  ]);
  await runImport(session(), shown.id);
  await settled(shown.id);
  const read = async () => (await gateway.send('GET', `/v1/vehicles/${id}`)).json;
  expect(await read()).toMatchObject({
    ...{ name: 'Changed', vin, license_plate: '0012', custom_fields: [{ name: 'Key', value: '007' }] },
  });
  const [, , error] = (await outcomesIn(session(), shown.id))[0] ?? [];
  expect(error).toContain('license_plate: stays 0012');
  const acceptDamage = ['license_plate', 'custom:Key'];
  const accepted = await preview('VEHICLES', text, { mode: 'UPDATE_ONLY', acceptDamage });
  await runImport(session(), accepted.id);
  await settled(accepted.id);
  expect(await read()).toMatchObject({
    ...{ vin, license_plate: '12', custom_fields: [{ name: 'Key', value: '7' }] },
  });
});

test('tags and document types that a spreadsheet has damaged are kept, too', async () => {
  const { data } = await gateway.graphql(`mutation { createExpirationItem(input: { name: "Numbered",
    expirationDate: "2027-01-01", categoryName: "007", tags: [{ name: "0012" }] }) { id } }`);
  const text = `id,category_name,tags\n${data.createExpirationItem.id},7,12\n`;
  const shown = await preview('ITEMS', text, { mode: 'UPDATE_ONLY' });
  expect(shown.preview).toMatchObject({ unchanged: 1, updated: 0 });
  expect(shown.preview?.damaged?.map(({ column, before }) => [column, before])).toEqual([
    ['category_name', '007'],
    ['tags', '0012'],
  ]);
});

test('REST and GraphQL show the changes, the warnings and the damage of a preview', async () => {
  const made = await gateway.send('POST', '/v1/vehicles', { body: { name: 'Doors', license_plate: '0012' } });
  const text = `id,name,license_plate,vin\n${made.json.id},Doors 2,12,1.5E+16\n`;
  const sent = await gateway.send('POST', '/v1/imports?kind=vehicles&mode=update_only&accept_damage=vin', {
    headers: { 'Content-Type': 'text/csv' },
    raw: text,
  });
  const { id } = sent.json;
  await settled(id);
  const { json } = await gateway.send('GET', `/v1/imports/${id}`);
  const column = { column: 'license_plate', before: '0012', after: '12' };
  expect(json.preview).toMatchObject({
    warnings: [{ list: null, row: 2, column: 'vin', value: '1.5E+16' }],
    damaged: [{ ...column, damage: 'lost_zeros', cells: 1, accepted: false }],
  });
  expect(json.preview.rows[0].changes).toEqual([
    { column: 'name', before: 'Doors', after: 'Doors 2', damage: null, left_out: false },
    { ...column, damage: 'lost_zeros', left_out: true },
    { column: 'vin', before: null, after: '1.5E+16', damage: null, left_out: false },
  ]);
  const { data } = await gateway.graphql(
    `query ($id: ID!) { import(id: $id) { acceptDamage preview { rows warnings { message }
      damaged { column damage cells before after accepted } } } }`,
    { id },
  );
  expect(data.import).toMatchObject({
    acceptDamage: ['vin'],
    preview: {
      warnings: [{ message: 'looks like a number that a spreadsheet has rounded' }],
      damaged: [{ ...column, damage: 'LOST_ZEROS', cells: 1, accepted: false }],
    },
  });
  expect(data.import.preview.rows[0].changes[1]).toEqual({ ...column, damage: 'LOST_ZEROS', leftOut: true });
});

test('ends of renewals are read, and an exported file changes nothing', async () => {
  const text = `name,expiration_date,renew_until,renewals_left
Ends on,2027-05-31,2030-05-31,
Ends after,2027-05-31,,3
Ends wrong,2027-05-31,soon,
Ends below,2027-05-31,,-1
`;
  const { results } = await run('ITEMS', text);
  expect(results.map(([outcome]) => outcome)).toEqual(['created', 'created', 'failed', 'failed']);
  const rows = parse(await file('items', '?term=Ends'), { columns: true, bom: true }) as {
    [column: string]: string;
  }[];
  expect(rows.map((row) => [row.name, row.renew_until, row.renewals_left]).sort()).toEqual([
    ['Ends after', '', '3'],
    ['Ends on', '2030-05-31', ''],
  ]);
  const again = await preview('ITEMS', await file('items', '?term=Ends'), { mode: 'UPSERT' });
  expect(again.preview).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 0 });
});

test('notice periods are read as days or rules, and an exported file changes nothing', async () => {
  const text = `name,expiration_date,Kündigungsfrist,Cancel by
Notice rule,2027-05-31,6 weeks before the end of a quarter,
Notice day,2027-05-31,,2027-01-31
Notice wrong,2027-05-31,as soon as possible,
`;
  const { results } = await run('ITEMS', text);
  expect(results.map(([outcome, , problem]) => problem ?? outcome)).toEqual([
    ...['created', 'created', expect.stringContaining('must be like 3 months before')],
  ]);
  const rows = parse(await file('items', '?term=Notice'), { columns: true, bom: true }) as {
    [column: string]: string;
  }[];
  const shown = new Map(rows.map((row) => [row.name, [row.notice_date, row.notice_rule]]));
  expect(shown.get('Notice rule')).toEqual(['2027-02-17', '6 weeks before the end of a quarter']);
  expect(shown.get('Notice day')).toEqual(['2027-01-31', '']);
  const again = await preview('ITEMS', await file('items', '?term=Notice'), { mode: 'UPSERT' });
  expect(again.preview).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 0 });
});

test('the result of a large file comes in parts', async () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => `Large ${at},2027-01-01,${'x'.repeat(200)}`);
  const shown = await preview('ITEMS', `name,expiration_date,details\n${rows.join('\n')}\n`);
  const parts: string[] = [];
  for await (const part of await resultFile(session(), shown)) parts.push(part);
  expect(parts.length).toBeGreaterThan(5);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(128 * 1024);
  expect(parse(parts.join('')).length).toBe(2_001);
});

test('a long name of nobody that ends in half a character is asked about', async () => {
  const name = `${'x'.repeat(79)}😀 and others`;
  const shown = await preview('ITEMS', `name,expiration_date,contacts\nHalf,2027-01-01,${name}\n`);
  expect(shown).toMatchObject({ state: 'READY' });
  expect(shown.preview?.people?.[0]?.value).toBe(`${'x'.repeat(79)}\ufffd`);
});

test('of many people with a name, one question is asked', async () => {
  const { organizationId, teamId, database } = gateway;
  const many = Array.from({ length: 300 }, (_, at) => ({
    ...{ id: newId(), organizationId, teamId, name: 'Chris Common', modified: testTime },
    email: `chris${at}@x.test`,
  }));
  await database.prisma.contact.createMany({ data: many });
  expect(await findContactsNamed(session(), ['chris common', 'CHRIS COMMON'])).toHaveLength(2);
  const text = 'name,expiration_date,contact_email\nMany,2027-01-01,Chris Common\n';
  expect((await preview('ITEMS', text)).preview).toMatchObject({
    failed: 1,
    errors: [{ message: 'names several people: Chris Common' }],
  });
});
