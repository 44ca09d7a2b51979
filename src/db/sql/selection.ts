import type { RecordKind } from './models.js';

interface JoinBase<Kind extends RecordKind> {
  /** Under which the records stand with the row: no other join of its model has the name. */
  readonly name: string;
  /** What they are. */
  readonly kind: Kind;
}

/** How a row leads to the one record that a field of it holds the id of. */
export interface Pointer<Kind extends RecordKind = RecordKind> extends JoinBase<Kind> {
  readonly field: string;
}

/** How a row leads to many records: by a table of pairs of ids, its own and theirs, which have an order. */
export interface JoinTable<Kind extends RecordKind = RecordKind> extends JoinBase<Kind> {
  readonly table: string;
  readonly own: string;
  readonly their: string;
}

/** How a row leads to other records. */
export type Join = Pointer | JoinTable;

/** Which fields of a row are read, and what is read with it. */
export interface Selection {
  /** The id is among them, and each field that a join starts from. */
  readonly fields: readonly string[];
  readonly joins: readonly (readonly [Join, Selection])[];
}

/** The pointer in a field. */
export const pointer = <Field extends string, Kind extends RecordKind>(field: Field, kind: Kind) => ({
  name: field,
  kind,
  field,
});

const joined = Symbol('joined');

/** What was read with a row, by the names of the joins: a list, or the one record or null. */
export type JoinedRecords = Record<string, unknown>;

/** Puts beside a row what was read with it. */
export function attachJoined(row: object, records: JoinedRecords): void {
  (row as { [joined]?: JoinedRecords })[joined] = records;
}

/** What was read with a row by a join; undefined where the row was read without it. */
export function getJoined(row: object, { name }: Join): unknown {
  return (row as { [joined]?: JoinedRecords })[joined]?.[name];
}
