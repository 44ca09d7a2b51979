import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guarded, unguarded, writeCsv } from '../../src/csv/columns.js';
import { CsvExporter } from '../../src/csv/export.js';
import { Session } from '../../src/db/connection/session.js';
import { exportKinds, exportPath } from '../../src/domain/doors/paths.js';
import { newId } from '../../src/domain/rules.js';
import { schema } from '../../src/graphql/schema.js';
import { eventually } from '../support/eventually.js';
import {
  createTenant,
  startGateway,
  type TestGateway,
  type TestRequest,
  testTime,
} from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

type Row = Record<string, string>;

const csv = async (path: string, request?: TestRequest) => {
  const { status, headers, text } = await gateway.send('GET', path, request);
  expect(status, text).toBe(200);
  return { headers, text, rows: parse(text, { columns: true, bom: true }) as Row[] };
};

const make = async (path: string, body: object) => {
  const { status, text, json } = await gateway.send('POST', path, { body });
  expect(status, text).toBe(201);
  return json as { readonly id: string };
};

/** Makes vehicles with a statement, which has the time for many. */
const makeVehicles = (count: number, name: string, length = 0) =>
  gateway.database.sql(
    `INSERT INTO vehicles (id, organization_id, team_id, name, custom_fields, created, modified)
     SELECT gen_random_uuid(), $1::uuid, $2::uuid, $3 || n, fields.list, now(), now()
     FROM generate_series(1, $4::int) AS n, (
       SELECT jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'name', 'Note', 'value', repeat('x', $5::int)))
     ) AS fields (list)`,
    [gateway.organizationId, gateway.teamId, name, count, length],
  );

