import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTables } from '../../src/db/backup/tables.js';
import { modelRows } from '../../src/domain/models.js';
import { examples, isPart, keyOf, makeRows, models, newRow, on } from '../db/scope.fixture.js';
import { createDatabase, createTenant, type Tenant, type TestDatabase } from '../support/gateway.js';
import { difference, dump, query } from './organization.support.js';
import { execute } from './support.js';

let folder: string;
let [source, target] = [{} as TestDatabase, {} as TestDatabase];
let acme: Pick<Tenant, 'organizationId' | 'teamId'>;
let made: Awaited<ReturnType<typeof makeRows>>;
const SECRET_KEY = randomBytes(32).toString('hex');
const placeOf = ({ organizationId, teamId }: Tenant) => ({ organizationId, teamId });
const file = (name: string) => join(folder, name);
const inSource = (...argv: string[]) =>
  execute({ DATABASE_URL: source.url, SECRET_KEY }, 'organization', ...argv);
const inTarget = (...argv: string[]) =>
  execute({ DATABASE_URL: target.url, SECRET_KEY }, 'organization', ...argv);
const refusal = (message: RegExp) => ({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-changes-'));
  await chmod(folder, 0o711);
  [source, target] = await Promise.all([createDatabase(), createDatabase()]);
  acme = placeOf(await createTenant(source.database));
  made = await makeRows(source.database.prisma, acme);
  for (const { database } of [source, target])
    await makeRows(database.prisma, placeOf(await createTenant(database, 'Globex')));
});
afterAll(async () => {
  await Promise.all([source.drop(), target.drop(), rm(folder, { recursive: true, force: true })]);
});

/** Changes a row of every model, and deletes and adds one where that is possible. @returns what was deleted */
async function changeEverything(): Promise<string[]> {
  const { prisma } = source.database;
  const deleted: string[] = [];
  for (const model of models.toReversed()) {
    await on(prisma, model).updateMany?.({
      where: keyOf(model, made.rows[model]),
      data: examples[model].change,
    });
    if (isPart(model) || model === 'Organization' || model === 'Team') continue;
    const where = keyOf(model, examples[model].row(acme, made.spare, made.ids));
    const gone = await on(prisma, model)
      .deleteMany?.({ where })
      .catch(() => {}); // others refer to it
    if (gone?.count > 0) deleted.push(model);
  }
  for (const model of models)
    if (!isPart(model) && model !== 'Organization' && model !== 'Team')
      await on(prisma, model).create?.({ data: newRow(model, acme, made) });
  return deleted;
}

test('an organization is copied while it is in use, and the changes follow', async () => {
  const before = await dump(target.url);
  expect(await inSource('export', 'Acme', file('first'))).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await changeEverything()).length).toBeGreaterThan(20);
  expect(await inTarget('import', file('first'), '--frozen')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Imported "Acme" .* It is frozen until its changes are imported\.\n$/),
  });
  // It is there to read, and nobody changes it.
  await expect(
    query(target.url, `UPDATE teams SET name = 'Mine' WHERE id = '${acme.teamId}'`),
  ).rejects.toThrow('the organization is frozen');
  expect(await inTarget('unfreeze', 'Acme')).toEqual(
    refusal(/It is a copy that waits for its changes: import them/),
  );
  expect(await inTarget('freeze', 'Acme')).toEqual(refusal(/It is a copy that waits/));
  expect(await inTarget('import', file('first'))).toEqual(refusal(/is already in this database/));

  const changes = await inSource(
    'export',
    acme.organizationId,
    file('changes'),
    '--freeze',
    '--since',
    file('first'),
  );
  expect(changes).toMatchObject({
    stderr: '',
    exitCode: 0,
    stdout: expect.stringMatching(/^Exported the changes of "changed" .* It is frozen: /),
  });
  const taken = await inTarget('import', file('changes'));
  expect(taken).toMatchObject({
    stderr: '',
    exitCode: 0,
    stdout: expect.stringMatching(
      /^Imported the changes of "changed" .*: \d+ rows written, \d+ deleted\.\n$/,
    ),
  });
  await query(target.url, `UPDATE teams SET name = name WHERE id = '${acme.teamId}'`);

  await inSource('unfreeze', acme.organizationId);
  const there = await dump(source.url);
  expect(await inSource('delete', 'changed', '--yes', 'changed')).toMatchObject({ exitCode: 0 });
  const gone = difference(there, await dump(source.url));
  const come = difference(await dump(target.url), before);
  const own = new Map([...gone].filter(([table]) => !sharedTables.includes(table)));
  expect([...own.keys()].sort()).toEqual(modelRows.map(([, { table }]) => table).sort());
  expect(come).toEqual(own);
});

