import { badField, GatewayError } from '../../domain/errors.js';
import { type ImportOptions, importLimits } from '../../imports/options.js';
import type { Sheet } from '../../uploads/reading/office/package.js';
import { type ReaderLimits, runReader } from '../../uploads/reading/reader-process.js';

/** Limits of reading a workbook, and which of its sheets is read. Null is the first that has something to show. */
export interface WorkbookLimits extends ReaderLimits {
  readonly rows: number;
  readonly columns: number;
  readonly sheet: string | null;
}

/** Files of other programs that are recognized only to say what to do with them. */
type Refused = 'NUMBERS' | 'BINARY';

/** A line that the reading program writes. */
export type WorkbookLine =
  | { readonly refused: Refused }
  | { readonly sheets: readonly Sheet[]; readonly is1904: boolean }
  | { readonly sheet: string }
  | { readonly number: number; readonly cells: readonly string[] }
  | { readonly end: SheetEnd };

/** The end of a sheet that was read. */
interface SheetEnd {
  /** True if it has more rows than are read. */
  readonly isCut: boolean;
  /** Columns up to the last one that has a value. */
  readonly width: number;
  readonly hiddenRows: number;
  /** Places of columns that the workbook does not show, from 0. */
  readonly hiddenColumns: readonly number[];
}

/** A sheet of a workbook that was read. */
export interface ReadSheet extends SheetEnd {
  readonly name: string;
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
  /** Yields the number and the texts of each row that has any. */
  readonly rows: () => Generator<{ readonly number: number; readonly cells: readonly string[] }>;
}

const mebibyte = 1024 * 1024;

const limits = {
  time: 60_000,
  memory: 640 * mebibyte,
  heap: 512 * mebibyte,
  // Twice the bytes of a CSV file.
  output: 32 * mebibyte,
  // With the header, and what may be above it.
  rows: importLimits.rows + 100,
  columns: importLimits.columns,
} satisfies Omit<WorkbookLimits, 'sheet'>;

const refuse = (message: string) => new GatewayError('BAD_REQUEST', message);

const howToSave = 'Open it in its program, save it as .xlsx or .csv, and import that file.';

const startsWith = (content: Uint8Array, bytes: readonly number[]): boolean =>
  bytes.every((byte, at) => content[at] === byte);

/** Returns whether a file is a workbook, which is a ZIP file. Its name may say something else. */
export const isWorkbook = (content: Uint8Array): boolean => startsWith(content, [0x50, 0x4b, 0x03, 0x04]);

/** Refuses files of spreadsheets that are not read. @throws GatewayError BAD_REQUEST with what to do */
export function refuseOthers(content: Uint8Array): void {
  if (startsWith(content, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])) {
    const isEncrypted = Buffer.from(content).includes(Buffer.from('EncryptedPackage', 'utf16le'));
    throw refuse(
      isEncrypted
        ? 'The workbook is protected by a password. Save it without one, and import it again.'
        : `The file is a workbook of Excel 97 to 2003 (.xls), which is not read. ${howToSave}`,
    );
  }
  const start = Buffer.from(content.subarray(0, 1024))
    .toString('latin1')
    .replace(/^\s*(ï»¿)?\s*/, '')
    .toLowerCase();
  if (start.startsWith('%pdf-')) throw refuse(`The file is a PDF. ${howToSave}`);
  if (/^(<!doctype html|<html|<table|<meta|<head)/.test(start))
    throw refuse(`The file is a web page, whatever its name says. ${howToSave}`);
  if (start.startsWith('<?xml'))
    throw refuse(`The file is XML, such as a workbook of Excel 2003, which is not read. ${howToSave}`);
}

const refusals: Readonly<Record<Refused, string>> = {
  NUMBERS: 'The file is of Numbers. Choose File, Export To, Excel there, and import that file.',
  BINARY: `The file is a binary workbook (.xlsb), which is not read. ${howToSave}`,
};

const problems: Readonly<Record<string, string>> = {
  PROTECTED: 'The workbook is protected by a password. Save it without one, and import it again.',
  TOO_LARGE:
    'The workbook is too large: at most 2,000 columns and 32 MiB of values are read, and its parts may have 512 MiB when unpacked.',
  TOO_COSTLY:
    'The workbook takes too much time or memory to read. Copy the cells with values to a new sheet, and import that one.',
};

/** Yields the lines of an output as they are parsed. */
function* linesIn(output: Buffer): Generator<WorkbookLine> {
  for (let at = 0; ; ) {
    const end = output.indexOf(10, at);
    if (end === -1) return;
    yield JSON.parse(output.toString('utf8', at, end));
    at = end + 1;
  }
}

/**
 * Reads what is known of a sheet from the output of the program.
 * @param wanted name of the chosen sheet
 * @throws GatewayError BAD_REQUEST
 */
export function parseSheet(bytes: Uint8Array, wanted: string | null = null): ReadSheet {
  const output = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [sheets, is1904, name, end]: [readonly Sheet[], boolean, string | undefined, SheetEnd | undefined] = [
    [],
    false,
    undefined,
    undefined,
  ];
  let isWorkbook = false;
  const head = output.subarray(0, 1 + Math.max(0, output.indexOf('\n{"number":')));
  for (const line of linesIn(head.length > 1 ? head : output)) {
    if ('refused' in line) throw refuse(refusals[line.refused]);
    if ('sheets' in line) [sheets, is1904, isWorkbook] = [line.sheets, line.is1904, true];
    if ('sheet' in line) name = line.sheet;
  }
  for (const line of linesIn(output.subarray(output.lastIndexOf('\n{"end":') + 1)))
    if ('end' in line) end = line.end;
  if (!isWorkbook) throw refuse('The file is a ZIP file, but no workbook that can be read (.xlsx or .ods).');
  if (name === undefined && wanted !== null) {
    const names = sheets.slice(0, 20).map((sheet) => JSON.stringify(sheet.name));
    throw badField(['sheet'], `must be a sheet of the workbook: ${names.join(', ')}`, 'reference');
  }
  if (end?.isCut) throw refuse(`The file has more than ${importLimits.rows} rows.`);
  if (name === undefined || !end) throw refuse('The workbook has no sheet with values.');
  return {
    ...{ name, sheets, is1904, ...end },
    *rows() {
      for (const line of linesIn(output)) if ('number' in line) yield line;
    },
  };
}

/**
 * Reads a sheet of a workbook, in a process of its own.
 * @returns the sheet, and the bytes that `parseSheet` makes the same of
 * @throws GatewayError BAD_REQUEST for what is no workbook, or too large
 */
export async function readWorkbook(
  content: Uint8Array,
  { sheet }: Pick<ImportOptions, 'sheet'>,
  signal?: AbortSignal,
): Promise<{ readonly sheet: ReadSheet; readonly sheetRows: Uint8Array }> {
  const program = '../../csv/workbook/read-workbook.js';
  const { bytes, problem } = await runReader(program, content, { ...limits, sheet } as WorkbookLimits, {
    signal,
  });
  const damaged = `The workbook is damaged. ${howToSave}`;
  if (problem) throw refuse(problems[problem] ?? damaged);
  return { sheet: parseSheet(bytes, sheet), sheetRows: bytes };
}
