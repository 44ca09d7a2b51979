import { expect, test } from 'vitest';
import { readFile } from '../../src/csv/import/read-file.js';
import { odsOf, stylesOf, textRows, xlsxOf, zipOf } from './workbooks.js';

/** Reads a workbook as its header and its rows. */
async function read(content: Uint8Array, options: Parameters<typeof readFile>[1] = {}) {
  const { headers, rows, sheet, headerLine } = await readFile(content, options);
  const lines = [];
  for await (const row of rows) lines.push(row);
  const { sheets, name, hiddenColumns, hiddenRows } = sheet ?? {};
  return {
    ...{ headers, headerLine, sheets, name, hiddenColumns, hiddenRows },
    cells: lines.map(({ cells }) => cells),
    lines: lines.map(({ line }) => line),
  };
}

const refused = (message: string) => ({ code: 'BAD_REQUEST', message: expect.stringContaining(message) });

test('reads values of Excel as what they are', async () => {
  const number = (value: string, style: number) => `<c s="${style}"><v>${value}</v></c>`;
  const values = [
    [number('46387', 1), '2026-12-31'],
    [number('46387.4375', 1), '2026-12-31 10:30'],
    [number('0.4375', 2), '10:30'],
    [number('46387', 3), '2026-12-31'],
    [number('60', 1), '1900-02-29'],
    [number('59', 1), '1900-02-28'],
    [number('-1', 1), '-1'],
    [number('0.30000000000000004', 0), '0.3'],
    [number('1.2345678901234568E+19', 0), '12345678901234600000'],
    [number('1E+21', 0), '1000000000000000000000'],
    [number('-1.5E+22', 0), '-15000000000000000000000'],
    [number('1.25E-7', 0), '0.000000125'],
    [number('12', 4), '0012'],
    [number('0.19', 5), '0.19'],
    ['<c t="s"><v>1</v></c>', 'rich text'],
    ['<c t="s"><v>99</v></c>', ''],
    ['<c t="str"><f>A1&amp;B1</f><v>a&amp;b</v></c>', 'a&b'],
    ['<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', '#DIV/0!'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="d"><v>2026-12-31T00:00:00</v></c>', '2026-12-31'],
    ['<c t="inlineStr"><is><t>x_x000D_y</t></is></c>', 'x\ry'],
    ['<c t="inlineStr"><is><t>x_x0000_y_xD83D_z</t></is></c>', 'x\ufffdy\ufffdz'],
    ['<c t="inlineStr"><is><t>_xD83D__xDE00_</t></is></c>', '😀'],
    ['<c t="str"><v>x\0y&#0;z</v></c>', 'x\ufffdy\ufffdz'],
    ['<c><f>NOW()</f></c>', ''],
    ['<c t="inlineStr"><is><t>0012</t></is></c>', '0012'],
  ];
  const header = textRows([values.map((_, at) => `h${at}`)]);
  const content = await xlsxOf(
    [{ name: 'A', rows: `${header}<row>${values.map(([cell]) => cell).join('')}</row>` }],
    {
      'xl/styles.xml': stylesOf('hh:mm', '[$-407]d. mmmm yyyy;@', '0000', '0.00%'),
      'xl/sharedStrings.xml':
        '<sst><si><t>a</t></si><si><r><t>rich</t></r><r><t xml:space="preserve"> text</t></r><rPh><t>no</t></rPh></si></sst>',
    },
  );
  expect((await read(content)).cells[0]).toEqual(values.map(([, text]) => text));
});

test('counts days from 1904 where the workbook does', async () => {
  const rows = `${textRows([['a', 'b']])}<row><c s="1"><v>44925</v></c><c s="1"><v>0</v></c></row>`;
  const content = await xlsxOf(
    [{ name: 'A', rows }],
    { 'xl/styles.xml': stylesOf() },
    '<workbookPr date1904="1"/>',
  );
  expect((await read(content)).cells).toEqual([['2026-12-31', '1904-01-01']]);
});

test('reads the first sheet that is shown and has values, or the chosen one', async () => {
  const rows = textRows([['name'], ['x']]);
  const sheets = [
    { name: 'Lists', state: 'hidden', rows },
    { name: 'Empty', rows: '<row r="7"/>' },
    { name: 'Fleet & more', rows: textRows([['plate'], ['HH']]) },
  ];
  const content = await xlsxOf(sheets);
  expect(await read(content)).toMatchObject({
    ...{ name: 'Fleet & more', headers: ['plate'] },
    sheets: sheets.map(({ name, state }) => ({ name, hidden: state === 'hidden' })),
  });
  expect(await read(content, { sheet: 'Lists' })).toMatchObject({ name: 'Lists', headers: ['name'] });
  await expect(read(content, { sheet: 'fleet' })).rejects.toMatchObject(
    refused('must be a sheet of the workbook: "Lists", "Empty", "Fleet & more"'),
  );
  await expect(read(content, { sheet: 'Empty' })).rejects.toMatchObject(refused('no sheet with values'));
});

test('finds the header below a title, fills rows up, and keeps the numbers of rows', async () => {
  const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = `<row r="1">${cell('A1', 'Vehicles 2026')}</row>
    <row r="3">${cell('A3', 'Name')}${cell('B3', 'Valid until')}${cell('D3', 'Name')}</row>
    <row r="4" hidden="1">${cell('A4', 'Inspection')}</row>
    <row r="1000">${cell('B1000', '2027-01-01')}${cell('E1000', 'x')}</row>`;
  const content = await xlsxOf([
    { name: 'A', columns: '<cols><col min="2" max="16384" hidden="1"/></cols>', rows },
  ]);
  expect(await read(content)).toMatchObject({
    ...{ headers: ['Name', 'Valid until', '(C)', 'Name (2)', '(E)'], headerLine: 3, lines: [4, 1000] },
    cells: [
      ['Inspection', '', '', '', ''],
      ['', '2027-01-01', '', '', 'x'],
    ],
    ...{ hiddenRows: 1, hiddenColumns: [1, 2, 3, 4] },
  });
  expect(await read(content, { headerLine: 1 })).toMatchObject({ headerLine: 1, lines: [3, 4, 1000] });
});

test('reads values of LibreOffice as what they are', async () => {
  const cell = (attributes: string, shown: string) =>
    `<table:table-cell ${attributes}><text:p>${shown}</text:p></table:table-cell>`;
  const text = (value: string) => cell('office:value-type="string"', value);
  const values = [
    [cell('office:value-type="date" office:date-value="2026-12-31"', '31.12.26'), '2026-12-31'],
    [cell('office:value-type="date" office:date-value="2026-12-31T10:30:00"', 'x'), '2026-12-31 10:30'],
    [cell('office:value-type="date" office:date-value="1899-12-31"', 'x'), '1899-12-31'],
    [cell('office:value-type="time" office:time-value="PT10H30M00S"', 'x'), '10:30'],
    [cell('office:value-type="float" office:value="12"', '0012'), '0012'],
    [cell('office:value-type="float" office:value="1234.5"', '1.234,50'), '1234.5'],
    [cell('office:value-type="currency" office:value="49"', '49,00 €'), '49'],
    [cell('office:value-type="boolean" office:boolean-value="true"', 'WAHR'), 'TRUE'],
    [cell('office:value-type="string" calcext:value-type="error"', '#N/A'), '#N/A'],
    [text('x\0y&#xD83D;z'), 'x\ufffdy\ufffdz'],
    [
      '<table:table-cell office:value-type="string"><office:annotation><text:p>no</text:p></office:annotation><text:p>a<text:s text:c="2"/>b</text:p><text:p>c &amp; d</text:p></table:table-cell>',
      'a  b\nc & d',
    ],
  ];
  const hidden =
    '<style:style style:name="ta1"><style:table-properties table:display="false"/></style:style>';
  const rows = `<table:table-row>${values.map((_, at) => text(`h${at}`)).join('')}<table:table-cell table:number-columns-repeated="16000"/></table:table-row>
    <table:table-row>${values.map(([xml]) => xml).join('')}</table:table-row>
    <table:table-row table:number-rows-repeated="2">${text('again')}</table:table-row>
    <table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`;
  const content = await odsOf(
    `<table:table table:name="Hidden" table:style-name="ta1"><table:table-row>${text('x')}</table:table-row></table:table>
     <table:table table:name="Fleet"><table:table-column table:number-columns-repeated="3"/><table:table-column table:visibility="collapse" table:number-columns-repeated="16381"/>${rows}</table:table>`,
    hidden,
  );
  const found = await read(content);
  expect(found.cells[0]).toEqual(values.map(([, value]) => value));
  expect(found).toMatchObject({ name: 'Fleet', lines: [2, 3, 4], hiddenColumns: [3, 4, 5, 6, 7, 8, 9, 10] });
  expect(found.sheets).toEqual([
    { name: 'Hidden', hidden: true },
    { name: 'Fleet', hidden: false },
  ]);
});

test('a million empty rows, and a million styles, are no trouble', async () => {
  const rows = `${textRows([['name'], ['x']])}${'<row r="3" spans="1:1"/>'.repeat(1_048_574)}`;
  const styles = `<styleSheet><cellXfs>${'<xf numFmtId="14"/>'.repeat(1_000_000)}</cellXfs></styleSheet>`;
  const content = await xlsxOf([{ name: 'A', rows }], { 'xl/styles.xml': styles });
  expect((await read(content)).cells).toEqual([['x']]);
}, 60_000);

test('entities that a workbook declares do not grow', async () => {
  const lol =
    '<!DOCTYPE a [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
  const rows = textRows([['name']]);
  const content = await xlsxOf([{ name: 'A', rows: '' }], {
    'xl/worksheets/sheet0.xml': `${lol}<worksheet><sheetData>${rows}<row><c t="inlineStr"><is><t>&b;&c;</t></is></c></row></sheetData></worksheet>`,
  });
  expect((await read(content)).cells).toEqual([['&b;&c;']]);
});

/** Returns parts that become far larger than the file. */
function bomb() {
  const spaces = Buffer.alloc(270 * 2 ** 20, ' ');
  return { 'xl/styles.xml': spaces, 'xl/sharedStrings.xml': spaces };
}

test.each<[string, () => Promise<Buffer>, string]>([
  ['a bomb', () => xlsxOf([{ name: 'A', rows: '' }], bomb()), 'The workbook is too large'],
  [
    'a cell far to the right',
    () => xlsxOf([{ name: 'A', rows: '<row><c r="XFD1" t="inlineStr"><is><t>x</t></is></c></row>' }]),
    'at most 2,000 columns',
  ],
  [
    'many long values',
    () =>
      xlsxOf([{ name: 'A', rows: '<row><c t="s"><v>0</v></c></row>'.repeat(1_100) }], {
        'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>`,
      }),
    '32 MiB of values',
  ],
  ['another ZIP file', () => zipOf({ 'a.txt': 'x' }), 'no workbook that can be read'],
  ['a document of Word', () => zipOf({ 'word/document.xml': '<w/>' }), 'no workbook that can be read'],
  ['a workbook of Numbers', () => zipOf({ 'Index/Document.iwa': 'x' }), 'The file is of Numbers.'],
  ['a binary workbook', () => zipOf({ 'xl/workbook.bin': 'x' }), 'binary workbook (.xlsb)'],
  ['a workbook without values', () => xlsxOf([{ name: 'A', rows: '' }]), 'no sheet with values'],
  [
    'an encrypted workbook',
    () =>
      odsOf('', '', {
        'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
      }),
    'protected by a password',
  ],
  ['half a workbook', async () => (await xlsxOf([{ name: 'A', rows: '' }])).subarray(0, 400), 'is damaged'],
])(
  'refuses %s',
  async (_name, content, message) => {
    await expect(read(await content())).rejects.toMatchObject(refused(message));
  },
  60_000,
);

test('refuses more rows than are read', async () => {
  const rows = textRows([['name']]) + '<row><c><v>1</v></c></row>'.repeat(50_101);
  await expect(read(await xlsxOf([{ name: 'A', rows }]))).rejects.toMatchObject(
    refused('more than 50000 rows'),
  );
}, 60_000);
