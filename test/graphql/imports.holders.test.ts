import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { itemsMatching, startImporter } from '../support/imports.js';

let gateway: TestGateway;
let importer: ReturnType<typeof startImporter>;
const ids: Record<string, string> = {};
beforeAll(async () => {
  gateway = await startGateway();
  importer = startImporter(gateway);
  const make = async (name: string, path: string, body: object, token = gateway.admin) => {
    ids[name] = (await gateway.send('POST', path, { body, token })).json.id;
  };
  await make('van', '/v1/vehicles', { name: 'Van', license_plate: 'B-AB 1234', vin: 'WVWZZZ1JZXW000001' });
  await make('truck', '/v1/vehicles', { name: 'Truck', license_plate: 'HH CD 77' });
  await make('ada', '/v1/contacts', { name: 'Ada Miller', email: 'ada@x.test' });
  await make('acme', '/v1/companies', { name: 'Acme; Ltd', tax_id: 'DE 1' });
  await make('twin', '/v1/locations', { name: 'Hall' });
  const plant = (await gateway.send('POST', '/v1/locations', { body: { name: 'Plant' } })).json.id;
  await make('hall', '/v1/locations', { name: 'Hall', parent_location_id: plant });
  const { admin } = await createTenant(gateway.database, 'Stranger');
  await make('foreign', '/v1/vehicles', { license_plate: 'X-YZ 9' }, admin);
});
afterAll(async () => {
  await importer.stop();
  await gateway.close();
});
beforeEach(() => gateway.database.sql('DELETE FROM expiration_items'));

/** Imports a text, and returns the outcome of each row. */
async function run(text: string, options: object = {}): Promise<(string | undefined)[][]> {
  const seen = await importer.create(Buffer.from(text), { again: true, ...options });
  expect(seen, seen.error ?? '').toMatchObject({ state: 'READY' });
  await importer.run(seen.id);
  const { text: result } = await gateway.send('GET', `/v1/imports/${seen.id}/result.csv`);
  const rows = parse(result, { columns: true }) as Record<string, string>[];
  const counts = ['created', 'updated', 'unchanged', 'failed'].map(
    (action) => rows.filter(({ _result }) => _result === action).length,
  );
  const { created, updated, unchanged, failed } = seen.preview;
  expect([created, updated, unchanged, failed]).toEqual(counts);
  return rows.map(({ _result, _error }) => [_result, _error]);
}

/** Returns the items with the ids of what they are papers of. */
async function items(): Promise<[string, string[]][]> {
  const { data } = await gateway.graphql(`{ expirationItems(orderBy: [{ field: CREATED }]) { nodes { name
    holders { nodes { ... on Vehicle { id } ... on Contact { id } ... on Company { id } ... on Location { id } } } } } }`);
  const nodes = data.expirationItems.nodes as { name: string; holders: { nodes: { id: string }[] } }[];
  return nodes.map(({ name, holders }) => [name, holders.nodes.map(({ id }) => id)]);
}

test('columns name whose paper an item is, in many words', async () => {
  const text = `name;expires;Kennzeichen;Mitarbeiter;Firma;holder_location
Plate;2027-01-01;b ab1234;;;
VIN;2027-01-01;wvwzzz1jzxw000001;;;
Name;2027-01-01;truck;;;
Two;2027-01-01;B-AB 1234; ada miller ;;Plant
Company;2027-01-01;;ada@x.test;de 1;
Twins;2027-01-01;;;;Hall
`;
  expect(await run(text)).toEqual([
    ...Array(5).fill(['created', '']),
    ['failed', 'holder_location: names several records: Hall'],
  ]);
  const { van, truck, ada, acme } = ids;
  const found = new Map(await items());
  expect(found.get('Plate')).toEqual([van]);
  expect(found.get('VIN')).toEqual([van]);
  expect(found.get('Name')).toEqual([truck]);
  expect(found.get('Two')).toEqual([van, ada, expect.any(String)]);
  expect(found.get('Company')).toEqual([ada, acme]);
  expect(await run('name,expires,holder_vehicle\nNobody,2027-01-01,X-YZ 9\n')).toEqual([
    ['failed', 'holder_vehicle: names no vehicle that exists: X-YZ 9'],
  ]);
});

test('two vehicles with one inspection each are two papers, and stay them', async () => {
  const text =
    'name,expires,plate\nInspection,2027-01-01,B-AB 1234\nInspection,2027-02-02,HH-CD 77\nInspection,2027-03-03,\n';
  expect(await run(text)).toEqual(Array(3).fill(['created', '']));
  expect(await run(text, { mode: 'UPSERT' })).toEqual(Array(3).fill(['unchanged', '']));
  const changed = text.replace('2027-02-02', '2028-02-02');
  expect((await run(changed, { mode: 'UPSERT' })).map(([done]) => done)).toEqual([
    'unchanged',
    'updated',
    'unchanged',
  ]);
  expect((await items()).map(([, holders]) => holders)).toEqual([[ids.van], [ids.truck], []]);
});

