import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileProfile } from '../../src/csv/import/profile.js';
import { readFile } from '../../src/csv/import/read-file.js';
import { mapHeaders, targetOf } from '../../src/csv/import/rows.js';
import { schema } from '../../src/graphql/schema.js';
import { importLimits } from '../../src/imports/options.js';
import { cpuTimeOf } from '../support/cpu-time.js';

/** Reads a file as its header and its rows. */
async function read(content: string | Uint8Array, encoding: 'UTF_8' | 'WINDOWS_1252' | null = null) {
  const { headers, rows } = await readFile(Buffer.from(content as string), { encoding });
  const lines = [];
  for await (const row of rows) lines.push(row);
  return { headers, cells: lines.map(({ cells }) => cells), lines: lines.map(({ line }) => line) };
}

const utf16 = (text: string, mark = '\ufeff') => Buffer.from(mark + text, 'utf16le');
const utf16be = (text: string) => utf16(text).swap16();

/** Files and what is in them: csv-spectrum. */
const samples = dirname(createRequire(import.meta.url).resolve('csv-spectrum/package.json'));

describe('csv-spectrum', () => {
  const names = readdirSync(join(samples, 'csvs')).map((name) => name.replace('.csv', ''));
  test.each(names)('%s', async (name) => {
    const { headers, cells } = await read(readFileSync(join(samples, 'csvs', `${name}.csv`)));
    const records = cells.map((row) => Object.fromEntries(headers.map((header, at) => [header, row[at]])));
    const expected = JSON.parse(readFileSync(join(samples, 'json', `${name}.json`), 'utf8'));
    // In version 2.0.0, the two files of this sample differ in the telephone number.
    const phone = name === 'location_coordinates' && { 'Contact Phone Number': '2095257564' };
    expect(records).toEqual([expected].flat().map((record: object) => ({ ...record, ...phone })));
  });
  test('has all of its samples', () => expect(names).toHaveLength(12));
});

const plain = { headers: ['a', 'b'], cells: [['1', 'ü']] };

test.each<[string, string | Uint8Array, { headers: string[]; cells: string[][] }]>([
  ['UTF-8', 'a,b\n1,ü\n', plain],
  ['UTF-8 with a mark', '\ufeffa,b\n1,ü\n', plain],
  ['UTF-16 with a mark, little end first', utf16('a,b\n1,ü\n'), plain],
  ['UTF-16 with a mark, big end first', utf16be('a,b\n1,ü\n'), plain],
  ['semicolons', 'a;b\n1;ü\n', plain],
  ['tabs', 'a\tb\n1\tü\n', plain],
  [
    'a comma in a quoted header of semicolons',
    '"a,b,c";b\n1;2\n',
    { headers: ['a,b,c', 'b'], cells: [['1', '2']] },
  ],
  ['commas in cells of semicolons', 'a;b\n1,5;2,5\n', { headers: ['a', 'b'], cells: [['1,5', '2,5']] }],
  ['CR only', 'a,b\r1,ü\r', plain],
  ['CRLF', 'a,b\r\n1,ü\r\n', plain],
  [
    'mixed line ends',
    'a,b\r\n1,ü\n2,x\r3,y',
    {
      headers: ['a', 'b'],
      cells: [
        ['1', 'ü'],
        ['2', 'x'],
        ['3', 'y'],
      ],
    },
  ],
  ['no line end at the end', 'a,b\n1,ü', plain],
  ['empty rows', '\n\r\na,b\n\n,\n1,ü\n , \n\n', plain],
  ['quotes in quotes', 'a,b\n"1""2","""x"""\n', { headers: ['a', 'b'], cells: [['1"2', '"x"']] }],
  ['line ends in quotes', 'a,b\n"1\r\n2","x\ny"\n', { headers: ['a', 'b'], cells: [['1\r\n2', 'x\ny']] }],
  [
    'quotes in cells without quotes',
    'a,b\n1,24" x\n"3"x,4\n',
    {
      headers: ['a', 'b'],
      cells: [
        ['1', '24" x'],
        ['"3"x', '4'],
      ],
    },
  ],
  ['empty quotes', 'a,b\n"",ü\n', { headers: ['a', 'b'], cells: [['', 'ü']] }],
  ['space around cells', 'a,b\n 1 , ü \n', { headers: ['a', 'b'], cells: [[' 1 ', ' ü ']] }],
  ['one column', 'a\n1\n2\n', { headers: ['a'], cells: [['1'], ['2']] }],
  ['only a header', 'a,b\n', { headers: ['a', 'b'], cells: [] }],
  [
    'ragged rows, which are errors later',
    'a,b\n1\n1,2,3\n',
    { headers: ['a', 'b'], cells: [['1'], ['1', '2', '3']] },
  ],
  [
    'two columns without a header',
    ',,a\n1,2,3\n',
    { headers: ['(A)', '(B)', 'a'], cells: [['1', '2', '3']] },
  ],
  [
    'headers that occur again',
    'Name,b,name ,b,B (2)\n1,2,3,4,5\n',
    { headers: ['Name', 'b', 'name  (2)', 'b (2)', 'B (2) (2)'], cells: [['1', '2', '3', '4', '5']] },
  ],
  ['a line that tells the separator', 'sep=;\na,b;c\n1;2\n', { headers: ['a,b', 'c'], cells: [['1', '2']] }],
  [
    'a title above the header',
    'Fleet, all of 2026;;\n\nName;Valid until;Remark\nA;2027-01-01;x\n',
    { headers: ['Name', 'Valid until', 'Remark'], cells: [['A', '2027-01-01', 'x']] },
  ],
  [
    'a title above headers that nobody knows',
    'Everything\nx;y;z\n1;2;3\n',
    { headers: ['x', 'y', 'z'], cells: [['1', '2', '3']] },
  ],
  [
    'headers that several columns share',
    'Vehicle,,Paper,\nPlate,VIN,Name,Expires\nHH,1,A,2027-01-01\n',
    { headers: ['Plate', 'VIN', 'Name', 'Expires'], cells: [['HH', '1', 'A', '2027-01-01']] },
  ],
  ['UTF-16 without a mark', utf16('a,b\n1,ü\n', ''), plain],
  ['UTF-16 without a mark, big end first', utf16('a,b\n1,ü\n', '').swap16(), plain],
  ['Windows-1252', Buffer.from('a,b\n1,\xfc\n', 'latin1'), plain],
  [
    'custom fields that differ in case',
    'custom:A,custom:a\n1,2\n',
    { headers: ['custom:A', 'custom:a'], cells: [['1', '2']] },
  ],
  [
    'a huge cell',
    `a,b\n1,${'x'.repeat(5_000_000)}\n`,
    { headers: ['a', 'b'], cells: [['1', 'x'.repeat(5_000_000)]] },
  ],
  [
    'characters split between chunks',
    `a,b\n1,${'😀'.repeat(100_001)}\n`,
    { headers: ['a', 'b'], cells: [['1', '😀'.repeat(100_001)]] },
  ],
])('reads %s', async (_name, content, { headers, cells }) => {
  expect(await read(content)).toMatchObject({ headers, cells });
});

