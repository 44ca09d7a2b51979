import { translateError } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import { despiteDeadlocks, type Transaction } from '../db/connection/transaction.js';
import type { Identified } from '../db/sql/query.js';
import type { Selection } from '../db/sql/selection.js';
import { deleteRow, insertRow, updateRow } from '../db/sql/write-record.js';
import { nextModified } from '../domain/dates.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { type EventName, entityNames } from '../domain/events.js';
import { isUuid, newId } from '../domain/rules.js';
import { recordVersion } from '../domain/versions.js';
import type { Prisma } from '../generated/prisma/client.js';
import { eventsSql, logEvent } from './event-logs.js';
import { findLinked } from './loaders.js';
import { changedEvent, changesIn, createdEvent, deletedEvent } from './record-events.js';
import { type Readable, type RecordBase, type Resource, type Store, writableValues } from './resource.js';
import { validateValues } from './validation.js';

/** What a write came to. */
export interface Written<Row> {
  readonly row: Row;
  /** False when the record was already as the write would have left it: then nothing was written. */
  readonly changed: boolean;
}

/**
 * Runs a write: all of it commits, its event log entries included, or none of it. `work` may run several times.
 * @param resource what is written; errors of the database are told in its words
 */
export async function transact<T>(
  session: Session,
  resource: Resource,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const write = () => session.inTransaction(work);
  try {
    // The locks of a transaction around it stay, so that one has to begin anew.
    const result = await (session.transaction ? write() : despiteDeadlocks(write));
    session.forgetLoaded();
    return result;
  } catch (error) {
    throw translateError(error, resource.table);
  }
}

/** Reads one record; null when it does not exist or is not the caller's to see. */
export async function findRecord<Row extends Identified>(
  session: Session,
  resource: Readable<Row>,
  id: string,
  selection?: Selection,
): Promise<Row | null> {
  return isUuid(id) ? resource.rows.get(session, id, selection) : null;
}

const unmet = {
  'If-Match': 'The record has changed: `If-Match` names another version.',
  'If-None-Match': 'The record is there: `If-None-Match` names its version.',
} as const;

/** Refuses to change a record whose version does not meet the caller's conditions. */
export function checkVersion({ precondition }: Session, { modified }: RecordBase): void {
  const header = precondition?.(recordVersion(modified));
  if (header) throw new GatewayError('PRECONDITION_FAILED', unmet[header]);
}

/** The record, of which other writers wait until this transaction ends; 404 for one that the caller does not see. */
async function findLocked<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  id: string,
): Promise<Row> {
  if (!isUuid(id)) throw notFound(entityNames[resource.kind], id);
  // As the row has it: callers may write it in capitals.
  const own = id.toLowerCase();
  // Sent together, and executed one after the other: both see what the writers before have left.
  const [row, rest] = await Promise.all([resource.rows.lock(tx, own), resource.complete?.(tx, own)]);
  if (!row) throw notFound(entityNames[resource.kind], id);
  checkVersion(session, row);
  return { ...row, ...rest };
}

/**
 * Creates a record.
 * @param input the new record's values by the resource's rules; a value left out is its default
 * @param id the id the caller chose, if it did
 * @throws GatewayError BAD_REQUEST for a value against the rules, CONFLICT for an id or unique value that is taken
 */
export async function createRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  input: object,
  id: string | null | undefined,
  selection?: Selection,
): Promise<Row> {
  if (id != null && !isUuid(id)) throw badField(['id'], 'must be a UUID');
  return transact(session, resource, (tx) =>
    createIn(tx, session, resource, input, { id: id?.toLowerCase(), selection, finish: true }),
  );
}

/** How a record is created. */
interface Creation {
  /** The id that the caller chose, if it did. */
  readonly id?: string | undefined;
  /** What is asked for of the record. */
  readonly selection?: Selection | undefined;
  /** Whether the transaction does no more after it, for it is committed with it then. */
  readonly finish?: boolean;
}

/** `createRecord` in a transaction that does more; see there. */
export async function createIn<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  input: object,
  { id = newId(), selection, finish = false }: Creation = {},
): Promise<Row> {
  const { caller, now } = session;
  const values = await validateValues(tx, session, resource, input, undefined);
  const { organizationId } = caller;
  const record = { ...values, id, created: now, modified: now, organizationId };
  if (resource.insert) {
    const row = await resource.insert(tx, record, session);
    await logEvent(tx, session, createdEvent(resource, row));
    return row;
  }
  const { model, toRecord } = resource.rows;
  const event = createdEvent(resource, toRecord(record));
  const log = (inserted?: Prisma.Sql) => eventsSql(session, [event], inserted);
  return toRecord(await insertRow(tx, model, { values: record, log, selection, finish }));
}

