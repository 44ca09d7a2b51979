import type { Session } from '../db/connection/session.js';
import { badField, notFound } from '../domain/errors.js';
import { isUuid } from '../domain/rules.js';
import { type Change, type ChangeOptions, changeLocked } from './change.js';
import { deleteLocked, withHolders } from './delete.js';
import { lockRecords } from './locking.js';
import { setValues, transact } from './record.js';
import type { RecordBase, Resource } from './resource.js';

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
    throw await withHolders(session, resource, wanted, error);
  }
}
