import {
  attributeOf,
  numberText,
  type OfficePackage,
  type RowSink,
  type Sheet,
  timeText,
  type Workbook,
} from './package.js';

/** The form in which a number is shown. A number is that of its digits at least. */
type Shown = 'number' | 'date' | 'time' | number;

/** Numbers of the formats that every workbook has. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
const isBuiltInTime = (id: number) => (id >= 18 && id <= 21) || (id >= 45 && id <= 47);

/** Recognizes what the code of a format shows. */
function shownBy(code: string): Shown {
  const [first = ''] = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';');
  const isElapsed = /\[(h+|m+|s+)\]/i.test(first);
  const letters = first
    .replace(/\[[^\]]*\]/g, '')
    .replace(/am\/pm|a\/p/gi, '')
    .toLowerCase();
  if (/^0{2,}$/.test(letters.trim())) return letters.trim().length;
  if (/general/.test(letters)) return 'number';
  const isClock = isElapsed || /[hs]/.test(letters);
  if (/[yd]/.test(letters) || (/m/.test(letters) && !isClock)) return 'date';
  return isClock ? 'time' : 'number';
}

/** Reads what each style of cells shows. */
async function readStyles(file: OfficePackage, path: string): Promise<Shown[]> {
  const codes = new Map<number, Shown>();
  const styles: Shown[] = [];
  let isInCells = false;
  await file.read(path, {
    open(name, attributes) {
      if (name === 'numFmt')
        codes.set(Number(attributes.numFmtId), shownBy((attributes.formatCode ?? '').slice(0, 500)));
      if (name === 'cellXfs') isInCells = true;
      if (name !== 'xf' || !isInCells) return;
      const id = Number(attributes.numFmtId ?? 0);
      const builtIn = isBuiltInDate(id) ? 'date' : isBuiltInTime(id) ? 'time' : 'number';
      styles.push(codes.get(id) ?? builtIn);
    },
    close: (name) => name === 'cellXfs',
  });
  return styles;
}

/** Decodes characters that XML cannot contain, as in `_x000D_`. */
const decoded = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

/** Collects a text that may be in pieces with formats of their own. How it is pronounced is left out. */
class TextCollector {
  #text = '';
  #isText = false;
  #phonetic = 0;

  open(name: string): void {
    if (name === 'rPh') this.#phonetic++;
    if (name === 't') this.#isText = this.#phonetic === 0;
  }

