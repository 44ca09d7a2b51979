import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { raw, sql } from '../sql/sql.js';

/**
 * Returns the condition that the epoch's row was written here rather than copied. It stores its transaction's
 * number, whereas pg_dump or logical replication would have written it in another one.
 */
export const isOwnEpoch = (row: string) =>
  raw(`${row}.xmin::text::numeric = mod(${row}.xid::text::numeric, 4294967296)`);

/**
 * Begins an epoch if there is none. That happens at first, after a crash, which empties unlogged tables, and
 * in a copy of the database. The rows of the old epoch are deleted before anybody has a position in the new
 * one. They are not truncated, because TRUNCATE would wait for every open writer and block all others behind
 * it. Several processes may call it.
 */
export async function beginEpoch(database: Database): Promise<void> {
  const begin = sql`
    INSERT INTO record_change_epochs AS epoch (id) VALUES (gen_random_uuid())
    ON CONFLICT (single) DO UPDATE SET id = excluded.id, xid = excluded.xid, gone_to = excluded.gone_to
      WHERE NOT ${isOwnEpoch('epoch')}
    RETURNING id`;
  await database.inTransaction(async (transaction) => {
    const [begun] = await transaction.run(named('record_changes.epoch', begin));
    if (begun) await transaction.run(named('record_changes.empty', sql`DELETE FROM record_changes`));
  });
}

/** The most rows that one statement deletes, per organization and in total. */
const batch = { each: 2_000, all: 20_000 };

/** Deletes rows of each organization that are older than a time. It records how far it got. */
const forgetSql = (before: Date) => sql`
  WITH old AS (
    SELECT oldest.* FROM organizations CROSS JOIN LATERAL (
      SELECT organization_id, xid, seq, written FROM record_changes WHERE organization_id = organizations.id
      ORDER BY xid, seq LIMIT ${batch.each}
    ) AS oldest
    WHERE oldest.written < ${before} LIMIT ${batch.all}
  ), gone AS (
    DELETE FROM record_changes AS record USING old
    WHERE (record.organization_id, record.xid, record.seq) = (old.organization_id, old.xid, old.seq)
    RETURNING record.xid
  ), noted AS (
    UPDATE record_change_epochs AS epoch
    SET gone_to = greatest(gone_to, (SELECT xid FROM gone ORDER BY xid DESC LIMIT 1)), xid = pg_current_xact_id()
    WHERE EXISTS (SELECT FROM gone) AND ${isOwnEpoch('epoch')}
  )
  SELECT count(*)::int AS gone FROM gone`;

/**
 * Deletes changes that are older than a time. Positions before the last deleted change are rejected from then
 * on.
 */
export async function forgetChanges(database: Pick<Database, 'query'>, before: Date): Promise<void> {
  let gone: number;
  do {
    const [row] = await database.query<{ gone: number }>(named('record_changes.forget', forgetSql(before)));
    gone = row?.gone ?? 0;
  } while (gone > 0);
}
