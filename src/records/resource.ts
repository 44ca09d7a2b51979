import * as z from 'zod';
import type { Alongside } from '../db/bin/moved.js';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { ListWrite } from '../db/sql/lists.js';
import { type RecordKind, tables } from '../db/sql/models.js';
import type { Condition, Identified } from '../db/sql/query.js';
import type { JoinTable } from '../db/sql/selection.js';
import type { EventEntity } from '../domain/events.js';
import { type EntityKind, entityNames } from '../domain/events.js';
import type { Violations } from '../domain/input/violations.js';
import { limits } from '../domain/rules.js';
import type { Readable } from './lists/readable.js';

/** Columns that no caller writes. */
type Managed = 'id' | 'organizationId' | 'created' | 'modified';

/** Rules for managed columns that every list can be ordered by. The workspace is among them, as it is never null. */
const managedRules: [string, z.ZodType][] = [
  ['id', z.guid()],
  ['teamId', z.guid()],
  ['created', z.date()],
  ['modified', z.date()],
];

/** Rules of a resource: one for each column that callers write. */
export type RulesFor<Row> = Record<Exclude<keyof Row, Managed>, z.ZodType>;

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

/** A write in progress. It is for resources that look something up before their values can be checked. */
export interface Write {
  readonly tx: Transaction;
  readonly session: Session;
  /** Present or future workspace of the record. */
  readonly teamId: string;
  /** Violations of the input so far. Any of them keeps the write from being done. */
  readonly problems: Violations;
}

