import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { storeBatch } from '../../src/imports/queue.js';
import { eventually } from '../support/eventually.js';
import { createTenant, startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { forgetOldImports, startImporter } from '../support/imports.js';

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
  gateway.clock.now = testTime;
  await gateway.database.sql('DELETE FROM expiration_items');
});

const undo = (id: string, token = gateway.admin) => gateway.send('POST', `/v1/imports/${id}/undo`, { token });

/** Waits until an import has been taken back. */
const undone = (id: string) =>
  eventually(async () => {
    const { json } = await gateway.send('GET', `/v1/imports/${id}`);
    expect(json.state).toBe('undone');
    return json.undo;
  });

/** Imports a file, and returns the id of its import. */
async function run(content: string, options: object = {}): Promise<string> {
  const seen = await importer.create(content, { again: true, ...options });
  expect(seen, seen.error ?? '').toMatchObject({ state: 'READY', preview: { failed: 0 } });
  expect(await importer.run(seen.id)).toMatchObject({ state: 'DONE' });
  return seen.id;
}

async function items() {
  const fields = 'id name expirationDate details category { name } contacts { email }';
  const { data } = await gateway.graphql(
    `{ expirationItems(orderBy: [{ field: NAME }]) { nodes { ${fields} } } }`,
  );
  return data.expirationItems.nodes as Record<string, unknown>[];
}

const first = 'name,expires,details,type,contacts\nA,2027-01-01,Old,Paper,a@x.test\nB,2027-02-01,,Paper,\n';

test('what an import made goes into the bin, and what it changed gets its values again', async () => {
  await run(first);
  const before = await items();
  const id = await run(
    'name,expires,details,type,contacts\nA,2028-01-01,New,Paper,a@x.test; b@x.test\nB,2027-02-01,,Paper,\nC,2027-03-01,,,\n',
    { mode: 'UPSERT' },
  );
  expect(await items()).toHaveLength(3);
  const { json } = await gateway.send('GET', `/v1/imports/${id}`);
  expect(json).toMatchObject({ undo: null, undo_until: '2026-11-27T09:30:00.000Z' });
  const begun = await undo(id);
  expect([begun.status, begun.json.state]).toEqual([200, 'undoing']);
  expect(await undone(id)).toEqual({ deleted: 1, restored: 1, gone: 0, kept: 0, records: [] });
  expect(await items()).toEqual(before);
  const { data } = await gateway.graphql('{ bin(first: 1) { nodes { name } } }');
  expect(data.bin.nodes).toEqual([{ name: 'C' }]);
  // The same file can be imported again.
  const again = await importer.create(
    'name,expires,details,type,contacts\nA,2028-01-01,New,Paper,a@x.test; b@x.test\nB,2027-02-01,,Paper,\nC,2027-03-01,,,\n',
    { mode: 'UPSERT' },
  );
  expect(again.id).not.toBe(id);
});

