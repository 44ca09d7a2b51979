import type * as z from 'zod';
import type { RecordKind } from '../../db/sql/models.js';
import { rules } from '../../domain/rules.js';
import type { BatchLoader } from '../loaders.js';

/**
 * The doors of a field. `both` shows it in GraphQL and REST; `graphql` only in GraphQL; `taken` shows it in GraphQL,
 * and REST takes it without showing it; `hidden` shows it nowhere.
 */
export type FieldDoor = 'both' | 'graphql' | 'taken' | 'hidden';

/** Words of a field in the GraphQL schema. Where they are left out, those of Prisma's schema stand. */
interface FieldWords {
  readonly description?: string;
  /** Description of the input, if another one than that of what is shown. */
  readonly sent?: string;
  /** Names the field that is used instead, and why the old one may still be. */
  readonly deprecated?: { readonly shown: string; readonly sent: string };
}

interface ColumnOptions extends FieldWords {
  /** GraphQL type of a JSON column, `[Type]` for a list. Its input is the type with the name and `Input`. */
  readonly type?: string;
  /** Kind of the record that the column names, where the database has no foreign key. */
  readonly to?: RecordKind;
}

/** A field that is a column of Prisma's model. Its type, nullability and description come from there. */
export interface ColumnField<Rule extends z.ZodType | undefined = z.ZodType | undefined>
  extends ColumnOptions {
  readonly kind: 'column';
  readonly door: FieldDoor;
  /** Rule of what callers write. Nobody writes a column without one. */
  readonly rule: Rule;
}

const column =
  (door: FieldDoor) =>
  <Rule extends z.ZodType | undefined = undefined>(
    rule?: Rule,
    options: ColumnOptions = {},
  ): ColumnField<Rule> => ({ kind: 'column', door, rule: rule as Rule, ...options });

/** Shows a column at both doors. With a rule, callers write it. */
export const inBoth = column('both');

/** Shows a column only in GraphQL. With a rule, callers of GraphQL write it. */
export const inGraphql = column('graphql');

/** Shows a column in GraphQL; REST takes it and does not show it. */
export const takenByRest = column('taken');

/** Shows a column at neither door. With a rule, it is written under the name of its link. */
export const inNeither = column('hidden');

/** The custom fields of a record, which callers make themselves. */
export const withCustomFields = inBoth(rules.customFields, {
  type: '[CustomField]',
  description: 'Custom fields, in the order sent.',
});

interface LinkOptions {
  /** True if both doors show the record, and callers write it as `{ id }`. */
  readonly written?: true;
  /** False if lists are not ordered by the record's name. */
  readonly ordered?: false;
  /** False if lists are not narrowed to records without the link. */
  readonly hasNone?: false;
  /** Description of the list that the linked record gets. It has the records that point at it. */
  readonly list?: string;
  /** Name of that list, where it is not the resource's own plural. */
  readonly listName?: string;
}

/** A field that leads to another record by a column with its id. */
export interface LinkField extends LinkOptions {
  readonly kind: 'link';
  readonly door: FieldDoor;
  readonly column: string;
  readonly description: string;
}

/** Shows the record that a column names. What the caller may not see is null. */
export const link = (column: string, description: string, options: LinkOptions = {}): LinkField => ({
  kind: 'link',
  door: options.written ? 'both' : 'graphql',
  column,
  description,
  ...options,
});

/** A field whose values have a table of their own. Callers write them with the record. */
export interface PartField<Rule extends z.ZodType = z.ZodType> extends FieldWords {
  readonly kind: 'part';
  readonly door: FieldDoor;
  readonly rule: Rule;
  /** GraphQL type of an entry. Its input is the type with the name and `Input`. */
  readonly type: string;
  /** Reads the entries of records that were not read with them. */
  readonly load: BatchLoader<readonly object[]>;
}

/** Shows the parts of a record at both doors. */
export const parts = <Rule extends z.ZodType>(
  rule: Rule,
  options: Omit<PartField, 'kind' | 'door' | 'rule'>,
): PartField<Rule> => ({ kind: 'part', door: 'both', rule, ...options });

/** A field that follows from columns of the record. */
export interface ComputedField {
  readonly kind: 'computed';
  readonly door: FieldDoor;
  readonly type: string;
  readonly description: string;
  /** Columns that it follows from. */
  readonly from: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: each resolver names the columns that it reads.
  readonly resolve: (row: any) => unknown;
  /** Numbers that the words of its enum stand for, if it is written, too. */
  readonly words?: Readonly<Record<string, number>>;
  /** Description of that enum. */
  readonly about?: string;
}

/** Shows a value that follows from columns. REST shows it only in models that name it. */
export const computed = (
  type: string,
  from: readonly string[],
  description: string,
  resolve: ComputedField['resolve'],
): ComputedField => ({ kind: 'computed', door: 'graphql', type, from, description, resolve });

/**
 * Shows a number as a word of an enum, only in GraphQL. Callers write either; a number that has no word is null.
 * @param about description of the enum
 * @param from column with the number
 * @param numbers numbers that the words stand for
 */
export const words = (
  type: string,
  about: string,
  from: string,
  numbers: Readonly<Record<string, number>>,
  description: string,
): ComputedField => ({
  kind: 'computed',
  door: 'graphql',
  type,
  about,
  from: [from],
  words: numbers,
  description,
  resolve: (row) => (Object.values(numbers).includes(row[from]) ? row[from] : null),
});

/** A field whose resolver is in `src/graphql/types`. Its place here is its place in REST's answers. */
export interface SpecialField {
  readonly kind: 'special';
  readonly door: FieldDoor;
}

/** Shows a field at both doors that `src/graphql/types` defines. */
export const special: SpecialField = { kind: 'special', door: 'both' };

/** Any field of a resource. */
export type Field = ColumnField | LinkField | PartField | ComputedField | SpecialField;