test('a file has the names of the contract, the texts of nested records, and a column for each custom field', async () => {
  const details = 'one\r\ntwo, "three"; four';
  await make('/v1/expirationitems', {
    name: '=HYPERLINK("https://evil.example")',
    expiration_date: '2027-03-31',
    details,
    category_name: 'Licence',
    contacts: [{ email: 'ben@example.com' }, { email: 'ann@example.com' }],
    tags: [{ name: 'yearly' }, { name: 'a; b' }],
    assigned_to: { id: gateway.userId },
    custom_fields: [
      { name: 'Number', value: '7' },
      { name: 'Place', value: '-1' },
    ],
  });
  const { text, rows, headers } = await csv('/v1/export/items.csv');
  expect(headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
  expect(headers.get('content-disposition')).toContain('filename="items-2026-11-20.csv"');
  expect(text.split('\r\n')[0]).toBe(
    'id,name,expiration_date,status,time_of_day,details,assigned_to,status_id,modified,category_name,is_active,team_id,contacts,attachments,locations,tags,contact_id,notice_date,notice_rule,renew_until,renewals_left,holders,custom:Number,custom:Place',
  );
  expect(text.endsWith('\r\n')).toBe(true);
  expect(rows).toMatchObject([
    {
      name: '\'=HYPERLINK("https://evil.example")',
      details,
      expiration_date: '2027-03-31',
      status: 'current',
      category_name: 'Licence',
      is_active: 'true',
      contacts: 'ben@example.com; ann@example.com',
      tags: expect.stringMatching(/^yearly; [0-9a-f-]{36}$/),
      assigned_to: 'ada@example.com',
      'custom:Number': '7',
      'custom:Place': "'-1",
    },
  ]);
  const untouched = await csv('/v1/export/items.csv?raw=true&excel=true');
  // Reading it as text would remove the mark.
  const marked = await fetch(`${gateway.url}/v1/export/items.csv?excel=true`, {
    headers: { Authorization: `Bearer ${gateway.admin}` },
  });
  expect([...new Uint8Array(await marked.arrayBuffer()).slice(0, 5)]).toEqual([0xef, 0xbb, 0xbf, 0x69, 0x64]);
  expect(untouched.rows[0]?.name).toBe('=HYPERLINK("https://evil.example")');
});

test('a guarded text is what it was before', () => {
  for (const text of ['=1', "'=1", "''+1", '-', '@a', '\t', '\r', "'", "'a", 'a', '', '＝1']) {
    expect(unguarded(guarded(text)), text).toBe(text);
  }
  expect(writeCsv([['a\nb', 'a;b', ' a ', '"']])).toBe('"a\nb","a;b", a ,""""\r\n');
});

test('every kind of list can be exported, with its filter and order', async () => {
  const place = await make('/v1/locations', { name: 'Plant 1' });
  await make('/v1/locations', { name: 'Hall 2', parent_location_id: place.id });
  await make('/v1/companies', { name: 'Maple' });
  await make('/v1/categories', { name: 'Permit', custom_fields: [{ name: 'A' }, { name: 'B' }] });
  const { id } = await make('/v1/expirationitems', { name: 'Permit 1', expiration_date: '2027-01-31' });
  await gateway.send('PUT', `/v1/expirationitems/${id}/renew`, {
    body: { expiration_date: '2028-01-31', details: 'A year.' },
  });
  await makeVehicles(750, 'Van ');
  const files = await Promise.all(
    exportKinds.slice(0, 2).map(async (kind) => [kind, await csv(exportPath(kind))] as const),
  );
  // The one of compliance is about one kind of records (compliance.test.ts).
  const others = exportKinds.slice(2).filter((kind) => kind !== 'compliance');
  for (const kind of others) files.push([kind, await csv(exportPath(kind))]);
  const of = (kind: string) => files.find(([name]) => name === kind)?.[1].rows ?? [];
  expect(of('items').map(({ name }) => name)).toContain('Permit 1');
  expect(
    of('contacts')
      .map(({ email }) => email)
      .sort(),
  ).toEqual(['ann@example.com', 'ben@example.com']);
  expect(of('locations')).toMatchObject([
    { name: 'Hall 2', parent_location_id: place.id },
    { name: 'Plant 1' },
  ]);
  expect(of('companies')).toMatchObject([{ name: 'Maple' }]);
  expect(of('types').find(({ name }) => name === 'Permit')?.custom_fields).toBe('A; B');
  expect(of('renewals')).toMatchObject([
    { expiration_date: '2028-01-31', expiration_item_id: id, expiration_item_name: 'Permit 1' },
  ]);
  expect(of('events')[0]).toMatchObject({ type_id: '3', user: 'Ada Admin', related_entities: `1:${id}` });
  // Several pages, in the order of the list.
  expect(
    of('vehicles')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Array.from({ length: 750 }, (_, i) => `Van ${i + 1}`).sort());
  const some = await csv('/v1/export/vehicles.csv?term=Van 74&sort=name&sortDirection=desc');
  expect(some.rows.map(({ name }) => name)).toEqual(
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((n) => `Van 74${n}`).concat('Van 74'),
  );
  expect((await gateway.send('GET', '/v1/export/vehicles.csv?sort=size')).json.message).toMatch(/^sort: /);
  expect((await gateway.send('GET', '/v1/export/vehicles.csv?page=7')).json.message).toBe(
    'page is unknown here.',
  );
  expect((await gateway.send('GET', '/v1/export/vehicles.csv?raw=maybe')).json.message).toMatch(/^raw: /);
  expect((await gateway.send('GET', '/v1/export/boats.csv')).status).toBe(404);
  expect(await gateway.send('HEAD', '/v1/export/vehicles.csv')).toMatchObject({ status: 200, text: '' });
});

test('requirements are a file with the ids and the names of their document types', async () => {
  const types = [
    await make('/v1/categories', { name: 'Passport' }),
    await make('/v1/categories', { name: 'A; B' }),
  ];
  const ids = types.map(({ id }) => id);
  const place = await make('/v1/locations', { name: 'Yard' });
  const elsewhere = await make('/v1/categories', { name: 'Elsewhere', team_id: gateway.otherTeamId });
  await make('/v1/requirements', {
    ...{ name: '=Identity', holder_kind: 'contact', any_of: ids, valid_days: 14, needs_file: true },
    ...{ ask_to: 'holder', applies: { locationId: place.id } },
  });
  await make('/v1/requirements', { name: 'Insured', holder_kind: 'vehicle', any_of: ids.slice(0, 1) });
  const there = { any_of: [elsewhere.id], team_id: gateway.otherTeamId };
  await make('/v1/requirements', { name: 'There', holder_kind: 'vehicle', ...there });
  const { rows } = await csv('/v1/export/requirements.csv?sort=name');
  expect(rows.map(({ name }) => name).sort()).toEqual(["'=Identity", 'Insured', 'There']);
  expect(rows.find(({ name }) => name === "'=Identity")).toMatchObject({
    ...{ holder_kind: 'contact', any_of: ids.join('; '), category_names: `Passport; ${ids[1]}` },
    ...{ valid_days: '14', grace_days: '0', needs_file: 'true', ask_to: 'holder', is_active: 'true' },
    applies: JSON.stringify({ locationId: place.id }),
  });
  expect(rows.find(({ name }) => name === 'Insured')).toMatchObject({
    ...{ any_of: ids[0], category_names: 'Passport', applies: '{}', ask_to: '' },
  });
  const { data } = await gateway.graphql(
    `{ exportUrl(kind: REQUIREMENTS, filter: { categoryId: "${ids[1]}" }) }`,
  );
  const linked = new URL(data.exportUrl);
  const some = await csv(`${linked.pathname}${linked.search}`, { token: null });
  expect(some.rows.map(({ name }) => name)).toEqual(["'=Identity"]);
  const seen = await csv('/v1/export/requirements.csv', { token: gateway.viewer });
  expect(seen.rows.map(({ name }) => name)).not.toContain('There');
  expect(seen.text).not.toContain(elsewhere.id);
});

test('rows match all parameters and the filter, and no parameter is replaced', async () => {
  const days = { old: '2024-03-31', next: '2027-01-31' };
  for (const [name, day] of Object.entries(days))
    await make('/v1/expirationitems', { name: `Both ${name}`, expiration_date: day });
  const names = async (parameters: string, filter: object, order = 'sort=name') => {
    const query = `term=both&${parameters}&filter=${encodeURIComponent(JSON.stringify(filter))}&${order}`;
    return (await csv(`/v1/export/items.csv?${query}`)).rows.map(({ name }) => name);
  };
  expect(await names('status=current', { status: ['EXPIRED'] })).toEqual([]);
  expect(await names('status=expired', { status: ['EXPIRED', 'CURRENT'] })).toEqual(['Both old']);
  expect(await names('status=expired', { status: null })).toEqual(['Both old']);
  expect(await names('status=current', {})).toEqual(['Both next']);
  expect(await names('', { term: 'next' })).toEqual(['Both next']);
  expect(await names('', { term: 'old', and: { term: 'next' } })).toEqual([]);
  expect(await names('', { or: [{ term: 'old' }, { term: 'next' }] })).toEqual(['Both next', 'Both old']);
  expect(await names(`team_id=${gateway.otherTeamId}`, { teamId: gateway.teamId })).toEqual([]);
  expect(
    await names('modifiedSince=2200-01-01T00:00:00Z', { modifiedSince: '2000-01-01T00:00:00Z' }),
  ).toEqual([]);
});

test('a caller exports what the lists show, and nothing else', async () => {
  const other = await createTenant(gateway.database, 'Other');
  await make('/v1/companies', { name: 'Elsewhere', team_id: gateway.otherTeamId });
  const names = async (token: string) =>
    (await csv('/v1/export/companies.csv', { token })).rows.map(({ name }) => name);
  expect(await names(gateway.admin)).toContain('Elsewhere');
  expect(await names(gateway.viewer)).not.toContain('Elsewhere');
  expect(await names(other.admin)).toEqual([]);
  for (const kind of exportKinds) {
    const statuses = [gateway.uploader, 'unknown', null].map(
      async (token) => (await gateway.send('GET', exportPath(kind), { token })).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 401, 401]);
  }
});

