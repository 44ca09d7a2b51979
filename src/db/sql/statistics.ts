import type { ModelName } from '../../domain/models.js';
import type { Database } from '../connection/database.js';
import type { Session } from '../connection/session.js';
import { prepared } from '../connection/statement.js';
import { modelInfo } from './models.js';
import { sql } from './sql.js';

/**
 * Milliseconds for which the planner's statistics are cached. They change slowly, and a wrong guess costs only
 * time.
 */
const CACHE_MS = 600_000;

/** FROM clause with the statistics of the table `$1`. Those of a partitioned table are its largest partition's. */
export const statisticsSql = `
  FROM pg_stats JOIN (
    SELECT relname, relnamespace::regnamespace::text AS room, reltuples FROM pg_class
      LEFT JOIN pg_inherits ON inhrelid = oid
    WHERE to_regclass($1::text) IN (oid, inhparent) ORDER BY reltuples DESC, relkind LIMIT 1
  ) AS sampled ON tablename = relname AND quote_ident(schemaname) = room`;

/**
 * Reads something of the planner's statistics, once in ten minutes.
 * @param nothing stands for statistics that cannot be read
 */
export function readStatistics<Value>(
  session: Session,
  key: string,
  read: () => Promise<Value>,
  nothing: Value,
): Promise<Value> {
  const { statistics } = session.database;
  const now = session.now.getTime();
  const kept = statistics.get(key);
  if (kept && now < kept.until) return kept.value as Promise<Value>;
  const value = read().catch((error: Error) => {
    session.database.onError(error);
    return nothing;
  });
  statistics.set(key, { until: now + CACHE_MS, value });
  return value;
}

/** Rows of a table from which an organization, or a workspace, has its own plans. */
const MANY_ROWS = { organization_id: 50_000, team_id: 10_000 };

/** Bytes that a row takes at least. */
const LEAST_ROW_BYTES = 100;

/** Condition that statistics tell whose rows a table has. A large one was analyzed, and has not doubled since. */
const isKnown = `
  NOT EXISTS (
    SELECT FROM pg_class AS own LEFT JOIN pg_inherits ON inhrelid = oid
    WHERE to_regclass($1::text) IN (oid, inhparent) AND relkind = 'r'
      AND pg_relation_size(oid) >= $3::bigint * ${LEAST_ROW_BYTES} AND (
        pg_relation_size(oid) / current_setting('block_size')::bigint > 2 * relpages::bigint
        OR NOT EXISTS (
          SELECT FROM pg_stats
          WHERE tablename = relname AND quote_ident(schemaname) = relnamespace::regnamespace::text AND attname = $2::text
        )
      )
  )`;

/**
 * Reads which organizations or workspaces have very many rows of a table. After a restore or during an import, statistics do
 * not tell yet.
 * @returns undefined if any might
 */
async function ownersOfMany(
  session: Session,
  table: string,
  column: keyof typeof MANY_ROWS,
): Promise<ReadonlySet<string> | undefined> {
  const [{ known, ids } = { known: true, ids: [] }] = await session.readUnscoped<{
    known: boolean;
    ids: readonly string[];
  }>(
    prepared('pg_stats.large', {
      text: `SELECT ${isKnown} AS known, ARRAY(
        SELECT common.id FROM (
          SELECT most_common_vals::text::text[] AS ids, most_common_freqs AS shares, reltuples AS rows ${statisticsSql}
          WHERE attname = $2::text
        ) AS known CROSS JOIN LATERAL unnest(ids, shares) AS common (id, share) WHERE share * rows >= $3
      ) AS ids`,
      values: [table, column, MANY_ROWS[column]],
    }),
  );
  return known ? new Set(ids) : undefined;
}

/**
 * Returns whether an organization or workspace has very many rows of a model.
 * @returns undefined if statistics do not tell
 */
async function isAmongOwnersOfMany(
  session: Session,
  model: ModelName,
  column: keyof typeof MANY_ROWS,
  id: string | undefined,
): Promise<boolean | undefined> {
  const { table } = modelInfo[model];
  const read = () => ownersOfMany(session, table, column);
  const none: ReadonlySet<string> | undefined = new Set();
  const large = await readStatistics(session, `large ${table} by ${column}`, read, none);
  return id !== undefined && large?.has(id);
}

const isLarge = (session: Session, model: ModelName) =>
  isAmongOwnersOfMany(session, model, 'organization_id', session.caller.organizationId);

/**
 * Returns whether the caller's organization has very many rows of a model. PostgreSQL's kept plan expects an organization
 * of average size, and would be wrong by orders of magnitude. Planning such a statement with its values takes little of its
 * time.
 */
export const hasManyRows = async (session: Session, model: ModelName): Promise<boolean> =>
  (await isLarge(session, model)) === true;

/** Returns whether it might have them. What must be bounded is bounded even while statistics tell nothing. */
export const mayHaveManyRows = async (session: Session, model: ModelName): Promise<boolean> =>
  (await isLarge(session, model)) !== false;

/** Returns whether the caller's first workspace has very many rows. It is for callers who see no other one. */
export const hasManyRowsInTeam = async (session: Session, model: ModelName): Promise<boolean> =>
  (await isAmongOwnersOfMany(session, model, 'team_id', session.caller.teamIds[0])) === true;

/** Tables that have grown by a tenth since their last ANALYZE. Sizes are known at once, where counts of changes come later. */
const grown = `
  SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
    AND pg_relation_size(oid) / current_setting('block_size')::bigint > 1.1 * relpages + 10
  ORDER BY 1`;

/** Milliseconds that collecting the statistics of a table may take. */
const ANALYZE_MS = 60_000;

/**
 * Collects the planner's statistics of tables that have grown, as after a large import. Until autovacuum comes to it, a
 * minute later or more, the planner would not know whose rows there are now. PostgreSQL skips tables of another owner.
 * @param signal stops it before the next table
 */
export async function refreshStatistics(database: Database, signal: AbortSignal): Promise<void> {
  const tables = await database.sql<{ readonly name: string }>(grown);
  for (const { name } of tables) {
    if (signal.aborted) return;
    await database.inTransaction(
      async (tx) => {
        const patience = sql`SELECT set_config('statement_timeout', ${String(ANALYZE_MS)}, true)`;
        await tx.run(prepared('statistics.patience', patience));
        await tx.run(prepared('statistics.analyze', { text: `ANALYZE ${name}`, values: [] }, true));
      },
      undefined,
      [],
      ANALYZE_MS,
    );
  }
  if (tables.length > 0) database.statistics.clear();
}
