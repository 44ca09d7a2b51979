import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { lockVisible, readRecords } from '../../records/locking.js';
import type { Resource } from '../../records/resource.js';
import { linkLists, type Row } from './compare.js';
import type { ImportTarget } from './headers/mapping.js';

/** Records that exist, and the names that their cells show. */
export interface Current {
  readonly records: ReadonlyMap<string, Row>;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Reads the records that exist, and what their cells would show.
 * @param isReading true if nothing is going to be written, so that nothing has to be locked
 */
export async function readCurrent(
  tx: Transaction,
  session: Session,
  { kind }: Pick<ImportTarget, 'kind'>,
  resource: Resource,
  ids: readonly string[],
  isReading: boolean,
): Promise<Current> {
  const read = isReading ? readRecords(tx, resource, ids) : lockVisible(tx, session, resource, ids);
  // All kinds that can be imported have the columns of `Row`.
  const records = (await read) as ReadonlyMap<string, unknown> as ReadonlyMap<string, Row>;
  const names = new Map<string, string>();
  if (kind !== 'ITEMS') return { records, names };
  for (const { field, model, key } of linkLists) {
    const linked = new Set([...records.values()].flatMap((record) => record[field] as string[]));
    if (linked.size === 0) continue;
    for (const row of await readRows(tx, model, { where: { id: { in: [...linked] } } })) {
      // `linkLists` names a column of text for each model.
      const { id, [key]: name } = row as unknown as Record<string, string | null> & { id: string };
      names.set(id, name === null || name === undefined || name.includes(';') ? id : name.trim() || id);
    }
  }
  return { records, names };
}
