import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import { type RecordKind, tables } from '../db/sql/models.js';
import type { Condition, Identified } from '../db/sql/query.js';
import type { Rows } from '../db/sql/select.js';
import type { EventEntity } from '../domain/events.js';
import { type EntityKind, entityNames } from '../domain/events.js';
import { limits } from '../domain/rules.js';

/** Columns that no caller writes. */
type Managed = 'id' | 'organizationId' | 'created' | 'modified';

/** The rules of those of them that every list can be ordered by, and of the workspace, which is never null. */
const managedRules: [string, z.ZodType][] = [
  ['id', z.guid()],
  ['teamId', z.guid()],
  ['created', z.date()],
  ['modified', z.date()],
];

/** What a resource's rules must cover: each column that callers write. */
export type RulesFor<Row> = Record<Exclude<keyof Row, Managed>, z.ZodType>;

/** What every record has. */
export interface RecordBase extends Identified {
  readonly organizationId: string;
  readonly teamId: string;
  readonly created: Date;
  readonly modified: Date;
}

/** The values of a record that callers write, by the names of the model's fields, and its workspace. */
export type Values = Record<string, unknown> & { teamId: string };

/** A field that points at another record, and where a caller writes it. */
export interface Reference {
  readonly field: string;
  readonly to: RecordKind;
  /** In GraphQL's names. */
  readonly path: readonly string[];
}

/** What the helpers that read (list.ts, findRecord) know of a kind of rows, whether or not callers write them. */
export interface Readable<Row extends Identified = Identified> {
  /** What a person calls a row. */
  readonly noun: string;
  /** The fields that a list can be ordered by, with the rules of their values. */
  readonly sortable: ReadonlyMap<string, z.ZodType>;
  /** Those of them by which an index orders an organization's rows; a test compares them with the database's. */
  readonly indexed: readonly string[];
  /** Turns a caller's filter into a condition; throws BAD_REQUEST for a wrong one. */
  where(filter: object, session: Session): Condition | Promise<Condition>;
  readonly rows: Rows<Row>;
}

/** A write under way, for a resource that has to look things up before its values can be checked. */
export interface Write {
  readonly tx: Transaction;
  readonly session: Session;
  /** The workspace that the record is in, or will be. */
  readonly teamId: string;
}

/** What tells resources apart, whatever their fields. */
interface Traits {
  readonly kind: EntityKind;
  readonly references: readonly Reference[];
  /** Names for the event log of fields that callers write under others; those of references follow from their paths. */
  readonly shownAs?: Readonly<Record<string, string>>;
  /** The flag whose change is an event of its own, and its value in a record that is out of use. */
  readonly retired?: { readonly field: string; readonly when: boolean };
  /** Fields that callers write and that are no columns of the record's row. */
  readonly parts?: readonly string[];
  /**
   * Turns what a caller writes of nested records into values by which the rules can check it, and makes records
   * named by unknown natural keys.
   * @param current the record's values before, if it exists
   */
  resolve?(write: Write, input: Condition, current: Values | undefined): Promise<Condition>;
  /** The records nested in a record, by the names of their fields, for a patch to see. */
  nested?(tx: Transaction, values: Values): Promise<Record<string, unknown>>;
  /** Further records that an event of this one is about. */
  related?(values: Values): readonly EventEntity[];
}

/** Values of a record before and after a change. */
export interface RowChange<V = Values> {
  readonly id: string;
  readonly organizationId: string;
  readonly before: V;
  readonly after: V & { readonly modified: Date };
}

/**
 * What the one helper that writes (record.ts) and the one that lists (list.ts) know of a resource: its traits,
 * its own Prisma calls, and what follows from its rules.
 */
export interface Resource<Row extends RecordBase = RecordBase> extends Readable<Row>, Traits {
  readonly table: string;
  readonly rules: z.ZodType<Record<string, unknown>>;
  /** The fields that callers write; without `teamId` when a record's workspace is not theirs to choose. */
  readonly fields: readonly string[];
  /** What a person calls a record, for messages and the event log. */
  title(row: Row): string | null;
  /** Reads the parts of records, by their ids, as far as the caller sees them; left out where there are none. */
  readParts?(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
  /** Stores a new record that is more than its row; where it is left out, the row is all. */
  insert?(tx: Transaction, row: RecordBase & Values, session: Session): Promise<Row>;
  /** Checks changes of records and stores their parts, before the rows are changed. */
  beforeUpdate?(tx: Transaction, changes: readonly RowChange[]): Promise<void>;
  /** Deletes what is deleted with a record, and its row; where it is left out, the row is all. */
  remove?(tx: Transaction, id: string, session: Session): Promise<unknown>;
}

type Stored<Output> = Omit<Output, 'teamId'> & { teamId: string };

/** A resource's own calls, typed by its rules, so that the compiler compares the rules with the model. */
interface Calls<Row extends RecordBase, Output> extends Omit<Readable<Row>, 'noun' | 'sortable'> {
  title(row: Row): string | null;
  readParts?(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>>;
  insert?(tx: Transaction, row: RecordBase & Stored<Output>, session: Session): Promise<Row>;
  beforeUpdate?(tx: Transaction, changes: readonly RowChange<Stored<Output>>[]): Promise<void>;
  remove?(tx: Transaction, id: string, session: Session): Promise<unknown>;
}

/** Whether a field holds a single value, short enough to order by and to put into a cursor. */
const isPlain = (rule: z.ZodType) =>
  !Array.isArray(rule.safeParse(undefined).data) && !rule.safeParse('x'.repeat(limits.line + 1)).success;

/** Describes a resource by its rules, traits and calls. The calls take exactly what the rules give. */
export function defineResource<Row extends RecordBase, Shape extends z.ZodRawShape>(
  rules: z.ZodObject<Shape>,
  description: Traits & Calls<Row, z.output<z.ZodObject<Shape>>>,
): Resource<Row>;
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
    sortable: new Map([...shape.filter(([, rule]) => isPlain(rule)), ...managed]),
  };
}

/** The part of a record that callers write. */
export function fieldsOf(resource: Resource, row: RecordBase): Record<string, unknown> {
  const columns = row as RecordBase & Record<string, unknown>;
  return Object.fromEntries(resource.fields.map((field) => [field, columns[field]]));
}

/** The part of a record that callers write, and its workspace. */
export function valuesOf(resource: Resource, row: RecordBase): Values {
  return { ...fieldsOf(resource, row), teamId: row.teamId };
}
