import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { odsOf, stylesOf, textRows, xlsxOf } from '../csv/workbooks.js';
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

const rows = `${textRows([['Fleet'], [], ['Name', 'Valid until', 'Remark']])}
  <row hidden="1"><c t="inlineStr"><is><t>Inspection</t></is></c><c s="1"><v>46387</v></c></row>`;

const fleet = () =>
  xlsxOf(
    [
      { name: 'Lists', state: 'hidden', rows: textRows([['a']]) },
      { name: 'Fleet', columns: '<cols><col min="2" max="2" hidden="1"/></cols>', rows },
      {
        name: 'Other',
        rows: textRows([
          ['name', 'expires'],
          ['Licence', '2027-01-01'],
        ]),
      },
    ],
    { 'xl/styles.xml': stylesOf() },
  );

test('a workbook is imported, and its result is a CSV file', async () => {
  const seen = await importer.create(await fleet(), { fileName: 'fleet.csv' });
  expect(seen).toMatchObject({
    state: 'READY',
    error: null,
    preview: { created: 1, failed: 0, headerLine: 3 },
  });
  expect(seen.preview).toMatchObject({
    encoding: null,
    sheets: [
      { name: 'Lists', hidden: true, chosen: false },
      { name: 'Fleet', hidden: false, chosen: true },
      { name: 'Other', hidden: false, chosen: false },
    ],
    warnings: [
      {
        row: 3,
        column: 'Valid until',
        value: null,
        message: 'is a hidden column of the workbook, and is imported',
      },
      { row: 3, column: null, value: null, message: '1 hidden rows of the workbook are imported, too' },
    ],
  });
  expect(await importer.run(seen.id)).toMatchObject({ state: 'DONE' });
  const { text } = await gateway.send('GET', `/v1/imports/${seen.id}/result.csv`);
  expect((parse(text) as string[][]).map((cells) => cells.slice(0, 4))).toEqual([
    ['Name', 'Valid until', 'Remark', '_result'],
    ['Inspection', '2026-12-31', '', 'created'],
  ]);
});

test('another sheet can be chosen, before and after the preview', async () => {
  const content = await fleet();
  const seen = await importer.create(content, { sheet: 'Other' });
  expect(seen).toMatchObject({ sheet: 'Other', preview: { created: 1, headerLine: 1, warnings: [] } });
  expect(await importer.change(seen.id, { sheet: 'Fleet' })).toMatchObject({
    ...{ state: 'READY', preview: { headerLine: 3 } },
  });
  expect(await importer.change(seen.id, { sheet: 'None' })).toMatchObject({
    ...{ state: 'FAILED', preview: null },
    error: expect.stringContaining('must be a sheet of the workbook: "Lists", "Fleet", "Other"'),
  });
});

test('REST takes workbooks, whatever they are called', async () => {
  const ods = await odsOf(
    `<table:table table:name="A">${[
      ['name', 'expires'],
      ['Passport', '2031-05-01'],
    ]
      .map(
        (cells) =>
          `<table:table-row>${cells.map((cell) => `<table:table-cell office:value-type="string"><text:p>${cell}</text:p></table:table-cell>`).join('')}</table:table-row>`,
      )
      .join('')}</table:table>`,
  );
  const types = {
    'application/vnd.oasis.opendocument.spreadsheet': ods,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': await fleet(),
    'text/csv': ods,
    'application/zip': await fleet(),
  };
  for (const [type, raw] of Object.entries(types)) {
    const { status, json } = await gateway.send('POST', '/v1/imports?kind=items&mode=upsert&again=true', {
      ...{ raw: new Uint8Array(raw), headers: { 'Content-Type': type } },
    });
    expect([type, status]).toEqual([type, 201]);
    await importer.settled(json.id);
    const { json: seen } = await gateway.send('GET', `/v1/imports/${json.id}`);
    expect([type, seen.state, seen.preview.failed]).toEqual([type, 'ready', 0]);
  }
  const text = await gateway.send('POST', '/v1/imports?kind=items&header_line=0', {
    ...{ raw: 'a\n', headers: { 'Content-Type': 'text/csv' } },
  });
  expect(text.status).toBe(400);
});

test('the encoding of a text is found, and shown', async () => {
  const text = 'name;expires\nFührerschein;2027-01-01\n';
  const ansi = await importer.create(Buffer.from(text, 'latin1'));
  expect(ansi).toMatchObject({ encoding: 'WINDOWS_1252', preview: { created: 1, encoding: 'WINDOWS_1252' } });
  const unicode = await importer.create(Buffer.from(`\ufeff${text}`, 'utf16le'));
  expect(unicode).toMatchObject({ encoding: 'UTF_16', preview: { created: 1, sheets: [] } });
});
