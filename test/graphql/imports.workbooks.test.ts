import { once } from 'node:events';
import { connect } from 'node:net';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fleetList, fleetPlates, fleetWords } from '../csv/fleet-lists.js';
import { makerRows, makers } from '../csv/makers.js';
import { odsOf, stylesOf, textRows, xlsxOf } from '../csv/workbooks.js';
import { eventually } from '../support/eventually.js';
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

const templateKinds = ['items', 'contacts', 'vehicles', 'locations', 'companies', 'types'] as const;

test.each(['en', 'de', 'fr', 'es', 'it', 'nl'])(
  'templates of all kinds can be imported as they are (%s)',
  async (language) => {
    for (const kind of templateKinds) {
      const address = `${gateway.url}/v1/imports/template.xlsx?kind=${kind}&language=${language}`;
      const answer = await fetch(address, { headers: { authorization: `Bearer ${gateway.admin}` } });
      expect(answer.status).toBe(200);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const { error, preview } = await importer.create(bytes, { kind: kind.toUpperCase(), again: true });
      expect([kind, error, preview.errors, preview.created]).toEqual([kind, null, [], 2]);
      const unknown = preview.columns.filter(({ column }: { column: string | null }) => column === null);
      expect([kind, unknown]).toEqual([kind, []]);
    }
  },
);

test('a template is of a known kind and language', async () => {
  for (const [query, member] of [
    ['', 'kind'],
    ['?kind=workspace', 'kind'],
    ['?kind=items&language=xx', 'language'],
    ['?kind=items&color=red', 'color'],
  ]) {
    const { status, text } = await gateway.send('GET', `/v1/imports/template.xlsx${query}`);
    expect([query, status]).toEqual([query, 400]);
    expect(text).toContain(member);
  }
});

test.each(['de', 'en', 'es'] as const)(
  'a list of forty papers is imported, and found again (%s)',
  async (language) => {
    for (const license_plate of fleetPlates(language))
      await gateway.send('POST', '/v1/vehicles', { body: { license_plate } });
    const list = await fleetList(language, { colleague: 'Anna Weber', me: 'Ada Admin' });
    const { wrong, right, headers } = fleetWords[language];
    const first = await importer.create(list, { allowNoDate: true });
    // One question for twenty rows, and one cell, with the line and the header of the list.
    expect(first.preview.people).toEqual([{ header: headers[4], value: 'Anna Weber', rows: 20, kinds: [] }]);
    expect(first.preview.dates).toEqual([
      {
        header: headers[3],
        format: language === 'en' ? 'MDY' : 'DMY',
        asked: false,
        undated: 2,
        firstShortYear: 1980,
        example: expect.anything(),
      },
    ]);
    const seen = await importer.change(first.id, {
      allowNoDate: true,
      people: [{ value: 'Anna Weber', email: 'ada@example.com' }],
      corrections: [{ header: headers[3], from: wrong, to: right }],
    });
    expect(seen.preview).toMatchObject({ created: 40, failed: 0, errors: [] });
    const { id } = await importer.run(first.id);
    const found = await gateway.graphql(
      'query ($id: ID) { expirationItems(first: 50, filter: { importId: $id }) { totalCount nodes { holders { totalCount } } } }',
      { id },
    );
    expect(found.data.expirationItems.totalCount).toBe(40);
    for (const { holders } of found.data.expirationItems.nodes) expect(holders.totalCount).toBe(1);
    const others = await gateway.graphql(
      'query ($id: ID) { expirationItems(filter: { importId: $id }) { totalCount } vehicles(filter: { importId: $id }) { totalCount } }',
      { id },
      gateway.member,
    );
    expect(others.data).toEqual({ expirationItems: { totalCount: 0 }, vehicles: { totalCount: 0 } });
  },
);

test('errors of formulas are told, and left out', async () => {
  const error = (text: string) => `<c t="e"><f>1/0</f><v>${text}</v></c>`;
  const rows = `${textRows([['name', 'expires', 'notes', 'plate']])}
    <row>${textRows([['A', '2027-01-01']]).slice(5, -6)}${error('#REF!')}${error('#N/A')}</row>
    <row>${error('#NAME?')}${textRows([['2027-01-01']]).slice(5, -6)}</row>`;
  const { preview } = await importer.create(await xlsxOf([{ name: 'A', rows }]));
  const left = (row: number, column: string, value: string) => ({
    ...{ row, column, value, message: 'is an error of a formula, and is left out' },
  });
  expect(preview).toMatchObject({
    ...{ created: 1, failed: 1 },
    warnings: [left(2, 'notes', '#REF!'), left(2, 'plate', '#N/A'), left(3, 'name', '#NAME?')],
    errors: [{ row: 3, column: 'name' }],
  });
});

test('a file of 50 MB is refused before it is read', async () => {
  const answer = await fetch(`${gateway.url}/v1/imports?kind=items`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.admin}`, 'content-type': 'text/csv' },
    body: Buffer.alloc(50_000_000, 'name\n'),
  });
  expect(answer.status).toBe(413);
});

test('a copied range of 20,000 rows is imported like a file', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => `Copied ${n}\t31.12.2027\t"two\nlines"`);
  const { preview, rowCount } = await importer.create(['Name\tGültig bis\tNotizen', ...rows].join('\r\n'));
  expect([rowCount, preview.created, preview.failed]).toEqual([20_000, 20_000, 0]);
}, 120_000);

test('a file that breaks off while it is sent is no import', async () => {
  const { hostname, port } = new URL(gateway.url);
  const count = () => gateway.database.sql('SELECT FROM imports');
  const before = (await count()).length;
  const socket = connect(Number(port), hostname);
  const head = `POST /v1/imports?kind=items HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.admin}\r\nContent-Type: text/csv\r\nContent-Length: 5000\r\n\r\n`;
  socket.write(`${head}name,expires\nHalf,2027-01-01\n`);
  socket.end();
  await once(socket.resume(), 'close');
  // A whole file after it shows that the gateway has dealt with the half one.
  const whole = await importer.create('name,expires\nWhole,2027-01-01\n');
  expect(whole.preview).toMatchObject({ created: 1 });
  expect(await count()).toHaveLength(before + 1);
});

test.each(Object.entries(makers))('two papers come of the list of %s', async (maker, make) => {
  const seen = await importer.create(Buffer.from(await make()), { makeHolders: ['VEHICLE'], again: true });
  expect([seen.error, seen.preview.errors]).toEqual([null, []]);
  const { id } = await importer.run(seen.id);
  const { data } = await gateway.graphql(
    `query ($id: ID) { expirationItems(filter: { importId: $id }, orderBy: [{ field: EXPIRATION_DATE }]) { nodes {
      name expirationDate holders { nodes { ... on Vehicle { licensePlate } } } } } }`,
    { id },
  );
  const found = data.expirationItems.nodes as {
    name: string;
    expirationDate: string;
    holders: { nodes: { licensePlate: string }[] };
  }[];
  expect([
    maker,
    found.map(({ name, expirationDate, holders }) => [name, expirationDate, holders.nodes[0]?.licensePlate]),
  ]).toEqual([maker, makerRows]);
  const undo = await gateway.send('POST', `/v1/imports/${id}/undo`);
  expect(undo.status).toBe(200);
  await eventually(async () => {
    const { json } = await gateway.send('GET', `/v1/imports/${id}`);
    expect([json.state, json.undo.kept]).toEqual(['undone', 0]);
  });
});
