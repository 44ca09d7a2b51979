import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType, isRequiredInputField } from 'graphql';
import { parseDate } from '../../domain/dates.js';
import type { ExportKind } from '../../domain/doors/paths.js';
import { badField, GatewayError, type Violation } from '../../domain/errors.js';
import { type HolderKind, holderKinds } from '../../domain/holder-kinds.js';
import { noticeRuleExamples, parseNoticeRule } from '../../domain/notice.js';
import { isUuid } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import { readInput } from '../../graphql/define/coerce.js';
import { resources } from '../../graphql/resources.js';
import {
  type Damage,
  type ImportOptions,
  importLimits,
  type ListKind,
  type RowError,
  type UnknownPerson,
} from '../../imports/options.js';
import type { Declared } from '../../records/declare/declare.js';
import type { Resource } from '../../records/resource.js';
import { contractInput, toInput } from '../../rest/body.js';
import { exportedList, modelOf } from '../../rest/routes.js';
import { fieldName, memberName } from '../../web/parameters.js';
import { columnsOf, customPrefix, isResultFile, resultHeaders, unguarded } from '../columns.js';
import { holderColumns, holdersInCell, isHolderColumn } from '../holder-cells.js';
import { type DateOrder, isUndated, readDates } from './dates.js';
import { foldHeader, isPaperName, synonyms } from './headers.js';
import { type HolderEntry, HoldersByText, type NamedHolders, noHolderNamed } from './holders.js';
import { isEnough } from './new-holders.js';
import { type PeerFile, peerFileOf } from './peers.js';
import { isOfPeople, type PeopleByName } from './people.js';
import type { FileRow, FileTable } from './read-file.js';

/** The exported lists that have the kinds of imported records. */
export const listsByImport = {
  ITEMS: 'items',
  CONTACTS: 'contacts',
  VEHICLES: 'vehicles',
  LOCATIONS: 'locations',
  COMPANIES: 'companies',
  TYPES: 'types',
} as const satisfies Record<ListKind, ExportKind>;

/** Columns that stand for something else than a member of the record. */
const further: Partial<Record<ListKind, readonly string[]>> = {
  ITEMS: [
    ...['contact_email', 'notice_date', 'notice_rule', 'renew_until', 'renewals_left'],
    ...Object.keys(holderColumns),
  ],
  LOCATIONS: ['path'],
};

/** A kind of records that can be imported. */
export interface ImportTarget {
  readonly kind: ListKind;
  /** Name of the records' type in GraphQL. */
  readonly type: string;
  readonly createInput: GraphQLInputObjectType;
  readonly updateInput: GraphQLInputObjectType;
  /** Columns whose cells are written. */
  readonly columns: ReadonlySet<string>;
  /** Columns that an export has and that nobody writes. */
  readonly shown: ReadonlySet<string>;
  readonly hasCustomFields: boolean;
}

/** Finds the resource of the records that an import writes. */
export const resourceOf = ({ type }: ImportTarget): Resource & Declared =>
  // The declared resources differ in their columns, which only their own declarations use.
  resources.find(({ model }) => model === type) as never as Resource & Declared;

/** Describes a kind of records that can be imported. */
export function targetOf(schema: GraphQLSchema, kind: ListKind): ImportTarget {
  const list = listsByImport[kind];
  const { type } = modelOf(exportedList(list).model);
  const input = (verb: string) =>
    contractInput(schema.getType(`${verb}${type}Input`) as GraphQLInputObjectType) as GraphQLInputObjectType;
  const createInput = input('Create');
  const { columns, hasCustomFields } = columnsOf(schema, list);
  const names = columns.map(({ name }) => name);
  // The bytes of files are in no cell.
  const isTaken = (name: string) =>
    (name !== 'attachments' && fieldName(name) in createInput.getFields()) || further[kind]?.includes(name);
  return {
    kind,
    type,
    createInput,
    updateInput: input('Update'),
    columns: new Set([...names.filter(isTaken), ...(further[kind] ?? [])]),
    shown: new Set(names.filter((name) => !isTaken(name))),
    hasCustomFields,
  };
}

