import type * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import type { Identified } from '../../db/sql/conditions.js';
import type { Join, JoinTable } from '../../db/sql/tree.js';
import type { Right } from '../../domain/caller.js';
import type { RecordKind } from '../../domain/models.js';
import type { Order } from '../../domain/paging.js';
import { rules } from '../../domain/rules.js';
import type { Link } from '../links.js';
import type { BatchLoader } from '../loaders.js';

/**
 * The doors of a field. `both` shows it in GraphQL and REST; `graphql` only in GraphQL; `taken` shows it in GraphQL,
 * and REST takes it without showing it; `hidden` shows it nowhere.
 */
type FieldDoor = 'both' | 'graphql' | 'taken' | 'hidden';

/** Right that reading a field asks for, if more than that to read its record. */
interface Guarded {
  readonly right?: Right;
}

/** The list that linked records get. It has the records that lead to them. */
interface InverseList {
  /** Description of the list. */
  readonly list?: string;
  /** Name of the list, where it is not the resource's own plural. */
  readonly listName?: string;
  /** Link that it finds its records by, if not the field alone. */
  readonly listBy?: Link;
}

interface LinkOptions extends InverseList, Guarded {
  /** The doors, if not those that follow. */
  readonly door?: FieldDoor;
  /**
   * Set if both doors show the record and callers write it. They send `{ id }`; with `named`, its natural key will do,
   * and the resource finds the record (`resolve`).
   */
  readonly written?: true | 'named';
  /** False if lists are not ordered by the record's name. */
  readonly ordered?: false;
  /** False if lists are not narrowed to records without the link. */
  readonly hasNone?: false;
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

/** A field with the id of another record. It is null if the caller may not see that record. */
export interface IdField extends Guarded {
  readonly kind: 'id';
  readonly door: FieldDoor;
  readonly column: string;
  readonly description: string;
}

/** Shows at both doors the id of the record that a column names. */
export const visibleId = (column: string, description: string, options: Guarded = {}): IdField => ({
  kind: 'id',
  door: 'both',
  column,
  description,
  ...options,
});

/** A field with several records in order, by a join table. Callers write them by id or natural key. */
export interface LinksField extends InverseList {
  readonly kind: 'links';
  readonly door: FieldDoor;
  readonly join: JoinTable;
  readonly description: string;
  /** Rule of the ids, which `resolve` of the resource finds. They have the kind's name and `Ids`. */
  readonly rule: z.ZodType;
  /** Loads the records of a row. */
  load(session: Session, row: Identified): unknown;
}

/** Shows records of a join table at both doors. */
export const links = (
  join: JoinTable,
  description: string,
  load: LinksField['load'],
  list: InverseList,
): LinksField => ({ kind: 'links', door: 'both', join, description, rule: rules.uuids, load, ...list });

/** A field with a connection whose rows are read completely, because they are never many. */
interface ContainedField {
  readonly kind: 'contained';
  readonly door: FieldDoor;
  readonly to: RecordKind;
  readonly description: string;
  /** Order of the rows. Without one, they have that of `rows`. */
  readonly orders?: readonly Order[];
  /** Field of the rows with the record's id. With it, they are read together with the record. */
  readonly owner?: string;
  /** Reads the rows of a record in order, if they were not read with it. */
  // biome-ignore lint/suspicious/noExplicitAny: each resource has its own rows.
  rows(session: Session, record: any): Promise<readonly Identified[]>;
}

/** A contained field that callers write with the record. Its input is the listed type with the name and `Input`. */
interface WrittenContainedField<Rule extends z.ZodType = z.ZodType> extends ContainedField {
  readonly rule: Rule;
}

/** Shows in GraphQL rows that a record contains. */
export const contained = (
  to: RecordKind,
  options: Omit<ContainedField, 'kind' | 'door' | 'to'>,
): ContainedField => ({
  kind: 'contained',
  door: 'graphql',
  to,
  ...options,
});

/** Shows rows that a record contains, at both doors. Callers write them with the record. */
export const containedParts = <Rule extends z.ZodType>(
  to: RecordKind,
  rule: Rule,
  options: Omit<ContainedField, 'kind' | 'door' | 'to'>,
): WrittenContainedField<Rule> => ({ ...contained(to, options), door: 'both', rule });

/** Words of a field in the GraphQL schema. Where they are left out, those of Prisma's schema stand. */
interface FieldWords {
  readonly description?: string;
  /** Description of the input, if another one than that of what is shown. */
  readonly sent?: string;
  /** Names the field that is used instead, and why the old one may still be. */
  readonly deprecated?: { readonly shown: string; readonly sent?: string };
}

interface ColumnOptions extends FieldWords, Guarded {
  /** GraphQL type of a JSON column, `[Type]` for a list. Its input is the type with the name and `Input`. */
  readonly type?: string;
  /**
   * Tells whether callers must give a value, or `graphql` if only GraphQL's must. The contract leaves it optional then.
   * The row of the database may lack one.
   */
  readonly required?: true | 'graphql';
  /** True if it is a long text, whatever its rule. It weighs more. */
  readonly long?: true;
  /** Kind of the record that the column names, where the database has no foreign key. */
  readonly to?: RecordKind;
  /** Descriptions of the column's enum and of its values. One field of an enum has them. */
  readonly enum?: { readonly about: string; readonly values: Readonly<Record<string, string>> };
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
export const exposed = column('both');

/** Shows a column only in GraphQL. With a rule, callers of GraphQL write it. */
export const exposedInGraphql = column('graphql');

/** Shows a column in GraphQL; REST takes it and does not show it. */
export const takenByRest = column('taken');

/** Shows a column at neither door. With a rule, it is written under the name of its link. */
export const unexposed = column('hidden');

/** The custom fields of a record, which callers make themselves. */
export const withCustomFields = exposed(rules.customFields, {
  type: '[CustomField]',
  description: 'Custom fields, in the order sent.',
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

interface ComputedOptions extends Guarded {
  /** The doors: only GraphQL if left out. */
  readonly door?: FieldDoor;
  /** Records that it follows from, too, and which of their fields. */
  readonly joins?: readonly (readonly [Join, readonly string[]])[];
  /** True if it is a long text. It weighs more. */
  readonly long?: true;
  readonly deprecated?: string;
  /** Type and description of the input of its name. The resource reads it (`resolve`). */
  readonly input?: { readonly type: string; readonly description: string };
}

/** A field that follows from columns of the record. */
export interface ComputedField extends ComputedOptions {
  readonly kind: 'computed';
  readonly door: FieldDoor;
  /** Its type as GraphQL writes it. Without an exclamation mark it may be null. */
  readonly type: string;
  readonly description: string;
  /** Columns that it follows from. */
  readonly from: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: each resolver names the columns that it reads.
  readonly resolve: (row: any, session: Session) => unknown;
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
  options: ComputedOptions = {},
): ComputedField => ({ kind: 'computed', door: 'graphql', type, from, description, resolve, ...options });

/**
 * Shows a number as a word of an enum, only in GraphQL. Callers write either; a number that has no word is null.
 * @param about description of the enum
 * @param from column with the number
 * @param numbers numbers that the words stand for
 */
export const enumField = (
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
interface SpecialField {
  readonly kind: 'special';
  readonly door: FieldDoor;
}

/** A field of that sort whose values have a table of their own. Callers write them with the record. */
interface WrittenSpecialField<Rule extends z.ZodType = z.ZodType> extends SpecialField {
  readonly rule: Rule;
  /** GraphQL type of its input, `[Type]` for a list. */
  readonly input: string;
  /** Description of its input. */
  readonly sent: string;
}

/** Shows a field at both doors that `src/graphql/types` defines. */
export const special: SpecialField = { kind: 'special', door: 'both' };

/** Shows a field in GraphQL that `src/graphql/types` defines, and that callers of GraphQL write. */
export const specialInGraphql = <Rule extends z.ZodType>(
  rule: Rule,
  options: Pick<WrittenSpecialField, 'input' | 'sent'>,
): WrittenSpecialField<Rule> => ({ kind: 'special', door: 'graphql', rule, ...options });

/** Any field of a resource. */
export type Field =
  | ColumnField
  | IdField
  | LinkField
  | LinksField
  | PartField
  | ContainedField
  | WrittenContainedField
  | ComputedField
  | SpecialField
  | WrittenSpecialField;