/** Properties of a resource that do not depend on its fields. */
interface Traits {
  readonly kind: EntityKind;
  readonly references: readonly Reference[];
  /** Public names, in the event log, of fields that the input names otherwise. References follow from their paths. */
  readonly eventNames?: Readonly<Record<string, string>>;
  /** Flag that retires a record, and its value then. Its change is an event of its own. */
  readonly retired?: { readonly field: string; readonly when: boolean };
  /** Column of the user who created a record. It is set once, from the caller. */
  readonly createdBy?: string;
  /** Fields that callers write and that are no columns of the record's row. */
  readonly parts?: readonly string[];
  /** Parts that are lists of linked records' ids, by their fields. They are stored with the row. */
  readonly lists?: Readonly<Record<string, JoinTable>>;
  /**
   * Resolves nested records in the input to values that the rules can check. Records with unknown natural keys are
   * created. What is wrong is noted among the write's problems, and has a value then that the rules let pass.
   * @param current the record's values before, if it exists
   */
  resolve?(write: Write, input: Condition, current: RecordValues | undefined): Promise<Condition>;
  /** Reads, for a patch, what a record shows beyond its columns, by field name. */
  nested?(tx: Transaction, values: RecordValues, now: Date): Promise<Record<string, unknown>>;
  /** Returns further records that the record's events are about. */
  related?(values: RecordValues): readonly EventEntity[];
  /**
   * Field whose values are unique, and the fields within whose values they are. Without these, they are unique in the
   * organization. A test compares them with the database.
   */
  readonly uniqueBy?: readonly [field: string, ...within: string[]];
  /** Rows that are deleted with records and do not go by themselves. */
  readonly alongside?: readonly Alongside[];
  /** Prepares the caller and the transaction for putting a record back from the bin. */
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
 * A resource that callers write. The helpers that write (record.ts) and list (list.ts) work from it: its traits, its
 * own calls, and what follows from its rules.
 */
export interface Resource<Row extends RecordBase = RecordBase> extends Readable<Row>, Traits {
  readonly table: string;
  readonly rules: z.ZodType<Record<string, unknown>>;
  /** Fields that callers write. `teamId` is missing when callers do not choose the workspace. */
  readonly fields: readonly string[];
  /** Returns the record's title, for messages and the event log. */
  title(row: Row): string | null;
  /** Reads the parts of records by their ids, in the caller's scope. Left out where there are none. */
  readParts?(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
  /** Stores a new record, where its row and its parts are not all. */
  insert?(tx: Transaction, row: RecordBase & RecordValues, session: Session): Promise<Row>;
  /** Stores the parts of a new record that are not lists. Called once its row is there, if it has some. */
  insertParts?(tx: Transaction, record: RecordBase & RecordValues): Promise<void>;
  /** Checks changes of records and stores parts that are not lists. The rows are changed afterwards. */
  beforeUpdate?(tx: Transaction, changes: readonly RowChange[]): Promise<void>;
  /** Reads what is deleted with records. It is answered with them, as they were. */
  readDependents?(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
}

type Stored<Output> = Omit<Output, 'teamId'> & { teamId: string };

/** Calls of a resource, typed by its rules. So the compiler compares the rules with the model. */
interface Calls<Row extends RecordBase, Output> extends Omit<Readable<Row>, 'noun' | 'sortable'> {
  title(row: Row): string | null;
  readParts?(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
  insert?(tx: Transaction, row: RecordBase & Stored<Output>, session: Session): Promise<Row>;
  insertParts?(tx: Transaction, record: RecordBase & Stored<Output>): Promise<void>;
  beforeUpdate?(tx: Transaction, changes: readonly RowChange<Stored<Output>>[]): Promise<void>;
  readDependents?(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
}

/** Tells if a field holds a single short value, fit for order and cursor. */
const isSortable = (rule: z.ZodType) =>
  !Array.isArray(rule.safeParse(undefined).data) &&
  !rule.safeParse({}).success &&
  !rule.safeParse('x'.repeat(limits.line + 1)).success;

/** Describes a resource by its rules, traits and calls. The calls take exactly what the rules give. */
export function defineResource<Row extends RecordBase, Shape extends z.ZodRawShape>(
  rules: z.ZodObject<Shape>,
  description: Traits & Calls<Row, z.output<z.ZodObject<Shape>>>,
): Resource<Row>;
/** Implements the overload above, whose types compare the calls with the rules. */
export function defineResource(
  rules: z.ZodObject<Record<string, z.ZodType>>,
  description: Omit<Resource, 'noun' | 'table' | 'rules' | 'fields' | 'sortable'>,
): Resource {
  const shape = Object.entries(rules.shape);
  const fields = shape.map(([field]) => field);
  const managed = managedRules.filter(([field]) => field !== 'teamId' || fields.includes(field));
  return {
    ...description,
    table: tables[description.kind],
    noun: entityNames[description.kind],
    rules,
    fields,
    sortable: new Map([...shape.filter(([, rule]) => isSortable(rule)), ...managed]),
  };
}

/** Returns the fields of a record that callers write. */
export function writableFields(resource: Resource, row: RecordBase): Record<string, unknown> {
  const columns = row as RecordBase & Record<string, unknown>;
  return Object.fromEntries(resource.fields.map((field) => [field, columns[field]]));
}

/** Returns the fields of a record that callers write, and its workspace. */
export function writableValues(resource: Resource, row: RecordBase): RecordValues {
  return { ...writableFields(resource, row), teamId: row.teamId };
}

/** A record's values as they are stored: columns of its row, lists, and other parts. */
export interface StoredValues {
  readonly columns: RecordValues;
  readonly lists: readonly ListWrite[];
  readonly parts: Readonly<Record<string, unknown>>;
}

/** Splits a record's values into what is stored in different tables. Lists are among the parts as well. */
export function splitValues({ parts: names = [], lists = {} }: Resource, values: RecordValues): StoredValues {
  const entries = Object.entries(values);
  const parts = Object.fromEntries(entries.filter(([field]) => names.includes(field)));
  return {
    columns: Object.fromEntries(entries.filter(([field]) => !names.includes(field))) as RecordValues,
    parts,
    lists: Object.entries(lists).map(([field, by]) => ({ by, ids: (parts[field] ?? []) as string[] })),
  };
}