/** Types of columns whose cells are not read as their input is. */
const furtherTypes: Readonly<Record<string, string>> = {
  notice_date: 'Date',
  notice_rule: 'NoticeRule',
  renew_until: 'Date',
  renewals_left: 'Int',
  holders: 'Holders',
};

/** The column of an item's date, without which only some are imported. */
const itemDate = 'expiration_date';

/** Returns the input of a cell beyond the members of the record. Dates are texts so far. */
const furtherInput = (column: string, value: unknown) =>
  furtherTypes[column] === 'Date' && value !== null ? parseDate(String(value)) : value;

/** Returns the name of the GraphQL type of a column's values. */
export const typeOfColumn = ({ createInput }: ImportTarget, column: string): string | undefined => {
  const field = createInput.getFields()[fieldName(column)];
  return furtherTypes[column] ?? (field && getNamedType(field.type).name);
};

/** A file's columns. */
export interface Mapping {
  /** The columns of a row's cells; undefined for what is not imported. */
  readonly columns: readonly (string | undefined)[];
  /** Number of times that the cells were guarded, by an export and a result file. */
  readonly guards: number;
  /** Further columns of headers that have several. */
  readonly also: readonly { readonly at: number; readonly column: string }[];
  /** Values that all rows have, by column. They come before those of the file. */
  readonly constants: ReadonlyMap<string, string>;
  /** True if items may lack their date. */
  readonly allowsNoDate: boolean;
  /** Set if another program exported the file. */
  readonly peer: PeerFile | undefined;
  /** Columns of holders that their headers only suggest. */
  readonly guessed: ReadonlySet<string>;
}

/** Returns whether headers are those of an exported file, whose custom fields come last. */
function isExported(schema: GraphQLSchema, kind: ListKind, headers: readonly string[]): boolean {
  const own = columnsOf(schema, listsByImport[kind]).columns.map(({ name }) => name);
  // Earlier versions wrote no holders, and before that no columns of notice periods and ends of renewals.
  const isOf = (names: readonly string[]) =>
    names.every((name, at) => headers[at] === name) &&
    headers.slice(names.length).every((name) => unguarded(name).startsWith(customPrefix));
  const withoutHolders = own.filter((name) => name !== 'holders');
  return [own, withoutHolders, own.filter((name) => !(name in furtherTypes))].some(isOf);
}

/**
 * Finds the columns of a file by its headers.
 * @param isExport true if it was exported here, if its headers need not tell
 * @throws GatewayError BAD_REQUEST for a mapping to an unknown column, or two headers of one column
 */
