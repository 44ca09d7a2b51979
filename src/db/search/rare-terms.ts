import { folded } from '../../domain/text/folding.js';
import { snakeCase } from '../../domain/text/names.js';
import { hasTrigram, rareTermPattern, type Sampled } from '../../domain/text/rare-terms.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Session } from '../connection/session.js';
import { named } from '../connection/statement.js';
import { columnSql, foldedSql, type Searched, tableSql, unindexedSql } from '../sql/conditions.js';
import { modelInfo } from '../sql/models.js';
import type { Condition } from '../sql/query.js';

const { sql, join } = Prisma;

/** What is known of a table's columns, by their names. */
type Samples = ReadonlyMap<string, readonly Sampled[]>;

/** Milliseconds for which it is kept: a table's words change slowly, and a wrong guess costs time alone. */
const CACHE_MS = 600_000;
/** Samples of a column at most, however many PostgreSQL is told to keep. */
const LARGEST_SAMPLE = 200;
/** Bytes that a column's values have on average from which on many may be of the size that is not in the statistics. */
const WIDE_COLUMN_BYTES = 500;

/** What ANALYZE has found in a column. */
interface Statistics {
  readonly column: string;
  readonly nulls: number;
  readonly width: number;
  readonly frequent: readonly string[];
  readonly shares: readonly number[];
  /** Bounds between which equally many of the other values lie. */
  readonly bounds: readonly string[];
}

const toSample = (text: string, share = 0): Sampled => ({ text: folded(text), share });

/** Samples of a column; undefined where it has values that statistics say nothing of. */
function samplesFrom({ nulls, width, frequent, shares, bounds }: Statistics): readonly Sampled[] | undefined {
  const rest = shares.reduce((left, share) => left - share, 1 - nulls);
  if (width > WIDE_COLUMN_BYTES || (bounds.length === 0 && rest > 0.01)) return undefined;
  const step = Math.ceil(bounds.length / LARGEST_SAMPLE);
  const some = bounds.filter((_, index) => index % step === 0);
  return [
    ...frequent.slice(0, LARGEST_SAMPLE).map((text, index) => toSample(text, shares[index])),
    ...some.map((text) => toSample(text, rest / some.length)),
  ];
}

/** Reads what the planner knows of the texts of a table with a trigram index; nothing, before ANALYZE was there. */
async function readStatistics(session: Session, table: string, columns: readonly string[]): Promise<Samples> {
  const rows = await session.readUnscoped<Statistics>(
    named('pg_stats.read', {
      text: `SELECT attname AS column, null_frac AS nulls, avg_width AS width, coalesce(most_common_freqs, '{}') AS shares,
      coalesce(most_common_vals::text::text[], '{}') AS frequent,
      coalesce(histogram_bounds::text::text[], '{}') AS bounds
    FROM pg_stats WHERE tablename = $1::text AND attname = ANY($2) AND to_regclass($1::text || '_term_idx') IS NOT NULL
      AND to_regclass(format('%I.%I', schemaname, tablename)) = to_regclass($1::text)`,
      values: [table, columns],
    }),
  );
  return new Map(
    rows.flatMap((row) => {
      const samples = samplesFrom(row);
      return samples ? [[row.column, samples]] : [];
    }),
  );
}

function loadSamples(session: Session, table: string, columns: readonly string[]): Promise<Samples> {
  const { columnSamples } = session.database;
  const key = [table, ...columns].join(' ');
  const now = session.now.getTime();
  const kept = columnSamples.get(key);
  if (kept && now < kept.until) return kept.samples as Promise<Samples>;
  // All is found without them, too.
  const samples = readStatistics(session, table, columns).catch((error: Error) => {
    session.database.onError(error);
    return new Map();
  });
  columnSamples.set(key, { until: now + CACHE_MS, samples });
  return samples;
}

/**
 * The ids of rows with a term, if they are few. What is looked up is kept from the planner, which would otherwise make a
 * plan for each term, to see whether it is a rare one, and that takes as long as the search. It looks for nothing else:
 * told of the caller's rows, the planner may go through all of those as well.
 */
async function rareTermIdsSql(
  session: Session,
  model: Prisma.ModelName,
  { fields, term }: Searched,
): Promise<Prisma.Sql | undefined> {
  if (!hasTrigram(folded(term))) return undefined;
  const samples = await loadSamples(session, modelInfo[model].table, fields.map(snakeCase));
  const conditions = fields.flatMap((field) => {
    const column = foldedSql(columnSql('found', field));
    const by = rareTermPattern(term, samples.get(snakeCase(field)));
    if (by === undefined) return [];
    const indexed = sql`${column} LIKE (SELECT ${foldedSql(sql`${`%${by}%`}`)})`;
    return sql`${indexed} AND ${unindexedSql(column)} LIKE ${foldedSql(sql`${`%${term}%`}`)}`;
  });
  // One that is not rare everywhere has many rows all the same.
  if (conditions.length < fields.length) return undefined;
  return sql`SELECT found.id FROM ${tableSql(model)} AS found WHERE ${join(conditions, ' OR ')}`;
}

/**
 * A condition on a model's rows by which an index finds those with a term at once, if they are few. Lists below records
 * are not searched by it, which look at their parents' rows alone.
 */
export async function narrowByRareTerm(
  session: Session,
  model: Prisma.ModelName,
  where: Condition,
): Promise<Condition> {
  const { AND: parts, searched, ...others } = where as Condition & { readonly searched?: Searched };
  if (parts) {
    const all = [parts as Condition | Condition[]].flat();
    return { ...where, AND: await Promise.all(all.map((part) => narrowByRareTerm(session, model, part))) };
  }
  const ids = searched && (await rareTermIdsSql(session, model, searched));
  return ids ? { AND: [others, { id: { in: ids } }] } : where;
}
