import { expect, test } from 'vitest';
import { readFile } from '../../src/csv/import/read-file.js';
import { makerHeaders, makerRows, makers } from './makers.js';

test.each(Object.entries(makers))('reads the list of %s', async (_maker, make) => {
  const table = await readFile(await make(), {});
  const rows = [];
  for await (const { cells: row } of table.rows) rows.push(row);
  expect(table.headers).toEqual(makerHeaders);
  expect(rows).toEqual(makerRows);
});
