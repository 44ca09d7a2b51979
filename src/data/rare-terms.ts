import { Kept } from '../domain/kept.js';
import { snakeCase } from '../domain/names.js';
import { hasTrigram, rareIn, type Sampled } from '../domain/rare-terms.js';
import type { Prisma } from '../generated/prisma/client.js';
import type { Database } from './client.js';
import type { Condition } from './resource.js';
import { type Session, wholeOf } from './scope.js';
import { tableOf } from './sql.js';

/** What is known of a table's columns, by their names. */
type Samples = ReadonlyMap<string, readonly Sampled[]>;

/** Milliseconds for which it is kept: a table's words change slowly, and a wrong guess costs time alone. */
const lasting = 600_000;

const known = new Kept<Database, Map<string, { readonly until: number; readonly samples: Samples }>>();

/** What ANALYZE has found in a column. */
interface Statistics {
  readonly column: string;
  readonly nulls: number;
  readonly frequent: readonly string[];
  readonly shares: readonly number[];
  /** Bounds between which equally many of the other values lie. */
  readonly bounds: readonly string[];
}

function sampled({ nulls, frequent, shares, bounds }: Statistics): Sampled[] {
  const others = shares.reduce((left, share) => left - share, 1 - nulls) / bounds.length;
  return [
    ...frequent.map((text, index) => ({ text: text.toLowerCase(), share: shares[index] ?? 0 })),
    ...bounds.map((text) => ({ text: text.toLowerCase(), share: others })),
  ];
}

/** Reads what the planner knows of a table's texts; nothing of a table that was never analyzed. */
async function read(database: Database, table: string, columns: readonly string[]): Promise<Samples> {
  const rows = await database.query<Statistics>(
    `SELECT attname AS column, null_frac AS nulls, coalesce(most_common_freqs, '{}') AS shares,
      coalesce(most_common_vals::text::text[], '{}') AS frequent,
      coalesce(histogram_bounds::text::text[], '{}') AS bounds
    FROM pg_stats WHERE schemaname = current_schema() AND tablename = $1 AND attname = ANY($2)`,
    [table, columns],
  );
  return new Map(rows.map((row) => [row.column, sampled(row)]));
}

async function samplesOf(session: Session, table: string, columns: readonly string[]): Promise<Samples> {
  const database = wholeOf(session);
  const tables = known.ensure(database, () => new Map());
  const key = [table, ...columns].join(' ');
  const now = session.now.getTime();
  const kept = tables.get(key);
  if (kept && now < kept.until) return kept.samples;
  const samples = await read(database, table, columns);
  tables.set(key, { until: now + lasting, samples });
  return samples;
}

type Contains = { readonly contains: string };

const isContains = (value: unknown): value is Contains =>
  typeof (value as Partial<Contains> | null)?.contains === 'string';

/** A condition with what it says of texts that contain something changed. */
function mapped(condition: Condition, change: (field: string, value: Contains) => object): Condition {
  const inner = (value: unknown) =>
    [value as Condition | Condition[]].flat().map((part) => mapped(part, change));
  return Object.fromEntries(
    Object.entries(condition).map(([name, value]) => {
      if (name === 'AND' || name === 'OR') return [name, inner(value)];
      return [name, isContains(value) ? change(name, value) : value];
    }),
  );
}

/**
 * A condition on a model's rows, with terms that few rows have put so that an index finds those at once: by their rare
 * words, and by a plan that is made once. Left to itself, PostgreSQL makes one for each term, to see whether it is a rare
 * one, which takes as long as the search.
 */
export async function byRareTerms(
  session: Session,
  model: Prisma.ModelName,
  where: Condition,
): Promise<Condition> {
  const sought: { readonly column: string; readonly term: string }[] = [];
  mapped(where, (field, value) => {
    sought.push({ column: snakeCase(field), term: value.contains });
    return value;
  });
  if (!sought.some(({ term }) => hasTrigram(term))) return where;
  const columns = sought.map(({ column }) => column);
  const samples = await samplesOf(session, tableOf[model] ?? '', columns);
  const patterns = sought.map(({ column, term }) => {
    const known = samples.get(column);
    return known && rareIn(term, known);
  });
  // One that is not rare everywhere has many rows all the same.
  if (patterns.includes(undefined)) return where;
  return mapped(where, (_, value) => ({ ...value, by: patterns.shift() }));
}
