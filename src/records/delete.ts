import { allForeignKeys, type Discarded, type ForeignKey, keepSql } from '../db/bin/bin.js';
import { translateDeletion } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { recordsSql } from '../db/sql/conditions.js';
import { oneOrMany, recordNames } from '../db/sql/models.js';
import { join, type Sql, sql } from '../db/sql/sql.js';
import { deleteRow, deleteRows } from '../db/sql/write.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import {
  type EntityKind,
  entityTypes,
  kindOf,
  type ModelName,
  modelRows,
  type RecordKind,
} from '../domain/models.js';
import { isUuid } from '../domain/rules.js';
import { deletedEvent, eventsSql, logEvents } from './event-logs.js';
import { lockRecord, lockRecords } from './locks.js';
import { type Change, type ChangeOptions, changeLocked, setValues, transact } from './record.js';
import type { RecordBase, Resource } from './resource.js';

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Deletes a record.
 * @returns the record as it was
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; CONFLICT if other records need it
 */
export async function deleteRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
): Promise<Row> {
  try {
    return await transact(session, resource, async (tx) => {
      const row = await lockRecord(tx, session, resource, id, { forDeletion: true });
      const [deleted = row] = await deleteLocked(tx, session, resource, [row]);
      return deleted;
    });
  } catch (error) {
    throw await withBlockers(session, resource, [id], error);
  }
}

/** A kind of records that blocks a deletion, with the field that refers to it. */
interface Blocker {
  readonly kind: RecordKind;
  readonly field: string;
}

/** Lists a model's foreign keys that have a given ON DELETE action. */
const keysOf = (model: ModelName, onDelete: ForeignKey['onDelete']) =>
  allForeignKeys.filter((key) => key.model === model && key.onDelete === onDelete);

/**
 * Finds the kinds of records that can block a deletion, by the foreign keys. Records that are deleted
 * together with a blocking record, such as the files of an item, are not counted.
 * @param model of the records to delete
 */
export function findBlockers(model: ModelName): readonly Blocker[] {
  const held = modelRows.flatMap(([blocker, { noun }]) =>
    keysOf(blocker, 'Restrict').flatMap(({ field, to }) =>
      noun && to === model ? [{ model: blocker, field }] : [],
    ),
  );
  const isInTheWay = (of: string) => held.some((blocker) => blocker.model === of);
  return held
    .filter((blocker) => {
      // By a key that may be null, only some go along: own words of document types, but not those of workspaces.
      const required = keysOf(blocker.model, 'Cascade').filter(({ isOptional }) => !isOptional);
      return !required.some(({ to }) => isInTheWay(to));
    })
    .map((blocker) => ({ kind: kindOf(blocker.model) as RecordKind, field: blocker.field }));
}

/**
 * Adds to a refused deletion how many records block it. It counts those of each kind that the caller sees.
 */
async function withBlockers(
  session: Session,
  resource: Resource,
  ids: readonly string[],
  error: unknown,
): Promise<unknown> {
  const isHeld = error instanceof GatewayError && error.code === 'CONFLICT';
  const blockers = isHeld ? findBlockers(resource.rows.model) : [];
  if (blockers.length === 0) return error;
  const counts = blockers.map(({ kind, field }) => {
    const others = resource.alongside?.find(({ model }) => kindOf(model) === kind);
    const where = { [field]: oneOrMany(ids), ...(others && { NOT: others.where }) };
    return sql`SELECT ${kind}::text AS kind, count(*)::int AS count ${recordsSql(session, kind, where)}`;
  });
  // The savepoint has been rolled back, so an outer transaction can go on and read.
  const rows = await session.read<{ kind: RecordKind; count: number }>(
    prepared(`${resource.table}.blockers`, join(counts, ' UNION ALL ')),
  );
  const found = rows.filter(({ count }) => count > 0);
  if (found.length === 0) return error;
  const verb = found.reduce((sum, { count }) => sum + count, 0) === 1 ? 'belongs' : 'belong';
  const list = new Intl.ListFormat('en').format(found.map(({ kind, count }) => countOf(count, kind)));
  const [subject, object] = ids.length === 1 ? ['It', 'it'] : ['They', 'them'];
  return new GatewayError('CONFLICT', `${subject} cannot be deleted: ${list} still ${verb} to ${object}.`, {
    cause: error,
  });
}

/** Formats a number of records: `1 company`, `2 companies`. */
function countOf(count: number, kind: RecordKind): string {
  const name = recordNames[kind];
  return `${count} ${count === 1 ? name : `${name.replace(/y$/, 'ie')}s`}`;
}

/** Kind of the records that go into the bin, and what is deleted alongside. */
interface Binned {
  readonly model: ModelName;
  readonly kind: EntityKind;
  readonly alongside?: Resource['alongside'];
}