/** Makes a copy of an organization in the target, which waits for its changes. @returns where the changes go */
async function copy(name: string) {
  const { database, url } = source;
  const place = placeOf(await createTenant(database, name));
  const rows = await makeRows(database.prisma, place);
  expect(await inSource('export', name, file(`${name}.first`))).toMatchObject({ exitCode: 0 });
  expect(await inTarget('import', file(`${name}.first`), '--frozen')).toMatchObject({ exitCode: 0 });
  const exportChanges = () =>
    inSource('export', name, file(`${name}.changes`), '--since', file(`${name}.first`), '--force');
  return { ...rows, place, url, exportChanges, changes: file(`${name}.changes`) };
}

test('rows give up unique values, places in lists and what they refer to', async () => {
  const { ids, place, exportChanges, changes } = await copy('Hooli');
  const own = `organization_id = '${place.organizationId}'`;
  const [category] = await query<{ id: string; name: string }>(
    source.url,
    `SELECT category.id, category.name FROM categories AS category JOIN expiration_items AS item ON item.category_id = category.id
     WHERE item.id = '${ids.item}'`,
  );
  // The item moves to a new type, and another new one takes the name of its former type, which is deleted.
  const renew = (id: string, name: string) =>
    query(
      source.url,
      `INSERT INTO categories (id, organization_id, team_id, name, created, modified)
       VALUES ('${id}', '${place.organizationId}', '${place.teamId}', '${name}', now(), now())`,
    );
  const [moved, same] = ['0b7d6a54-93e1-4a70-8a56-0d6a2b1a0001', '0b7d6a54-93e1-4a70-8a56-0d6a2b1a0002'];
  await renew(moved, 'New');
  await query(
    source.url,
    `UPDATE expiration_items SET category_id = '${moved}' WHERE category_id = '${category?.id}'`,
  );
  await query(source.url, `DELETE FROM categories WHERE id = '${category?.id}'`);
  await renew(same, category?.name ?? '');
  // Another contact takes the place of the item's first one.
  await query(source.url, `UPDATE expiration_item_contacts SET position = 1 WHERE item_id = '${ids.item}'`);
  const [second] = await query<{ id: string }>(
    source.url,
    `SELECT id FROM contacts WHERE ${own} AND id NOT IN (SELECT contact_id FROM expiration_item_contacts) LIMIT 1`,
  );
  await query(
    source.url,
    `INSERT INTO expiration_item_contacts (item_id, contact_id, position) VALUES ('${ids.item}', '${second?.id}', 0)`,
  );
  expect(await exportChanges()).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await inTarget('import', changes)).toMatchObject({ exitCode: 0, stderr: '' });
  for (const table of ['categories', 'expiration_items', 'contacts']) {
    const read = (url: string) =>
      query(url, `SELECT record::text AS row FROM ${table} AS record WHERE ${own} ORDER BY 1`);
    expect(await read(target.url), table).toEqual(await read(source.url));
  }
});

test('changes of another copy, another database or a damaged file change nothing', async () => {
  const { place, exportChanges, changes } = await copy('Initech');
  expect(await exportChanges()).toMatchObject({ exitCode: 0 });
  const before = await dump(target.url);
  const bytes = await readFile(changes);
  const text = gunzipSync(bytes).toString('latin1');
  const damaged = file('damaged');
  for (const [content, message, argv = []] of [
    [bytes.subarray(0, -50), /it is truncated/],
    [gzipSync(Buffer.from(text.replace('Initech', 'Initeck'), 'latin1')), /its checksum is wrong/],
    [bytes, /The file has only changes/, ['--frozen']],
    [await readFile(file('first')).then(() => bytes), /Import that one first, with --frozen/, ['other']],
  ] as [Buffer, RegExp, string[]?][]) {
    await writeFile(damaged, content);
    const here = argv[0] === 'other' ? inSource : inTarget;
    expect(await here('import', damaged, ...(argv[0] === 'other' ? [] : argv))).toEqual(refusal(message));
  }
  expect(difference(await dump(target.url), before)).toEqual(new Map());
  // It is still frozen, and the changes can be imported; but not twice.
  await expect(
    query(target.url, `UPDATE teams SET name = 'Mine' WHERE id = '${place.teamId}'`),
  ).rejects.toThrow('the organization is frozen');
  expect(await inTarget('import', changes)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await inTarget('import', changes)).toEqual(refusal(/Import that one first, with --frozen/));
  // Transactions of another database have other numbers.
  const since = file('Initech.first');
  expect(await inTarget('export', 'Initech', file('none'), '--since', since)).toEqual(
    refusal(/The changes since the file was written are not known/),
  );
  expect(await inSource('export', 'Hooli', file('none'), '--since', since)).toEqual(
    refusal(/The earlier file is not one of "Hooli"/),
  );
  expect(await inSource('export', 'Hooli', file('none'), '--since', changes)).toEqual(
    refusal(/The earlier file is not one of "Hooli"/),
  );
});
