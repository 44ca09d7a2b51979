import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import { type RowList, storeLists } from '../db/sql/lists.js';
import type { Selection } from '../db/sql/selection.js';
import type { Sql } from '../db/sql/sql.js';
import { updateEach } from '../db/sql/write.js';
import { updateRow } from '../db/sql/write-record.js';
import { nextModified } from '../domain/dates.js';
import type { EventName } from '../domain/events.js';
import { groupBy } from '../domain/load/grouping.js';
import { type Event, eventsSql, logEvents } from './event-logs.js';
import { createNamed } from './named/named-new.js';
import { changedEvent, changesIn } from './record-events.js';
import {
  type RecordBase,
  type RecordValues,
  type Resource,
  type RowChange,
  splitValues,
  writableValues,
} from './resource.js';
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
  /** True if the values come from a patch, so that all of them are meant. */
  readonly isPatch?: boolean;
}

export interface Changed<Row> {
  readonly current: Row;
  readonly row: Row;
}

/** New values of a record that have been checked. */
export interface CheckedChange<Row> {
  readonly current: Row;
  readonly before: RecordValues;
  readonly values: RecordValues;
}

/** A change that has been checked but not stored yet. */
export interface PlannedChange<Row> extends RowChange {
  readonly current: Row;
  readonly event: Event;
}

/** Checks a change of a record. @throws GatewayError BAD_REQUEST; and whatever `change` throws */
export async function checkChange<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  current: Row,
  change: Change<Row>,
  { isPatch = false }: Pick<ChangeOptions<Row>, 'isPatch'> = {},
): Promise<CheckedChange<Row>> {
  const before = writableValues(resource, current);
  const input = await change(current, tx);
  const values = await validateValues(tx, session, resource, input, before, isPatch);
  return { current, before, values };
}

/** Plans to store new values of a record. Returns undefined if they change nothing. */
export function planChange<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  { current, before, values }: CheckedChange<Row>,
  event?: EventName,
): PlannedChange<Row> | undefined {
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
  planned: PlannedChange<Row>,
  { also, selection, finish = false }: ChangeOptions<Row>,
): Promise<Changed<Row>[]> {
  const { id, current, after, event } = planned;
  const { columns, parts } = splitValues(resource, after);
  const { model, toRecord } = resource.rows;
  const log = (changed?: Sql) => eventsSql(session, [event], changed);
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

/** Stores many changes. Records of which the same columns change share a statement, and all events share one. */
async function storeMany<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  planned: readonly PlannedChange<Row>[],
  { also }: ChangeOptions<Row>,
): Promise<Changed<Row>[]> {
  const { model, toRecord } = resource.rows;
  for (const [place, by] of Object.values(resource.lists ?? {}).entries()) {
    const lists = planned.flatMap((change) => {
      const list = listsAfter(resource, change)[place];
      return list && !list.isKept ? [{ owner: change.id, ids: list.ids }] : [];
    });
    await storeLists(tx, by, lists);
  }
  const written = planned.map((change) => ({ id: change.id, ...newColumns(resource, change) }));
  const rows = new Map<string, Row>();
  for (const alike of groupBy(written, (columns) => Object.keys(columns).join(' '))) {
    for (const row of await updateEach(tx, model, alike)) rows.set((row as RecordBase).id, toRecord(row));
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
  const planned: PlannedChange<Row>[] = [];
  for (const current of records) {
    const checked = await checkChange(tx, session, resource, current, change, options);
    const [values = checked.values] = await createNamed(tx, session, [checked.values]);
    const one = planChange(session, resource, { ...checked, values }, options.event);
    if (one) planned.push(one);
  }
  return storeChanges(tx, session, resource, planned, options);
}

/** Stores planned changes of locked records, with their events. */
export async function storeChanges<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  planned: readonly PlannedChange<Row>[],
  options: ChangeOptions<Row> = {},
): Promise<Changed<Row>[]> {
  const [first, ...others] = planned;
  if (!first) return [];
  await resource.beforeUpdate?.(tx, planned, session);
  return others.length === 0
    ? storeOne(tx, session, resource, first, options)
    : storeMany(tx, session, resource, planned, options);
}
