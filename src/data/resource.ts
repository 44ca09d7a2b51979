import type * as z from 'zod';
import type { EntityKind } from '../domain/events.js';
import type { LinkedKind } from './loaders.js';
import type { Transaction } from './scope.js';

/** Columns that no caller writes. */
type Managed = 'id' | 'organizationId' | 'created' | 'modified';

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

/** What tells resources apart, whatever their fields. */
interface Traits {
  readonly kind: EntityKind;
  readonly table: string;
  readonly references: readonly Reference[];
  /** The flag whose change is an event of its own, and its value in a record that is out of use. */
  readonly retired?: { readonly field: string; readonly when: boolean };
}

/**
 * What the one helper that writes (record.ts) and the one that lists (list.ts) know of a resource: its traits,
 * its own Prisma calls, and what follows from its rules.
 */
export interface Resource<Row extends RecordBase = RecordBase> extends Traits {
  readonly rules: z.ZodType<Record<string, unknown>>;
  /** The fields that callers write. */
  readonly fields: readonly string[];
  /** The fields a list can be ordered by. */
  readonly sortable: readonly string[];
  /** Those of them that can be null. */
  readonly nullable: ReadonlySet<string>;
  /** What a person calls a record, for messages and the event log. */
  title(row: Row): string | null;
  find(db: Transaction, id: string): Promise<Row | null>;
  insert(db: Transaction, row: RecordBase & Values): Promise<Row>;
  update(db: Transaction, id: string, values: Values & { modified: Date }): Promise<Row>;
  remove(db: Transaction, id: string): Promise<unknown>;
}

type Stored<Output> = Omit<Output, 'teamId'> & { teamId: string };

/** A resource's own calls, typed by its rules, so that the compiler compares the rules with the model. */
interface Calls<Row extends RecordBase, Output> {
  title(row: Row): string | null;
  find(db: Transaction, id: string): Promise<Row | null>;
  insert(db: Transaction, row: RecordBase & Stored<Output>): Promise<Row>;
  update(db: Transaction, id: string, values: Stored<Output> & { modified: Date }): Promise<Row>;
  remove(db: Transaction, id: string): Promise<unknown>;
}

/** Describes a resource by its rules, traits and calls. */
export function defineResource<Row extends RecordBase, Shape extends z.ZodRawShape>(
  rules: z.ZodObject<Shape>,
  description: Traits & Calls<Row, z.output<z.ZodObject<Shape>>>,
): Resource<Row> {
  const fields = Object.keys(rules.shape);
  const scalars = fields.filter((field) => field !== 'customFields');
  const canBeNull = (field: string) =>
    field !== 'teamId' && (rules.shape[field] as unknown as z.ZodType).safeParse(undefined).data === null;
  return {
    // Its calls take exactly what `rules` give, which the type of Resource leaves open.
    ...(description as unknown as Omit<Resource<Row>, 'rules' | 'fields' | 'sortable' | 'nullable'>),
    rules: rules as unknown as z.ZodType<Record<string, unknown>>,
    fields,
    sortable: ['id', ...scalars, 'created', 'modified'],
    nullable: new Set(scalars.filter(canBeNull)),
  };
}
