import type { Order } from '../../domain/paging.js';
import type { RecordKind } from './models.js';
import type { Condition } from './query.js';

interface JoinBase<Kind extends RecordKind> {
  /** Name of the join, unique in its model. The joined records are attached to the row under this name. */
  readonly name: string;
  readonly kind: Kind;
}

/** A join by a foreign key: the row holds the id of one record. */
export interface Pointer<Kind extends RecordKind = RecordKind> extends JoinBase<Kind> {
  readonly field: string;
}

/** A join by a join table, whose rows are ordered pairs of ids. */
export interface JoinTable<Kind extends RecordKind = RecordKind> extends JoinBase<Kind> {
  readonly table: string;
  readonly own: string;
  readonly their: string;
}

/** A join to a record's parts, in their order: rows that hold its id. */
export interface Parts<Kind extends RecordKind = RecordKind> extends JoinBase<Kind> {
  /** Field of the parts that holds the record's id. */
  readonly owner: string;
  readonly orderBy: readonly Condition[];
}

/** A join from a row to other records. */
export type Join = Pointer | JoinTable | Parts;

/** The fields to read of a row, and the joined records (projection). */
export interface Selection {
  /** Field names. They always include the id and each field that a join starts from. */
  readonly fields: readonly string[];
  /** Fields that are only shown. Their dates are texts, as answers write them. */
  readonly shown?: ReadonlySet<string>;
  readonly joins: readonly (readonly [Join, Selection])[];
}

/** Creates a join by the foreign key in a field. */
export const pointer = <Field extends string, Kind extends RecordKind>(field: Field, kind: Kind) => ({
  name: field,
  kind,
  field,
});

/** Creates a join to parts. Their order ends with their ids, in the direction of the last key. */
export function partsOf(name: string, kind: RecordKind, owner: string, orders: readonly Order[]): Parts {
  const keys = orders.map(({ field, direction }) => ({ [field]: direction }));
  return { name, kind, owner, orderBy: [...keys, { id: orders.at(-1)?.direction ?? 'asc' }] };
}

const joined = Symbol('joined');

/** Joined records by the names of the joins: a list, or one record or null. */
export type JoinedRecords = Record<string, unknown>;

/** Attaches joined records to a row, under a symbol. */
export function attachJoined(row: object, records: JoinedRecords): void {
  (row as { [joined]?: JoinedRecords })[joined] = records;
}

/** Returns what a join has read with a row; undefined if it was not read. */
export function getJoined(row: object, { name }: Join): unknown {
  return (row as { [joined]?: JoinedRecords })[joined]?.[name];
}
