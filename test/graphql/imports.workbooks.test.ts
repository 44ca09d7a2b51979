import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startImports } from '../../src/csv/start-jobs.js';
import { schema } from '../../src/graphql/schema.js';
import { odsOf, stylesOf, textRows, xlsxOf } from '../csv/workbooks.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';

let gateway: TestGateway;
let stop: () => Promise<void>;
beforeAll(async () => {
  gateway = await startGateway();
  stop = startImports({
    ...{ database: gateway.database, clock: () => testTime, pollMs: 20 },
    ...{ log: pino({ level: 'silent' }), loadSchema: async () => schema },
  });
});
afterAll(async () => {
  await stop();
  await gateway.close();
});

const fields = `id state error encoding sheet headerLine preview { created failed headerLine encoding
  sheets { name hidden chosen } columns { header column } warnings { row column message } errors { message } }`;

const settled = (id: string) =>
  eventually(async () => {
    const { data } = await gateway.graphql(`query($id: ID!) { import(id: $id) { ${fields} } }`, { id });
    expect(['READING', 'RUNNING']).not.toContain(data.import.state);
    return data.import;
  });

const create = async (content: Buffer, options: object = {}) => {
  const input = { kind: 'ITEMS', content: content.toString('base64'), ...options };
  const { data } = await gateway.graphql(
    'mutation($input: CreateImportInput!) { createImport(input: $input) { id } }',
    { input },
  );
  return settled(data.createImport.id);
};

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
  const seen = await create(await fleet(), { fileName: 'fleet.csv' });
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
      { row: 3, column: 'Valid until', message: 'is a hidden column of the workbook, and is imported' },
      { row: 3, column: null, message: '1 hidden rows of the workbook are imported, too' },
    ],
  });
  await gateway.graphql('mutation($id: ID!) { runImport(id: $id) { id } }', { id: seen.id });
  expect(await settled(seen.id)).toMatchObject({ state: 'DONE' });
  const { text } = await gateway.send('GET', `/v1/imports/${seen.id}/result.csv`);
  expect((parse(text) as string[][]).map((cells) => cells.slice(0, 4))).toEqual([
    ['Name', 'Valid until', 'Remark', '_result'],
    ['Inspection', '2026-12-31', '', 'created'],
  ]);
});

test('another sheet can be chosen, before and after the preview', async () => {
  const content = await fleet();
  const seen = await create(content, { sheet: 'Other' });
  expect(seen).toMatchObject({ sheet: 'Other', preview: { created: 1, headerLine: 1, warnings: [] } });
  const change = (sheet: string) =>
    gateway.graphql(
      'mutation($id: ID!, $input: ChangeImportInput!) { changeImport(id: $id, input: $input) { id } }',
      { id: seen.id, input: { sheet } },
    );
  await change('Fleet');
  expect(await settled(seen.id)).toMatchObject({ state: 'READY', preview: { headerLine: 3 } });
  await change('None');
  expect(await settled(seen.id)).toMatchObject({
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
    const { status, json } = await gateway.send('POST', '/v1/imports?kind=items&again=true', {
      ...{ raw: new Uint8Array(raw), headers: { 'Content-Type': type } },
    });
    expect([type, status]).toEqual([type, 201]);
    await settled(json.id);
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
  const ansi = await create(Buffer.from(text, 'latin1'));
  expect(ansi).toMatchObject({ encoding: 'WINDOWS_1252', preview: { created: 1, encoding: 'WINDOWS_1252' } });
  const unicode = await create(Buffer.from(`\ufeff${text}`, 'utf16le'));
  expect(unicode).toMatchObject({ encoding: 'UTF_16', preview: { created: 1, sheets: [] } });
});
