import * as z from 'zod';
import { enums } from '../../prisma/generated/columns.js';
import type { EnumOf } from '../db/sql/conditions.js';
import { badField } from '../domain/errors.js';
import { type HolderKind, holderKinds } from '../domain/holder-kinds.js';
import { check, rules } from '../domain/rules.js';

/** Limits of an import. `atomicRows` is for one of all or nothing, `entries` for a cell. */
export const importLimits = {
  bytes: 16 * 1024 * 1024,
  rows: 50_000,
  atomicRows: 5_000,
  columns: 2_000,
  mapped: 1_000,
  entries: 10_000,
  holders: 100_000,
} as const;

/** Creates the rule of one of some words. REST, whose callers may send any word, writes them in lower case. */
const word = <const Words extends readonly string[]>(...words: Words) =>
  z.enum(words, `must be one of ${words.join(', ').toLowerCase()}`);

/** Rule of a kind of holders. */
const holderKind = z.enum(holderKinds, `must be one of ${holderKinds.join(', ')}`);

const optionRules = z.object({
  mode: word('CREATE_ONLY', 'UPSERT', 'UPDATE_ONLY')
    .nullish()
    .transform((mode) => mode ?? 'CREATE_ONLY'),
  // Null for what the bytes of the file say.
  encoding: word('UTF_8', 'UTF_16', 'WINDOWS_1252')
    .nullish()
    .transform((encoding) => encoding ?? null),
  // The sheet of a workbook; null for the first that has something to show.
  sheet: rules.line,
  // The line with the headers; null for the first that looks like it.
  headerLine: z
    .int('must be a line of the file, from 1')
    .min(1, 'must be a line of the file, from 1')
    .max(2 ** 31 - 1, 'must be a line of the file, from 1')
    .nullish()
    .transform((line) => line ?? null),
  dateFormat: word('YMD', 'DMY', 'MDY')
    .nullish()
    .transform((format) => format ?? null),
  mapping: z
    .array(z.object({ header: rules.name, column: rules.line }))
    .max(importLimits.mapped, `must have at most ${importLimits.mapped} entries`)
    .nullish()
    .transform((mapping) => mapping ?? []),
  // People and holders by what cells call them: an address, an id, or null to leave them out. `make` makes a new holder.
  people: z
    .array(
      z.object({
        value: rules.name,
        email: rules.line,
        make: holderKind.nullish(),
        skipRows: rules.flag(false),
      }),
    )
    .max(importLimits.mapped, `must have at most ${importLimits.mapped} entries`)
    .nullish()
    .transform((people) => people ?? []),
  // Kinds of which holders are made that cells name and nobody was asked about.
  makeHolders: z
    .array(holderKind)
    .max(holderKinds.length, `must have at most ${holderKinds.length} entries`)
    .nullish()
    .transform((kinds) => kinds ?? []),
  // Values that all rows have in columns that the file lacks.
  constants: z
    .array(z.object({ column: rules.name, value: rules.line }))
    .max(importLimits.mapped, `must have at most ${importLimits.mapped} entries`)
    .nullish()
    .transform((constants) => constants ?? []),
  // Cells that are read as another text: that of a row, or all with a text. The file remains as it was sent.
  corrections: z
    .array(
      z.object({
        header: rules.name,
        row: z.int('must be a line of the file').min(1, 'must be a line of the file').nullish(),
        from: rules.line,
        to: rules.line,
      }),
    )
    .max(importLimits.mapped, `must have at most ${importLimits.mapped} entries`)
    .nullish()
    .transform((corrections) => corrections ?? []),
  // Columns whose values are taken although a spreadsheet seems to have damaged them.
  acceptDamage: z
    .array(rules.name)
    .max(importLimits.mapped, `must have at most ${importLimits.mapped} entries`)
    .nullish()
    .transform((columns) => columns ?? []),
  // True to leave out rows that look like one before them, though two records may be alike.
  skipRepeats: rules.flag(false),
  // True to import rows without a date as items without one.
  allowNoDate: rules.flag(false),
  atomic: rules.flag(false),
  quiet: rules.flag(true),
});

