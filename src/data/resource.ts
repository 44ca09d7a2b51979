import * as z from 'zod';
import type { EntityKind } from '../domain/events.js';
import type { LinkedKind } from './loaders.js';
import type { Session, Transaction } from './scope.js';

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
export interface RecordBase {
  readonly id: string;
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
  readonly to: LinkedKind;
  /** In GraphQL's names. */
  readonly path: readonly string[];
}

/** A Prisma `where`, whatever its model. */
export type Condition = Record<string, unknown>;

/** What a `findMany` needs to read a part of an ordered list. */
export interface ListQuery {
  readonly where: Condition;
  readonly orderBy: Condition[];
  readonly skip?: number;
  readonly take: number;
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
  readonly table: string;
  readonly references: readonly Reference[];
  /** The flag whose change is an event of its own, and its value in a record that is out of use. */
  readonly retired?: { readonly field: string; readonly when: boolean };
  /** Turns a caller's filter into a condition; throws BAD_REQUEST for a wrong one. */
  where(filter: object): Condition;
  count(db: Transaction, where: Condition): Promise<number>;
  /**
   * Turns what a caller writes of nested records into values by which the rules can check it, and makes records
   * named by unknown natural keys.
   * @param current the record's values before, if it exists
   */
  resolve?(write: Write, input: Condition, current: Values | undefined): Promise<Condition>;
  /** The records nested in a record, by the names of their fields, for a patch to see. */
  nested?(db: Transaction, values: Values): Promise<Record<string, unknown>>;
}

/**
 * What the one helper that writes (record.ts) and the one that lists (list.ts) know of a resource: its traits,
 * its own Prisma calls, and what follows from its rules.
 */
export interface Resource<Row extends RecordBase = RecordBase> extends Traits {
  readonly rules: z.ZodType<Record<string, unknown>>;
  /** The fields that callers write. */
  readonly fields: readonly string[];
  /** The fields that a list can be ordered by, with the rules of their values. */
  readonly sortable: ReadonlyMap<string, z.ZodType>;
  /** What a person calls a record, for messages and the event log. */
  title(row: Row): string | null;
  find(db: Transaction, id: string): Promise<Row | null>;
  /** Reads what a record's values have beyond its columns; left out where there is nothing. */
  complete?(db: Transaction, row: Row): Promise<Row>;
  findMany(db: Transaction, query: ListQuery): Promise<Row[]>;
  insert(db: Transaction, row: RecordBase & Values): Promise<Row>;
  update(db: Transaction, id: string, values: Values & { modified: Date }, before: Values): Promise<Row>;
  remove(db: Transaction, id: string): Promise<unknown>;
}

type Stored<Output> = Omit<Output, 'teamId'> & { teamId: string };

/** A resource's own calls, typed by its rules, so that the compiler compares the rules with the model. */
interface Calls<Row extends RecordBase, Output> {
  title(row: Row): string | null;
  find(db: Transaction, id: string): Promise<Row | null>;
  complete?(db: Transaction, row: Row): Promise<Row>;
  findMany(db: Transaction, query: ListQuery): Promise<Row[]>;
  insert(db: Transaction, row: RecordBase & Stored<Output>): Promise<Row>;
  update(
    db: Transaction,
    id: string,
    values: Stored<Output> & { modified: Date },
    before: Stored<Output>,
  ): Promise<Row>;
  remove(db: Transaction, id: string): Promise<unknown>;
}

/** Fields that hold no single value to order by. */
const isPlain = (rule: z.ZodType) => !Array.isArray(rule.safeParse(undefined).data);

/** Describes a resource by its rules, traits and calls. */
export function defineResource<Row extends RecordBase, Shape extends z.ZodRawShape>(
  rules: z.ZodObject<Shape>,
  description: Traits & Calls<Row, z.output<z.ZodObject<Shape>>>,
): Resource<Row> {
  // What zod's own type of a shape's members hides: each is a rule.
  const shape = Object.entries(rules.shape) as unknown as [string, z.ZodType][];
  return {
    // Its calls take exactly what `rules` give, which the type of Resource leaves open.
    ...(description as unknown as Omit<Resource<Row>, 'rules' | 'fields' | 'sortable'>),
    rules: rules as unknown as z.ZodType<Record<string, unknown>>,
    fields: shape.map(([field]) => field),
    sortable: new Map([...shape.filter(([, rule]) => isPlain(rule)), ...managedRules]),
  };
}
