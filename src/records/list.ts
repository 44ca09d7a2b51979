import type { Session } from '../db/connection/session.js';
import type { Condition, Identified } from '../db/sql/query.js';
import type { Selection } from '../db/sql/selection.js';
import { badField } from '../domain/errors.js';
import type { Order, Window } from '../domain/paging.js';
import { isSearch, listCondition } from './lists/filter.js';
import { listQuery } from './lists/keyset.js';
import { checkLength, makeSort, wholeRow } from './lists/order.js';
import type { Readable } from './lists/readable.js';

export interface Page<Row> {
  readonly rows: Row[];
  /** True if the list continues in the direction of reading. */
  readonly more: boolean;
  /** Total number of rows on all pages, if it was counted along with the rows. */
  readonly total?: number | undefined;
}

/**
 * Reads a page of the records that match a filter.
 * @param asked the selection of each row, and whether to count the rows of all pages if that needs no extra
 *   search
 * @throws GatewayError BAD_REQUEST for an invalid filter, a cursor of another list, or a list that is too
 *   long for its order
 */
export async function listRecords<Row extends Identified>(
  session: Session,
  resource: Readable<Row>,
  filter: object,
  orders: readonly Order[],
  window: Window,
  { counted = false, selection }: { counted?: boolean; selection?: Selection | undefined } = {},
): Promise<Page<Row>> {
  const where = await listCondition(resource, filter, session);
  const sort = await makeSort(session, resource, orders);
  const query = { ...listQuery(where, sort, window), isIndexed: isIndexed(resource, where, orders) };
  await checkLength(session, resource, where, sort);
  const [first] = orders;
  const search = {
    counted,
    inIndexOrder: orders.length === 1 && resource.indexed.includes(first?.field ?? ''),
  };
  const read = selection ?? (sort.from && wholeRow(sort));
  const { rows, total } = isSearch(filter)
    ? await resource.rows.search(session, query, search, read)
    : { rows: await resource.rows.list(session, query, read) };
  const inWindow = rows.slice(0, window.limit);
  return { rows: window.backward ? inWindow.reverse() : inWindow, more: rows.length > window.limit, total };
}

/** Lists the terms of a condition that is a conjunction. */
function termsOf(condition: Condition): (readonly [column: string, value: unknown])[] {
  return Object.entries(condition).flatMap(([name, value]) =>
    name === 'AND' ? [value as Condition | Condition[]].flat().flatMap(termsOf) : [[name, value] as const],
  );
}

/** Returns whether an index contains exactly the rows of a list, in its order. */
function isIndexed({ indexedBy = {} }: Readable, where: Condition, orders: readonly Order[]): boolean {
  const [[column, value] = ['', undefined], ...others] = termsOf(where);
  const [order, ...further] = orders;
  if (others.length > 0 || further.length > 0 || typeof value !== 'string') return false;
  return indexedBy[column]?.includes(order?.field ?? '') ?? false;
}

/** Counts the records that match a filter. */
export async function countRecords(session: Session, resource: Readable, filter: object): Promise<number> {
  return resource.rows.count(session, await listCondition(resource, filter, session));
}

/**
 * Returns filter conditions for rows about records: one record, or any of a kind.
 * @param relation relation to the rows' subjects
 * @param kindColumn column of that relation with the subject's kind
 */
export function aboutRecord(relation: string, kindColumn: string) {
  type About = {
    readonly entityId?: string | null;
    readonly entityType?: number | null;
    readonly entityKind?: number | null;
  };
  const some = ({ entityId, entityType, entityKind }: About): Condition => ({
    [relation]: {
      some: {
        ...(entityId != null && { entityId }),
        ...(entityType != null && { [kindColumn]: entityType }),
        ...(entityKind != null && entityType == null && { [kindColumn]: entityKind }),
      },
    },
  });
  return {
    entityId: (_entityId: string, all: About) => some(all),
    entityType: (_entityType: number, all: About) => (all.entityId == null ? some(all) : {}),
    entityKind: (entityKind: number, all: About) => {
      if (all.entityType != null && all.entityType !== entityKind)
        throw badField(['filter', 'entityKind'], 'does not match entityType');
      return all.entityId == null && all.entityType == null ? some(all) : {};
    },
  };
}
