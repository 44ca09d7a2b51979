import { GatewayError } from '../../domain/errors.js';
import { limits } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import { importLimits, type ListKind, type PreviewDates } from '../../imports/options.js';
import { unguarded } from '../columns.js';
import { forms } from '../forms.js';
import { type HolderInFile, holdersInCell, isHolderColumn } from '../holder-cells.js';
import { DateColumn, dateOrders, firstShortYear, readDates } from './dates.js';
import { foldHeader } from './headers.js';
import { isOfPeople, peopleIn } from './people.js';
import type { FileTable } from './read-file.js';
import type { DateReading, ImportTarget, Mapping } from './rows.js';
import { shortened, typeOfColumn } from './rows.js';

/** Values of a column that a preview shows. */
const shownSamples = 3;

/** The most characters of such a value. */
const longestSample = 80;

/** Rows from which columns are guessed. */
const guessedRows = 100;

/** The most different names of people. */
const mostNames = 5_000;

/** Parts of headers that mean the day on which something ends, folded. */
const endWords =
  /expir|until|valid|due|ende?$|ablauf|bis|frist|fallig|echeance|jusqu|fin$|vence|caduc|hasta|scad|fino|verval|geldig|verloop|nachste|next|prochain|proxim|prossim|volgende|hu$|tuv|apk/;

/** A column of a file, as far as its values tell something. */
class ColumnProfile {
  readonly samples: string[] = [];
  readonly dates = new DateColumn();
  readonly #found = { email: 0, vin: 0, plate: 0, amount: 0, date: 0 };
  #filled = 0;

  /** Adds a value to those that are shown, and by which the column is guessed. */
  look(text: string): void {
    const value = text.trim();
    if (value === '') return;
    this.#filled++;
    const shown = shortened(value, longestSample);
    if (this.samples.length < shownSamples && !this.samples.includes(shown)) this.samples.push(shown);
    if (value.length > longestSample) return;
    for (const name of Object.keys(forms) as (keyof typeof forms)[])
      if (forms[name].test(value)) this.#found[name]++;
    // The number of a day looks like any other number.
    if (/\D/.test(value) && Object.keys(readDates(value)).length > 0) this.#found.date++;
  }

  /** Returns the form that nearly all values have. */
  get form(): 'email' | 'vin' | 'plate' | 'amount' | 'date' | undefined {
    const [name, count] = Object.entries(this.#found).reduce((one, other) =>
      other[1] > one[1] ? other : one,
    );
    return this.#filled > 0 && count >= 0.8 * this.#filled ? (name as 'date') : undefined;
  }
}

/** Columns that values of a form may be in, by kind. The first that no header has is guessed. */
const columnsByForm: Readonly<Partial<Record<string, Partial<Record<ListKind, readonly string[]>>>>> = {
  email: { ITEMS: ['contact_email', 'assigned_to'], CONTACTS: ['email'] },
  vin: { VEHICLES: ['vin'], ITEMS: ['holder_vehicle'] },
  plate: { VEHICLES: ['license_plate'], ITEMS: ['holder_vehicle', 'name'] },
  amount: { VEHICLES: ['msrp'] },
  date: { ITEMS: ['expiration_date', 'notice_date'] },
};

/** Columns of a file with what their values tell. */
export class FileProfile {
  readonly #columns: readonly ColumnProfile[];
  readonly #headers: readonly string[];
  readonly #is1904: boolean;
  readonly #names = new Set<string>();
  readonly #holders = new Map<string, HolderInFile>();

  private constructor({ headers, sheet }: FileTable) {
    this.#headers = headers;
    this.#is1904 = sheet?.is1904 ?? false;
    this.#columns = headers.map(() => new ColumnProfile());
  }

