import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { type Column, formatTable, truncate } from '../../src/cli/terminal/table.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly group: string;
}

const columns: Column<Row>[] = [
  { title: 'ID', cell: ({ id }) => id, isKey: true },
  { title: 'NAME', cell: ({ name }) => name, short: ({ name }) => name.slice(0, 40) },
  { title: 'GROUP', cell: ({ group }) => group, onlyIfVaried: true },
];
const family = '👨‍👩‍👧‍👦';
const names = [
  'Van',
  '日本語の名前がとても長い',
  `${family}${family}${family}`,
  'e\u0301'.repeat(30),
  '𠀀𠀁𠀂𠀃𠀄𠀅',
  '',
];
const rows = names.map((name, index) => ({ id: `key-${index}`, name, group: 'one' }));

test('no line is wider than the terminal, whatever is in it', () => {
  for (let width = 12; width <= 120; width++) {
    const lines = formatTable(rows, columns, width);
    expect(lines).toHaveLength(rows.length + 1);
    expect(lines.filter((line) => stringWidth(line) > width)).toEqual([]);
    expect(lines.join('')).toMatch(/^[^\uFFFD]*$/);
    expect(lines.every((line) => line.isWellFormed())).toBe(true);
  }
});

test('columns have headings and stand below them', () => {
  expect(formatTable(rows.slice(0, 2), columns, 80)).toEqual([
    'ID     NAME',
    'key-0  Van',
    'key-1  日本語の名前がとても長い',
  ]);
  expect(formatTable(rows.slice(0, 2), columns, 20)).toEqual([
    'ID     NAME',
    'key-0  Van',
    'key-1  日本語の名前…'.slice(0, 14),
  ]);
});

test('a key is cut last', () => {
  const wide = rows.map((row) => ({ ...row, name: 'x'.repeat(40) }));
  expect(formatTable(wide, columns, 20)[1]).toBe(`key-0  ${'x'.repeat(12)}…`);
  expect(formatTable(wide, columns, 13)[1]).toBe('key-0  xxxxx…');
  expect(formatTable(wide, columns, 10)[1]).toMatch(/^ke…? +x*…$|^key…? +x*…$/);
});

test('a column that may be left out is there when it tells something', () => {
  const [first, ...others] = rows;
  const varied = [{ ...(first as Row), group: 'two' }, ...others];
  expect(formatTable(varied, columns, 80)[0]).toMatch(/^ID +NAME +GROUP$/);
});

test('characters that would move the cursor are shown', () => {
  const [, line] = formatTable([{ id: '1', name: 'a\tb\n\u001b[31mred\u202e', group: '' }], columns, 80);
  expect(line).toBe('1   a\\u0009b\\u000a\\u001b[31mred\\u202e');
});

test.each([
  ['gateway', 7, 'gateway'],
  ['gateway', 6, 'gatew…'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  [`${family}${family}`, 3, `${family}…`],
  [`${family}${family}`, 2, '…'],
  ['𠀀𠀁𠀂', 5, '𠀀𠀁…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
])('%j cut to %i cells is %j', (text, width, cut) => {
  expect(truncate(text, width)).toBe(cut);
});
