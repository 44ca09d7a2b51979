import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import { type RowList, storeLists } from '../db/sql/lists.js';
import type { Selection } from '../db/sql/selection.js';
import { type NewValues, updateRows } from '../db/sql/write.js';
import { updateRow } from '../db/sql/write-record.js';
import { nextModified } from '../domain/dates.js';
import type { EventName } from '../domain/events.js';
import { groupBy } from '../domain/load/grouping.js';
import type { Prisma } from '../generated/prisma/client.js';
import { type Event, eventsSql, logEvents } from './event-logs.js';
import { changedEvent, changesIn } from './record-events.js';
import { type RecordBase, type Resource, type RowChange, splitValues, writableValues } from './resource.js';
import { validateValues } from './validation.js';

/** Computes a record's new values from its current ones. */
export type Change<Row> = (current: Row, tx: Transaction) => object | Promise<object>;

export interface ChangeOptions<Row> {
  /** Name of the event, if it is not that of an update. */
  readonly event?: EventName;
  /** Writes further rows after the records have been changed. */
  readonly also?: (tx: Transaction, changed: readonly Changed<Row>[]) => Promise<unknown>;
  /** Fields and joins to read of the changed record. Bulk changes read whole records. */
  readonly selection?: Selection | undefined;
  /** True if the caller's version condition is on another record, which led to this one. */
  readonly unconditional?: boolean;
  /** True if the transaction does no more after the change. COMMIT is then sent with its last statement. */
  readonly finish?: boolean;
}

export interface Changed<Row> {
  readonly current: Row;
  readonly row: Row;
}

/** A change that has been checked but not stored yet. */
interface Planned<Row> extends RowChange {
  readonly current: Row;
  readonly event: Event;
}

/** Checks a change of a locked record. Returns undefined if it changes nothing. */
async function plan<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  current: Row,
  change: Change<Row>,
  event?: EventName,
): Promise<Planned<Row> | undefined> {
  const before = writableValues(resource, current);
  const values = await validateValues(tx, session, resource, await change(current, tx), before);
  const changes = changesIn(resource, before, values);
  if (Object.keys(changes).length === 0) return undefined;
  const after = { ...values, modified: nextModified(session.now, current.modified) };
  const next = { ...(current as RecordBase), ...after };
  const { id, organizationId } = current;
  return {
    ...{ id, organizationId, current, before, after },
    event: changedEvent(resource, next, [before, values], changes, event),
  };
}

const sameJson = (before: unknown, after: unknown) => JSON.stringify(before) === JSON.stringify(after);

/** Returns a record's lists after a change. Lists whose entries did not change are marked as kept. */
function listsAfter(resource: Resource, { before, after }: RowChange): RowList[] {
  return Object.entries(resource.lists ?? {}).map(([field, by]) => {
    const isKept = sameJson(before[field], after[field]);
    return { by, ids: after[field] as string[], isKept };
  });
}

/** Stores one change and its event with a single statement. It may be the transaction's last. */
async function storeOne<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  planned: Planned<Row>,
  { also, selection, finish = false }: ChangeOptions<Row>,
): Promise<Changed<Row>[]> {
  const { id, current, after, event } = planned;
  const { columns, parts } = splitValues(resource, after);
  const { model, toRecord } = resource.rows;
  const log = (changed?: Prisma.Sql) => eventsSql(session, [event], changed);
  const lists = listsAfter(resource, planned);
  const how = { values: columns, log, lists, selection, finish: finish && !also };
  const row = { ...toRecord(await updateRow(tx, model, id, how)), ...parts };
  await also?.(tx, [{ current, row }]);
  return [{ current, row }];
}

/** Picks the columns whose values change. */
function newColumns(resource: Resource, { before, after }: RowChange): Record<string, unknown> {
  const { modified, ...columns } = splitValues(resource, after).columns;
  const changed = Object.entries(columns).filter(([field, value]) => !sameJson(value, before[field]));
  return { ...Object.fromEntries(changed), modified };
}

/**
 * Stores many changes. Records that get the same new values or lists share a statement, and all events share
 * one.
 */
async function storeMany<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  planned: readonly Planned<Row>[],
  { also }: ChangeOptions<Row>,
): Promise<Changed<Row>[]> {
  const { model, toRecord } = resource.rows;
  const newLists = (change: RowChange) => listsAfter(resource, change).filter(({ isKept }) => !isKept);
  for (const alike of groupBy(planned, (change) => JSON.stringify(newLists(change)))) {
    const [first] = alike;
    const ids = alike.map(({ id }) => id);
    if (first) await storeLists(tx, ids, newLists(first));
  }
  const rows = new Map<string, Row>();
  for (const alike of groupBy(planned, (change) => JSON.stringify(newColumns(resource, change)))) {
    const [first] = alike;
    if (!first) continue;
    const where = { id: { in: alike.map(({ id }) => id) } };
    // The columns are those of the resource's rules, which a test compares with the model.
    const values = newColumns(resource, first) as NewValues<typeof model>;
    for (const row of await updateRows(tx, model, where, values))
      rows.set((row as RecordBase).id, toRecord(row));
  }
  const changed = planned.map(({ id, current, after }) => {
    const row = rows.get(id);
    if (!row) throw new Error('A row that was locked is gone.');
    return { current, row: { ...row, ...splitValues(resource, after).parts } };
  });
  await also?.(tx, changed);
  await logEvents(
    tx,
    session,
    planned.map(({ event }) => event),
  );
  return changed;
}

/**
 * Changes locked records in a transaction, and writes their events.
 * @returns the records that the change made a difference to
 * @throws GatewayError BAD_REQUEST for a value that violates the rules; and whatever `change` throws
 */
export async function changeLocked<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  records: readonly Row[],
  change: Change<Row>,
  options: ChangeOptions<Row>,
): Promise<Changed<Row>[]> {
  const planned: Planned<Row>[] = [];
  for (const current of records) {
    const one = await plan(tx, session, resource, current, change, options.event);
    if (one) planned.push(one);
  }
  const [first, ...others] = planned;
  if (!first) return [];
  await resource.beforeUpdate?.(tx, planned);
  return others.length === 0
    ? storeOne(tx, session, resource, first, options)
    : storeMany(tx, session, resource, planned, options);
}
