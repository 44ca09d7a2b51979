import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { type Sql, sql } from '../sql/sql.js';
import { type StoredContent, sizeSql, storedColumnsSql } from './contents.js';
import type { FileStore } from './store.js';

/** A file's row, and what it belongs to. */
export interface PlacedFile extends StoredContent {
  readonly id: string;
  readonly organizationId: string;
  /** Its attachment; null if it is in the bin. */
  readonly attachmentId: string | null;
  readonly itemId: string | null;
  readonly name: string | null;
}

/** Files of a kind of place. */
export interface PlaceCount {
  /** Null is the database. */
  readonly store: FileStore['kind'] | null;
  readonly files: number;
  readonly bytes: number;
}

/** Counts the files of each place, and their bytes. A copy counts like its original. */
export async function countPlaces(database: Pick<Database, 'query'>): Promise<PlaceCount[]> {
  const statement = sql`
    SELECT store, count(*)::int AS files, coalesce(sum(${sizeSql}), 0)::float8 AS bytes
    FROM attachment_contents AS stored GROUP BY store ORDER BY store NULLS FIRST`;
  return database.query(named('attachment_contents.places', statement));
}

/** Number of files that are listed at a time. */
const page = 500;

/** Number of files that are worked on at once. */
const atOnce = 4;

/**
 * Works on each file that a condition selects, several at once. Files that are added
 * meanwhile may be left out.
 * @throws what `work` throws, and the reason of `signal` if it is aborted
 */
export async function eachFile(
  database: Pick<Database, 'query'>,
  where: Sql,
  work: (id: string) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const statement = sql`
      SELECT stored.id FROM attachment_contents AS stored
      WHERE stored.id > ${after}::uuid AND (${where}) ORDER BY stored.id LIMIT ${page}`;
    const rows = await database.query<{ id: string }>(named('attachment_contents.ids', statement));
    const waiting = rows.map(({ id }) => id);
    const workers = Array.from({ length: atOnce }, async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        signal?.throwIfAborted();
        await work(id);
      }
    });
    // All of them end before an error of one is told, so that nothing goes on behind the caller's back.
    const ends = await Promise.allSettled(workers);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < page) return;
  }
}

/** Reads a file by the id of the row with its bytes. */
export async function findPlaced(
  database: Pick<Database, 'query'>,
  id: string,
): Promise<PlacedFile | undefined> {
  const statement = sql`
    SELECT stored.id, coalesce(attachments.organization_id, bin_entries.organization_id) AS "organizationId",
      attachments.id AS "attachmentId", attachments.item_id AS "itemId", attachments.name,
      ${storedColumnsSql(sql`stored.content`)}
    FROM attachment_contents AS stored
    LEFT JOIN attachments ON attachments.id = stored.attachment_id
    LEFT JOIN bin_entries ON bin_entries.id = stored.bin_entry_id
    WHERE stored.id = ${id}::uuid`;
  const [found] = await database.query<PlacedFile>(named('attachment_contents.placed', statement));
  return found;
}
