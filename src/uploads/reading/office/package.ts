import { Parser } from 'htmlparser2';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { endWith } from '../guard.mjs';

/** Limits of the parts of a file that are read. */
const packageLimits = {
  entries: 10_000,
  /** Unpacked bytes of all parts that are read. */
  bytes: 512 * 1024 * 1024,
} as const;

/** Attributes of an element by name. */
type Attributes = Readonly<Record<string, string>>;

/** Takes the elements and texts of a part. Names of elements have no prefix. */
interface PartReader {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  /** Returns true to read no further. */
  readonly close?: (name: string) => boolean;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Finds an attribute, whatever its prefix. */
export const attributeOf = (attributes: Attributes, name: string): string | undefined =>
  attributes[name] ?? Object.entries(attributes).find(([key]) => localName(key) === name)?.[1];

/** An office file as it is stored: a ZIP file of XML files. */
export class OfficePackage {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #left: number = packageLimits.bytes;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Reads the directory of a ZIP file. @throws Error for what is none */
  static async open(bytes: Buffer): Promise<OfficePackage> {
    const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: false });
    if (zip.entryCount > packageLimits.entries) endWith('TOO_LARGE');
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.replace(/^\//, ''), entry);
    return new OfficePackage(zip, entries);
  }

  /** Returns whether there is a part. */
  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** Returns the paths of the parts that are of a form. */
  partsLike(form: RegExp): string[] {
    return [...this.#entries.keys()].filter((path) => form.test(path));
  }

  /**
   * Reads a part, some bytes at a time. Entities that a document declares itself are not known, so none can grow.
   * @returns false if there is no such part
   */
  async read(path: string, reader: PartReader): Promise<boolean> {
    const entry = this.#entries.get(path);
    if (!entry) return false;
    if (entry.isEncrypted()) endWith('PROTECTED');
    let isOver = false;
    const parser = new Parser(
      {
        onopentag: (name, attributes) => !isOver && reader.open?.(localName(name), attributes),
        ontext: (text) => !isOver && reader.text?.(text),
        onclosetag(name) {
          if (!isOver && reader.close?.(localName(name))) isOver = true;
        },
      },
      { xmlMode: true, decodeEntities: true },
    );
    const decoder = new TextDecoder('utf-8');
    const stream = await this.#zip.openReadStreamPromise(entry);
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      this.#left -= bytes.length;
      if (this.#left < 0) endWith('TOO_LARGE');
      parser.write(decoder.decode(bytes, { stream: true }));
      if (isOver) break;
    }
    if (!isOver) parser.end(decoder.decode());
    return true;
  }
}

/** A sheet of a workbook. */
export interface Sheet {
  readonly name: string;
  /** True if the workbook does not show it. */
  readonly hidden: boolean;
}

/** Takes the cells of a row by their places. Rows come in order, and rows without cells do not come. */
export interface RowSink {
  /** @returns false if no more rows are wanted */
  readonly row: (number: number, cells: readonly (string | undefined)[], isHidden: boolean) => boolean;
  /** Returns a place among the columns. It ends the program for one too far to the right. */
  readonly place: (at: number) => number;
  /** Notes columns that the sheet does not show, from 0. */
  readonly hideColumns: (first: number, count: number) => void;
}

/** A workbook of any format. */
export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** True if it counts days from 1904. */
  readonly is1904: boolean;
  readonly readSheet: (at: number, sink: RowSink) => Promise<void>;
}

const two = (part: number): string => String(part).padStart(2, '0');

/** Writes seconds of a day as a time. Seconds are left out if there are none. */
export function timeText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return [two(hours), two(minutes), ...(rest > 0 ? [two(rest)] : [])].join(':');
}

/** Writes a number without an exponent, and with the digits that a spreadsheet keeps. */
export function numberText(text: string): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return text;
  const kept = String(Number(value.toPrecision(15)));
  const [, sign = '', whole = '', part = '', exponent] = /^(-?)(\d+)\.?(\d*)e([+-]\d+)$/.exec(kept) ?? [];
  if (exponent === undefined) return kept;
  const point = whole.length + Number(exponent);
  const digits = (whole + part).padEnd(point, '0');
  return point > 0 ? sign + digits : `${sign}0.${'0'.repeat(-point)}${digits}`;
}

/** Replaces characters that no text in the database can have. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
