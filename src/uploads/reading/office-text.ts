// A separate program, started by read-document.ts. It reads a document of Word, Excel or LibreOffice from stdin, and writes
// its text as JSON to stdout. Cells of a row are separated by tabs. Macros, links and other files are left alone.

import { buffer } from 'node:stream/consumers';
import { endWith, guard, writeLine } from './guard.mjs';
import { openOds } from './office/ods.js';
import { OfficePackage, type RowSink, type Workbook } from './office/package.js';
import { openXlsx } from './office/xlsx.js';
import type { TextLimits } from './read-document.js';

const limits: TextLimits = JSON.parse(process.argv[2] ?? '');
guard(limits);

/** The text so far, in pieces, and its length. */
const pieces: string[] = [];
let length = 0;
const isFull = () => length >= limits.characters;

/** Adds to the text. */
function add(piece: string): void {
  pieces.push(piece);
  length += piece.length;
}

/** Elements of a part by what they mean. Whatever is in those aside is not shown. */
interface PartWords {
  readonly paragraphs: ReadonlySet<string>;
  /** Elements that have text. */
  readonly texts: ReadonlySet<string>;
  readonly cell: string;
  readonly row: string;
  readonly spaces: Readonly<Record<string, string>>;
  readonly aside: ReadonlySet<string>;
}

const word: PartWords = {
  paragraphs: new Set(['p']),
  texts: new Set(['t']),
  cell: 'tc',
  row: 'tr',
  spaces: { tab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' },
  // Properties have tabulators, too. `Fallback` repeats what is in a text box.
  aside: new Set(['pPr', 'Fallback', 'del', 'moveFrom']),
};

const openDocument: PartWords = {
  paragraphs: new Set(['p', 'h']),
  texts: new Set(['p', 'h']),
  cell: 'table-cell',
  row: 'table-row',
  spaces: { s: ' ', tab: '\t', 'line-break': '\n' },
  aside: new Set(['annotation', 'tracked-changes']),
};

/** Reads the paragraphs of a part. In a cell, all of them are one line. */
async function readParagraphs(file: OfficePackage, path: string, words: PartWords): Promise<void> {
  let [texts, cells, aside, isHidden] = [0, 0, 0, false];
  const space = (sign: string) => add(cells > 0 ? ' ' : sign);
  await file.read(path, {
    open(name) {
      if (words.aside.has(name)) aside++;
      if (name === 'r') isHidden = false;
      if (name === 'vanish') isHidden = true;
      if (words.texts.has(name)) texts++;
      if (name === words.cell) cells++;
      const sign = words.spaces[name];
      if (sign !== undefined && aside === 0) space(sign);
    },
    text(more) {
      if (texts > 0 && aside === 0 && !isHidden) add(more.replace(/\s+/g, ' '));
    },
    close(name) {
      if (words.texts.has(name)) texts--;
      if (words.aside.has(name)) aside--;
      if (name === words.cell) cells--;
      if (aside > 0) return false;
      if (words.paragraphs.has(name)) space('\n');
      if (name === words.cell) add('\t');
      if (name === words.row) space('\n');
      return isFull();
    },
  });
}

/** Reads the rows of the sheets that are shown. */
async function readSheets({ sheets, readSheet }: Workbook): Promise<void> {
  const sink: RowSink = {
    row(_number, cells, isHidden) {
      if (!isHidden) add(`${Array.from(cells, (cell) => (cell ?? '').replace(/\s+/g, ' ')).join('\t')}\n`);
      return !isFull();
    },
    place(at) {
      // Nothing that a person reads is so wide.
      if (at >= 2_000) endWith('TOO_LARGE');
      return at;
    },
    hideColumns() {},
  };
  for (const [at, { hidden }] of sheets.entries()) if (!hidden && !isFull()) await readSheet(at, sink);
}

/** Reads an OpenDocument file: a text, or the sheets of a table. */
async function readOpenDocument(file: OfficePackage): Promise<void> {
  // It ends the program if the file needs a password.
  const workbook = await openOds(file);
  let type = '';
  await file.read('mimetype', { text: (more) => (type += more) });
  if (type.includes('spreadsheet')) await readSheets(workbook);
  else await readParagraphs(file, 'content.xml', openDocument);
}

const file = await OfficePackage.open(await buffer(process.stdin));
if (file.has('content.xml')) await readOpenDocument(file);
else if (file.has('word/document.xml')) {
  await readParagraphs(file, 'word/document.xml', word);
  for (const path of file.partsLike(/^word\/(header|footer|footnotes)\d*\.xml$/))
    if (!isFull()) await readParagraphs(file, path, word);
} else {
  const workbook = await openXlsx(file);
  if (!workbook) endWith('UNSUPPORTED');
  await readSheets(workbook);
}
writeLine({
  page: 1,
  parts: [[pieces.join('').slice(0, limits.characters).toWellFormed(), '', 100]],
  codes: [],
});
