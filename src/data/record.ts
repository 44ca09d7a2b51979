import { nextModified } from '../domain/dates.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { type EventName, entityNames } from '../domain/events.js';
import { check, isUuid, newId } from '../domain/rules.js';
import { versionOf } from '../domain/versions.js';
import { Prisma } from '../generated/prisma/client.js';
import { isDeadlock, translateError } from './errors.js';
import { changesBetween, type Event, type EventEntity, logEvent } from './event-logs.js';
import { findLinked, forgetLoaded, linkedNames } from './loaders.js';
import type { Condition, Identified, Readable, RecordBase, Resource, Values } from './resource.js';
import { dbOf, type Session, type Transaction } from './scope.js';

/** What a write came to. */
export interface Written<Row> {
  readonly row: Row;
  /** False when the record was already as the write would have left it: then nothing was written. */
  readonly changed: boolean;
}

/** How often a write is begun before giving up, when others' locks stand in its way (a deadlock). */
const attempts = 3;

/** Runs a write: all of it commits, its event log entry included, or none of it. */
async function transact<T>(
  session: Session,
  resource: Resource,
  work: (tx: Transaction) => Promise<T>,
  attempt = 1,
): Promise<T> {
  try {
    const result = await dbOf(session).$transaction(work);
    forgetLoaded(session);
    return result;
  } catch (error) {
    if (isDeadlock(error) && attempt < attempts) return transact(session, resource, work, attempt + 1);
    throw translateError(error, resource.table);
  }
}

/** The record to read, or 404 for one that does not exist or is not the caller's to see. */
async function findOrThrow<Row extends RecordBase>(
  db: Transaction,
  resource: Resource<Row>,
  id: string,
): Promise<Row> {
  const row = isUuid(id) ? await resource.find(db, id) : null;
  if (!row) throw notFound(entityNames[resource.kind], id);
  return row;
}

/** Reads one record; null when it does not exist or is not the caller's to see. */
export async function findRecord<Row extends Identified>(
  session: Session,
  resource: Readable<Row>,
  id: string,
): Promise<Row | null> {
  return isUuid(id) ? resource.find(dbOf(session), id) : null;
}

/** Makes other writers of the record wait until this transaction ends, then reads it. */
async function findLocked<Row extends RecordBase>(
  tx: Transaction,
  { caller, precondition }: Session,
  resource: Resource<Row>,
  id: string,
): Promise<Row> {
  if (isUuid(id)) {
    await tx.$executeRaw`
      SELECT FROM ${Prisma.raw(resource.table)}
      WHERE id = ${id}::uuid AND organization_id = ${caller.organizationId}::uuid FOR NO KEY UPDATE`;
  }
  const row = await findOrThrow(tx, resource, id);
  if (precondition && !precondition(versionOf(row.modified))) {
    throw new GatewayError(
      'PRECONDITION_FAILED',
      'The record has changed: `If-Match` names another version.',
    );
  }
  return resource.complete ? resource.complete(tx, row) : row;
}

/** Values by the names under which callers know them, for the event log. */
function shown({ references, shownAs }: Resource, values: object): Record<string, unknown> {
  const nested = references.filter(({ path }) => path.length > 1).map(({ field, path }) => [field, path[0]]);
  const names: Record<string, string> = { ...Object.fromEntries(nested), ...shownAs };
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [names[field] ?? field, value]));
}

/** The part of a record that callers write. */
function fieldsOf(resource: Resource, row: RecordBase): Record<string, unknown> {
  const columns = row as RecordBase & Record<string, unknown>;
  return Object.fromEntries(resource.fields.map((field) => [field, columns[field]]));
}

/** The part of a record that callers write, and its workspace. */
export function valuesOf(resource: Resource, row: RecordBase): Values {
  return { ...fieldsOf(resource, row), teamId: row.teamId };
}

/** Checks values by the resource's rules; what is wrong with a reference is told of the place it is written at. */
function checkValues(resource: Resource, values: object): Record<string, unknown> {
  try {
    return check(resource.rules, values);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const reference = resource.references.find(({ field }) => field === error.fieldPath[0]);
    throw reference ? badField(reference.path, error.message) : error;
  }
}

/** Checks new values by the resource's rules, and that they point at records the caller sees. */
async function validated(
  tx: Transaction,
  session: Session,
  resource: Resource,
  input: object,
  current: Values | undefined,
): Promise<Values> {
  const { caller } = session;
  const placed = resource.fields.includes('teamId') ? (input as { teamId?: string | null }) : current;
  const wanted = placed?.teamId;
  const teamId = wanted?.toLowerCase() ?? caller.user.teamId;
  if (!caller.teamIds.includes(teamId)) {
    throw badField(['teamId'], 'must be the UUID of a workspace that you can write to');
  }
  const resolved = await resource.resolve?.({ tx, session, teamId }, input as Condition, current);
  const values = checkValues(resource, resolved ?? input);
  for (const { field, to, path } of resource.references) {
    const id = values[field];
    if (typeof id !== 'string' || id === current?.[field]) continue;
    if (!(await findLinked(tx, to, id))) throw badField(path, `names no ${linkedNames[to]} that exists`);
  }
  return { ...values, teamId };
}