/** Options of an import: reading the file, and writing its rows. */
export type ImportOptions = z.output<typeof optionRules>;

export const importRules = optionRules.extend({
  kind: word(...enums.ImportKind),
  fileName: rules.line,
  // The workspace that a whole workspace is imported into.
  teamId: rules.uuid,
  // True to import a file again that was imported within the last day.
  again: rules.flag(false),
});

/** A new import, as callers send it. */
export type NewImport = z.input<typeof importRules>;

/** Options as callers send them. */
export type ImportChanges = z.input<typeof optionRules>;

/** The kind of a whole workspace. Its file is a ZIP file, which has a list for each other kind. */
export const wholeWorkspace = 'WORKSPACE';

/** Kinds of records that a CSV file can have. */
export type ListKind = Exclude<EnumOf<'ImportKind'>, typeof wholeWorkspace>;

/** Returns whether an import is one of a whole workspace. */
export const isOfWorkspace = ({ kind }: { readonly kind: EnumOf<'ImportKind'> }): boolean =>
  kind === wholeWorkspace;

/** Options that only CSV files have. */
const listOptions = [
  ...(['mode', 'encoding', 'sheet', 'headerLine', 'dateFormat', 'mapping', 'people', 'constants'] as const),
  ...(['corrections', 'makeHolders'] as const),
  ...(['acceptDamage', 'skipRepeats', 'allowNoDate', 'atomic'] as const),
] as const;

/**
 * Checks the options of an import. A whole workspace has only one: its file says everything else.
 * @throws GatewayError BAD_REQUEST
 */
export function checkOptions(kind: EnumOf<'ImportKind'>, given: ImportChanges): ImportOptions {
  const options = check(optionRules, given);
  if (!isOfWorkspace({ kind })) return options;
  const wrong = listOptions.find((name) => given[name] && given[name] !== 'UPSERT');
  if (wrong) throw badField([wrong], 'is not possible for a whole workspace');
  return { ...check(optionRules, { mode: 'UPSERT' }), quiet: options.quiet };
}

/** Ways in which a spreadsheet damages a text that looks like a number. */
export type Damage = 'LOST_ZEROS' | 'ROUNDED';

/** An error of a row. */
export interface RowError {
  /** Name of the list, in an import of a whole workspace. */
  readonly list?: string;
  /** Line of the file, from 1. Undefined for the file as a whole. */
  readonly row: number;
  readonly column: string | null;
  readonly value: string | null;
  readonly message: string;
}

/** A value that a row changes. */
export interface PreviewChange {
  /** Column, in the names of REST. */
  readonly column: string;
  /** The value that the record has; null if it has none. */
  readonly before: string | null;
  /** The value as it will be stored. */
  readonly after: string | null;
  /** The damage that a spreadsheet seems to have done to it. */
  readonly damage: Damage | null;
  /** True if the record keeps its value because of that. */
  readonly leftOut: boolean;
}

/** One of the first rows of a file. */
export interface PreviewRow {
  readonly row: number;
  readonly action: 'created' | 'updated' | 'unchanged' | 'failed';
  /** The texts of its cells, by column. */
  readonly values: Readonly<Record<string, string>>;
  readonly changes: readonly PreviewChange[];
}

/** Values of a column that a spreadsheet seems to have damaged. */
export interface DamagedColumn {
  readonly column: string;
  readonly damage: Damage;
  /** The number of them. */
  readonly cells: number;
  /** The first one: the value that the record has, and the file's. */
  readonly before: string;
  readonly after: string;
  /** True if they are imported nevertheless. */
  readonly accepted: boolean;
}

/** A sheet of a workbook. */
export interface PreviewSheet {
  readonly name: string;
  /** True if the workbook does not show it. */
  readonly hidden: boolean;
  /** True for the one that is imported. */
  readonly chosen: boolean;
}

/** A column of a file. */
interface PreviewColumn {
  readonly header: string;
  readonly column: string | null;
  /** The column that its values suggest. Missing in previews of older versions, like what follows. */
  readonly guess?: string | null;
  /** Its first values. */
  readonly samples?: readonly string[];
}

