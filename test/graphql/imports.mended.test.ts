import { afterAll, beforeAll, expect, test } from 'vitest';
import importReasons from '../../console/src/i18n/texts/importReasons.js';
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

const text = 'Titel;Ablaufdatum;aktiv\nA;31.02.2027;ja\nB;31.02.2027;ja\nC;2027-04-31;vielleicht\n';

test('cells are mended one by one or all alike, and the file stays as it was sent', async () => {
  const seen = await importer.create(text);
  expect(seen.preview).toMatchObject({ created: 0, failed: 3 });
  const corrections = [
    { header: 'Ablaufdatum', from: '31.02.2027', to: '28.02.2027' },
    { header: 'Ablaufdatum', row: 3, to: '2027-03-01' },
    { header: 'Ablaufdatum', row: 4, to: '2027-04-30' },
    { header: 'aktiv', row: 4, to: 'nein' },
    { header: 'Unknown', row: 4, to: 'x' },
  ];
  const again = await importer.change(seen.id, { corrections });
  expect(again.preview).toMatchObject({ created: 3, failed: 0, errors: [] });
  const { data } = await gateway.graphql(
    'query($id: ID!) { import(id: $id) { corrections { header row from to } mapping { header } people { value } } }',
    { id: seen.id },
  );
  expect(data.import.corrections[0]).toEqual({ ...corrections[0], row: null });
  const before = await gateway.send('GET', `/v1/imports/${seen.id}/result.csv`);
  expect(before.text).toContain('A,28.02.2027,ja,pending');
  await importer.run(seen.id);
  const { text: result } = await gateway.send('GET', `/v1/imports/${seen.id}/result.csv`);
  expect(result.split('\r\n').slice(1, 4)).toEqual([
    expect.stringMatching(/^A,28\.02\.2027,ja,created/),
    expect.stringMatching(/^B,2027-03-01,ja,created/),
    expect.stringMatching(/^C,2027-04-30,nein,created/),
  ]);
  const many = Array.from({ length: 1_001 }, () => ({ header: 'A', to: 'b' }));
  await expect(importer.change(seen.id, { corrections: many })).rejects.toThrow('at most 1000 entries');
});

test('REST takes corrections as JSON', async () => {
  const rest = text.replaceAll(/^([ABC]);/gm, 'REST $1;');
  const query = new URLSearchParams({
    kind: 'items',
    corrections: JSON.stringify({
      Ablaufdatum: [
        { from: '31.02.2027', to: '28.02.2027' },
        { row: 4, to: null },
      ],
    }),
  });
  const { status, json } = await gateway.send('POST', `/v1/imports?${query}`, {
    ...{ raw: rest, headers: { 'Content-Type': 'text/csv' } },
  });
  expect(status).toBe(201);
  const { preview } = await importer.settled(json.id);
  expect(preview).toMatchObject({ created: 2, failed: 1 });
  for (const corrections of ['[]', '{"Ablaufdatum":{"row":0}}'])
    expect(
      (
        await gateway.send('POST', `/v1/imports?${new URLSearchParams({ kind: 'items', corrections })}`, {
          ...{ raw: rest, headers: { 'Content-Type': 'text/csv' } },
        })
      ).status,
    ).toBe(400);
});

test('what all rows lack is told once', async () => {
  const seen = await importer.create('Titel;Ort\nLate 1;\nLate 2;\nLate 3;\n');
  expect(seen.preview).toMatchObject({
    ...{ created: 0, failed: 3, missing: ['expiration_date'] },
    errors: [{ row: 2, column: 'expiration_date', message: 'is required' }],
  });
  const constants = [{ column: 'expiration_date', value: '2027-01-01' }];
  expect((await importer.change(seen.id, { constants })).preview).toMatchObject({ created: 3, missing: [] });
  expect((await importer.change(seen.id, { allowNoDate: true })).preview).toMatchObject({ missing: [] });
  const paths = await importer.create('path\nPlant\n', { kind: 'LOCATIONS' });
  expect(paths.preview).toMatchObject({ created: 1, missing: [] });
});

test('all errors of a row are told at once, with the header and the value', async () => {
  const seen = await importer.create('Titel;Ablaufdatum;kündbar bis;Uhrzeit\n;31.02.2027;30.02.2027;25:99\n');
  const errors = seen.preview.errors.map(({ column, value }: Record<string, string>) => [column, value]);
  expect(errors).toEqual(
    expect.arrayContaining([
      ['Ablaufdatum', '31.02.2027'],
      ['kündbar bis', '30.02.2027'],
      ['Titel', ''],
    ]),
  );
  expect(new Set(errors.map(([column]: string[]) => column)).size).toBe(errors.length);
});

test('the console has a text for what is wrong with rows', async () => {
  // The console is compiled on its own, so its file is loaded by a name that this project's compiler does not follow.
  const place = '../../console/src/screens/imports/reasons';
  const { reasonOf } = (await import(place)) as {
    reasonOf: (message: string) => { name: string } | undefined;
  };
  const rows = [
    'Twice,2027-01-01,,,,',
    ...['Twice,2027-01-01,,,,', ',31.02.2027,Nobody,vielleicht,,', 'A,soon,,,,X 1'],
    ...['B,n/a,,,,', 'C,01/02/2027,#REF!,,,', 'D,2570-04-25,,,1.23E+016,', 'E,1,2,3,4,5,6'],
  ];
  const text = `name,expires,responsible,active,custom:No,plate\n${rows.join('\n')}\n`;
  const seen = [
    await importer.create(text),
    await importer.create(text, { dateFormat: 'YMD', skipRepeats: true }),
    await importer.create(text, {
      mode: 'UPDATE_ONLY',
      mapping: [{ header: 'plate', column: 'holder_vehicle' }],
    }),
    await importer.create('name,year\nVan,x\n', { kind: 'VEHICLES' }),
  ];
  const told = seen.flatMap(({ preview }) => [...preview.errors, ...preview.warnings]);
  const names = told.map(({ message }: { message: string }) => [message, reasonOf(message)?.name]);
  expect(names.filter(([, name]) => name === undefined)).toEqual([]);
  expect([...new Set(names.map(([, name]) => name))].toSorted()).toEqual([
    ...[
      'alike',
      'cells',
      'date',
      'formula',
      'left_out',
      'no_day',
      'no_match',
      'nobody',
      'not_found',
      'order',
    ],
    ...['required', 'rounded', 'same', 'truth', 'undated', 'whole', 'year'],
  ]);
  expect(Object.keys(importReasons)).toEqual(expect.arrayContaining(names.map(([, name]) => name)));
});