function describe(resource: Resource, what: string, title: string | null): string {
  const name = entityNames[resource.kind];
  const subject = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return title ? `${subject} "${title}" ${what}` : `${subject} ${what}`;
}

/** What an event is about: the record first, then what it is related to, or was before; each once. */
function entitiesOf(resource: Resource, id: string, ...states: Values[]): EventEntity[] {
  const related = states.flatMap((values) => resource.related?.(values) ?? []);
  const entities: EventEntity[] = [{ kind: resource.kind, id }, ...related];
  return [...new Map(entities.map((entity) => [`${entity.kind} ${entity.id}`, entity])).values()];
}

/** The event of a record that was just made. */
export function createdEvent(resource: Resource, row: RecordBase): Event {
  return {
    type: 'created',
    teamId: row.teamId,
    description: describe(resource, 'was created', resource.title(row)),
    details: changesBetween({}, shown(resource, fieldsOf(resource, row))),
    entities: entitiesOf(resource, row.id, valuesOf(resource, row)),
  };
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
): Promise<Row> {
  if (id != null && !isUuid(id)) throw badField(['id'], 'must be a UUID');
  const { caller, now } = session;
  return transact(session, resource, async (tx) => {
    const values = await validated(tx, session, resource, input, undefined);
    const made = { id: id?.toLowerCase() ?? newId(), created: now, modified: now };
    const { organizationId } = caller;
    const row = await resource.insert(tx, { ...values, ...made, organizationId }, session);
    await logEvent(tx, session, createdEvent(resource, row));
    return row;
  });
}

/** What an update is called: one that takes a record out of use, or back into it, is an event of its own. */
function eventOf({ retired }: Resource, before: Values, after: Values): EventName {
  if (!retired || before[retired.field] === after[retired.field]) return 'updated';
  return after[retired.field] === retired.when ? 'archived' : 'restored';
}

/** A change that is more than an update. */
export interface Special<Row> {
  /** What it is called in the event log. */
  readonly event?: EventName;
  /** What is written with it, once the record is changed. */
  readonly also?: (tx: Transaction, before: Row, after: Row) => Promise<unknown>;
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
  change: (current: Row, tx: Transaction) => object | Promise<object>,
  special: Special<Row> = {},
): Promise<Written<Row>> {
  return transact(session, resource, async (tx) => {
    const current = await findLocked(tx, session, resource, id);
    const before = valuesOf(resource, current);
    const after = await validated(tx, session, resource, await change(current, tx), before);
    const changes = changesBetween(shown(resource, before), shown(resource, after));
    if (Object.keys(changes).length === 0) return { row: current, changed: false };
    const modified = nextModified(session.now, current.modified);
    const row = await resource.update(tx, current.id, { ...after, modified }, before);
    await special.also?.(tx, current, row);
    const type = special.event ?? eventOf(resource, before, after);
    await logEvent(tx, session, {
      type,
      teamId: after.teamId,
      description: describe(resource, `was ${type}: ${Object.keys(changes).join(', ')}`, resource.title(row)),
      details: changes,
      entities: entitiesOf(resource, row.id, after, before),
    });
    return { row, changed: true };
  });
}

/** Changes the values that are given and keeps the others. */
export function updateRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
  input: object,
): Promise<Written<Row>> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return changeRecord(session, resource, id, (current) => ({ ...valuesOf(resource, current), ...given }));
}

/** Gives a record new values; one left out returns to its default, the workspace to the caller's own. */
export function replaceRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
  input: object,
): Promise<Written<Row>> {
  return changeRecord(session, resource, id, () => input);
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
): Promise<Written<Row>> {
  return changeRecord(session, resource, id, async (current, tx) => {
    const columns: Record<string, unknown> = { ...(current as RecordBase) };
    for (const { field, to, path } of resource.references) {
      const [member, inside] = path;
      if (member !== undefined && inside !== undefined) {
        columns[member] = await findLinked(tx, to, columns[field] as string | null);
      }
    }
    const values = valuesOf(resource, current);
    // A door may not show, and so not give back, everything that is stored.
    return { ...values, ...patch({ ...columns, ...(await resource.nested?.(tx, values)) }) };
  });
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
    // First, as long as there is a workspace to tell it in: it may be the workspace that is deleted.
    await logEvent(tx, session, {
      type: 'deleted',
      teamId: row.teamId,
      description: describe(resource, 'was deleted', resource.title(row)),
      details: changesBetween(shown(resource, fieldsOf(resource, row)), {}),
      entities: entitiesOf(resource, row.id, valuesOf(resource, row)),
    });
    await resource.remove(tx, row.id, session);
    return row;
  });
}
