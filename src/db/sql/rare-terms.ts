import type { ModelName } from '../../domain/models.js';
import { folded, plateKey, snakeCase } from '../../domain/text/names.js';
import { isNarrowed, rareTermPattern, type SampledValue } from '../../domain/text/rare-terms.js';
import type { Session } from '../connection/session.js';
import { prepared } from '../connection/statement.js';
import {
  type Condition,
  columnSql,
  customValuesSql,
  foldedSql,
  hasCustomSql,
  plateSql,
  sourceSql,
  type TermCondition,
  unindexedSql,
} from './conditions.js';
import { modelInfo } from './models.js';
import { join, type Sql, sql } from './sql.js';
import { readStatistics, statisticsSql } from './statistics.js';

/** Samples of text columns, by column name. They are undefined if the statistics omit some values. */
type Samples = ReadonlyMap<string, readonly SampledValue[] | undefined>;

/** The most samples of a column, whatever PostgreSQL's statistics target is. */
const LARGEST_SAMPLE = 200;
/**
 * Average bytes from which a column counts as wide. Many of its values may be too long for the planner's
 * statistics.
 */
const WIDE_COLUMN_BYTES = 500;

/** Statistics of a column from `pg_stats`, as collected by ANALYZE. */
interface Statistics {
  readonly column: string;
  readonly nulls: number;
  readonly width: number;
  readonly frequent: readonly string[];
  readonly shares: readonly number[];
  /** Histogram bounds. Between each two of them lie equally many of the other values. */
  readonly bounds: readonly string[];
}

const toSample = (text: string, share = 0): SampledValue => ({ text: folded(text), share });

/** Returns a column's samples; undefined if the statistics omit some of its values. */
function samplesFrom({
  nulls,
  width,
  frequent,
  shares,
  bounds,
}: Statistics): readonly SampledValue[] | undefined {
  const rest = shares.reduce((left, share) => left - share, 1 - nulls);
  if (width > WIDE_COLUMN_BYTES || (bounds.length === 0 && rest > 0.01)) return undefined;
  const step = Math.ceil(bounds.length / LARGEST_SAMPLE);
  const some = bounds.filter((_, index) => index % step === 0);
  return [
    ...frequent.slice(0, LARGEST_SAMPLE).map((text, index) => toSample(text, shares[index])),
    ...some.map((text) => toSample(text, rest / some.length)),
  ];
}

/**
 * Reads samples of a table, or of an index of expressions. It needs a trigram index. Before the first ANALYZE there are
 * none; without them, the search is still complete.
 */
function loadSamples(
  session: Session,
  table: string,
  columns: readonly string[],
  index = `${table}_term_idx`,
): Promise<Samples> {
  const read = async () => {
    const rows = await session.readUnscoped<Statistics>(
      prepared('pg_stats.read', {
        text: `SELECT attname AS column, null_frac AS nulls, avg_width AS width, coalesce(most_common_freqs, '{}') AS shares,
          coalesce(most_common_vals::text::text[], '{}') AS frequent,
          coalesce(histogram_bounds::text::text[], '{}') AS bounds
          ${statisticsSql} WHERE attname = ANY($2) AND to_regclass($3::text) IS NOT NULL`,
        values: [table, columns, index],
      }),
    );
    return new Map(rows.map((row) => [row.column, samplesFrom(row)]));
  };
  return readStatistics<Samples>(session, [table, ...columns].join(' '), read, new Map());
}

/** Name of the index column with the values of custom fields. */
const customColumn = 'custom_field_values';

/**
 * Returns the condition that a custom field's value has a term, if that is rare. Where no value has been sampled, hardly
 * any record has custom fields.
 */
async function rareCustomSql(session: Session, model: ModelName, term: string): Promise<Sql | undefined> {
  const index = `${modelInfo[model].table}_custom_term_idx`;
  const samples = await loadSamples(session, index, [customColumn], index);
  const by = rareTermPattern(term, samples.has(customColumn) ? samples.get(customColumn) : []);
  if (by === undefined) return undefined;
  const values = customValuesSql('found');
  const indexed = sql`${hasCustomSql('found')} AND ${values} LIKE (SELECT ${foldedSql(sql`${`%${by}%`}`)})`;
  return sql`(${indexed} AND ${unindexedSql(values)} LIKE ${foldedSql(sql`${`%${term}%`}`)})`;
}

/**
 * Returns SQL for the ids of rows with a term, if they are few. The pattern is in a subquery to hide it from
 * the planner. Otherwise PostgreSQL would plan each term anew to see if it is rare, which takes as long as
 * the search. There is no other condition: with the caller's scope, the planner might scan all rows of the
 * caller.
 */
async function rareTermIdsSql(
  session: Session,
  model: ModelName,
  { fields, term, plates, custom }: TermCondition,
): Promise<Sql | undefined> {
  if (!isNarrowed(folded(term))) return undefined;
  const samples = await loadSamples(session, modelInfo[model].table, fields.map(snakeCase));
  const conditions = fields.flatMap((field) => {
    const column = foldedSql(columnSql('found', field));
    const by = rareTermPattern(term, samples.get(snakeCase(field)));
    if (by === undefined) return [];
    const indexed = sql`${column} LIKE (SELECT ${foldedSql(sql`${`%${by}%`}`)})`;
    return sql`${indexed} AND ${unindexedSql(column)} LIKE ${foldedSql(sql`${`%${term}%`}`)}`;
  });
  // A term that is frequent in one column has many rows anyway.
  if (conditions.length < fields.length) return undefined;
  for (const field of plates?.fields ?? []) {
    const known = samples.get(snakeCase(field)) ?? [];
    if (known.some(({ text }) => plateKey(text)?.includes(plates?.key ?? ''))) return undefined;
    conditions.push(plateSql(columnSql('found', field), sql`(SELECT ${`%${plates?.key}%`}::text)`));
  }
  if (custom !== undefined) {
    const among = await rareCustomSql(session, model, custom);
    if (!among) return undefined;
    conditions.push(among);
  }
  return sql`SELECT found.id FROM ${sourceSql(session, model)} AS found WHERE ${join(conditions, ' OR ')}`;
}

/**
 * Adds a condition with which a trigram index finds the rows with a rare term. Nested lists do not use it,
 * because they only look at their parents' rows.
 */
export async function narrowByRareTerm(
  session: Session,
  model: ModelName,
  where: Condition,
): Promise<Condition> {
  const { AND: parts, searched, ...others } = where as Condition & { readonly searched?: TermCondition };
  if (parts) {
    const all = [parts as Condition | Condition[]].flat();
    return { ...where, AND: await Promise.all(all.map((part) => narrowByRareTerm(session, model, part))) };
  }
  const ids = searched && (await rareTermIdsSql(session, model, searched));
  return ids ? { AND: [others, { id: { in: ids } }] } : where;
}