test('what was imported before is found, and becomes a paper of what a new column names', async () => {
  await run('name,expires\nInspection,2027-01-01\n');
  const text = 'name,expires,plate\nInspection,2027-01-01,B-AB 1234\nInspection,2027-01-01,HH-CD 77\n';
  expect((await run(text)).map(([, error]) => error)).toEqual([expect.stringMatching(/^exists already/), '']);
  await gateway.database.sql('DELETE FROM item_holders');
  await gateway.database.sql(
    'DELETE FROM expiration_items WHERE id <> (SELECT min(id::text)::uuid FROM expiration_items)',
  );
  expect((await run(text, { mode: 'UPSERT' })).map(([done]) => done)).toEqual(['updated', 'created']);
  expect((await items()).map(([, holders]) => holders)).toEqual([[ids.van], [ids.truck]]);
});

test('rows that look alike are told and imported, or left out if that is chosen', async () => {
  const text = 'name,expires\nSame,2027-01-01\nSame,2027-02-02\n';
  const seen = await importer.create(Buffer.from(text));
  expect(seen.preview).toMatchObject({
    ...{ created: 2, failed: 0 },
    warnings: [{ row: 3, column: null, message: 'looks like line 2' }],
  });
  expect(await run(text, { skipRepeats: true })).toEqual([
    ['created', ''],
    ['failed', 'is the same record as line 2'],
  ]);
  expect((await run(text)).map(([done]) => done)).toEqual(['failed', 'failed']);
});

test('a column of one kind leaves the holders of others alone, and an empty cell clears its own', async () => {
  await run('name,expires,plate,person\nBoth,2027-01-01,Van,Ada Miller\n');
  const { van, ada, truck } = ids;
  const { data } = await gateway.graphql('{ expirationItems { nodes { id } } }');
  const [{ id }] = data.expirationItems.nodes;
  const change = async (header: string, cell: string) => {
    const seen = await importer.create(Buffer.from(`id,${header}\n${id},${cell}\n`), { mode: 'UPDATE_ONLY' });
    await importer.run(seen.id);
    return [seen.preview.firstRows[0].changes, (await items())[0]?.[1]];
  };
  expect(await change('plate', 'Truck')).toEqual([
    [{ column: 'holder_vehicle', after: 'HH CD 77' }],
    [ada, truck],
  ]);
  expect(await change('person', '')).toMatchObject([{}, [truck]]);
  expect(await change('holders', 'contact: ada@x.test; Van')).toEqual([
    [{ column: 'holders', after: 'contact: ada@x.test; vehicle: B-AB 1234' }],
    [ada, van],
  ]);
});

test('an exported file shows the holders, and changes nothing', async () => {
  const holders = [
    { kind: 'VEHICLE', id: ids.van },
    { kind: 'COMPANY', id: ids.acme },
    { kind: 'LOCATION', id: ids.hall },
    { kind: 'CONTACT', id: ids.ada },
  ];
  const create = `mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }`;
  await gateway.graphql(create, { input: { name: 'Held', expirationDate: '2027-01-01', holders } });
  await gateway.graphql(create, { input: { name: 'Free', expirationDate: '2027-01-01' } });
  const { text } = await gateway.send('GET', '/v1/export/items.csv');
  const rows = parse(text, { columns: true }) as { name: string; holders: string }[];
  expect(rows.find(({ name }) => name === 'Held')?.holders).toBe(
    `vehicle: B-AB 1234; company: ${ids.acme}; location: Hall; contact: ada@x.test`,
  );
  expect(await run(text, { mode: 'UPSERT' })).toEqual(Array(2).fill(['unchanged', '']));
});

test('a file names more holders of an item than an input of the API', async () => {
  const rows = Array.from({ length: 120 }, (_, at) => `Bus ${at},BUS ${at}\n`);
  const seen = await importer.create(Buffer.from(`name,license_plate\n${rows.join('')}`), {
    kind: 'VEHICLES',
  });
  await importer.run(seen.id);
  const plates = Array.from({ length: 120 }, (_, at) => `vehicle: BUS ${at}`);
  expect(await run(`name,expires,holders\nFleet,2027-01-01,${plates.join('; ')}\n`)).toEqual([
    ['created', ''],
  ]);
  const { data } = await gateway.graphql(
    '{ expirationItems { nodes { holders(first: 1) { totalCount } } } }',
  );
  expect(data.expirationItems.nodes).toEqual([{ holders: { totalCount: 120 } }]);
});

/** Creates an item over GraphQL, and returns its id. */
async function createItem(name: string, holders: readonly object[]): Promise<string> {
  const text = `mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }`;
  const input = { name, expirationDate: '2027-01-01', holders };
  return (await gateway.graphql(text, { input })).data.createExpirationItem.id;
}

