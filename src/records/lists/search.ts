import type { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import {
  type Condition,
  columnSql,
  foldedSql,
  type ListQuery,
  plateSql,
  type TermCondition,
  tableSql,
} from '../../db/sql/conditions.js';
import { modelInfo } from '../../db/sql/models.js';
import { narrowByRareTerm } from '../../db/sql/rare-terms.js';
import { searchSql } from '../../db/sql/select.js';
import { empty, join, raw, type Sql, sql } from '../../db/sql/sql.js';
import { mayHaveManyRows } from '../../db/sql/statistics.js';
import { badField } from '../../domain/errors.js';
import type { EntityKind, ModelName } from '../../domain/models.js';
import { check, rules } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import { isSearchable } from '../../domain/text/rare-terms.js';
import { listQuery } from '../list.js';
import type { ListedResource } from '../resource.js';
import { makeSort } from './order.js';

/** Characters to show of the text around a match. */
const CHARACTERS_BEFORE = 40;
const CHARACTERS_SHOWN = 160;

/** A record that matches a term, with the field, the rank and the surrounding text. */
interface Match {
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
function rankSql(text: Sql, pattern: Sql): Sql {
  const like = (before: string, after: string) => sql`${text} LIKE ${before} || ${pattern} || ${after}`;
  return sql`CASE WHEN ${like('', '')} THEN 0 WHEN ${like('', '%')} THEN 2 WHEN ${like('% ', '%')} THEN 4 ELSE 6 END`;
}

/**
 * Reads the records of a page of a searched list, each with its best match.
 * @param search the searched fields, title first, and the term escaped for `LIKE`
 * @param term the term as it was sent
 */
async function readMatches(
  session: Session,
  model: ModelName,
  query: ListQuery,
  { fields, term: pattern, plates, custom }: TermCondition,
  { term, inIndexOrder }: { readonly term: string; readonly inIndexOrder: boolean },
): Promise<Match[]> {
  const indexed = await narrowByRareTerm(session, model, query.where);
  const found = searchSql(session, model, sql`record.id`, query, { counted: false, inIndexOrder, indexed });
  const texts = fields.map(
    (field, place) =>
      sql`(${raw(String(place))}, ${raw(`'${field}'`)}, ${columnSql('record', field)}, ${columnSql('record', field)})`,
  );
  // A value is shown with the name of its field.
  const values =
    custom === undefined
      ? empty
      : sql`UNION ALL SELECT ${raw(String(fields.length))}, 'customFields', field ->> 'value', concat_ws(': ', field ->> 'name', field ->> 'value')
          FROM jsonb_path_query(${columnSql('record', 'customFields')}, '$[*]') AS field`;
  const like = foldedSql(sql`${pattern}`);
  const place = sql`greatest(strpos(folded(text.shown), ${folded(term)}) - ${CHARACTERS_BEFORE}::int, 1)`;
  const plateFields = plates?.fields.map((field) => raw(`'${field}'`)) ?? [];
  const divided = plates
    ? sql` OR text.field IN (${join(plateFields)}) AND ${plateSql(raw('text.value'), sql`${`%${plates.key}%`}`)}`
    : empty;
  const statement = sql`
    SELECT record.id, best.field, best.snippet, best.rank, coalesce(${columnSql('record', fields[0] ?? 'id')}, '') AS title
    FROM (${found}) AS found JOIN ${tableSql(model)} AS record ON record.id = found.id
    CROSS JOIN LATERAL (
      SELECT text.field, substr(text.shown, ${place}, ${CHARACTERS_SHOWN}::int) AS snippet,
        ${rankSql(sql`folded(text.value)`, like)} + CASE WHEN text.place = 0 THEN 0 ELSE 1 END AS rank
      FROM (VALUES ${join(texts)} ${values}) AS text (place, field, value, shown)
      WHERE folded(text.value) LIKE '%' || ${like} || '%'${divided}
      ORDER BY rank, text.place LIMIT 1
    ) AS best`;
  const isPlannedAnew = await mayHaveManyRows(session, model);
  return session.read<Match>(prepared(`${modelInfo[model].table}.matches`, statement, isPlannedAnew));
}

/** The most records of a kind that a search finds. They are the first of their list. */
export const maxMatchesPerKind = 200;

/** A record that a search has found. */
export interface Found {
  readonly id: string;
  readonly kind: EntityKind;
  /** Position of the kind among the searched kinds. */
  readonly place: number;
  /** The matching field, by its GraphQL name. */
  readonly field: string;
  readonly snippet: string;
  /** Smaller is better. */
  readonly rank: number;
  readonly title: string;
}

/** Finds the searched fields in a resource's condition for a bare term. */
function searchedIn(condition: Condition): TermCondition {
  const { searched } = ((condition.AND as Condition[] | undefined) ?? []).find((part) => part.searched) ?? {};
  if (!searched) throw new Error('A list is not searched by a term.');
  return searched as TermCondition;
}

/** Searches the records of one kind. */
async function searchKind(session: Session, resource: ListedResource, term: string) {
  const where = await resource.where({ term }, session);
  const byName = resource.indexed.includes('name');
  const order = byName
    ? ({ field: 'name', direction: 'asc' } as const)
    : ({ field: resource.indexed[0] ?? 'id', direction: 'desc' } as const);
  const window = {
    limit: maxMatchesPerKind - 1,
    offset: 0,
    after: undefined,
    before: undefined,
    backward: false,
  };
  const query = listQuery(where, await makeSort(session, resource, [order]), window);
  return readMatches(session, resource.rows.model, query, searchedIn(where), {
    term,
    inIndexOrder: resource.indexed.length > 0,
  });
}

const textOrder = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Compares two found records: by rank, kind, title and id. */
const compareFound = (one: Found, other: Found) =>
  one.rank - other.rank ||
  one.place - other.place ||
  textOrder(one.title, other.title) ||
  textOrder(one.id, other.id);

/**
 * Searches records of several kinds, with a statement for each kind.
 * @param searched the kinds in order, with their lists
 * @returns the matches, best first
 * @throws GatewayError BAD_REQUEST for a term of fewer than three letters and digits
 */
export async function searchAll(
  session: Session,
  searched: readonly (readonly [kind: EntityKind, resource: ListedResource])[],
  sent: string,
): Promise<Found[]> {
  const term = check(rules.requiredLine, sent, ['term']).trim();
  if (!isSearchable(folded(term))) throw badField(['term'], 'must have three letters or digits');
  const found = await Promise.all(
    searched.map(async ([kind, resource], place) =>
      (await searchKind(session, resource, term)).map((match) => ({ ...match, kind, place })),
    ),
  );
  return found.flat().sort(compareFound);
}
