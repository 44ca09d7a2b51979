import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { startImporter } from '../support/imports.js';

let gateway: TestGateway;
let importer: ReturnType<typeof startImporter>;
beforeAll(async () => {
  gateway = await startGateway();
  importer = startImporter(gateway);
});
afterAll(async () => {
  await importer.stop();
  await gateway.close();
});
beforeEach(async () => {
  for (const table of ['expiration_items', 'vehicles', 'companies', 'contacts', 'locations'])
    await gateway.database.sql(`DELETE FROM ${table}`);
});

/** Returns the items by name, with what they are papers of. */
async function papers(): Promise<Record<string, object[]>> {
  const { data } = await gateway.graphql(`{ expirationItems(first: 100) { nodes { name holders { nodes {
    ... on Vehicle { id vin plate: licensePlate called: name } ... on Contact { id email name }
    ... on Company { id name } ... on Location { id at: name } } } } } }`);
  const nodes = data.expirationItems.nodes as { name: string; holders: { nodes: object[] } }[];
  return Object.fromEntries(nodes.map(({ name, holders }) => [name, holders.nodes]));
}

const count = async (table: string) => (await gateway.database.sql(`SELECT FROM ${table}`)).length;

/** Takes an import back, and returns what became of its records. */
async function takeBack(id: string) {
  expect((await gateway.send('POST', `/v1/imports/${id}/undo`)).status).toBe(200);
  return eventually(async () => {
    const { json } = await gateway.send('GET', `/v1/imports/${id}`);
    expect(json.state).toBe('undone');
    return json.undo;
  });
}

const fleet = `name;expires;Kennzeichen;Mitarbeiter
Inspection;2027-01-01;HH-NX 1;Ada Miller
Inspection;2027-02-01;HH NX 2;
Insurance;2027-03-01;hh-nx 1;ada miller
Registration;2027-03-01;WVWZZZ1JZXW000001;
Licence;2027-04-01;;Ben Carter
`;

test('holders that do not exist are one question each, and are made as it is answered', async () => {
  const seen = await importer.create(fleet);
  // Nobody has said that the columns name holders, so they are left out until somebody answers.
  expect(seen.preview).toMatchObject({ created: 5, failed: 0, alongside: [] });
  expect(seen.preview.people).toEqual([
    { header: 'Kennzeichen', value: 'HH-NX 1', rows: 2, kinds: ['VEHICLE'] },
    { header: 'Mitarbeiter', value: 'Ada Miller', rows: 2, kinds: [] },
    { header: 'Kennzeichen', value: 'HH NX 2', rows: 1, kinds: ['VEHICLE'] },
    { header: 'Kennzeichen', value: 'WVWZZZ1JZXW000001', rows: 1, kinds: ['VEHICLE'] },
    { header: 'Mitarbeiter', value: 'Ben Carter', rows: 1, kinds: [] },
  ]);
  const again = await importer.change(seen.id, {
    people: [
      { value: 'hh-nx 1', make: 'VEHICLE' },
      { value: 'HH NX 2', email: null },
      { value: 'WVWZZZ1JZXW000001', make: 'VEHICLE' },
      { value: 'Ada Miller', email: 'ada@x.test' },
      { value: 'Ben Carter', skipRows: true },
    ],
  });
  expect(again.preview).toMatchObject({
    ...{ created: 4, failed: 1, people: [], warnings: [] },
    errors: [{ row: 6, column: null, message: 'is left out, as was chosen for: Ben Carter' }],
  });
  expect(again.preview.alongside).toEqual(
    expect.arrayContaining([
      { kind: 'VEHICLE', count: 2 },
      { kind: 'CONTACT', count: 1 },
    ]),
  );
  expect(again.preview.firstRows[0].changes).toEqual(
    expect.arrayContaining([
      { column: 'holder_vehicle', after: 'HH-NX 1' },
      { column: 'holder_contact', after: 'ada@x.test' },
    ]),
  );
  expect([await count('vehicles'), await count('contacts')]).toEqual([0, 0]);
  expect(await importer.run(seen.id)).toMatchObject({ state: 'DONE' });
  expect([await count('vehicles'), await count('contacts'), await count('expiration_items')]).toEqual([
    2, 1, 4,
  ]);
  const found = await papers();
  const ada = { id: expect.any(String), email: 'ada@x.test', name: 'Ada Miller' };
  const van = { id: expect.any(String), vin: null, plate: 'HH-NX 1', called: null };
  expect(found.Insurance).toEqual([van, ada]);
  expect(found.Registration).toMatchObject([{ vin: 'WVWZZZ1JZXW000001', plate: null }]);
  // The same file finds what it has made.
  const upsert = await importer.create(fleet, { mode: 'UPSERT', again: true });
  expect(upsert.preview).toMatchObject({ unchanged: 4, created: 1, alongside: [] });
  expect(await takeBack(seen.id)).toEqual({ deleted: 7, restored: 0, gone: 0, kept: 0, records: [] });
  expect([await count('vehicles'), await count('contacts'), await count('expiration_items')]).toEqual([
    0, 0, 0,
  ]);
});

