import type * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import type { RecordKind } from '../../db/sql/models.js';
import type { Identified } from '../../db/sql/query.js';
import type { JoinTable } from '../../db/sql/selection.js';
import type { Order } from '../../domain/paging.js';
import type { Right } from '../../domain/roles.js';
import { rules } from '../../domain/rules.js';
import type { Link } from '../links.js';

/**
 * The doors of a field. `both` shows it in GraphQL and REST; `graphql` only in GraphQL; `taken` shows it in GraphQL,
 * and REST takes it without showing it; `hidden` shows it nowhere.
 */
export type FieldDoor = 'both' | 'graphql' | 'taken' | 'hidden';

/** Right that reading a field asks for, if more than that to read its record. */
export interface Guarded {
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
export interface HeldField {
  readonly kind: 'held';
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

/** A held field that callers write with the record. Its input is the listed type with the name and `Input`. */
export interface WrittenHeldField<Rule extends z.ZodType = z.ZodType> extends HeldField {
  readonly rule: Rule;
}

/** Shows in GraphQL rows that a record holds. */
export const held = (to: RecordKind, options: Omit<HeldField, 'kind' | 'door' | 'to'>): HeldField => ({
  kind: 'held',
  door: 'graphql',
  to,
  ...options,
});

/** Shows rows that a record holds at both doors. Callers write them with the record. */
export const heldParts = <Rule extends z.ZodType>(
  to: RecordKind,
  rule: Rule,
  options: Omit<HeldField, 'kind' | 'door' | 'to'>,
): WrittenHeldField<Rule> => ({ ...held(to, options), door: 'both', rule });
