import { keepSql } from '../db/bin/keep.js';
import { allForeignKeys, type ForeignKey } from '../db/bin/moved.js';
import { translateDeletion } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { oneOrMany, recordsSql } from '../db/sql/conditions.js';
import { type RecordKind, recordNames } from '../db/sql/models.js';
import { deleteRows } from '../db/sql/write.js';
import { deleteRow } from '../db/sql/write-record.js';
import { GatewayError } from '../domain/errors.js';
import { entityTypes } from '../domain/events.js';
import { kindOf, type ModelName, modelRows } from '../domain/models.js';
import { Prisma } from '../generated/prisma/client.js';
import { eventsSql, logEvents } from './event-logs.js';
import { lockRecord } from './locking.js';
import { transact } from './record.js';
import { deletedEvent } from './record-events.js';
import type { RecordBase, Resource } from './resource.js';

const { sql, join } = Prisma;

const dayMs = 24 * 60 * 60 * 1_000;

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
  try {
    return await transact(session, resource, async (tx) => {
      const row = await lockRecord(tx, session, resource, id, { forDeletion: true });
      const [deleted = row] = await deleteLocked(tx, session, resource, [row]);
      return deleted;
    });
  } catch (error) {
    throw await withHolders(session, resource, [id], error);
  }
}

/** Records that are in the way of a deletion: their kind, and their field. */
export interface Holder {
  readonly kind: RecordKind;
  readonly field: string;
}

/** Lists the foreign keys of a model by what a deletion does to its rows. */
const keysOf = (model: ModelName, onDelete: ForeignKey['onDelete']) =>
  allForeignKeys.filter((key) => key.model === model && key.onDelete === onDelete);

/**
 * Finds the kinds of records in the way of a deletion, by the foreign keys. What goes with another one that is
 * in the way, as a file with its item, is not counted.
 * @param model of what is to be deleted
 */
export function findHolders(model: ModelName): readonly Holder[] {
  const held = modelRows.flatMap(([holder, { noun }]) =>
    keysOf(holder, 'Restrict').flatMap(({ field, to }) =>
      noun && to === model ? [{ model: holder, field }] : [],
    ),
  );
  const isInTheWay = (of: string) => held.some((holder) => holder.model === of);
  return held
    .filter((holder) => !keysOf(holder.model, 'Cascade').some(({ to }) => isInTheWay(to)))
    .map((holder) => ({ kind: kindOf(holder.model) as RecordKind, field: holder.field }));
}

/** Adds to a refused deletion how many records are in the way. Those of each kind that the caller sees are counted. */
export async function withHolders(
  session: Session,
  resource: Resource,
  ids: readonly string[],
  error: unknown,
): Promise<unknown> {
  const isHeld = error instanceof GatewayError && error.code === 'CONFLICT';
  const holders = isHeld ? findHolders(resource.rows.model) : [];
  if (holders.length === 0) return error;
  const counts = holders.map(({ kind, field }) => {
    const others = resource.alongside?.find(({ model }) => kindOf(model) === kind);
    const where = { [field]: oneOrMany(ids), ...(others && { NOT: others.where }) };
    return sql`SELECT ${kind}::text AS kind, count(*)::int AS count ${recordsSql(session, kind, where)}`;
  });
  // The savepoint of the deletion is undone: a transaction around it goes on, and reads.
  const rows = await session.read<{ kind: RecordKind; count: number }>(
    named(`${resource.table}.holders`, join(counts, ' UNION ALL ')),
  );
  const found = rows.filter(({ count }) => count > 0);
  if (found.length === 0) return error;
  const verb = found.reduce((sum, { count }) => sum + count, 0) === 1 ? 'belongs' : 'belong';
  const list = new Intl.ListFormat('en').format(found.map(({ kind, count }) => numbered(count, kind)));
  const [subject, object] = ids.length === 1 ? ['It', 'it'] : ['They', 'them'];
  return new GatewayError('CONFLICT', `${subject} cannot be deleted: ${list} still ${verb} to ${object}.`, {
    cause: error,
  });
}

/** Writes a number of records: `1 company`, `2 companies`. */
function numbered(count: number, kind: RecordKind): string {
  const name = recordNames[kind];
  return `${count} ${count === 1 ? name : `${name.replace(/y$/, 'ie')}s`}`;
}

/** Returns the CTEs that put records into the bin, if there is one. */
function keptSql(session: Session, resource: Resource, rows: readonly RecordBase[]): Prisma.Sql | undefined {
  const { now, binDays } = session;
  if (binDays === 0 || rows.length === 0) return undefined;
  return keepSql(session, {
    model: resource.rows.model,
    typeId: entityTypes[resource.kind],
    records: rows.map((row) => ({ id: row.id, teamId: row.teamId, name: resource.title(row) })),
    alongside: resource.alongside,
    at: now,
    until: new Date(now.getTime() + binDays * dayMs),
  });
}

/** Deletes what is deleted with records and does not go by itself. */
async function deleteAlongside(tx: Transaction, { alongside = [] }: Resource, ids: readonly string[]) {
  for (const { model, field, where } of alongside) {
    await deleteRows(tx, model, { [field]: { in: ids }, ...where });
  }
}

/**
 * Deletes locked records in a transaction that does no more, with their events.
 * @returns the records as they were, with what was deleted with them
 * @throws GatewayError CONFLICT while other records cannot be without them
 */
export async function deleteLocked<Row extends RecordBase>(
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
    // What goes by a statement of its own is put into the bin before.
    if (id !== undefined && others.length === 0 && !resource.alongside) {
      await deleteRow(tx, model, id, () => {
        const { ctes, announcements } = eventsSql(session, events);
        return { ctes: keeping ? sql`${ctes}, ${keeping}` : ctes, announcements };
      });
    } else {
      if (keeping) await tx.run(named('bin_entries.insert', sql`WITH ${keeping} SELECT`));
      await deleteAlongside(tx, resource, ids);
      await logEvents(tx, session, events);
      await deleteRows(tx, model, { id: { in: ids } });
    }
  } catch (error) {
    throw translateDeletion(error);
  }
  return rows.map((row) => ({ ...row, ...dependents?.get(row.id) }));
}