test('all holders of a kind are made by one answer, at both doors', async () => {
  const rows = Array.from({ length: 700 }, (_, n) => `Paper ${n},2027-01-01,HH-A ${n % 350}\n`);
  const text = `name,expires,holder_vehicle\n${rows.join('')}Typo,2027-01-01,HH-A O\n`;
  const { status, json } = await gateway.send(
    'POST',
    `/v1/imports?kind=items&make_holders=vehicle&people=${encodeURIComponent('{"HH-A O":{"skip_rows":true}}')}`,
    { raw: text, headers: { 'Content-Type': 'text/csv' } },
  );
  expect(status).toBe(201);
  await importer.settled(json.id);
  const { json: shown } = await gateway.send('GET', `/v1/imports/${json.id}`);
  expect(shown.preview).toMatchObject({ created: 700, failed: 1, people: [] });
  expect(shown.preview.alongside).toEqual([{ kind: 'vehicle', count: 350 }]);
  // Batches are written one after the other, and each vehicle is made once.
  expect(await importer.run(json.id)).toMatchObject({ state: 'DONE', doneCount: 701 });
  expect(await count('vehicles')).toBe(350);
  expect(await takeBack(json.id)).toMatchObject({ deleted: 1_050, kept: 0 });
  expect(await count('vehicles')).toBe(0);
  for (const query of ['make_holders=car', `people=${encodeURIComponent('{"A":{"make":"car"}}')}`]) {
    const wrong = await gateway.send('POST', `/v1/imports?kind=items&${query}`, {
      ...{ raw: text, headers: { 'Content-Type': 'text/csv' } },
    });
    expect([query, wrong.status]).toEqual([query, 400]);
    expect(wrong.json.message).toContain('must be one of vehicle, contact, company, location');
  }
});

test('an entry of any kind is made as its word or its answer says', async () => {
  const text = `name,expires,holders
A,2027-01-01,vehicle: Sprinter 3; company: Acme
B,2027-01-01,Hall
C,2027-01-01,contact: cleo@x.test
`;
  const options = { makeHolders: ['VEHICLE', 'COMPANY', 'CONTACT'] };
  const seen = await importer.create(text, options);
  expect(seen.preview).toMatchObject({
    ...{ created: 2, failed: 1 },
    people: [{ value: 'Hall', kinds: ['VEHICLE', 'COMPANY', 'LOCATION'] }],
  });
  const people = [{ value: 'Hall', make: 'LOCATION' }];
  expect((await importer.change(seen.id, { ...options, people })).preview).toMatchObject({ created: 3 });
  await importer.run(seen.id);
  expect(await papers()).toMatchObject({
    A: [{ called: 'Sprinter 3', plate: null }, { name: 'Acme' }],
    B: [{ at: 'Hall' }],
    C: [{ email: 'cleo@x.test', name: null }],
  });
});

test('an item that exists becomes a paper of a new holder, and has its own again when that is taken back', async () => {
  const made = await importer.create('name,expires\nInspection,2027-01-01\n');
  await importer.run(made.id);
  const text = 'name,expires,plate\nInspection,2027-01-01,HH-B 1\nInspection,2027-01-01,HH-B 2\n';
  const options = { mode: 'UPSERT', makeHolders: ['VEHICLE'], again: true };
  const seen = await importer.create(text, options);
  expect(seen.preview).toMatchObject({ updated: 1, created: 1 });
  await importer.run(seen.id);
  expect(await count('expiration_items')).toBe(2);
  const again = await importer.create(text, options);
  expect(again.preview).toMatchObject({ unchanged: 2, alongside: [] });
  expect(await takeBack(seen.id)).toMatchObject({ deleted: 3, restored: 1 });
  expect(await papers()).toEqual({ Inspection: [] });
});

test('a holder that other items need stays, and is named with its kind', async () => {
  const seen = await importer.create('name,expires,plate\nOwn,2027-01-01,HH-C 1\n', {
    makeHolders: ['VEHICLE'],
  });
  await importer.run(seen.id);
  const { id } = (await gateway.send('GET', '/v1/vehicles')).json.vehicles[0];
  const create = `mutation($id: ID!) { createExpirationItem(input: { name: "Other", expirationDate: "2027-01-01",
    holders: [{ kind: VEHICLE, id: $id }] }) { id } }`;
  expect((await gateway.graphql(create, { id })).errors).toBeUndefined();
  expect(await takeBack(seen.id)).toEqual({
    ...{ deleted: 1, restored: 0, gone: 0, kept: 1 },
    records: [{ id, kind: 'vehicle', name: 'HH-C 1', message: 'Items are still papers of it.' }],
  });
  expect(await papers()).toMatchObject({ Other: [{ id }] });
});