test('a cell with the name of a holder that an item has keeps it, though it is the plate of another one', async () => {
  const { json } = await gateway.send('POST', '/v1/vehicles', { body: { name: 'HH CD 77' } });
  await createItem('Named', [{ kind: 'VEHICLE', id: json.id }]);
  await createItem('Both', [
    { kind: 'VEHICLE', id: ids.truck },
    { kind: 'VEHICLE', id: json.id },
  ]);
  const { text } = await gateway.send('GET', '/v1/export/items.csv');
  expect(await run(text, { mode: 'UPSERT' })).toEqual(Array(2).fill(['unchanged', '']));
  expect(await run('name,expires,plate\nNew,2027-01-01,HH CD 77\n')).toEqual([['created', '']]);
  const found = new Map(await items());
  expect(found.get('Named')).toEqual([json.id]);
  expect(found.get('Both')).toEqual([ids.truck, json.id]);
  expect(found.get('New')).toEqual([ids.truck]);
  await gateway.send('DELETE', `/v1/vehicles/${json.id}`);
});

test('an empty cell of one kind says nothing of holders of others', async () => {
  await createItem('Licence', [{ kind: 'CONTACT', id: ids.ada }]);
  const text = 'name,expires,plate\nLicence,2028-01-01,\n';
  expect(await run(text, { mode: 'UPSERT' })).toEqual([['updated', '']]);
  expect(await items()).toEqual([['Licence', [ids.ada]]]);
  await createItem('Licence', []);
  expect((await run(text, { mode: 'UPSERT' })).map(([done]) => done)).toEqual(['updated']);
  expect(await run('name,expires,holders\nLicence,2029-01-01,\n', { mode: 'UPSERT' })).toEqual([
    ['updated', ''],
  ]);
});

test('a cell has a limited number of holders, and so has a file', async () => {
  const many = 'a;'.repeat(10_001);
  const seen = await importer.create(`name,expires,holders\nMany,2027-01-01,"${many}"\n`);
  expect(seen.preview.errors).toEqual([
    {
      row: 2,
      column: 'holders',
      value: expect.any(String),
      message: 'has more than 10000 entries',
    },
  ]);
  const distinct = Array.from({ length: 10 }, (_, row) =>
    Array.from({ length: 10_000 }, (_, at) => `${row * 10_000 + at}`).join(';'),
  );
  const rows = [...distinct, 'one more'].map((cell) => `A,2027-01-01,"${cell}"\n`);
  expect(await importer.create(`name,expires,holders\n${rows.join('')}`)).toMatchObject({
    state: 'FAILED',
    error: 'The file names more than 100000 vehicles, people, companies and locations.',
  });
});

test('a file shows all holders of an item', async () => {
  const rows = Array.from({ length: 620 }, (_, at) => `Coach ${at},COACH ${at}\n`);
  const seen = await importer.create(`name,license_plate\n${rows.join('')}`, { kind: 'VEHICLES' });
  await importer.run(seen.id);
  const plates = Array.from({ length: 620 }, (_, at) => `vehicle: COACH ${at}`);
  await run(`name,expires,holders\nFleet,2027-01-01,${plates.join('; ')}\n`);
  const { text } = await gateway.send('GET', '/v1/export/items.csv');
  const [shown] = parse(text, { columns: true }) as { holders: string }[];
  expect(shown?.holders.split('; ')).toHaveLength(620);
  expect(await run(text, { mode: 'UPSERT' })).toEqual([['unchanged', '']]);
  const fewer = text.replace('; vehicle: COACH 619', '');
  expect(await run(fewer, { mode: 'UPSERT' })).toEqual([['updated', '']]);
  const { data } = await gateway.graphql(
    '{ expirationItems { nodes { holders(first: 1) { totalCount } } } }',
  );
  expect(data.expirationItems.nodes).toEqual([{ holders: { totalCount: 619 } }]);
});

test('what a header that nobody has chosen does not find is a warning', async () => {
  const text = 'name,expires,Firma\nPaper,2027-01-01,Unknown Ltd\nPaper,2027-01-01,Other Ltd\n';
  const seen = await importer.create(text, { mode: 'UPSERT' });
  expect(seen.preview).toMatchObject({
    ...{ created: 2, failed: 0 },
    warnings: [
      {
        row: 2,
        column: 'Firma',
        value: 'Unknown Ltd',
        message: 'names no company that exists: Unknown Ltd, which is left out',
      },
      { row: 3, column: 'Firma' },
    ],
  });
  const mapping = [{ header: 'Firma', column: 'holder_company' }];
  expect(await importer.change(seen.id, { mode: 'UPSERT', mapping })).toMatchObject({
    preview: { created: 0, failed: 2 },
  });
});

test('what an import has made itself is passed over, however much of it matches', async () => {
  const made = [await createItem('Made', []), await createItem('Made', [])].sort();
  const old = await createItem('Made', []);
  expect(await itemsMatching(gateway, 'Made', made)).toEqual([old]);
});
