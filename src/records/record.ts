import { translateError } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import { despiteDeadlocks, type Transaction } from '../db/connection/transaction.js';
import type { Identified, NewRow } from '../db/sql/conditions.js';
import type { Sql } from '../db/sql/sql.js';
import type { Selection } from '../db/sql/tree.js';
import {
  definedFields,
  insertRow,
  insertRows,
  type RowList,
  storeLists,
  updateEach,
  updateRow,
} from '../db/sql/write.js';
import { groupBy } from '../domain/collections.js';
import { nextModified } from '../domain/dates.js';
import type { Violation } from '../domain/errors.js';
import type { EventName } from '../domain/models.js';
import { isUuid, newId } from '../domain/rules.js';
import {
  changedEvent,
  changesIn,
  createdEvent,
  type Event,
  eventsSql,
  logEvent,
  logEvents,
} from './event-logs.js';
import { lockRecord, readRecords } from './locks.js';
import { createNamed } from './named.js';
import {
  type ListedResource,
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
  /** Adds to the event what only the writer knows. */
  readonly tell?: (event: Event) => Event;
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

interface Changed<Row> {
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
    if (one) planned.push(options.tell ? { ...one, event: options.tell(one.event) } : one);
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

export interface Written<Row> {
  readonly row: Row;
  /** False if the record already was as requested, so that nothing was written. */
  readonly changed: boolean;
}

/**
 * Runs a write and its events in one transaction, which commits all or nothing. `work` may run several times.
 * @param resource what is written; database errors are reported in its terms
 */
export async function transact<T>(
  session: Session,
  resource: Resource,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const write = () => session.inTransaction(work);
  try {
    // An outer transaction keeps its locks after a deadlock, so only the outer one can be retried.
    const result = await (session.transaction ? write() : despiteDeadlocks(write));
    session.forgetLoaded();
    return result;
  } catch (error) {
    throw translateError(error, resource.table);
  }
}

/** Reads one record. It is null if it does not exist or the caller may not see it. */
export async function findRecord<Row extends Identified>(
  session: Session,
  resource: ListedResource<Row>,
  id: string,
  selection?: Selection,
): Promise<Row | null> {
  return isUuid(id) ? resource.rows.get(session, id, selection) : null;
}

/**
 * Creates a record.
 * @param input the new record's values by the resource's rules; missing values get their defaults
 * @param id the id that the caller chose, if any
 * @throws GatewayError BAD_REQUEST for a value that violates the rules, CONFLICT for an id or unique value
 *   that is taken
 */
export async function createRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  input: object,
  id: string | null | undefined,
  selection?: Selection,
): Promise<Row> {
  if (id != null && !isUuid(id)) {
    const wrong: Violation = { path: ['id'], message: 'must be a UUID', rule: 'format' };
    throw await session.refuse([...session.known, wrong], () =>
      createRecord(session, resource, input, undefined),
    );
  }
  return transact(session, resource, (tx) =>
    createIn(tx, session, resource, input, { id: id?.toLowerCase(), selection, finish: true }),
  );
}

interface Creation {
  /** The id that the caller chose, if any. */
  readonly id?: string | undefined;
  /** Columns and joins of the record to return. */
  readonly selection?: Selection | undefined;
  /** True if the transaction does no more afterwards. COMMIT is then sent along. */
  readonly finish?: boolean;
}

/** Creates a record in a larger transaction; see `createRecord`. */
export async function createIn<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  input: object,
  { id, selection, finish = false }: Creation = {},
): Promise<Row> {
  const checked = await checkNew(tx, session, resource, input, id);
  const [record = checked] = await createNamed(tx, session, [checked]);
  return storeNew(tx, session, resource, record, (row) => createdEvent(resource, row), { selection, finish });
}

/** A new record that has been checked but not stored yet. */
export type NewRecord = RecordBase & RecordValues;

/** Checks a new record. @throws GatewayError BAD_REQUEST for a value that violates the rules */
export async function checkNew<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  input: object,
  id = newId(),
): Promise<NewRecord> {
  const { caller, now } = session;
  const values = await validateValues(tx, session, resource, input, undefined);
  const { organizationId } = caller;
  const author = resource.createdBy && { [resource.createdBy]: caller.user.id };
  return { ...values, ...author, id, created: now, modified: now, organizationId };
}