export function mapHeaders(
  schema: GraphQLSchema,
  target: ImportTarget,
  { headers }: Pick<FileTable, 'headers'>,
  {
    mapping,
    constants = [],
    allowNoDate = false,
  }: Pick<ImportOptions, 'mapping'> & Partial<Pick<ImportOptions, 'constants' | 'allowNoDate'>>,
  isExport?: boolean,
): Mapping {
  const known = new Map<string, string>();
  const isResult = isResultFile(headers);
  const before = isResult
    ? headers.slice(0, -resultHeaders.length).map((header) => unguarded(header))
    : headers;
  const isOurs = isExport ?? isExported(schema, target.kind, before);
  const columns = [...target.columns, ...target.shown];
  for (const column of columns)
    for (const word of synonyms[column] ?? []) known.set(foldHeader(word), column);
  for (const column of columns) known.set(foldHeader(column), column);
  // Of several columns for a header, the first is its own, and the others come in addition.
  const chosen = new Map<string, string | null>();
  const places = new Map(headers.map((header, at) => [foldHeader(header), at] as const).reverse());
  const others = mapping.flatMap(({ header, column }) => {
    const folded = foldHeader(header);
    const [isFirst, at] = [!chosen.has(folded), places.get(folded)];
    if (isFirst) chosen.set(folded, column);
    return at === undefined || !column || chosen.get(folded) === column ? [] : [{ at, column }];
  });
  const columnNamed = (option: string, name: string): string => {
    const custom = /^custom:(.+)$/is.exec(name.trim())?.[1];
    const column = custom === undefined ? known.get(foldHeader(name)) : `${customPrefix}${custom.trim()}`;
    if (!column || (custom !== undefined && !target.hasCustomFields))
      throw badField([option], `names the unknown column ${JSON.stringify(name)}`);
    return column;
  };
  const also = others.map(({ at, column }) => ({ at, column: columnNamed('mapping', column) }));
  const fixed = new Map(
    constants.map(({ column, value }) => [columnNamed('constants', column), value ?? '']),
  );
  const peer = isOurs ? undefined : peerFileOf(target.kind, before);
  const found = headers.map((written, at) => {
    const sent = before[at] ?? written;
    const header = isOurs ? unguarded(sent) : sent;
    const wanted = chosen.get(foldHeader(header));
    if (wanted === null || wanted === '') return undefined;
    const name = wanted ?? (peer ? (peer.columns[at] ?? '') : header);
    const custom = /^custom:(.+)$/is.exec(isOurs ? name : name.trim())?.[1];
    if (custom !== undefined)
      return target.hasCustomFields ? `${customPrefix}${isOurs ? custom : custom.trim()}` : undefined;
    const column = known.get(foldHeader(name));
    if (wanted != null && !column)
      throw badField(['mapping'], `names the unknown column ${JSON.stringify(wanted)}`);
    return column;
  });
  const isNamed = found.includes('name') || fixed.has('name') || also.some(({ column }) => column === 'name');
  if (target.kind === 'ITEMS' && !isNamed && !peer) {
    const at = headers.findIndex(
      (header, place) => found[place] === undefined && !chosen.has(foldHeader(header)) && isPaperName(header),
    );
    if (at !== -1) found[at] = 'name';
  }
  // The ids of a result are those of the file, where it has them.
  const own = new Set(found.slice(0, before.length));
  for (let at = before.length; at < found.length; at += 1) if (own.has(found[at])) found[at] = undefined;
  const isChosen = (at: number) => chosen.has(foldHeader(headers[at] ?? ''));
  /** The place of each column. Of several headers that are recognized as it, the chosen one is it, or else the first. */
  const placed = new Map<string, { readonly at: number; readonly isChosen: boolean }>();
  for (const [at, column] of found.entries()) {
    if (column === undefined) continue;
    const [other, here] = [placed.get(column), { at, isChosen: isChosen(at) }];
    if (other?.isChosen && here.isChosen)
      throw badField(['mapping'], `has two headers for ${column}: map one of them to an empty column`);
    if (!other || (here.isChosen && !other.isChosen)) placed.set(column, here);
  }
  const taken = new Set<string>(placed.keys());
  for (const { column } of also) {
    if (taken.has(column)) throw badField(['mapping'], `has two headers for ${column}`);
    taken.add(column);
  }
  for (const [at, column] of found.entries())
    if (column !== undefined && placed.get(column)?.at !== at) found[at] = undefined;
  const isSaid = (at: number, column: string) =>
    isOurs || isChosen(at) || foldHeader(headers[at] ?? '') === foldHeader(column);
  return {
    guessed: new Set(
      found.flatMap((column, at) => (isHolderColumn(column) && !isSaid(at, column) ? column : [])),
    ),
    columns: found.map((column) => (column && target.shown.has(column) ? undefined : column)),
    guards: Number(isResult) + Number(isOurs),
    also,
    constants: fixed,
    allowsNoDate: allowNoDate && target.kind === 'ITEMS',
    peer,
  };
}

/** A value of a cell, or why it has none. */
type Read = { readonly value: unknown } | { readonly problem: string };

const truthWords = {
  true: ['true', 'yes', 'y', '1', 'ja', 'j', 'oui', 'sí', 'si', 's', 'sì', 'wahr', 'vrai', 'x'],
  false: ['false', 'no', 'n', '0', 'nein', 'non', 'nee', 'falsch', 'faux'],
};

function readBoolean(text: string): Read {
  const word = text.trim().toLowerCase();
  if (truthWords.true.includes(word)) return { value: true };
  return truthWords.false.includes(word) ? { value: false } : { problem: 'must be true or false' };
}

function readNumber(text: string, isWhole: boolean): Read {
  const number = text.trim();
  const pattern = isWhole ? /^[+-]?\d+$/ : /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;
  if (pattern.test(number)) return { value: Number(number) };
  return { problem: isWhole ? 'must be a whole number' : 'must be a number such as 1234.5' };
}

