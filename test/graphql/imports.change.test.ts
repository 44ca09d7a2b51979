import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startImports } from '../../src/csv/start-jobs.js';
import { schema } from '../../src/graphql/schema.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';

let gateway: TestGateway;
let stop: () => Promise<void>;
beforeAll(async () => {
  gateway = await startGateway();
  stop = startImports({
    database: gateway.database,
    clock: () => testTime,
    log: pino({ level: 'silent' }),
    pollMs: 20,
    loadSchema: async () => schema,
  });
});
afterAll(async () => {
  await stop();
  await gateway.close();
});

const fields = 'id state error mode dateFormat encoding atomic quiet doneCount preview { created failed }';
const change = (id: string, input: object, token?: string) =>
  gateway.graphql(
    `mutation($id: ID!, $input: ChangeImportInput!) { changeImport(id: $id, input: $input) { ${fields} } }`,
    { id, input },
    token,
  );

/** Waits until no worker has the import in hand. */
const settled = (id: string) =>
  eventually(async () => {
    const { data } = await gateway.graphql(`query($id: ID!) { import(id: $id) { ${fields} } }`, { id });
    expect(['READING', 'RUNNING']).not.toContain(data.import.state);
    return data.import;
  });

async function create(text: string, kind = 'ITEMS'): Promise<string> {
  const input = { kind, content: Buffer.from(text).toString('base64') };
  const { data } = await gateway.graphql(
    'mutation($input: CreateImportInput!) { createImport(input: $input) { id } }',
    { input },
  );
  return data.createImport.id;
}

test('an import is read again with other options until it runs', async () => {
  const id = await create('Title,Day\nLicence,31.12.2027\n');
  expect(await settled(id)).toMatchObject({ state: 'READY', preview: { created: 0, failed: 1 } });
  const options = {
    ...{ dateFormat: 'DMY', mode: 'UPSERT', quiet: false },
    mapping: [{ header: 'Day', column: 'expiration_date' }],
  };
  const { data } = await change(id, options);
  expect(data.changeImport).toMatchObject({ state: 'READING', preview: null });
  const seen = { mode: 'UPSERT', dateFormat: 'DMY', encoding: 'UTF_8', atomic: false, quiet: false };
  expect(await settled(id)).toMatchObject({ ...seen, state: 'READY', preview: { created: 1, failed: 0 } });
  await gateway.graphql('mutation($id: ID!) { runImport(id: $id) { id } }', { id });
  expect(await settled(id)).toMatchObject({ state: 'DONE', doneCount: 1 });
  const { errors } = await change(id, {});
  expect(errors[0].extensions.code).toBe('CONFLICT');
});

test('an import whose file could not be read can be read in another way', async () => {
  const twice = ['name', 'title'].map((header) => ({ header, column: 'name' }));
  const id = await create('name,title,expires\na,b,2027-01-01\n');
  await settled(id);
  await change(id, { mapping: twice });
  expect(await settled(id)).toMatchObject({ state: 'FAILED' });
  await change(id, { mapping: [{ header: 'title', column: null }] });
  expect(await settled(id)).toMatchObject({ state: 'READY', error: null, preview: { created: 1 } });
  const wrong = await change(id, { mapping: [{ header: 'x'.repeat(5_000), column: null }] });
  expect(wrong.errors[0].extensions.code).toBe('BAD_REQUEST');
  const foreign = await change(id, {}, gateway.member);
  expect(foreign.errors[0].extensions.code).toBe('NOT_FOUND');
});

test('files may have vehicles, companies and locations without a name, as the contract has them', async () => {
  const files = { VEHICLES: 'vin,name\nV1,\n', COMPANIES: 'tax_id\nDE1\n', LOCATIONS: 'id,name\n,\u200b\n' };
  for (const [kind, text] of Object.entries(files)) {
    const id = await create(text, kind);
    expect(await settled(id), kind).toMatchObject({ error: null, preview: { created: 1, failed: 0 } });
    await gateway.graphql('mutation($id: ID!) { runImport(id: $id) { id } }', { id });
    expect(await settled(id), kind).toMatchObject({ state: 'DONE', doneCount: 1 });
  }
});

test('a form with a file is imported like the file', async () => {
  const form = (part: string, value: string | Blob) => {
    const data = new FormData();
    if (typeof value === 'string') data.set(part, value);
    else data.set(part, value, 'people.csv');
    return new Response(data);
  };
  const send = async (made: Response) =>
    gateway.send('POST', '/v1/imports?kind=contacts', {
      raw: new Uint8Array(await made.arrayBuffer()),
      headers: { 'Content-Type': made.headers.get('content-type') ?? '' },
    });
  const { status, json } = await send(form('file', new Blob(['name,email\nBen,ben@example.com\n'])));
  expect([status, json.file_name]).toEqual([201, 'people.csv']);
  expect(await settled(json.id)).toMatchObject({ state: 'READY', preview: { created: 1, failed: 0 } });
  expect((await send(form('other', new Blob(['x'])))).status).toBe(400);
  expect(await send(form('file', 'text'))).toMatchObject({ status: 400 });
  const broken = { raw: 'x', headers: { 'Content-Type': 'multipart/form-data; boundary=b' } };
  expect((await gateway.send('POST', '/v1/imports?kind=contacts', broken)).status).toBe(400);
});