test('reads the encoding that is chosen', async () => {
  const content = Buffer.from('a,b\n1,\xfc\n', 'latin1');
  expect(await read(content, 'WINDOWS_1252')).toMatchObject(plain);
  await expect(read(content, 'UTF_8')).rejects.toThrow('The file is not in UTF-8.');
  // A mark of UTF-8 is stronger than the choice.
  expect(await read('\ufeffa,b\n1,ü\n', 'WINDOWS_1252')).toMatchObject(plain);
});

test('knows the line at which each row ends', async () => {
  expect((await read('a,b\n\n1,"x\ny"\n2,z\n')).lines).toEqual([4, 5]);
});

test.each<[string, string | Uint8Array, string]>([
  ['nothing but line ends', '\n\n', 'The file has no header.'],
  ['nothing but a mark', '\ufeff', 'The file has no header.'],
  ['NUL', 'a,b\r\n1,x\0\n', 'line 2 contains the character NUL'],
  [
    'UTF-16 cut in half',
    utf16('a,b\n1,2').subarray(0, -1),
    'The file begins like utf-16le, but is not in it.',
  ],
  ['a page', '<html><table><tr><td>a</td></tr></table>', 'The file is a web page'],
  ['XML', '<?xml version="1.0"?><Workbook/>', 'The file is XML'],
  ['a PDF', '%PDF-1.7\n', 'The file is a PDF'],
  [
    'a workbook of 1997',
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]),
    'The file is a workbook of Excel 97 to 2003 (.xls), which is not read.',
  ],
  [
    'an encrypted workbook',
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]),
    'The workbook is protected by a password.',
  ],
  ['more columns than are read', `a${',b'.repeat(importLimits.columns)}\n`, 'more than 2000 columns'],
  ['a quote that never ends', 'a,b\n1,2\n"3,4\n5,6\n', 'at line 4'],
  ['a quote that begins a large file and never ends', `"${'a,\n'.repeat(4_000_000)}`, 'The file is not CSV'],
  [
    'more rows than are read',
    `a\n${'1\n'.repeat(importLimits.rows + 1)}`,
    'The file has more than 50000 rows.',
  ],
])('refuses %s', async (_name, content, message) => {
  await expect(read(content)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(message),
  });
});

test('headers that occur two thousand times are named at once', async () => {
  const header = Array(importLimits.columns).fill('custom:Same').join(',');
  const { columns } = importLimits;
  let headers: readonly string[] = [];
  const spent = await cpuTimeOf(async () => {
    ({ headers } = await read(`${header}\n${','.repeat(columns - 1)}x\n`));
  });
  expect(headers.slice(0, 2).concat(headers.slice(-1))).toEqual([
    ...['custom:Same', 'custom:Same (2)', `custom:Same (${columns})`],
  ]);
  expect(spent).toBeLessThan(1_500);
});

test('a mapping of a thousand headers takes no time', async () => {
  const headers = Array.from({ length: importLimits.columns }, (_, at) => `Überschrift ${at}`);
  const mapping = headers
    .slice(-importLimits.mapped)
    .map((header, at) => ({ header, column: `custom:${at}` }));
  const target = targetOf(schema, 'ITEMS');
  const spent = await cpuTimeOf(() => mapHeaders(schema, target, { headers }, { mapping: [...mapping] }));
  expect(spent).toBeLessThan(500);
});

test('wide rows let other work go on', async () => {
  const [width, count] = [importLimits.columns, 200];
  const row = `${Array(width).fill('1.2.2026').join(',')}\n`;
  const table = await readFile(
    Buffer.from(`${Array(width).fill('Date').join(',')}\n${row.repeat(count)}`),
    {},
  );
  const target = targetOf(schema, 'ITEMS');
  let [turns, isOver] = [0, false];
  const next = () => {
    turns++;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  await FileProfile.of(table, target, mapHeaders(schema, target, table, { mapping: [] }));
  isOver = true;
  expect(turns).toBeGreaterThan((width * count) / 40_000);
});