/** A name in the cells of a column that nobody known has. */
export interface UnknownPerson {
  readonly header: string;
  readonly value: string;
  /** Kinds of records that can be made of it. None in columns of people, who are made by an address. */
  readonly kinds?: readonly HolderKind[];
  /** The number of rows. */
  readonly rows: number;
}

/** Records of a kind that would be made because rows name them. */
export interface RecordsAlongside {
  readonly kind: HolderKind;
  readonly count: number;
}

/** A date as one order reads it. */
interface PreviewReading {
  readonly format: NonNullable<ImportOptions['dateFormat']>;
  readonly date: string;
}

/** A date that different orders read differently. */
interface PreviewDate {
  readonly row: number;
  readonly value: string;
  readonly readings: readonly PreviewReading[];
}

/** A column with dates. */
export interface PreviewDates {
  readonly header: string;
  /** The order in which they are read. Null if none has to be known, or is not. */
  readonly format: ImportOptions['dateFormat'];
  /** True if an order has to be chosen, because the column proves none. */
  readonly asked: boolean;
  /** Cells that are empty, or say that there is no date. */
  readonly undated: number;
  /** The first of the hundred years that two digits mean. Null if no date has two. */
  readonly firstShortYear: number | null;
  readonly example: PreviewDate | null;
}

/** The preview of an import. It is made without writing anything. */
export interface Preview {
  /** The sheets of a workbook. Missing for a text. */
  readonly sheets?: readonly PreviewSheet[];
  /** The line of the headers. Missing in previews of older versions, like what follows. */
  readonly headerLine?: number;
  /** The encoding of a text. */
  readonly encoding?: NonNullable<ImportOptions['encoding']>;
  readonly columns: readonly PreviewColumn[];
  /** Columns that new records need, and that the file lacks. */
  readonly missing?: readonly string[];
  /** Names in its cells of nobody who is known. */
  readonly people?: readonly UnknownPerson[];
  /** Its columns with dates. */
  readonly dates?: readonly PreviewDates[];
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Vehicles, contacts, companies and locations that would be made because rows name them. */
  readonly alongside?: readonly RecordsAlongside[];
  /** The first errors. */
  readonly errors: readonly RowError[];
  /** The first rows, as they would be. */
  readonly rows: readonly PreviewRow[];
  /** The first cells that are read, but are probably wrong. Missing in previews of older versions. */
  readonly warnings?: readonly RowError[];
  readonly damaged?: readonly DamagedColumn[];
  /** Set if a whole workspace is imported. */
  readonly workspace?: WorkspacePreview;
}

/** A record that stays as it is when an import is taken back. */
export interface StayingRecord {
  readonly id: string;
  /** Set for a holder that the import made. All others are of the import's own kind. */
  readonly kind?: HolderKind;
  readonly name: string | null;
  readonly message: string;
}

/** Progress of taking an import back. */
export interface Undo {
  /** The batch that is next. They are taken back in the opposite order. */
  readonly next: number;
  /** The part of that batch that is next. Missing in what older versions have begun. */
  readonly part?: number;
  /** Days for which the bin keeps what is deleted. */
  readonly binDays: number;
  /** Records that are in the bin. */
  readonly deleted: number;
  /** Records that have their values again. */
  readonly restored: number;
  /** Records that were gone before. */
  readonly gone: number;
  /** Records that stay as they are. */
  readonly kept: number;
  /** The first of these. */
  readonly records: readonly StayingRecord[];
}

/** A list of an imported workspace, with what would become of its rows. Attached files are one, too. */
export interface ListPreview {
  readonly list: string;
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** False for a list that an import leaves out. */
  readonly imported: boolean;
}

/** Cells of an imported workspace that name what exists neither in its file nor here. */
export interface LeftOut {
  readonly list: string;
  readonly column: string;
  readonly cells: number;
}

/** A workspace that would be imported. */
export interface WorkspacePreview {
  /** The name that it had where it was exported. */
  readonly name: string;
  readonly exported: string;
  /** Version of the gateway that exported it. */
  readonly gateway: string;
  /** Bytes of its attached files. */
  readonly bytes: number;
  readonly lists: readonly ListPreview[];
  readonly leftOut: readonly LeftOut[];
}
