import { endWith } from '../guard.mjs';
import {
  attributeOf,
  numberText,
  type OfficePackage,
  type RowSink,
  type Sheet,
  timeText,
  type Workbook,
} from './package.js';

const content = 'content.xml';

/** Returns how often a row, a cell or a space is repeated. */
const repeated = (count: string | undefined): number => Math.max(1, Math.floor(Number(count ?? 1)) || 1);

const isCollapsed = (visibility: string | undefined): boolean =>
  visibility === 'collapse' || visibility === 'filter';

/** Reads the names of the sheets, and whether their styles hide them. */
async function readSheets(file: OfficePackage): Promise<Sheet[]> {
  const sheets: Sheet[] = [];
  const hiddenStyles = new Set<string>();
  let style = '';
  let depth = 0;
  await file.read(content, {
    open(name, attributes) {
      if (name === 'style') style = attributeOf(attributes, 'name') ?? '';
      if (name === 'table-properties' && attributes['table:display'] === 'false') hiddenStyles.add(style);
      if (name !== 'table' || depth++ > 0) return;
      const hidden = hiddenStyles.has(attributeOf(attributes, 'style-name') ?? '');
      sheets.push({ name: attributeOf(attributes, 'name') ?? '', hidden });
    },
    close(name) {
      if (name === 'table') depth--;
      return false;
    },
  });
  return sheets;
}

/** Writes a duration such as `PT10H30M00S` as a time. */
function durationText(text: string): string {
  const parts = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/
    .exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  const [hours = 0, minutes = 0, seconds = 0] = parts ?? [];
  return parts ? timeText(hours * 3600 + minutes * 60 + seconds) : text;
}

/** Writes a date, with its time if it has one. */
const dateText = (text: string): string =>
  text
    .replace(/T00:00:00([.,]0+)?Z?$/, '')
    .replace('T', ' ')
    .replace(/:00([.,]0+)?$/, '');

/** Returns the value of a cell as text. */
function valueText(attributes: Readonly<Record<string, string>>, shown: string): string {
  const type = attributeOf(attributes, 'value-type');
  if (type === 'date') return dateText(attributes['office:date-value'] ?? shown);
  if (type === 'time') return durationText(attributes['office:time-value'] ?? shown);
  if (type === 'boolean') return (attributes['office:boolean-value'] ?? shown).toUpperCase();
  if (type !== 'float' && type !== 'currency' && type !== 'percentage') return shown;
  const value = attributes['office:value'] ?? shown;
  // Zeros that a format shows before a number belong to it.
  return /^0\d+$/.test(shown) && Number(shown) === Number(value) ? shown : numberText(value);
}

async function readCells(file: OfficePackage, wanted: number, sink: RowSink): Promise<void> {
  let [table, depth, row, column, columns] = [-1, 0, 0, 0, 0];
  let [rowRepeated, isHidden, wantsMore] = [1, false, true];
  let cells: (string | undefined)[] = [];
  let [cell, cellRepeated]: [Readonly<Record<string, string>> | undefined, number] = [undefined, 1];
  let [text, paragraphs, isParagraph, aside] = ['', 0, 0, 0];
  const isIn = () => table === wanted && depth === 1;
  await file.read(content, {
    open(name, attributes) {
      if (name === 'table' && depth++ === 0) table++;
      if (!isIn()) return;
      // Comments are no values, and neither are drawings with texts.
      if (name === 'annotation' || name === 'frame' || name === 'shapes') aside++;
      if (aside > 0) return;
      if (name === 'table-column') {
        const count = repeated(attributeOf(attributes, 'number-columns-repeated'));
        if (isCollapsed(attributeOf(attributes, 'visibility'))) sink.hideColumns(columns, count);
        columns += count;
      } else if (name === 'table-row') {
        rowRepeated = repeated(attributeOf(attributes, 'number-rows-repeated'));
        isHidden = isCollapsed(attributeOf(attributes, 'visibility'));
        [cells, column] = [[], 0];
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        cellRepeated = repeated(attributeOf(attributes, 'number-columns-repeated'));
        [cell, text, paragraphs] = [attributes, '', 0];
      } else if (name === 'p') {
        if (paragraphs++ > 0) text += '\n';
        isParagraph++;
      } else if (isParagraph > 0 && name === 's')
        text += ' '.repeat(Math.min(repeated(attributeOf(attributes, 'c')), 1000));
      else if (isParagraph > 0 && name === 'tab') text += '\t';
      else if (isParagraph > 0 && name === 'line-break') text += '\n';
    },
    text(more) {
      if (isParagraph > 0 && aside === 0) text += more;
    },
    close(name) {
      if (name === 'table') {
        if (--depth === 0 && table === wanted) return true;
        return false;
      }
      if (!isIn()) return false;
      if (name === 'annotation' || name === 'frame' || name === 'shapes') aside--;
      if (aside > 0) return false;
      if (name === 'p') isParagraph--;
      else if (cell && (name === 'table-cell' || name === 'covered-table-cell')) {
        const value = valueText(cell, text);
        if (value !== '')
          for (let at = column; at < column + cellRepeated; at++) cells[sink.place(at)] = value;
        column += cellRepeated;
        cell = undefined;
      } else if (name === 'table-row') {
        for (let count = 0; cells.length > 0 && wantsMore && count < rowRepeated; count++)
          wantsMore = sink.row(row + count + 1, cells, isHidden);
        row += rowRepeated;
      }
      return !wantsMore;
    },
  });
}

/** Ends the program if the file needs a password. */
async function refuseEncrypted(file: OfficePackage): Promise<void> {
  let isEncrypted = false;
  await file.read('META-INF/manifest.xml', {
    open(name) {
      if (name === 'encryption-data' || name === 'encrypted-key') isEncrypted = true;
    },
  });
  if (isEncrypted) endWith('PROTECTED');
}

/** Opens a workbook of LibreOffice (OpenDocument). */
export async function openOds(file: OfficePackage): Promise<Workbook> {
  await refuseEncrypted(file);
  const sheets = await readSheets(file);
  return { sheets, is1904: false, readSheet: (at, sink) => readCells(file, at, sink) };
}
