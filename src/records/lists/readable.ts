import type * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import type { KeyColumn } from '../../db/sql/key-columns.js';
import type { Condition, Identified } from '../../db/sql/query.js';
import type { Rows } from '../../db/sql/select.js';
import type { Order } from '../../domain/paging.js';

/** Types of columns that can be filtered by a range. */
export type RangeType = 'Date' | 'DateTime' | 'Int' | 'Float' | 'BigInt';

/**
 * Returns the condition on records without a link. Links to records that the caller cannot see do not count.
 */
export type NoLink = (session: Session) => Condition;

/** A sort key that is not a column of the table. */
export interface ComputedKey {
  /** Rule of the key's values. */
  readonly rule: z.ZodType;
  /** @param as alias for a table that it joins */
  column(session: Session, order: Order, as: string): KeyColumn | Promise<KeyColumn>;
}

/** A resource that can be read and listed, whether or not callers can write it. */
export interface Readable<Row extends Identified = Identified> {
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
  /** Translates a caller's filter to a condition. Throws BAD_REQUEST if it is invalid. */
  where(filter: object, session: Session): Condition | Promise<Condition>;
  readonly rows: Rows<Row>;
}
