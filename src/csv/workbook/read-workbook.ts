// A separate program, started by workbook.ts. It reads a workbook from stdin, and writes the values of a sheet as lines of
// JSON to stdout. Formulas, macros and links are left alone.

import { buffer } from 'node:stream/consumers';
import { endWith, guard, writeLine } from '../../uploads/reading/guard.mjs';
import { openOds } from '../../uploads/reading/office/ods.js';
import {
  OfficePackage,
  type RowSink,
  storable,
  type Workbook,
} from '../../uploads/reading/office/package.js';
import { openXlsx } from '../../uploads/reading/office/xlsx.js';
import type { WorkbookLimits, WorkbookLine } from './workbook.js';

const limits: WorkbookLimits = JSON.parse(process.argv[2] ?? '');
guard(limits);

let written = 0;

/** Writes a line. It ends the program if the sheet has too many values. */
function write(line: WorkbookLine): void {
  written += Buffer.byteLength(JSON.stringify(line)) + 1;
  if (written > limits.output) endWith('TOO_LARGE');
  writeLine(line);
}

/** Finds the program that a file is of. */
async function open(file: OfficePackage): Promise<Workbook | undefined> {
  if (file.has('content.xml')) return openOds(file);
  if (file.partsLike(/^Index\/.*\.iwa$|^Index\.zip$/).length > 0) write({ refused: 'NUMBERS' });
  else if (file.partsLike(/^xl\/workbook\.bin$/i).length > 0) write({ refused: 'BINARY' });
  else return openXlsx(file);
  return undefined;
}

/** Reads the rows of a sheet. @returns the number of rows with cells */
async function readRows(workbook: Workbook, at: number): Promise<number> {
  const hidden = new Set<number>();
  let [count, width, hiddenRows] = [0, 0, 0];
  const sink: RowSink = {
    row(number, cells, isHidden) {
      if (++count > limits.rows) return false;
      if (isHidden) hiddenRows++;
      width = Math.max(width, cells.length);
      write({ number, cells: Array.from(cells, (cell) => storable(cell ?? '')) });
      return true;
    },
    place(at) {
      if (at >= limits.columns) endWith('TOO_LARGE');
      return at;
    },
    hideColumns(first, columns) {
      for (let column = first; column < first + Math.min(columns, limits.columns); column++)
        hidden.add(column);
    },
  };
  await workbook.readSheet(at, sink);
  if (count > 0)
    write({
      end: {
        isCut: count > limits.rows,
        width,
        hiddenRows,
        hiddenColumns: [...hidden].filter((column) => column < width),
      },
    });
  return count;
}

/** The sheet in which Numbers lists the tables of a workbook, before them. */
const summaryOfNumbers = 'Export Summary';

/** Reads the chosen sheet, or else the first that is shown and has cells. */
async function readChosen(workbook: Workbook): Promise<void> {
  const { sheets } = workbook;
  for (const [at, { name, hidden }] of sheets.entries()) {
    const isAside = hidden || (name === summaryOfNumbers && sheets.length > 1);
    if (limits.sheet === null ? isAside : storable(name) !== limits.sheet) continue;
    write({ sheet: storable(name) });
    if ((await readRows(workbook, at)) > 0 || limits.sheet !== null) return;
  }
}

const workbook = await open(await OfficePackage.open(await buffer(process.stdin)));
if (workbook) {
  const { sheets, is1904 } = workbook;
  write({
    sheets: sheets.slice(0, 200).map(({ name, hidden }) => ({ name: storable(name), hidden })),
    is1904,
  });
  await readChosen(workbook);
}
