import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import {
  type Condition,
  customFieldValue,
  type KeyColumn,
  keyName,
  linkedId,
  linkedName,
  modelFields,
  withKeysSql,
} from '../../db/sql/conditions.js';
import type { Sql } from '../../db/sql/sql.js';
import type { Selection } from '../../db/sql/tree.js';
import { badField } from '../../domain/errors.js';
import type { ModelName, RecordKind } from '../../domain/models.js';
import { maxOrders, type Order } from '../../domain/paging.js';
import { check, rules } from '../../domain/rules.js';
import type { ComputedKey, ListedResource } from '../resource.js';

/** The most rows that can be ordered by a computed key. */
export const maxComputedRows = 100_000;

/** A key of a list's order, and the column that holds it. */
export interface SortKey {
  readonly column: string;
  readonly ascending: boolean;
  readonly rule: z.ZodType;
}

/** The order of a list, and what must be read for it. */
export interface Sort {
  readonly keys: readonly SortKey[];
  /** Query to read from instead of the table, if keys are computed. */
  readonly from?: Sql;
  /** True if the database has to compute a value for each row. */
  readonly isComputed: boolean;
  readonly model: ModelName;
}

/** The name of the key for custom fields, and the name in the schema. */
export const customFieldKey = 'customField.value';

/** Creates sort keys by the names of linked records. A relation has a name, a column and a kind. */
export function linkedNames(
  links: Readonly<Record<string, readonly [column: string, kind: RecordKind]>>,
): Readonly<Record<string, ComputedKey>> {
  const key = ([column, kind]: readonly [string, RecordKind]): ComputedKey => ({
    rule: rules.line,
    column: (session, _order, as) => linkedName(session, kind, column, as),
  });
  return Object.fromEntries(Object.entries(links).map(([name, link]) => [`${name}.name`, key(link)]));
}

/** Creates sort keys by columns with links that no answer shows as they are. */
export const linkedIds = (
  links: readonly (readonly [column: string, kind: RecordKind])[],
): Readonly<Record<string, ComputedKey>> =>
  Object.fromEntries(
    links.map(([column, kind]) => [
      column,
      { rule: z.guid().nullable(), column: (session) => linkedId(session, kind, column) },
    ]),
  );

const customField: ComputedKey = {
  rule: z.string().nullable(),
  column: (_session, { customField }) => customFieldValue(customField ?? ''),
};

/** Lists the computed sort keys of a resource, which no column holds. */
export function computedKeys({ orderKeys, customFields }: ListedResource): ReadonlyMap<string, ComputedKey> {
  return new Map([
    ...Object.entries(orderKeys ?? {}),
    ...(customFields ? [[customFieldKey, customField] as const] : []),
  ]);
}

/**
 * Checks an order that a caller wrote. The default order replaces an empty one.
 * @throws GatewayError BAD_REQUEST for too many keys, or a custom field without a name
 */
export function readOrders(orders: readonly Order[] | null | undefined, standard: Order): readonly Order[] {
  if (!orders || orders.length === 0) return [standard];
  if (orders.length > maxOrders)
    throw badField(['orderBy'], `must have at most ${maxOrders} keys`, 'entries');
  for (const [index, { field, customField }] of orders.entries()) {
    const path = ['orderBy', index, 'customField'];
    if (field === customFieldKey) {
      if (customField == null) throw badField(path, 'is required with this field', 'required');
      check(rules.requiredLine, customField, path);
    } else if (customField != null) throw badField(path, 'can be used only with the field CUSTOM_FIELD');
  }
  // Keys after the id are pointless, because no two rows share an id.
  const last = orders.findIndex(({ field }) => field === 'id');
  return last === -1 ? orders : orders.slice(0, last + 1);
}

/** Lists the columns that hold the keys of an order. */
export function sortColumns(resource: ListedResource, orders: readonly Order[]): string[] {
  return orders.map(({ field }, place) => (resource.sortable.has(field) ? field : keyName(place)));
}

/** Prepares what must be read for an order. */
export async function makeSort(
  session: Session,
  resource: ListedResource,
  orders: readonly Order[],
): Promise<Sort> {
  const computed = computedKeys(resource);
  const { model } = resource.rows;
  const further: (readonly [string, KeyColumn])[] = [];
  const keys: SortKey[] = [];
  for (const [place, column] of sortColumns(resource, orders).entries()) {
    const order = orders[place] as Order;
    const key = computed.get(order.field);
    const rule = resource.sortable.get(order.field) ?? key?.rule;
    if (!rule) throw new Error(`A list of the type ${model} cannot be ordered by ${order.field}.`);
    if (key) further.push([column, await key.column(session, order, `linked${place}`)]);
    keys.push({ column, ascending: order.direction === 'asc', rule });
  }
  const isComputed = further.some(([, { isPlain = false }]) => !isPlain);
  return {
    keys,
    model,
    isComputed,
    ...(further.length > 0 && { from: withKeysSql(session, model, further) }),
  };
}

/** Creates the error for a list that is too long for a computed order. */
export function listTooLong() {
  const most = maxComputedRows.toLocaleString('en');
  return badField(
    ['orderBy'],
    `a list of more than ${most} rows cannot be ordered by status, custom field or linked name; use a filter`,
  );
}

/**
 * Checks that a list is short enough for its order. There is no limit for orders by columns only.
 * @throws GatewayError BAD_REQUEST
 */
export async function checkLength(
  session: Session,
  resource: ListedResource,
  where: Condition,
  { isComputed }: Sort,
): Promise<void> {
  if (isComputed && (await resource.rows.hasMore(session, where, maxComputedRows))) throw listTooLong();
}

/** Returns the fields of a whole row, including the sort columns. */
export function wholeRow({ keys, model }: Sort): Selection {
  return { fields: [...new Set([...modelFields(model), ...keys.map(({ column }) => column)])], joins: [] };
}