/** Examples for each order. */
const examples = { YMD: '2027-12-31 or 2027/12/31', DMY: '31.12.2027', MDY: '12/31/2027' };

/** Reads a date. It has the order of its column, unless it can be read in one way only. */
function readDate(text: string, { order, is1904 }: DateReading): Read {
  if (isUndated(text)) return { problem: 'says that there is no date' };
  const readings = readDates(text, is1904);
  const [first, ...others] = [...new Set(Object.values(readings))];
  const own = order ? readings[order] : others.length === 0 ? first : undefined;
  if (own !== undefined) return { value: own };
  if (first === undefined)
    return {
      problem: /\d/.test(text) ? 'is not a day of the calendar' : 'must be a date such as 2027-12-31',
    };
  if (order) return { problem: `must be a date such as ${examples[order]}` };
  return { problem: `is ${[first, ...others].join(' or ')}: choose the order of dates` };
}

/** The way in which the dates of a column are read. */
export interface DateReading {
  readonly order: DateOrder | undefined;
  /** True if the workbook counts days from 1904. */
  readonly is1904: boolean;
}

/** Splits the entries of a cell with a list. */
export const entriesIn = (text: string): string[] =>
  text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Types of lists of records, and the members by which their entries are found. */
const references: Readonly<Record<string, string>> = {
  ContactReference: 'email',
  LocationReference: 'name',
  TagReference: 'name',
  CategoryCustomFieldInput: 'name',
};

/**
 * Reads a cell that is not empty.
 * @param type name of the GraphQL type of its values
 */
function readCell(text: string, type: string, dates: DateReading): Read {
  if (type === 'Boolean') return readBoolean(text);
  if (type === 'Int' || type === 'Float') return readNumber(text, type === 'Int');
  if (type === 'Date') return readDate(text, dates);
  if (type === 'ID' || type === 'UUID') return { value: text.trim() };
  if (type === 'NoticeRule') {
    const value = parseNoticeRule(text);
    return value ? { value } : { problem: `must be like ${noticeRuleExamples}` };
  }
  const key = references[type];
  if (key === undefined) return { value: text };
  return {
    value: entriesIn(text).map((entry) =>
      isUuid(entry) && type !== 'CategoryCustomFieldInput' ? { id: entry } : { [key]: entry },
    ),
  };
}

/** Digits that a spreadsheet keeps of a number. */
const keptDigits = 15;

/** Returns whether a text is a number that a spreadsheet has shortened, such as `1.23E+019`. */
const isShortened = (text: string): boolean => /^\d([.,]\d{1,17})?E\+\d{2,3}$/i.test(text.trim());

/** Returns whether a text is a number as spreadsheets save it. */
export const isNumber = (text: string): boolean => isShortened(text) || /^\d+$/.test(text.trim());

/** Returns whether a number is another one that a spreadsheet has rounded. */
function isRoundedFrom(after: string, before: string): boolean {
  if (isShortened(after)) {
    const number = after.replace(',', '.');
    const decimals = /\.(\d+)/.exec(number)?.[1]?.length ?? 0;
    return Number(before).toExponential(decimals) === Number(number).toExponential(decimals);
  }
  const digits = before.replace(/^0+/, '');
  if (!/^\d+$/.test(digits) || digits.length !== after.length) return false;
  if (!/^0+$/.test(after.slice(keptDigits))) return false;
  // Some programs round the last digit that they keep, and some cut off what follows.
  const difference = Number(after.slice(0, keptDigits)) - Number(digits.slice(0, keptDigits));
  return difference === 0 || difference === 1;
}

/**
 * Recognizes a text that a spreadsheet has opened as a number and saved. `0012` becomes `12`, and a number of
 * many digits `1.23E+19`. A person who changes a text does not write it so.
 * @param before text of the record
 * @param after text of the file
 */
export function damageOf(before: string, after: string): Damage | null {
  const [was, is] = [before.trim().replace(/^\+/, ''), after.trim()];
  if (was === is || !isNumber(is) || !/^\d+(\.\d+)?(E\d+)?$/i.test(was)) return null;
  if (/^0+\d/.test(was) && was.replace(/^0+(?=\d)/, '') === is) return 'LOST_ZEROS';
  return isRoundedFrom(is, was) ? 'ROUNDED' : null;
}