test('a link to a list works without a token, for its time, and for nothing else', async () => {
  await make('/v1/companies', { name: 'Linked' });
  const link = async (args: string) => {
    const { data, errors } = await gateway.graphql(`{ exportUrl(${args}) }`);
    expect(errors).toBe(undefined);
    return new URL(data.exportUrl);
  };
  const get = (url: URL) => gateway.send('GET', `${url.pathname}${url.search}`, { token: null });
  const url = await link(
    'kind: COMPANIES, filter: { term: "linked" }, orderBy: [{ field: NAME }], excel: true',
  );
  const found = await get(url);
  expect(found.status, found.text).toBe(200);
  expect((parse(found.text, { columns: true, bom: true }) as Row[]).map(({ name }) => name)).toEqual([
    'Linked',
  ]);
  const other = new URL(url);
  other.searchParams.set('filter', '{}');
  expect((await get(other)).status).toBe(401);
  expect((await get(new URL(url.href.replace('companies.csv', 'vehicles.csv')))).status).toBe(401);
  const short = await link('kind: COMPANIES, expiresIn: 5');
  expect((await get(short)).status).toBe(200);
  gateway.clock.now = new Date(testTime.getTime() + 5_000);
  expect((await get(short)).json.message).toBe('The link has expired.');
  gateway.clock.now = testTime;
  const wrong = await gateway.graphql('{ exportUrl(kind: COMPANIES, filter: { size: 1 }) }');
  expect(wrong.errors[0].extensions.code).toBe('BAD_REQUEST');
  for (const sent of ['{', '{"size":1}', '[1]']) {
    const { status, json } = await gateway.send(
      'GET',
      `/v1/export/companies.csv?filter=${encodeURIComponent(sent)}`,
    );
    expect([status, json.message]).toEqual([400, expect.stringMatching(/^filter: /)]);
  }
});

