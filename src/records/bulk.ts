import type { Session } from '../db/connection/session.js';
import { badField, notFound } from '../domain/errors.js';
import { isUuid } from '../domain/rules.js';
import { type Change, type ChangeOptions, changeLocked } from './change.js';
import { deleteLocked, withHolders } from './delete.js';
import { lockRecords } from './locking.js';
import { settingOf, transact } from './record.js';
import type { RecordBase, Resource } from './resource.js';

/** Most records that one request changes at once. */
export const largestBulk = 500;

/** Returns the ids in small letters, each once, in the order given. */
function eachOnce({ noun }: Resource, ids: readonly string[]): string[] {
  const once = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (once.length > largestBulk)
    throw badField(['ids'], `must have at most ${largestBulk} entries`, 'entries');
  const wrong = once.find((id) => !isUuid(id));
  if (wrong !== undefined) throw notFound(noun, wrong);
  return once;
}

/**
 * Changes records under locks: all of them, or none. The change of one is that of `changeRecord`.
 * @returns the records in the order of the ids, each once
 * @throws GatewayError what `changeRecord` throws; BAD_REQUEST for too many ids; NOT_FOUND naming the first id that is
 *   no record's or that the caller may not see
 */
export async function changeRecords<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  ids: readonly string[],
  change: Change<Row>,
  options: Omit<ChangeOptions<Row>, 'finish' | 'selection'> = {},
): Promise<Row[]> {
  const wanted = eachOnce(resource, ids);
  return transact(session, resource, async (tx) => {
    const records = await lockRecords(tx, session, resource, wanted);
    const changed = await changeLocked(tx, session, resource, records, change, { ...options, finish: true });
    const rows = new Map(changed.map(({ row }) => [row.id, row]));
    return records.map((record) => rows.get(record.id) ?? record);
  });
}

/** Changes the values of records that are given and keeps the others; see `changeRecords`. */
export function updateRecords<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  ids: readonly string[],
  input: object,
): Promise<Row[]> {
  return changeRecords(session, resource, ids, settingOf(resource, input));
}

/**
 * Deletes records: all of them, or none.
 * @returns the records as they were, in the order of the ids, each once
 * @throws GatewayError what `deleteRecord` throws; BAD_REQUEST for too many ids; NOT_FOUND naming the first id that is
 *   no record's or that the caller may not see
 */
export async function deleteRecords<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  ids: readonly string[],
): Promise<Row[]> {
  const wanted = eachOnce(resource, ids);
  try {
    return await transact(session, resource, async (tx) => {
      const rows = await lockRecords(tx, session, resource, wanted, { forDeletion: true });
      return deleteLocked(tx, session, resource, rows);
    });
  } catch (error) {
    throw await withHolders(session, resource, wanted, error);
  }
}