/** A row as the file says it. */
export interface ParsedRow {
  readonly line: number;
  /** The texts of its cells by their columns. */
  readonly cells: ReadonlyMap<string, string>;
  /** Values for the record's members, in the names of the contract. An empty cell is null. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Values of custom fields by name. */
  readonly custom: ReadonlyMap<string, string>;
  readonly errors: readonly RowError[];
  /** The holders that it names, if it has a column for them. */
  readonly holders?: NamedHolders;
  /** True if it is left out by an answer. It is no reason to write nothing of the file. */
  readonly isSkipped?: boolean;
  /** Names of nobody known or of several people, with their headers. */
  readonly unknown?: readonly Omit<UnknownPerson, 'rows'>[];
  /** Doubts about cells that could be read, by their columns. */
  readonly warnings: ReadonlyMap<string, RowError>;
}

/** The most errors of a cell with holders. */
const toldHolders = 5;

/** The most characters of a value that an error repeats. */
const longestValue = 80;

/** Returns a text that is at most so long, and that a database can store. */
export const shortened = (text: string, longest = longestValue): string =>
  (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`).toWellFormed();

/** Creates the error of a cell. */
export function rowError(
  row: number,
  column: string | null,
  value: string | null,
  message: string,
): RowError {
  return { row, column, value: value === null ? null : shortened(value), message };
}

/** Finds users by their addresses, or by their ids. */
export type UsersByEmail = ReadonlyMap<string, readonly string[]>;

function readUser(
  text: string,
  users: UsersByEmail,
): { readonly value: unknown } | { readonly problem: string } {
  if (isUuid(text.trim())) return { value: { id: text.trim() } };
  const found = users.get(text.trim().toLowerCase()) ?? [];
  if (found.length > 1) return { problem: 'names several users' };
  return found[0] === undefined ? { problem: 'names no user that exists' } : { value: { id: found[0] } };
}

/** Errors that spreadsheets show in place of a value, in four languages. */
const formulaError =
  /^(#(DIV\/0|NULL|NUM|REF|VALUE|SPILL|CALC|WERT|BEZUG|ZAHL|VALEUR|NOMBRE|NUM|NOM|¡?VALOR|¡?REF|¡?NUM|¡?DIV\/0)!|#(N\/A|N\/D|NV|NAME\?|NOM\?|¿?NOMBRE\?)|Err:\d{3})$/i;

/** Returns why a value is probably wrong. */
function doubtOf(value: unknown, type: string | undefined): string | undefined {
  const text = String(value);
  // The year is likelier one of another calendar, or a slip.
  if (type === 'Date')
    return text < '1970' || text >= '2201' ? `becomes ${text}: is the year right?` : undefined;
  if (type !== 'String' || !isShortened(text)) return undefined;
  return 'looks like a number that a spreadsheet has rounded';
}

/** Reads the rows of a file. */
export class RowReader {
  readonly #target: ImportTarget;
  readonly #mapping: Mapping;
  readonly #headers: readonly string[];
  readonly #dates: (at: number) => DateReading;
  readonly #users: UsersByEmail;
  readonly #people: PeopleByName | undefined;
  readonly #holders: HoldersByText;

  /**
   * @param dates returns how the dates of a column are read, by its place in the file
   * @param people finds people by name; left out if cells only have ids and addresses
   * @param holders finds holders by text; left out if cells only have ids
   */
  constructor(
    target: ImportTarget,
    table: FileTable,
    mapping: Mapping,
    dates: (at: number) => DateReading,
    users: UsersByEmail,
    people?: PeopleByName,
    holders = new HoldersByText([]),
  ) {
    this.#people = people;
    this.#holders = holders;
    this.#target = target;
    this.#mapping = mapping;
    this.#headers = table.headers;
    this.#dates = dates;
    this.#users = users;
  }

  /** Reads a row's cells. It does not know yet whether a record exists. */
  read({ line, cells: texts, leftOut }: FileRow): ParsedRow {
    const { columns, guards, peer, also, constants } = this.#mapping;
    const [cells, custom] = [new Map<string, string>(), new Map<string, string>()];
    const body: Record<string, unknown> = {};
    const errors: RowError[] = [];
    const warnings = new Map<string, RowError>();
    if (texts.length !== columns.length) {
      const message = `has ${texts.length} cells, and the header has ${columns.length}`;
      return { line, cells, custom, body, errors: [rowError(line, null, null, message)], warnings };
    }
    const unknown: Omit<UnknownPerson, 'rows'>[] = [];
    const kinds = new Set<HolderKind>();
    const entries: HolderEntry[] = [];
    const unnamed: string[] = [];
    let isSkipped = false;
    const skip = (text: string) => {
      isSkipped = true;
      errors.push(rowError(line, null, null, `is left out, as was chosen for: ${shortened(text)}`));
    };
    const sources: (readonly [number, string | undefined])[] = [
      ...columns.entries(),
      ...also.map(({ at, column }) => [at, column] as const),
      ...[...constants.keys()].map((column) => [-1, column] as const),
    ];
    for (const [at, column] of sources) {
      if (column === undefined || leftOut?.has(column)) continue;
      const constant = constants.get(column);
      if (constant !== undefined && at !== -1) continue;
      const sent = constant ?? texts[at] ?? '';
      const written = unguarded(sent, guards);
      let text = peer?.read(column, written, texts) ?? written;
      const shown = text;
      const about = (message: string) => rowError(line, this.#headers[at] ?? column, shown, message);
      const isList =
        isHolderColumn(column) || Object.hasOwn(references, typeOfColumn(this.#target, column) ?? '');
      if (isList && text.split(';', importLimits.entries + 1).length > importLimits.entries) {
        errors.push(about(`has more than ${importLimits.entries} entries`));
        continue;
      }
      if (formulaError.test(text.trim()) && typeOfColumn(this.#target, column) !== 'Date') {
        warnings.set(column, about('is an error of a formula, and is left out'));
        continue;
      }
      if (isHolderColumn(column)) {
        cells.set(column, text);
        const isGuess = this.#mapping.guessed.has(column);
        for (const kind of holderColumns[column] ? [holderColumns[column]] : holderKinds) kinds.add(kind);
        const problems: string[] = [];
        for (const named of holdersInCell(column, text)) {
          const { leftOut, ...found } = this.#holders.find(named);
          if (leftOut === 'row') skip(named.text);
          if (leftOut) {
            unnamed.push(folded(named.text.trim()));
            continue;
          }
          const [first, ...others] = found.candidates;
          if (first) entries.push({ column, text: named.text, isGuess, ...found });
          else if (isGuess) unnamed.push(folded(named.text.trim()));
          if (!first) {
            problems.push(noHolderNamed(named));
            const value = named.text.slice(0, longestValue).toWellFormed();
            const header = this.#headers[at] ?? column;
            const kinds = holderKinds.filter(
              (kind) => (named.kind ?? kind) === kind && isEnough(kind, value),
            );
            unknown.push({ header, value, kinds });
          } else if (isGuess && others.length > 0) problems.push(`names several records: ${named.text}`);
        }
        if (isGuess && problems[0] !== undefined)
          warnings.set(column, about(`${problems[0]}, which is left out`));
        if (!isGuess) errors.push(...problems.slice(0, toldHolders).map(about));
        if (!isGuess && problems.length > toldHolders)
          errors.push(about(`names ${problems.length - toldHolders} more that do not exist`));
        continue;
      }
      if (this.#people && isOfPeople(column) && text.trim() !== '') {
        const named = this.#people.replace(column, text);
        if (named.skipped !== undefined) {
          skip(named.skipped);
          continue;
        }
        const header = this.#headers[at] ?? column;
        unknown.push(
          ...[...named.unknown, ...named.several].map((value) => ({
            header,
            value: value.slice(0, longestValue).toWellFormed(),
          })),
        );
        if (named.unknown.length > 0)
          errors.push(about(`names nobody who is known: ${named.unknown.join('; ')}`));
        if (named.several.length > 0) errors.push(about(`names several people: ${named.several.join('; ')}`));
        if (named.text === undefined) continue;
        text = named.text;
      }
      cells.set(column, text);
      const warn = (value: unknown, type: string | undefined) => {
        const doubt = doubtOf(value, type);
        if (doubt !== undefined) warnings.set(column, about(doubt));
      };
      if (column.startsWith(customPrefix)) {
        custom.set(column.slice(customPrefix.length), text);
        warn(text, 'String');
        continue;
      }
      const type = typeOfColumn(this.#target, column);
      if (text.trim() === '') {
        const keepsDate = column === itemDate && this.#mapping.allowsNoDate;
        if (type !== undefined && type !== 'Boolean' && !keepsDate) body[column] = null;
        continue;
      }
      if (type === undefined) continue;
      if (type === 'Date' && isUndated(text) && (column !== itemDate || this.#mapping.allowsNoDate)) {
        body[column] = null;
        continue;
      }
      const read =
        type === 'UserReference' ? readUser(text, this.#users) : readCell(text, type, this.#dates(at));
      if ('problem' in read) {
        errors.push(about(read.problem));
        continue;
      }
      body[column] = read.value;
      warn(read.value, type);
    }
    return {
      ...{ line, cells, custom, body, errors, warnings, isSkipped },
      ...(unknown.length > 0 && { unknown }),
      ...(kinds.size > 0 && { holders: { kinds, entries, leftOut: unnamed } }),
    };
  }

  /** Returns the place of a column in the file; -1 if it is not there. */
  #placeOf(column: string): number {
    const { columns, also } = this.#mapping;
    const at = columns.indexOf(column);
    return at === -1 ? (also.find((one) => one.column === column)?.at ?? -1) : at;
  }

  /** Lists the columns that new records need, and that the file lacks. */
  get missing(): string[] {
    const { constants, allowsNoDate } = this.#mapping;
    return Object.values(this.#target.createInput.getFields())
      .filter((field) => isRequiredInputField(field))
      .map(({ name }) => memberName(name))
      .filter(
        (column) =>
          this.#placeOf(column) === -1 &&
          !constants.has(column) &&
          !(column === itemDate && allowsNoDate) &&
          !(column === 'name' && this.#placeOf('path') !== -1),
      );
  }

  /** Creates the errors of a row that could not be written. */
  errorsOf({ line, cells }: ParsedRow, error: GatewayError): RowError[] {
    const violations: readonly Violation[] =
      error.violations.length > 0
        ? error.violations
        : [{ path: error.fieldPath, message: error.message, rule: 'invalid' }];
    return violations.map(({ path, message }) => {
      const column = typeof path[0] === 'string' ? memberName(path[0]) : null;
      const header = column === null ? null : (this.#headers[this.#placeOf(column)] ?? column);
      return rowError(line, header, column === null ? null : (cells.get(column) ?? null), message);
    });
  }

  /**
   * Converts a row's body to an input of the gateway.
   * @param isNew true for a new record
   * @throws GatewayError BAD_REQUEST with all violations
   */
  toInput(body: Readonly<Record<string, unknown>>, isNew: boolean): Record<string, unknown> {
    const { createInput, updateInput } = this.#target;
    const type = isNew ? createInput : updateInput;
    const [others, own] = [true, false].map((isFurther) =>
      Object.entries(body).filter(([column]) => column in furtherTypes === isFurther),
    );
    const isUndated = this.#mapping.allowsNoDate && (isNew ? !body[itemDate] : body[itemDate] === null);
    // Requests cannot leave the date out, so it is taken away again.
    const members = { ...Object.fromEntries(own ?? []), ...(isUndated && { [itemDate]: '2000-01-01' }) };
    const { value, violations } = toInput(members, type);
    if (violations.length > 0) {
      throw new GatewayError('BAD_REQUEST', violations[0]?.message ?? '', { violations });
    }
    // Dates and words are texts so far.
    return {
      ...(readInput(value, type).value as Record<string, unknown>),
      ...(isUndated && { [fieldName(itemDate)]: null }),
      ...Object.fromEntries(
        (others ?? []).map(([column, cell]) => [fieldName(column), furtherInput(column, cell)]),
      ),
    };
  }
}