  /** Reads a file once. Of columns with dates, all values are looked at. */
  static async of(table: FileTable, target: ImportTarget, mapping: Mapping): Promise<FileProfile> {
    const { columns, peer, also, constants, guards } = mapping;
    const profile = new FileProfile(table);
    for (const [column, text] of constants) profile.#addHolders(column, text, column);
    const holders = [...columns.entries(), ...also.map(({ at, column }) => [at, column] as const)].filter(
      ([, column]) => isHolderColumn(column),
    );
    const isDate = columns.map((column) => column !== undefined && typeOfColumn(target, column) === 'Date');
    let count = 0;
    for await (const { line, cells } of table.rows) {
      const isLooked = count++ < guessedRows;
      for (const [at, column] of profile.#columns.entries()) {
        const text = cells[at] ?? '';
        if (isLooked) column.look(text);
        const name = columns[at];
        if (name !== undefined && isOfPeople(name) && profile.#names.size < mostNames)
          for (const one of peopleIn(name, text))
            if (!one.includes('@')) profile.#names.add(one.slice(0, 255).toWellFormed());
        if (isDate[at])
          column.dates.add(line, peer?.read(columns[at] ?? '', text, cells) ?? text, profile.#is1904);
      }
      for (const [at, column] of holders)
        profile.#addHolders(column, unguarded(cells[at] ?? '', guards), table.headers[at] ?? '');
    }
    return profile;
  }

  /** Names of people in the cells, some thousands at most. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  #addHolders(column: string | undefined, cell: string, header: string): void {
    if (!isHolderColumn(column)) return;
    for (const named of holdersInCell(column, cell)) {
      const key = `${named.kind} ${folded(named.text)}`;
      if (named.text.length <= limits.line && !this.#holders.has(key))
        this.#holders.set(key, { ...named, header });
    }
    if (this.#holders.size > importLimits.holders) {
      const message = `The file names more than ${importLimits.holders} vehicles, people, companies and locations.`;
      throw new GatewayError('BAD_REQUEST', message);
    }
  }

  /** Texts in the cells that name holders. */
  get holders(): readonly HolderInFile[] {
    return [...this.#holders.values()];
  }

  /** Returns the first values of a column. */
  samplesOf(at: number): readonly string[] {
    return this.#columns[at]?.samples ?? [];
  }

  /** Returns the chosen order for the dates of a column, or the proved one. */
  readingOf(at: number, chosen: DateReading['order'] | null): DateReading {
    return { order: chosen ?? this.#columns[at]?.dates.proved, is1904: this.#is1904 };
  }

  /** Lists the columns with dates. An example shows why the order is asked for. */
  datesOf(chosen: DateReading['order'] | null): PreviewDates[] {
    return this.#columns.flatMap(({ dates }, at): PreviewDates[] => {
      if (dates.count + dates.undated === 0) return [];
      const { example } = dates;
      const { order } = this.readingOf(at, chosen);
      const readings = dateOrders.flatMap((format) => {
        const date = example?.readings[format];
        return date === undefined ? [] : [{ format, date }];
      });
      return [
        {
          header: this.#headers[at] ?? '',
          format: dates.needsOrder ? (order ?? null) : null,
          asked: example !== undefined && order === undefined,
          undated: dates.undated,
          firstShortYear: dates.hasShortYears ? firstShortYear : null,
          example: example
            ? { row: example.row, value: shortened(example.value, longestSample), readings }
            : null,
        },
      ];
    });
  }

  /** Guesses the columns of headers that are not recognized, by their values and what remains. */
  guess({ kind, columns: known }: ImportTarget, { columns }: Mapping): (string | null)[] {
    const taken = new Set<string | undefined>(columns);
    const guesses: (string | null)[] = columns.map(() => null);
    // A header that speaks of an end comes before other dates.
    const order = [...columns.keys()].sort(
      (one, other) => Number(this.#isEnd(other)) - Number(this.#isEnd(one)) || one - other,
    );
    for (const at of order) {
      const form = columns[at] === undefined ? this.#columns[at]?.form : undefined;
      const wanted =
        form && columnsByForm[form]?.[kind]?.find((column) => known.has(column) && !taken.has(column));
      if (!wanted) continue;
      guesses[at] = wanted;
      taken.add(wanted);
    }
    return guesses;
  }

  #isEnd(at: number): boolean {
    return endWords.test(foldHeader(this.#headers[at] ?? ''));
  }
}