test('what was changed since stays and is named, and what was deleted is counted', async () => {
  const names = ['Edited', 'Moved', 'Renewed', 'Deleted', 'Back'];
  const rowsOf = (year: number) => names.map((name) => `${name},${year}-01-01\n`).join('');
  await run(`name,expires\n${rowsOf(2027)}`);
  const text = `name,expires\n${rowsOf(2028)}`;
  const id = await run(`${text}Made,2027-01-01\nGone,2027-01-01\n`, { mode: 'UPSERT' });
  const idOf = Object.fromEntries((await items()).map(({ id, name }) => [name, id]));
  const change = `mutation($id: ID!) { updateExpirationItem(id: $id, input: { details: "Mine" }) { id } }`;
  expect((await gateway.graphql(change, { id: idOf.Edited })).errors).toBeUndefined();
  expect((await gateway.graphql(change, { id: idOf.Made })).errors).toBeUndefined();
  const renew = `mutation($id: ID!) { renewExpirationItem(id: $id, input: { expirationDate: "2029-01-01" }) { id } }`;
  expect((await gateway.graphql(renew, { id: idOf.Renewed })).errors).toBeUndefined();
  const move = `mutation($id: ID!, $teamId: ID!) { updateExpirationItem(id: $id, input: { teamId: $teamId }) { id } }`;
  const { otherTeamId: teamId } = gateway;
  expect((await gateway.graphql(move, { id: idOf.Moved, teamId })).errors).toBeUndefined();
  for (const name of ['Deleted', 'Gone'])
    expect((await gateway.send('DELETE', `/v1/expirationitems/${idOf[name]}`)).status).toBeLessThan(300);
  await undo(id);
  expect(await undone(id)).toEqual({
    ...{ deleted: 1, restored: 1, gone: 2, kept: 3 },
    records: [
      { id: idOf.Edited, kind: null, name: 'Edited', message: 'It was changed since.' },
      { id: idOf.Moved, kind: null, name: 'Moved', message: 'It was changed since.' },
      { id: idOf.Renewed, kind: null, name: 'Renewed', message: 'It was changed since.' },
    ],
  });
  expect((await items()).map(({ name, expirationDate }) => [name, expirationDate])).toEqual([
    ['Back', '2027-01-01'],
    ['Edited', '2028-01-01'],
    ['Moved', '2028-01-01'],
    ['Renewed', '2029-01-01'],
  ]);
});

test('what was changed without keeping its former values stays, and is named', async () => {
  await run('name,expires\nKept,2027-01-01\n');
  const id = await run('name,expires\nKept,2028-01-01\nMade,2027-01-01\n', { mode: 'UPSERT' });
  // As a gateway of the version before writes it.
  await gateway.database.sql('UPDATE import_batches SET former = NULL WHERE import_id = $1::uuid', [id]);
  await undo(id);
  expect(await undone(id)).toMatchObject({
    ...{ deleted: 1, restored: 0, gone: 0, kept: 1 },
    records: [{ name: 'Kept', message: 'Its former values were not kept.' }],
  });
});

test('a batch that is still being written is not stored once the import is taken back', async () => {
  const id = await run('name,expires\nLate,2027-01-01\n');
  const write = (state: 'RUNNING' | 'UNDOING') =>
    gateway.database.inTransaction(async (tx) => {
      await gateway.database.sql(
        `UPDATE imports SET state = $2::import_state, attempts = 7, due_at = '2100-01-01' WHERE id = $1::uuid`,
        [id, state],
      );
      return storeBatch(tx, { id, attempts: 7 }, { number: state === 'RUNNING' ? 8 : 9, results: [] }, false);
    });
  expect(await write('UNDOING')).toBe(false);
  expect(await write('RUNNING')).toBe(true);
});

test('records that stay are counted in parts, however many of a batch there are', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `Type ${at}\n`).join('');
  const id = await run(`name\n${rows}`, { kind: 'TYPES', atomic: true });
  const papers = Array.from({ length: 300 }, (_, at) => `Paper ${at},2027-01-01,Type ${at}\n`).join('');
  await run(`name,expires,type\n${papers}`);
  await undo(id);
  expect(await undone(id)).toMatchObject({ deleted: 0, gone: 0, kept: 300 });
  const kept = await gateway.database.sql("SELECT undo->'part' AS part FROM imports WHERE id = $1::uuid", [
    id,
  ]);
  expect(kept).toEqual([{ part: 0 }]);
  await gateway.database.sql('DELETE FROM expiration_items');
});

test('who has less rights neither sees nor takes back what the same person imported with more', async () => {
  const id = await run('name,expires\nWide,2027-01-01\n');
  const { data } = await gateway.graphql(
    'mutation { createAccessToken(input: { name: "Narrow", role: MEMBER }) { token } }',
  );
  const { token } = data.createAccessToken;
  for (const [method, path] of [
    ['GET', `/v1/imports/${id}`],
    ['GET', `/v1/imports/${id}/result.csv`],
    ['POST', `/v1/imports/${id}/undo`],
    ['POST', `/v1/imports/${id}/run`],
    ['POST', `/v1/imports/${id}/cancel`],
  ] as const)
    expect((await gateway.send(method, path, { token })).status).toBe(404);
  const { json } = await gateway.send('GET', '/v1/imports', { token });
  expect(json.imports).toEqual([]);
  const change = 'mutation($id: ID!) { changeImport(id: $id, input: {}) { id } }';
  expect((await gateway.graphql(change, { id }, token)).errors[0].extensions.code).toBe('NOT_FOUND');
  expect((await undo(id)).status).toBe(200);
});

