import * as z from 'zod';
import type { Alongside } from '../db/bin/bin.js';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Condition, Identified, KeyColumn } from '../db/sql/conditions.js';
import { tables } from '../db/sql/models.js';
import type { Rows } from '../db/sql/select.js';
import type { JoinTable } from '../db/sql/tree.js';
import type { ListWrite } from '../db/sql/write.js';
import type { Violations } from '../domain/errors.js';
import { type EntityKind, type EventEntity, entityNames, type RecordKind } from '../domain/models.js';
import type { Order } from '../domain/paging.js';
import { limits } from '../domain/rules.js';

/** Types of columns that can be filtered by a range. */
export type RangeType = 'Date' | 'DateTime' | 'Int' | 'Float' | 'BigInt';

/**
 * Returns the condition on records without a link. Links to records that the caller cannot see do not count.
 */
export type NoLink = (session: Session) => Condition | Promise<Condition>;

/** A sort key that is not a column of the table. */
export interface ComputedKey {
  /** Rule of the key's values. */
  readonly rule: z.ZodType;
  /** @param as alias for a table that it joins */
  column(session: Session, order: Order, as: string): KeyColumn | Promise<KeyColumn>;
}

/** A resource that can be read and listed, whether or not callers can write it. */
export interface ListedResource<Row extends Identified = Identified> {
  /** Name of a record in messages. */
  readonly noun: string;
  /** Fields that a list can be ordered by, with the rules of their values. */
  readonly sortable: ReadonlyMap<string, z.ZodType>;
  /** Sortable fields with an index per organization. A test compares them with the database's indexes. */
  readonly indexed: readonly string[];
  /** Sortable fields with an index per value of a column, by that column. The same test compares them. */
  readonly indexedBy?: Readonly<Record<string, readonly string[]>>;
  /** Further sort keys by name, such as names of linked records and other computed values. */
  readonly orderKeys?: Readonly<Record<string, ComputedKey>>;
  /**
   * Columns that can be filtered by a range, with their types. The times of creation and change are added.
   */
  readonly ranges?: Readonly<Record<string, RangeType>>;
  /** Members of filters that take several ids, by name. A record matches if it has any of the ids. */
  readonly manyOf?: Readonly<Record<string, (ids: readonly string[], session: Session) => Condition>>;
  /** Links that a record may lack, by their names in the schema's enum. */
  readonly links?: Readonly<Record<string, NoLink>>;
  /** True if its records have custom fields, which lists can be filtered and ordered by. */
  readonly customFields?: true;
  /** Rules of a filter's own members. They return what is compared. */
  readonly filterRule: z.ZodType;
  /** Translates a caller's filter to a condition. Throws BAD_REQUEST if it is invalid. */
  where(filter: object, session: Session): Condition | Promise<Condition>;
  readonly rows: Rows<Row>;
}

/**
 * Rules for managed columns that every list can be ordered by. The workspace is among them, as it is never
 * null.
 */
const managedRules: [string, z.ZodType][] = [
  ['id', z.guid()],
  ['teamId', z.guid()],
  ['created', z.date()],
  ['modified', z.date()],
];

/** Columns that every record has. */
export interface RecordBase extends Identified {
  readonly organizationId: string;
  readonly teamId: string;
  readonly created: Date;
  readonly modified: Date;
}

/** Values that callers write, by field name, and the record's workspace. */
export type RecordValues = Record<string, unknown> & { teamId: string };

/** A foreign key to another record, and its place in the input. */
export interface Reference {
  readonly field: string;
  readonly to: RecordKind;
  /** Path in the input, in GraphQL's names. */
  readonly path: readonly string[];
}

/** A write in progress. Resources use it to look things up before their values can be checked. */
export interface Write {
  readonly tx: Transaction;
  readonly session: Session;
  /** Present or future workspace of the record. */
  readonly teamId: string;
  /** Violations of the input so far. Any of them prevents the write. */
  readonly problems: Violations;
  /** True for a patch, whose nested values are all meant. Those of another input may be an older copy. */
  readonly isPatch: boolean;
}

/** Properties of a resource that do not depend on its fields. */
export interface Traits {
  readonly kind: EntityKind;
  readonly references: readonly Reference[];
  /**
   * Public names, in the event log, of fields that the input names differently. Those of references follow
   * from their paths.
   */
  readonly eventNames?: Readonly<Record<string, string>>;
  /** Long values of which events only show that they changed, by a digest. */
  readonly digested?: readonly string[];
  /** The flag that retires a record, and its value then. Changing it has an event of its own. */
  readonly retired?: { readonly field: string; readonly when: boolean };
  /** Values that say nothing of a new record, because most have them, by field. */
  readonly usual?: Readonly<Record<string, unknown>>;
  /** Column of the user who created a record. It is set once, from the caller. */
  readonly createdBy?: string;
  /** Fields that callers write but that are not columns of the record's row. */
  readonly parts?: readonly string[];
  /** Parts that are lists of linked records' ids, by their fields. They are stored together with the row. */
  readonly lists?: Readonly<Record<string, JoinTable>>;
  /**
   * Resolves nested records in the input to values that the rules can check. Records with unknown natural
   * keys are created. Faults are added to the write's problems, and the invalid values are replaced by ones
   * that pass the rules.
   * @param current the record's values before, if it exists
   */
  resolve?(write: Write, input: Condition, current: RecordValues | undefined): Promise<Condition>;
  /** Returns further records that the record's events are about. */
  related?(values: RecordValues): readonly EventEntity[];
  /**
   * Field whose values are unique, and the fields that limit the scope of uniqueness. Without those, values
   * are unique per organization. A test compares them with the database.
   */
  readonly uniqueBy?: readonly [field: string, ...within: string[]];
  /** Rows to delete together with records, where no foreign key does it. */
  readonly alongside?: readonly Alongside[];
  /** Prepares the caller and the transaction for restoring a record from the bin. */
  beforeRestore?(tx: Transaction, session: Session, id: string): Promise<unknown>;
  /**
   * Checks that a caller may delete or restore a record, beyond the role's right.
   * @throws GatewayError FORBIDDEN
   */
  checkOwner?(tx: Transaction, record: object): void;
}

