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

test('who has not seen the options of now neither changes nor runs an import', async () => {
  const id = await create('name,expires\nSeen,01.02.2027\n');
  await settled(id);
  const versionOf = async () => {
    const { data } = await gateway.graphql('query($id: ID!) { import(id: $id) { version } }', { id });
    return data.import.version as string;
  };
  const text = `mutation($id: ID!, $input: ChangeImportInput!, $ifVersion: String) {
    changeImport(id: $id, input: $input, ifVersion: $ifVersion) { version } }`;
  const changeAt = (ifVersion: string, dateFormat: string) =>
    gateway.graphql(text, { id, ifVersion, input: { dateFormat } });
  const runAt = (ifVersion: string) =>
    gateway.graphql('mutation($id: ID!, $v: String) { runImport(id: $id, ifVersion: $v) { state } }', {
      ...{ id, v: ifVersion },
    });
  const first = await versionOf();
  // Two tabs change the same preview at the same time: one of them is told.
  const answers = await Promise.all([changeAt(first, 'DMY'), changeAt(first, 'MDY')]);
  const codes = answers.map(({ errors }) => errors?.[0].extensions.code);
  expect(codes.sort()).toEqual(['PRECONDITION_FAILED', undefined]);
  const winner = answers.find(({ errors }) => !errors)?.data.changeImport.version;
  await settled(id);
  expect([await versionOf(), winner === first]).toEqual([winner, false]);
  for (const refused of [await runAt(first), await changeAt(first, 'YMD')])
    expect(refused.errors[0].extensions.code).toBe('PRECONDITION_FAILED');
  expect(await settled(id)).toMatchObject({ state: 'READY' });
  expect((await runAt(winner)).data.runImport).toEqual({ state: 'RUNNING' });
  // What runs or has run is a conflict, whatever was seen.
  for (const late of [await runAt(first), await runAt(winner), await changeAt(winner, 'YMD')])
    expect(late.errors[0].extensions.code).toBe('CONFLICT');
  expect(await settled(id)).toMatchObject({ state: 'DONE', doneCount: 1 });
});