  add(text: string): void {
    if (this.#isText) this.#text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#phonetic--;
    if (name === 't') this.#isText = false;
  }

  take(): string {
    const text = decoded(this.#text);
    this.#text = '';
    return text;
  }
}

/** Reads the texts that cells share. */
async function readTexts(file: OfficePackage, path: string): Promise<string[]> {
  const texts: string[] = [];
  const collector = new TextCollector();
  await file.read(path, {
    open: (name) => collector.open(name),
    text: (text) => collector.add(text),
    close(name) {
      collector.close(name);
      if (name === 'si') texts.push(collector.take());
      return false;
    },
  });
  return texts;
}

const dayMs = 86_400_000;

/** The last day that a spreadsheet knows, 9999-12-31. */
const lastSerial = 2_958_465;

/** Writes the number of a day as `YYYY-MM-DD`, with a time if it has one. */
function dateText(text: string, is1904: boolean): string {
  const serial = Number(text);
  if (text.trim() === '' || !Number.isFinite(serial) || serial < 0 || serial > lastSerial + 1) return text;
  let days = Math.floor(serial);
  let seconds = Math.round((serial - days) * 86_400);
  if (seconds === 86_400) [days, seconds] = [days + 1, 0];
  if (days === 0 && !is1904) return timeText(seconds);
  const time = seconds === 0 ? '' : ` ${timeText(seconds)}`;
  // Spreadsheets believe that 1900 was a leap year.
  if (days === 60 && !is1904) return `1900-02-29${time}`;
  const origin = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  return new Date(origin + days * dayMs).toISOString().slice(0, 10) + time;
}

/** Writes a duration or a time of day. */
function clockText(text: string): string {
  const seconds = Math.round(Number(text) * 86_400);
  return Number.isFinite(seconds) && seconds >= 0 ? timeText(seconds) : text;
}

function numberAs(text: string, shown: Shown, is1904: boolean): string {
  if (shown === 'date') return dateText(text, is1904);
  if (shown === 'time') return Number(text) < 1 ? clockText(text) : dateText(text, is1904);
  const plain = numberText(text);
  return typeof shown === 'number' && /^\d+$/.test(plain) ? plain.padStart(shown, '0') : plain;
}

/** Returns the place of a cell's column, from 0: `C7` is at 2. */
function columnOf(reference: string): number {
  let at = 0;
  for (const letter of reference) {
    const code = letter.charCodeAt(0) & ~32;
    if (code < 65 || code > 90) break;
    at = at * 26 + code - 64;
  }
  return at - 1;
}

/** Removes midnight from a date that is stored as text. */
const withoutMidnight = (text: string): string => text.replace(/T00:00:00(\.0+)?Z?$/, '').replace('T', ' ');

/** Things that the cells of a workbook refer to. */
interface Shared {
  readonly texts: readonly string[];
  readonly styles: readonly Shown[];
  readonly is1904: boolean;
}

async function readCells(file: OfficePackage, path: string, shared: Shared, sink: RowSink): Promise<void> {
  const { texts, styles, is1904 } = shared;
  const inline = new TextCollector();
  let [row, isHidden, cells, column]: [number, boolean, (string | undefined)[], number] = [0, false, [], -1];
  let [type, style, value, isValue, wantsMore] = ['n', 0, '', false, true];
  const read = (): string => {
    if (type === 's') return texts[Number(value)] ?? '';
    if (type === 'inlineStr') return inline.take();
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return withoutMidnight(value);
    if (type !== 'n' || value === '') return decoded(value);
    return numberAs(value, styles[style] ?? 'number', is1904);
  };
  await file.read(path, {
    open(name, attributes) {
      if (name === 'col' && ['1', 'true'].includes(attributes.hidden ?? '')) {
        const first = Number(attributes.min) - 1;
        sink.hideColumns(first, Number(attributes.max) - first);
      } else if (name === 'row') {
        row = attributes.r === undefined ? row + 1 : Number(attributes.r);
        isHidden = ['1', 'true'].includes(attributes.hidden ?? '');
        [cells, column] = [[], -1];
      } else if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
        [type, style, value] = [attributes.t ?? 'n', Number(attributes.s ?? 0), ''];
      } else if (name === 'v') isValue = true;
      inline.open(name);
    },
    text(text) {
      if (isValue) value += text;
      else inline.add(text);
    },
    close(name) {
      inline.close(name);
      if (name === 'v') isValue = false;
      if (name === 'c') {
        const text = read();
        if (text !== '') cells[sink.place(column)] = text;
      }
      if (name === 'row' && cells.length > 0) wantsMore = sink.row(row, cells, isHidden);
      return !wantsMore || name === 'sheetData';
    },
  });
}

/** Returns the folder of a part, with a slash at its end. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** A part that another one leads to. */
interface Related {
  readonly id: string;
  /** The last word of its type, such as `worksheet`. */
  readonly type: string;
  readonly path: string;
}

/** Reads which parts a part leads to. */
async function readRelated(file: OfficePackage, path: string): Promise<Related[]> {
  const folder = folderOf(path);
  const related: Related[] = [];
  await file.read(`${folder}_rels/${path.slice(folder.length)}.rels`, {
    open(name, { Id = '', Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      const url = new URL(Target, `file:///${folder}`);
      related.push({
        id: Id,
        type: Type.slice(Type.lastIndexOf('/') + 1),
        path: decodeURI(url.pathname).slice(1),
      });
    },
  });
  return related;
}

/** Opens a workbook of Excel (Office Open XML). @returns undefined if the file is none */
export async function openXlsx(file: OfficePackage): Promise<Workbook | undefined> {
  const root = (await readRelated(file, '')).find(({ type }) => type === 'officeDocument')?.path;
  const path = root ?? 'xl/workbook.xml';
  const sheets: (Sheet & { readonly id: string })[] = [];
  let [is1904, isWorkbook] = [false, false];
  if (!/\.xml$/i.test(path)) return undefined;
  await file.read(path, {
    open(name, attributes) {
      if (name === 'workbook') isWorkbook = true;
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const hidden = (attributes.state ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.name ?? '', hidden, id: attributeOf(attributes, 'id') ?? '' });
    },
  });
  if (!isWorkbook) return undefined;
  const related = await readRelated(file, path);
  const paths = new Map(related.filter(({ type }) => type === 'worksheet').map(({ id, path }) => [id, path]));
  // Sheets of charts have no cells.
  const tables = sheets.filter(({ id }) => paths.has(id));
  const pathOf = (wanted: string) => related.find(({ type }) => type === wanted)?.path ?? '';
  let shared: Promise<Shared> | undefined;
  const readShared = async (): Promise<Shared> => ({
    styles: await readStyles(file, pathOf('styles')),
    texts: await readTexts(file, pathOf('sharedStrings')),
    is1904,
  });
  return {
    sheets: tables,
    is1904,
    async readSheet(at, sink) {
      shared ??= readShared();
      await readCells(file, paths.get(tables[at]?.id ?? '') ?? '', await shared, sink);
    },
  };
}
