import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import { narrowByRareTerm } from '../../db/search/rare-terms.js';
import { columnSql, foldedSql, type TermCondition, tableSql } from '../../db/sql/conditions.js';
import { modelInfo } from '../../db/sql/models.js';
import { searchSql } from '../../db/sql/page.js';
import type { ListQuery } from '../../db/sql/query.js';
import { folded } from '../../domain/text/folding.js';
import { Prisma } from '../../generated/prisma/client.js';

const { sql, join, raw } = Prisma;

/** Characters to show of the text around a match. */
const CHARACTERS_BEFORE = 40;
const CHARACTERS_SHOWN = 160;

/** A record that matches a term, with the field, the rank and the surrounding text. */
export interface Match {
  readonly id: string;
  readonly field: string;
  readonly snippet: string;
  /** Smaller is better. */
  readonly rank: number;
  readonly title: string;
}

/**
 * Returns the rank of a text. The best text equals the term, the next starts with it, the next has a word
 * that starts with it. On a tie, the earlier field wins.
 */
function rankSql(text: Prisma.Sql, pattern: Prisma.Sql): Prisma.Sql {
  const like = (before: string, after: string) => sql`${text} LIKE ${before} || ${pattern} || ${after}`;
  return sql`CASE WHEN ${like('', '')} THEN 0 WHEN ${like('', '%')} THEN 2 WHEN ${like('% ', '%')} THEN 4 ELSE 6 END`;
}

/**
 * Reads the records of a page of a searched list, each with its best match.
 * @param search the searched fields, title first, and the term escaped for `LIKE`
 * @param term the term as it was sent
 */
export async function readMatches(
  session: Session,
  model: Prisma.ModelName,
  query: ListQuery,
  { fields, term: pattern }: TermCondition,
  { term, inIndexOrder }: { readonly term: string; readonly inIndexOrder: boolean },
): Promise<Match[]> {
  const indexed = await narrowByRareTerm(session, model, query.where);
  const found = searchSql(session, model, sql`record.id`, query, { counted: false, inIndexOrder, indexed });
  const texts = fields.map(
    (field, place) => sql`(${raw(String(place))}, ${raw(`'${field}'`)}, ${columnSql('record', field)})`,
  );
  const like = foldedSql(sql`${pattern}`);
  const place = sql`greatest(strpos(folded(text.value), ${folded(term)}) - ${CHARACTERS_BEFORE}::int, 1)`;
  const statement = sql`
    SELECT record.id, best.field, best.snippet, best.rank, coalesce(${columnSql('record', fields[0] ?? 'id')}, '') AS title
    FROM (${found}) AS found JOIN ${tableSql(model)} AS record ON record.id = found.id
    CROSS JOIN LATERAL (
      SELECT text.field, substr(text.value, ${place}, ${CHARACTERS_SHOWN}::int) AS snippet,
        ${rankSql(sql`folded(text.value)`, like)} + CASE WHEN text.place = 0 THEN 0 ELSE 1 END AS rank
      FROM (VALUES ${join(texts)}) AS text (place, field, value)
      WHERE folded(text.value) LIKE '%' || ${like} || '%'
      ORDER BY rank, text.place LIMIT 1
    ) AS best`;
  return session.read<Match>(named(`${modelInfo[model].table}.matches`, statement));
}