/** Values of a record before and after a change. */
export interface RowChange<V = RecordValues> {
  readonly id: string;
  readonly organizationId: string;
  readonly before: V;
  readonly after: V & { readonly modified: Date };
}

/**
 * A resource that callers write. The helpers that write (record.ts) and list (list.ts) work from its traits,
 * its functions, and what follows from its rules.
 */
export interface Resource<Row extends RecordBase = RecordBase> extends ListedResource<Row>, Traits {
  readonly table: string;
  readonly rules: z.ZodType<Record<string, unknown>>;
  /** Fields that callers write. `teamId` is missing if callers cannot choose the workspace. */
  readonly writable: readonly string[];
  /** Returns the record's title, for messages and the event log. */
  title(row: Row): string | null;
  /** Reads the parts of records by id, in the caller's scope. Undefined if there are none. */
  readParts?(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
  /** Stores a new record that consists of more than its row and parts. */
  insert?(tx: Transaction, row: RecordBase & RecordValues, session: Session): Promise<Row>;
  /**
   * Stores the parts of a new record that are not lists. It is called after the row exists, if there are any.
   */
  insertParts?(tx: Transaction, record: RecordBase & RecordValues): Promise<void>;
  /** Checks changes of records before their rows change, and stores parts that are not lists. */
  beforeUpdate?(tx: Transaction, changes: readonly RowChange[], session: Session): Promise<void>;
  /** Reads what is deleted along with records. The answer includes it as it was. */
  readDependents?(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
}

type Stored<Output> = Omit<Output, 'teamId'> & { teamId: string };

/** Functions of a resource, typed by its rules. This lets the compiler compare the rules with the model. */
export interface Calls<Row extends RecordBase, Output>
  extends Omit<ListedResource<Row>, 'noun' | 'sortable'> {
  title(row: Row): string | null;
  readParts?(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
  insert?(tx: Transaction, row: RecordBase & Stored<Output>, session: Session): Promise<Row>;
  insertParts?(tx: Transaction, record: RecordBase & Stored<Output>): Promise<void>;
  beforeUpdate?(
    tx: Transaction,
    changes: readonly RowChange<Stored<Output>>[],
    session: Session,
  ): Promise<void>;
  readDependents?(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
}

/** Returns whether a rule takes an object, with or without members that it requires. */
const takesObject = (rule: z.ZodType) =>
  rule.safeParse({}).success ||
  rule
    .safeParse('')
    .error?.issues.some((issue) => issue.code === 'invalid_type' && issue.expected === 'object');

/** Returns whether a field holds a single short value, which suits orders and cursors. */
const isSortable = (rule: z.ZodType) =>
  !Array.isArray(rule.safeParse(undefined).data) &&
  !takesObject(rule) &&
  !rule.safeParse('x'.repeat(limits.line + 1)).success;

/**
 * Defines a resource by its rules, traits and functions. The functions take exactly what the rules produce.
 */
export function defineResource<Row extends RecordBase, Shape extends z.ZodRawShape>(
  rules: z.ZodObject<Shape>,
  description: Traits & Calls<Row, z.output<z.ZodObject<Shape>>>,
): Resource<Row>;
/** Implements the overload above, whose types compare the functions with the rules. */
export function defineResource(
  rules: z.ZodObject<Record<string, z.ZodType>>,
  description: Omit<Resource, 'noun' | 'table' | 'rules' | 'writable' | 'sortable'>,
): Resource {
  const shape = Object.entries(rules.shape);
  const writable = shape.map(([field]) => field);
  const { digested = [] } = description;
  const ordering = shape.filter(([field, rule]) => isSortable(rule) && !digested.includes(field));
  const managed = managedRules.filter(([field]) => field !== 'teamId' || writable.includes(field));
  return {
    ...description,
    table: tables[description.kind],
    noun: entityNames[description.kind],
    rules,
    writable,
    sortable: new Map([...ordering, ...managed]),
  };
}

/** Returns the fields of a record that callers write. */
export function writableFields(
  { writable }: Pick<Resource, 'writable'>,
  row: RecordBase,
): Record<string, unknown> {
  const columns = row as RecordBase & Record<string, unknown>;
  return Object.fromEntries(writable.map((field) => [field, columns[field]]));
}

/** Returns the fields of a record that callers write, and its workspace. */
export function writableValues(resource: Pick<Resource, 'writable'>, row: RecordBase): RecordValues {
  return { ...writableFields(resource, row), teamId: row.teamId };
}

/** A record's values by storage: columns of its row, lists, and other parts. */
interface StoredValues {
  readonly columns: RecordValues;
  readonly lists: readonly ListWrite[];
  readonly parts: Readonly<Record<string, unknown>>;
}

/** Splits a record's values by the tables that store them. Lists also appear among the parts. */
export function splitValues({ parts: names = [], lists = {} }: Resource, values: RecordValues): StoredValues {
  const entries = Object.entries(values);
  const parts = Object.fromEntries(entries.filter(([field]) => names.includes(field)));
  return {
    columns: Object.fromEntries(entries.filter(([field]) => !names.includes(field))) as RecordValues,
    parts,
    lists: Object.entries(lists).map(([field, by]) => ({ by, ids: (parts[field] ?? []) as string[] })),
  };
}
