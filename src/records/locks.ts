import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { recordsSql } from '../db/sql/conditions.js';
import { type RowLock, readRows } from '../db/sql/select.js';
import { raw, sql } from '../db/sql/sql.js';
import { argumentError, type CurrentVersion, GatewayError, notFound } from '../domain/errors.js';
import { isUuid } from '../domain/rules.js';
import { type ConditionName, type Unmet, type Versioned, versionOf } from '../domain/versions.js';
import type { RecordBase, Resource } from './resource.js';

const unmet: Readonly<Record<ConditionName, string>> = {
  'If-Match': 'The record has changed: `If-Match` names another version.',
  'If-None-Match': 'The record exists: `If-None-Match` names its version.',
  ifVersion: 'The record has changed: `ifVersion` names another version.',
  ifVersions: 'A record has changed: `ifVersions` names another version of it.',
};

const absent: Readonly<Record<ConditionName, string>> = {
  'If-Match': 'There is no such record yet: `If-Match` names a version.',
  'If-None-Match': unmet['If-None-Match'],
  ifVersion: 'There is no such record yet: `ifVersion` names a version.',
  ifVersions: unmet.ifVersions,
};

/** Creates the error for a version that does not meet a condition. An argument is named, a header is not. */
function preconditionFailed(
  [condition, ...at]: Unmet,
  messages: Readonly<Record<ConditionName, string>>,
  current?: CurrentVersion,
): GatewayError {
  const options = { rule: 'conflict', ...(current && { current }) } as const;
  return condition.startsWith('if')
    ? argumentError('PRECONDITION_FAILED', messages[condition], [condition, ...at], options)
    : new GatewayError('PRECONDITION_FAILED', messages[condition], options);
}

/**
 * Rejects changing a record whose version does not meet the caller's conditions.
 * @throws GatewayError PRECONDITION_FAILED with the record's id and version
 */
export function checkVersion(
  { precondition }: Pick<Session, 'precondition'>,
  record: Versioned & { readonly id: string },
): void {
  const { id } = record;
  const version = versionOf(record);
  const failed = precondition?.(version, id);
  if (failed) throw preconditionFailed(failed, unmet, { id, version });
}

/**
 * Rejects a creation whose condition demands an existing record, such as `If-Match: *`.
 * @param id of the record that would be created
 * @throws GatewayError PRECONDITION_FAILED
 */
export function checkAbsence({ precondition }: Pick<Session, 'precondition'>, id: string): void {
  const failed = precondition?.(undefined, id);
  if (failed) throw preconditionFailed(failed, absent);
}

interface Locking {
  /** True if the caller's condition is on another record. */
  readonly unconditional?: boolean | undefined;
  /** True if the record will be deleted. Then nothing may start to refer to it. */
  readonly forDeletion?: boolean;
}

const lockOf = ({ forDeletion }: Locking): RowLock => (forDeletion ? 'FOR UPDATE' : 'FOR NO KEY UPDATE');

/**
 * Locks a record and reads it with its parts. Other writers wait until this transaction ends.
 * @throws GatewayError NOT_FOUND for a record that the caller does not see; PRECONDITION_FAILED
 */
export async function lockRecord<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  id: string,
  options: Locking = {},
): Promise<Row> {
  if (!isUuid(id)) throw notFound(resource.noun, id);
  // Lower case like the stored id, because callers may send upper case.
  const own = id.toLowerCase();
  // Both statements go out in one packet and run in order, so both see what earlier writers have committed.
  const [row, parts] = await Promise.all([
    resource.rows.lock(tx, own, lockOf(options)),
    resource.readParts?.(tx, [own]),
  ]);
  if (!row) throw notFound(resource.noun, id);
  if (!options.unconditional) checkVersion(session, row);
  return { ...row, ...parts?.get(own) };
}

/** Reads records with their parts, as far as the caller sees them. */
export async function readRecords<Row extends RecordBase>(
  tx: Transaction,
  resource: Resource<Row>,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map();
  const { model, toRecord } = resource.rows;
  const rows = await readRows(tx, model, { where: { id: { in: [...ids] } } });
  const parts = await resource.readParts?.(tx, ids);
  return new Map(
    rows.map((row) => {
      const record = toRecord(row);
      return [record.id, { ...record, ...parts?.get(record.id) }];
    }),
  );
}

/**
 * Locks records and reads them with their parts. Locks are taken in a fixed order to prevent deadlocks.
 * Records that the caller does not see are neither waited for, nor locked, nor returned.
 */
export async function lockVisible<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  ids: readonly string[],
  options: Locking = {},
): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map();
  const lock = sql`
    SELECT ${recordsSql(session, resource.kind, { id: { in: [...ids] } })}
    ORDER BY record.id ${raw(lockOf(options))}`;
  await tx.run(prepared(`${resource.table}.lock`, lock));
  return readRecords(tx, resource, ids);
}

/**
 * Locks records like `lockVisible`, and returns them in the order of the ids.
 * @param ids in lower case, without duplicates
 * @throws GatewayError NOT_FOUND naming the first id that the caller does not see; PRECONDITION_FAILED
 */
export async function lockRecords<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  ids: readonly string[],
  options: Locking = {},
): Promise<Row[]> {
  const [id, ...others] = ids;
  if (id === undefined) return [];
  if (others.length === 0) return [await lockRecord(tx, session, resource, id, options)];
  const found = await lockVisible(tx, session, resource, ids, options);
  const rows = ids.map((id) => {
    const row = found.get(id);
    if (!row) throw notFound(resource.noun, id);
    return row;
  });
  for (const row of rows) checkVersion(session, row);
  return rows;
}