/** A change that is more than an update. */
export interface Special<Row> {
  /** What it is called in the event log. */
  readonly event?: EventName;
  /** What is written with it, once the record is changed. */
  readonly also?: (tx: Transaction, before: Row, after: Row) => Promise<unknown>;
  /** What is asked for of the record afterwards. */
  readonly selection?: Selection | undefined;
}

/**
 * Changes a record under a lock, so that concurrent writers of it follow one another.
 * @param change gives the record's new values from its current ones
 * @param special what the change is beyond an update
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST for a value against the rules; CONFLICT for
 *   a unique value that is taken; and what `change` throws
 */
export async function changeRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
  change: Change<Row>,
  special: Special<Row> = {},
): Promise<Written<Row>> {
  return transact(session, resource, (tx) =>
    changeIn(tx, session, resource, id, change, { ...special, finish: true }),
  );
}

/** Gives a record's new values from its current ones. */
type Change<Row> = (current: Row, tx: Transaction) => object | Promise<object>;

/**
 * `changeRecord` in a transaction that does more; see there.
 * @param special beyond what there is of it there, `finish`: whether the transaction does no more after it, for it is
 *   committed with it then
 */
export async function changeIn<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  id: string,
  change: Change<Row>,
  { event: name, also, selection, finish = false }: Special<Row> & { readonly finish?: boolean } = {},
): Promise<Written<Row>> {
  const current = await findLocked(tx, session, resource, id);
  const before = writableValues(resource, current);
  const after = await validateValues(tx, session, resource, await change(current, tx), before);
  const changes = changesIn(resource, before, after);
  if (Object.keys(changes).length === 0) return { row: current, changed: false };
  const values = { ...after, modified: nextModified(session.now, current.modified) };
  const next = { ...(current as RecordBase), ...values } as RecordBase as Row;
  const event = changedEvent(resource, next, [before, after], changes, name);
  const { model, toRecord } = resource.rows;
  const log = (changed?: Prisma.Sql) => eventsSql(session, [event], changed);
  const how = { log, selection, finish: finish && !also };
  const store: Store<Row> = async (columns) =>
    toRecord(await updateRow(tx, model, current.id, { ...how, values: columns }));
  const row = await (resource.update ? resource.update(tx, current, values, before, store) : store(values));
  await also?.(tx, current, row);
  return { row, changed: true };
}

/** Changes the values that are given and keeps the others. */
export function updateRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
  input: object,
  selection?: Selection,
): Promise<Written<Row>> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const change = (current: Row) => ({ ...writableValues(resource, current), ...given });
  return changeRecord(session, resource, id, change, { selection });
}

/** Gives a record new values; one left out returns to its default, the workspace to the caller's own. */
export function replaceRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
  input: object,
  selection?: Selection,
): Promise<Written<Row>> {
  return changeRecord(session, resource, id, () => input, { selection });
}

/**
 * Gives a record the values that a function makes of what it shows.
 * @param patch takes the record's columns, with a record it points at in place of one whose id callers write
 *   inside an object (`assignedTo`), and gives the values to store
 */
export function patchRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
  patch: (shown: Record<string, unknown>) => object,
  selection?: Selection,
): Promise<Written<Row>> {
  const change = async (current: Row, tx: Transaction) => {
    const columns: Record<string, unknown> = { ...(current as RecordBase) };
    for (const { field, to, path } of resource.references) {
      const [member, inside] = path;
      if (member !== undefined && inside !== undefined) {
        columns[member] = await findLinked(tx, to, columns[field] as string | null);
      }
    }
    const values = writableValues(resource, current);
    // A door may not show, and so not give back, everything that is stored.
    return { ...values, ...patch({ ...columns, ...(await resource.nested?.(tx, values)) }) };
  };
  return changeRecord(session, resource, id, change, { selection });
}

/**
 * Deletes a record.
 * @returns the record as it was
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; CONFLICT while other records cannot be without it
 */
export async function deleteRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
): Promise<Row> {
  return transact(session, resource, async (tx) => {
    const row = await findLocked(tx, session, resource, id);
    const event = deletedEvent(resource, row);
    if (resource.remove) {
      // First, as long as there is a workspace to tell it in: it may be the workspace that is deleted.
      await logEvent(tx, session, event);
      await resource.remove(tx, row.id, session);
    } else {
      await deleteRow(tx, resource.rows.model, row.id, () => eventsSql(session, [event]));
    }
    return row;
  });
}