test('what is made is in the workspace of its first row, and nowhere that the person does not see', async () => {
  const { admin, teamId } = await createTenant(gateway.database, 'Stranger');
  await gateway.send('POST', '/v1/vehicles', { token: admin, body: { vin: 'WVWZZZ1JZXW000009' } });
  const text = `name,expires,plate,team_id
Foreign,2027-01-01,HH-D 1,${teamId}
Own,2027-01-01,HH-D 1,
Other,2027-01-01,HH-D 2,${gateway.otherTeamId}
`;
  const seen = await importer.create(text, { makeHolders: ['VEHICLE'] });
  expect(seen.preview).toMatchObject({ created: 2, failed: 1 });
  await importer.run(seen.id);
  const made = await gateway.database.sql(
    'SELECT license_plate, team_id FROM vehicles WHERE organization_id = $1::uuid ORDER BY license_plate',
    [gateway.organizationId],
  );
  expect(made).toEqual([
    { license_plate: 'HH-D 1', team_id: gateway.teamId },
    { license_plate: 'HH-D 2', team_id: gateway.otherTeamId },
  ]);
});

test('a value of a record out of sight is an error of its row alone', async () => {
  const hidden = { vin: 'WVWZZZ1JZXW000007', team_id: gateway.otherTeamId };
  expect((await gateway.send('POST', '/v1/vehicles', { body: hidden })).status).toBe(201);
  const text = 'name,expires,vin\nHidden,2027-01-01,WVWZZZ1JZXW000007\nNew,2027-01-01,WVWZZZ1JZXW000008\n';
  const input = { kind: 'ITEMS', content: Buffer.from(text).toString('base64'), makeHolders: ['VEHICLE'] };
  const { data } = await gateway.graphql(
    'mutation($input: CreateImportInput!) { createImport(input: $input) { id } }',
    { input },
    gateway.member,
  );
  const { id } = data.createImport;
  const settled = () =>
    eventually(async () => {
      const { json } = await gateway.send('GET', `/v1/imports/${id}`, { token: gateway.member });
      expect(['reading', 'running']).not.toContain(json.state);
      return json;
    });
  expect((await settled()).preview).toMatchObject({
    ...{ created: 1, failed: 1 },
    errors: [{ row: 2, message: 'names a vehicle that you cannot use' }],
  });
  await gateway.send('POST', `/v1/imports/${id}/run`, { token: gateway.member });
  expect(await settled()).toMatchObject({ state: 'done', created_count: 1, failed_count: 1 });
});

test('rows that are left out by an answer do not stop an import of all or nothing', async () => {
  const text = 'name,expires,plate,contacts\nA,2027-01-01,HH-E 1,\nB,2027-01-01,,Nobody\nC,2027-01-01,,\n';
  const seen = await importer.create(text, {
    atomic: true,
    people: [
      { value: 'HH-E 1', skipRows: true },
      { value: 'nobody', skipRows: true },
    ],
  });
  expect(seen.preview).toMatchObject({ created: 1, failed: 2, people: [] });
  expect(await importer.run(seen.id)).toMatchObject({ state: 'DONE', error: null });
  const { text: result } = await gateway.send('GET', `/v1/imports/${seen.id}/result.csv`);
  const outcomes = (parse(result, { columns: true }) as Record<string, string>[]).map(
    ({ _result, _error }) => [_result, _error],
  );
  expect(outcomes).toEqual([
    ['failed', 'is left out, as was chosen for: HH-E 1'],
    ['failed', 'is left out, as was chosen for: Nobody'],
    ['created', ''],
  ]);
});

test('signs tell the names of new vehicles apart', async () => {
  const list = 'name;expires;Fahrzeug\nInspection;2027-01-01;Bus 1-12\nInsurance;2027-02-01;Bus 11-2\n';
  const { id } = await importer.create(list, { makeHolders: ['VEHICLE'] });
  await importer.run(id);
  expect(await papers()).toEqual({
    Inspection: [expect.objectContaining({ called: 'Bus 1-12' })],
    Insurance: [expect.objectContaining({ called: 'Bus 11-2' })],
  });
});

test('a person without an address is not made, and stays a question until there is one', async () => {
  const text = 'name,expires,driver\nA,2027-01-01,Eve Holder\nB,2027-01-01,ed@x.test\n';
  const seen = await importer.create(text, { makeHolders: ['CONTACT'] });
  expect(seen.preview).toMatchObject({
    ...{ created: 2, failed: 0, alongside: [{ kind: 'CONTACT', count: 1 }] },
    people: [{ value: 'Eve Holder', rows: 1, kinds: [] }],
  });
  const made = await importer.change(seen.id, { people: [{ value: 'Eve Holder', make: 'CONTACT' }] });
  expect(made.preview.people).toMatchObject([
    { value: 'Eve Holder' },
    { value: 'ed@x.test', kinds: ['CONTACT'] },
  ]);
  const people = [{ value: 'Eve Holder', make: 'CONTACT', email: 'eve@x.test' }];
  const told = await importer.change(seen.id, { people, makeHolders: ['CONTACT'] });
  expect(told.preview).toMatchObject({ people: [], alongside: [{ kind: 'CONTACT', count: 2 }] });
  await importer.run(seen.id);
  expect(await papers()).toMatchObject({
    A: [{ email: 'eve@x.test', name: 'Eve Holder' }],
    B: [{ email: 'ed@x.test', name: null }],
  });
});
