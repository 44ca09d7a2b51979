import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';

const { sql } = Prisma;

/** Entries that one statement deletes with their contents. They are few, because each may have many files. */
const BATCH = 10;

/**
 * Deletes expired entries of the bin for good. Any number of processes may do so: each takes entries that no
 * other has locked.
 * @returns the number of entries
 */
export async function purgeExpired(database: Pick<Database, 'query'>, now: Date): Promise<number> {
  const statement = sql`
    DELETE FROM bin_entries WHERE id = ANY(ARRAY(
      SELECT id FROM bin_entries WHERE expires_at <= ${now}::timestamptz
      ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ))
    RETURNING TRUE AS gone`;
  let purged = 0;
  let last: number;
  do {
    last = (await database.query(named('bin_entries.purge', statement))).length;
    purged += last;
  } while (last === BATCH);
  return purged;
}