test('what others need stays, and locations go after those in them', async () => {
  const places = await run('path\nPlant\nPlant / Hall\n', { kind: 'LOCATIONS' });
  await undo(places);
  expect(await undone(places)).toMatchObject({ deleted: 2, kept: 0 });
  const id = await run('name\nNeeded\nFree\n', { kind: 'TYPES' });
  await run('name,expires,type\nPaper,2027-01-01,Needed\n');
  await undo(id);
  expect(await undone(id)).toMatchObject({
    ...{ deleted: 1, kept: 1 },
    records: [{ name: 'Needed', message: expect.stringContaining('cannot be deleted') }],
  });
});

test('an import is taken back once, in time, and by whoever ran it', async () => {
  const fresh = await importer.create('name,expires\nOnce,2027-01-01\n');
  expect((await undo(fresh.id)).status).toBe(409);
  await importer.run(fresh.id);
  const { admin } = await createTenant(gateway.database, 'Stranger');
  expect((await undo(fresh.id, admin)).status).toBe(404);
  const answers = await Promise.all([undo(fresh.id), undo(fresh.id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  await undone(fresh.id);
  const twice = await undo(fresh.id);
  expect([twice.status, twice.json.message]).toEqual([409, 'The import cannot be taken back: it is UNDONE.']);
  const id = await run('name,expires\nOld,2027-01-01\n');
  await run('name,expires\nOld,2028-01-01\n', { mode: 'UPSERT' });
  const kept = () => gateway.database.sql('SELECT FROM import_batches WHERE former IS NOT NULL');
  expect((await kept()).length).toBeGreaterThan(0);
  gateway.clock.now = new Date(testTime.getTime() + 7 * 86_400_000);
  const late = await undo(id);
  expect([late.status, late.json.message]).toEqual([
    409,
    'The import cannot be taken back: that was possible until 2026-11-27T09:30:00.000Z.',
  ]);
  await forgetOldImports(gateway);
  expect(await kept()).toEqual([]);
});

test('an import that several workers take back is taken back once', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `Row ${at},2027-01-01\n`);
  const id = await run(`name,expires\n${rows.join('')}`);
  const other = startImporter(gateway);
  await undo(id);
  // A worker that stops hands the rest to another one.
  await other.stop();
  expect(await undone(id)).toMatchObject({ deleted: 300, gone: 0, kept: 0 });
  expect(await items()).toEqual([]);
});

test('an import that runs is not taken back before it is stopped, and then all that it wrote is', async () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => `Running ${at},2027-01-01\n`);
  const seen = await importer.create(`name,expires\n${rows.join('')}`);
  const act = (what: string) => gateway.send('POST', `/v1/imports/${seen.id}/${what}`);
  expect((await act('run')).status).toBe(200);
  const done = async () => (await gateway.send('GET', `/v1/imports/${seen.id}`)).json.done_count as number;
  await eventually(async () => expect(await done()).toBeGreaterThan(0));
  const early = await act('undo');
  expect([early.status, early.json.message]).toEqual([
    409,
    'The import cannot be taken back: it is RUNNING.',
  ]);
  expect((await act('cancel')).status).toBe(200);
  expect((await act('undo')).status).toBe(200);
  // While it is taken back, nobody takes it back once more or goes on writing.
  for (const late of ['undo', 'run', 'cancel']) expect([late, (await act(late)).status]).toEqual([late, 409]);
  const { deleted, kept } = await undone(seen.id);
  expect([deleted, kept]).toEqual([await done(), 0]);
  expect(await items()).toEqual([]);
}, 120_000);
