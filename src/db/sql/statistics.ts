import type { ModelName } from '../../domain/models.js';
import type { Session } from '../connection/session.js';
import { prepared } from '../connection/statement.js';
import { modelInfo } from './models.js';

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

/** Rows of an organization in a table from which it has its own plans. */
const MANY_ROWS = 50_000;

/**
 * Returns whether the caller's organization has very many rows of a model. PostgreSQL's kept plan expects an organization
 * of average size, and would be wrong by orders of magnitude. Planning such a statement with its values takes little of its
 * time.
 */
export async function hasManyRows(session: Session, model: ModelName): Promise<boolean> {
  const { table } = modelInfo[model];
  const read = async () => {
    const rows = await session.readUnscoped<{ id: string }>(
      prepared('pg_stats.large', {
        text: `SELECT common.id FROM (
          SELECT most_common_vals::text::text[] AS ids, most_common_freqs AS shares, reltuples AS rows ${statisticsSql}
          WHERE attname = 'organization_id'
        ) AS known CROSS JOIN LATERAL unnest(ids, shares) AS common (id, share) WHERE share * rows >= $2`,
        values: [table, MANY_ROWS],
      }),
    );
    return new Set(rows.map(({ id }) => id));
  };
  const large = await readStatistics(session, `large ${table}`, read, new Set<string>());
  return large.has(session.caller.organizationId);
}
