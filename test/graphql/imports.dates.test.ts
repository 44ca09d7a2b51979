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

test('an order that a column proves is not asked for', async () => {
  const seen = await importer.create(
    'name;expires\nA;01.02.2027\nB;31.12.27\nC;Mai 2027\nD;unbefristet\nE;\n',
  );
  expect(seen.preview).toMatchObject({
    ...{ created: 3, failed: 2 },
    dates: [
      {
        ...{ header: 'expires', format: 'DMY', asked: false, undated: 2, firstShortYear: 1980 },
        example: { row: 2, value: '01.02.2027' },
      },
    ],
    errors: [
      { row: 5, column: 'expires', value: 'unbefristet', message: 'says that there is no date' },
      { row: 6, column: 'expires', message: 'is required' },
    ],
  });
  const dates = seen.preview.firstRows.flatMap(
    ({ changes }: { changes: { column: string; after: string }[] }) =>
      changes.filter(({ column }) => column === 'expiration_date').map(({ after }) => after),
  );
  expect(dates).toEqual(['2027-02-01', '2027-12-31', '2027-05-31']);
});

test('the order is told where no date can be read in another one', async () => {
  const seen = await importer.create(
    'name,expires,notice_date\nA,12/31/2027,2027-03-03\nB,03/03/2027,2027-01-02\n',
  );
  expect(seen.preview).toMatchObject({
    dates: [
      { header: 'expires', format: 'MDY', asked: false, example: null },
      { header: 'notice_date', format: null, asked: false, example: null },
    ],
  });
});

test('an order that nothing proves is asked for once, with an example', async () => {
  const text = 'name,expires\nA,03/03/2027\nB,01/02/2027\nC,05/06/2027\n';
  const seen = await importer.create(text);
  expect(seen.preview).toMatchObject({
    ...{ created: 1, failed: 2 },
    dates: [
      {
        ...{ header: 'expires', format: null, asked: true, undated: 0, firstShortYear: null },
        example: {
          ...{ row: 3, value: '01/02/2027' },
          readings: [
            { format: 'DMY', date: '2027-02-01' },
            { format: 'MDY', date: '2027-01-02' },
          ],
        },
      },
    ],
    errors: [
      { row: 3, message: 'is 2027-02-01 or 2027-01-02: choose the order of dates' },
      { row: 4, message: 'is 2027-06-05 or 2027-05-06: choose the order of dates' },
    ],
  });
  const again = await importer.change(seen.id, { dateFormat: 'MDY' });
  expect(again.preview).toMatchObject({ created: 3, failed: 0, dates: [{ format: 'MDY', asked: false }] });
});

test('columns show their first values, and what these suggest', async () => {
  const items = await importer.create(
    'Papier,Ablauftermin HU,Angelegt,Wer,Etwas\nA,31.12.2027,01.01.2020,ada@example.com,x\nB,30.11.2027,02.01.2020,ben@example.com,\n',
  );
  expect(items.preview.columns).toEqual([
    { header: 'Papier', column: 'name', guess: null, samples: ['A', 'B'] },
    {
      header: 'Ablauftermin HU',
      column: null,
      guess: 'expiration_date',
      samples: ['31.12.2027', '30.11.2027'],
    },
    { header: 'Angelegt', column: null, guess: 'notice_date', samples: ['01.01.2020', '02.01.2020'] },
    { header: 'Wer', column: null, guess: 'contact_email', samples: ['ada@example.com', 'ben@example.com'] },
    { header: 'Etwas', column: null, guess: null, samples: ['x'] },
  ]);
  const vehicles = await importer.create(
    'a,b,c,d\nHH-NX 1730,WVWZZZ1JZXW000001,"49.000,00 €",1\nB-AB 12E,1HGBH41JXMN109186,"1.234,50",2\n',
    { kind: 'VEHICLES' },
  );
  expect(vehicles.preview.columns.map(({ guess }: { guess: string | null }) => guess)).toEqual([
    'license_plate',
    'vin',
    'msrp',
    null,
  ]);
});

test('REST shows the dates and the columns, too', async () => {
  const { json } = await gateway.send('POST', '/v1/imports?kind=items', {
    ...{ raw: 'name,expires\nA,01/02/27\n', headers: { 'Content-Type': 'text/csv' } },
  });
  await importer.settled(json.id);
  const { json: seen } = await gateway.send('GET', `/v1/imports/${json.id}`);
  expect(seen.preview).toMatchObject({
    header_line: 1,
    columns: [{ header: 'name', column: 'name', guess: null, samples: ['A'] }, { header: 'expires' }],
    dates: [{ header: 'expires', asked: true, first_short_year: 1980, example: { value: '01/02/27' } }],
  });
});
