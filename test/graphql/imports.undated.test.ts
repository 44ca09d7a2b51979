import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
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

const text = `name,expires,notice_date
Licence,unbefristet,n/a
Permit,,
Insurance,2027-05-31,-
`;

const items = async () => {
  const query = '{ expirationItems(orderBy: [{ field: NAME }]) { nodes { name expirationDate } } }';
  const { data } = await gateway.graphql(query);
  return data.expirationItems.nodes.map(({ name, expirationDate }: Record<string, string>) => [
    name,
    expirationDate,
  ]);
};

test('rows without a date are counted and left out', async () => {
  const seen = await importer.create(text);
  expect(seen.preview).toMatchObject({ created: 1, failed: 2 });
  expect(seen.preview.dates[0]).toMatchObject({ header: 'expires', undated: 2 });
  expect(seen.preview.errors.map(({ row }: { row: number }) => row)).toEqual([2, 3]);
});

test('rows without a date become items without one, if that is chosen', async () => {
  const seen = await importer.create(text, { allowNoDate: true, atomic: true });
  expect(seen.preview).toMatchObject({ created: 3, failed: 0, errors: [] });
  expect(await importer.run(seen.id)).toMatchObject({ state: 'DONE', error: null });
  const expected = [
    ['Insurance', '2027-05-31'],
    ['Licence', null],
    ['Permit', null],
  ];
  expect(await items()).toEqual(expected);
  const again = await importer.create(text, { allowNoDate: true, mode: 'UPSERT' });
  expect(again.preview).toMatchObject({ unchanged: 3, updated: 0 });
});

test('an update takes the date of an item away, and gives one to it', async () => {
  const changed = text.replace('unbefristet', '2028-01-01').replace('2027-05-31', 'n/a');
  const refused = await importer.create(changed, { mode: 'UPSERT' });
  expect(refused.preview).toMatchObject({ updated: 1, unchanged: 1, failed: 1 });
  const seen = await importer.create(changed, { allowNoDate: true, mode: 'UPSERT' });
  expect(seen.preview).toMatchObject({ updated: 2, unchanged: 1, failed: 0 });
  await importer.run(seen.id);
  expect(await items()).toEqual([
    ['Insurance', null],
    ['Licence', '2028-01-01'],
    ['Permit', null],
  ]);
});

test('the choice is only for items', async () => {
  const seen = await importer.create('name,email\nA,a@x.test\n', { kind: 'CONTACTS', allowNoDate: true });
  expect(seen.preview).toMatchObject({ created: 1, failed: 0 });
});

test('an empty cell keeps the date of an item that exists', async () => {
  const file = 'name,expires\nKept,2027-05-31\n';
  await importer.run((await importer.create(file)).id);
  const seen = await importer.create('name,expires,details\nKept,,Changed\nNew,,\n', {
    ...{ allowNoDate: true, mode: 'UPSERT' },
  });
  expect(seen.preview).toMatchObject({ updated: 1, created: 1, failed: 0 });
  await importer.run(seen.id);
  expect(await items()).toEqual(
    expect.arrayContaining([
      ['Kept', '2027-05-31'],
      ['New', null],
    ]),
  );
});