const sessionOf = () => {
  const { database, organizationId, teamId, userId } = gateway;
  const user = { id: userId, name: 'Ada Admin', email: 'ada@example.com', teamId };
  const caller = { tokenId: newId(), role: 'ADMIN' as const, organizationId, teamIds: [teamId], user };
  return new Session(database, { caller, now: testTime });
};

const vehicles = { kind: 'vehicles' as const, query: new URLSearchParams() };

test('a file is of one moment, however slowly it is read', async () => {
  await gateway.database.sql('DELETE FROM vehicles');
  await makeVehicles(2_000, 'Long ', 1_000);
  const file = await new CsvExporter(schema).start(sessionOf(), vehicles);
  // It waits for its reader after some of the pages.
  expect(file.readableLength).toBeLessThan(1024 * 1024);
  await gateway.database.sql("UPDATE vehicles SET name = 'New'");
  await gateway.database.sql('DELETE FROM vehicles WHERE random() < 0.5');
  await makeVehicles(100, 'Newer ');
  const rows = parse(await text(file), { columns: true }) as Row[];
  expect(rows.map(({ name }) => name).sort()).toEqual(
    Array.from({ length: 2_000 }, (_, i) => `Long ${i + 1}`).sort(),
  );
});

test('a file that nobody reads is cut off, and holds back the database no longer', async () => {
  const file = await new CsvExporter(schema, 500).start(sessionOf(), vehicles);
  await once(file, 'error');
  await eventually(async () => {
    const idle = "state LIKE 'idle in transaction%'";
    const open = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND ${idle}`;
    expect(await gateway.database.sql(open)).toEqual([]);
  });
});

test('a user has two files at once, and a process some more', async () => {
  await makeVehicles(2_000, 'Longer ', 4_000);
  const open = async (token: string) => {
    const stop = new AbortController();
    const headers = { Authorization: `Bearer ${token}` };
    const { signal } = stop;
    const response = await fetch(`${gateway.url}/v1/export/vehicles.csv`, { headers, signal });
    // A body that nothing refers to would be cancelled.
    return { response, stop: () => stop.abort() };
  };
  const files = [await open(gateway.admin), await open(gateway.admin), await open(gateway.viewer)];
  expect(files.map(({ response }) => response.status)).toEqual([200, 200, 200]);
  const ask = async (token: string) => {
    const { status, headers } = await gateway.send('HEAD', '/v1/export/types.csv', {
      token,
    });
    return [status, headers.get('retry-after')];
  };
  expect(await ask(gateway.admin)).toEqual([429, '10']);
  expect(await ask(gateway.viewer)).toEqual([503, '10']);
  for (const { stop } of files) stop();
  await eventually(async () => expect(await ask(gateway.admin)).toEqual([200, null]));
});