/** Returns the CTEs that move records into the bin, if the bin is on. */
export function keptInBin(
  { caller, now, binDays }: Session,
  { model, kind, alongside }: Binned,
  records: readonly Discarded[],
): Sql | undefined {
  if (binDays === 0 || records.length === 0) return undefined;
  const until = new Date(now.getTime() + binDays * dayMs);
  return keepSql({ caller }, { model, typeId: entityTypes[kind], records, alongside, at: now, until });
}

/** Returns the CTEs that move records of a resource into the bin. */
function keptSql(session: Session, resource: Resource, rows: readonly RecordBase[]): Sql | undefined {
  const { kind, alongside, rows: stored } = resource;
  const records = rows.map((row) => ({ id: row.id, teamId: row.teamId, name: resource.title(row) }));
  return keptInBin(session, { model: stored.model, kind, alongside }, records);
}

/** Deletes rows that belong to the records but that no foreign key deletes. */
async function deleteAlongside(tx: Transaction, { alongside = [] }: Resource, ids: readonly string[]) {
  for (const { model, field, where } of alongside) {
    await deleteRows(tx, model, { [field]: { in: ids }, ...where });
  }
}

/**
 * Deletes locked records with their events, as the last step of a transaction.
 * @returns the records as they were, with everything that was deleted along with them
 * @throws GatewayError CONFLICT if other records need them
 */
async function deleteLocked<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = rows.map(({ id }) => id);
  for (const row of rows) resource.checkOwner?.(tx, row);
  const dependents = await resource.readDependents?.(tx, ids);
  const events = rows.map((row) => deletedEvent(resource, row));
  const { model } = resource.rows;
  const [id, ...others] = ids;
  const keeping = keptSql(session, resource, rows);
  try {
    // Rows that a separate statement deletes must go into the bin before it.
    if (id !== undefined && others.length === 0 && !resource.alongside) {
      await deleteRow(tx, model, id, () => {
        const { ctes, announcements } = eventsSql(session, events);
        return { ctes: keeping ? sql`${ctes}, ${keeping}` : ctes, announcements };
      });
    } else {
      if (keeping) await tx.run(prepared('bin_entries.insert', sql`WITH ${keeping} SELECT`));
      await deleteAlongside(tx, resource, ids);
      await logEvents(tx, session, events);
      await deleteRows(tx, model, { id: { in: ids } });
    }
  } catch (error) {
    throw translateDeletion(error);
  }
  return rows.map((row) => ({ ...row, ...dependents?.get(row.id) }));
}

/** The most records that one request may change. */
export const maxBulkRecords = 500;

/** Returns the ids in lower case without duplicates, in the order given. */
function withoutDuplicates({ noun }: Resource, ids: readonly string[]): string[] {
  const once = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (once.length > maxBulkRecords)
    throw badField(['ids'], `must have at most ${maxBulkRecords} entries`, 'entries');
  const wrong = once.find((id) => !isUuid(id));
  if (wrong !== undefined) throw notFound(noun, wrong);
  return once;
}

/**
 * Changes records under locks: all of them or none. A single record is changed with `changeRecord`'s
 * statement.
 * @returns the records without duplicates, in the order of the ids
 * @throws GatewayError like `changeRecord`; BAD_REQUEST for too many ids; NOT_FOUND naming the first id that
 *   does not exist or that the caller may not see
 */
export async function changeRecords<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  ids: readonly string[],
  change: Change<Row>,
  options: Omit<ChangeOptions<Row>, 'finish' | 'selection'> = {},
): Promise<Row[]> {
  const wanted = withoutDuplicates(resource, ids);
  return transact(session, resource, async (tx) => {
    const records = await lockRecords(tx, session, resource, wanted);
    const changed = await changeLocked(tx, session, resource, records, change, { ...options, finish: true });
    const rows = new Map(changed.map(({ row }) => [row.id, row]));
    return records.map((record) => rows.get(record.id) ?? record);
  });
}

/** Updates the given values of records and keeps the others; see `changeRecords`. */
export function updateRecords<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  ids: readonly string[],
  input: object,
): Promise<Row[]> {
  return changeRecords(session, resource, ids, setValues(resource, input));
}

/**
 * Deletes records: all of them or none.
 * @returns the deleted records without duplicates, in the order of the ids
 * @throws GatewayError like `deleteRecord`; BAD_REQUEST for too many ids; NOT_FOUND naming the first id that
 *   does not exist or that the caller may not see
 */
export async function deleteRecords<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  ids: readonly string[],
): Promise<Row[]> {
  const wanted = withoutDuplicates(resource, ids);
  try {
    return await transact(session, resource, async (tx) => {
      const rows = await lockRecords(tx, session, resource, wanted, { forDeletion: true });
      return deleteLocked(tx, session, resource, rows);
    });
  } catch (error) {
    throw await withBlockers(session, resource, wanted, error);
  }
}