/** Stores many new records with their events. The statements are few, however many records there are. */
export async function storeNewRecords<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  records: readonly NewRecord[],
): Promise<void> {
  const eventOf = (row: Row) => createdEvent(resource, row);
  const [first, ...others] = records;
  if (!first) return;
  if (resource.insert || others.length === 0) {
    for (const record of records) await storeNew(tx, session, resource, record, eventOf);
    return;
  }
  const { model, toRecord } = resource.rows;
  const split = records.map((record) => ({ record, ...splitValues(resource, record) }));
  for (const alike of groupBy(split, ({ columns }) => definedFields(columns).join(' '))) {
    // The columns are those of the resource's rules, which a test compares with the model.
    const rows = alike.map(({ columns }) => columns as object as NewRow<typeof model>);
    await insertRows(tx, model, rows);
  }
  for (const [place, by] of Object.values(resource.lists ?? {}).entries()) {
    const lists = split.map(({ record, lists }) => ({ owner: record.id, ids: lists[place]?.ids ?? [] }));
    await storeLists(tx, by, lists, true);
  }
  for (const { record, parts } of split)
    if (hasOtherParts(resource, parts)) await resource.insertParts?.(tx, record);
  await logEvents(
    tx,
    session,
    records.map((record) => eventOf(toRecord(record))),
  );
}

/** Stores a new record with its event in a larger transaction. Its values have already been checked. */
export async function storeNew<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  record: NewRecord,
  eventOf: (row: Row) => Event,
  { selection, finish = false }: Omit<Creation, 'id'> = {},
): Promise<Row> {
  if (resource.insert) {
    const row = await resource.insert(tx, record, session);
    await logEvent(tx, session, eventOf(row));
    return row;
  }
  const { columns, lists, parts } = splitValues(resource, record);
  const { model, toRecord } = resource.rows;
  const event = eventOf(toRecord(record));
  const log = (inserted?: Sql) => eventsSql(session, [event], inserted);
  const more = resource.insertParts !== undefined && hasOtherParts(resource, parts);
  const rowLists = lists.map((list) => ({ ...list, isKept: list.ids.length === 0 }));
  const how = { values: columns, log, lists: rowLists, selection };
  const row = { ...toRecord(await insertRow(tx, model, { ...how, finish: finish && !more })), ...parts };
  if (more) await resource.insertParts?.(tx, record);
  return row;
}

/** Returns whether a record has parts that are not lists. */
function hasOtherParts({ lists = {} }: Resource, parts: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(parts).some(([field, part]) => !(field in lists) && (part as unknown[]).length > 0);
}

/**
 * Changes a record under a lock, so that concurrent writers take turns.
 * @param change computes the record's new values from its current ones
 * @param options differences from a plain update
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST for a value that violates the rules;
 *   CONFLICT for a unique value that is taken; and whatever `change` throws
 */
export async function changeRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
  change: Change<Row>,
  options: Omit<ChangeOptions<Row>, 'finish'> = {},
): Promise<Written<Row>> {
  return transact(session, resource, (tx) =>
    changeIn(tx, session, resource, id, change, { ...options, finish: true }),
  );
}

/** Changes a record in a larger transaction; see `changeRecord`. */
export async function changeIn<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  id: string,
  change: Change<Row>,
  options: ChangeOptions<Row> = {},
): Promise<Written<Row>> {
  const current = await lockRecord(tx, session, resource, id, options);
  const [changed] = await changeLocked(tx, session, resource, [current], change, options);
  return { row: changed?.row ?? current, changed: changed !== undefined };
}

/** Creates a change that sets the given values and keeps the others. */
export function setValues<Row extends RecordBase>(resource: Resource<Row>, input: object): Change<Row> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return (current) => ({ ...writableValues(resource, current), ...given });
}

/** Sets the given values and keeps the others. */
export function updateRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
  input: object,
  selection?: Selection,
): Promise<Written<Row>> {
  return changeRecord(session, resource, id, setValues(resource, input), { selection });
}

/** Replaces a record's values. A missing value returns to its default, except that the workspace stays. */
export function replaceRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
  input: object,
  selection?: Selection,
): Promise<Written<Row>> {
  return changeRecord(session, resource, id, () => input, { selection });
}

/** Result of a patch of a record. */
export interface Patched {
  /** The values that change. The others stay, including those that an API does not show. */
  readonly values: object;
  /** Checks the record as it is afterwards, before the transaction ends. */
  readonly verify?: ((after: RecordBase) => Promise<void>) | undefined;
}

/**
 * Changes a record by a patch of what an API shows of it.
 * @param patch computes the new values from the record, which is locked
 * @throws GatewayError like `changeRecord`, and whatever `patch` and its check throw
 */
export function patchRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
  patch: (current: Row) => Promise<Patched>,
  selection?: Selection,
): Promise<Written<Row>> {
  return transact(session, resource, async (tx) => {
    const current = await lockRecord(tx, session, resource, id);
    // What was loaded before the lock may have changed.
    session.forgetLoaded();
    const { values, verify } = await session.within(tx, () => patch(current));
    const change = () => ({ ...writableValues(resource, current), ...values });
    const options = { selection, isPatch: true, finish: verify === undefined };
    const [changed] = await changeLocked(tx, session, resource, [current], change, options);
    if (verify) {
      session.forgetLoaded();
      const after = (await readRecords(tx, resource, [current.id])).get(current.id) ?? current;
      await session.within(tx, () => verify(after));
    }
    return { row: changed?.row ?? current, changed: changed !== undefined };
  });
}
