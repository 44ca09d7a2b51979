import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { visibleSql } from '../../db/sql/conditions.js';
import { join, raw, type Sql, sql } from '../../db/sql/sql.js';
import { groupBy } from '../../domain/load/grouping.js';
import { isUuid } from '../../domain/rules.js';
import type { Resource } from '../resource.js';

/** A kind of records with a natural key. */
export interface NamedKind {
  readonly resource: Resource;
  /** Field of the natural key. */
  readonly key: 'email' | 'name';
  /** True if keys are unique per workspace, false if per organization. */
  readonly inWorkspace: boolean;
}

/** An entry of a list, as its record is looked for. */
export interface Wanted {
  readonly index: number;
  readonly id: string | undefined;
  readonly key: string | undefined;
}

/** A list whose records are looked for, with the ids found so far. */
export interface IdSearch {
  readonly kind: NamedKind;
  /** Workspace whose records come first. */
  readonly teamId: string;
  readonly wanted: readonly Wanted[];
  readonly found: Map<number, string>;
}

/** Returns the entries of a list whose natural keys have found no record yet. */
export const missingKeys = ({ wanted, found }: IdSearch) =>
  wanted.flatMap(({ index, key }) => (key !== undefined && !found.has(index) ? [{ index, key }] : []));

/** An entry of one of several lists. */
interface Entry {
  readonly list: number;
  readonly index: number;
  readonly teamId: string;
  readonly text: string;
}

/** Returns the rows `wanted`: the place of each entry, and its id or key. */
function entriesSql(entries: readonly Entry[], type: 'uuid' | 'text'): Sql {
  const of = (member: keyof Entry) => entries.map((entry) => entry[member]);
  // The subqueries hide the number of entries from PostgreSQL's planner, which would plan anew for each.
  return sql`unnest((SELECT ${of('list')}::int[]), (SELECT ${of('index')}::int[]), (SELECT ${of('teamId')}::uuid[]),
    (SELECT ${of('text')}::${raw(type)}[])) AS wanted (list, index, team_id, text)`;
}

/** Finds the named records that are not found yet, with one statement. The caller must see them. */
export async function findIds(
  tx: Transaction,
  session: Session,
  searches: readonly IdSearch[],
): Promise<void> {
  const numbered = searches.map((search, list) => ({ ...search, list }));
  const branches = groupBy(numbered, ({ kind }) => kind.resource.kind).flatMap((alike) => {
    const kind = alike[0]?.kind;
    if (!kind) return [];
    const { resource, key, inWorkspace } = kind;
    const ids = alike.flatMap(({ list, teamId, wanted, found }) =>
      wanted.flatMap(({ index, id: text }) =>
        text !== undefined && !found.has(index) && isUuid(text) ? [{ list, index, teamId, text }] : [],
      ),
    );
    const keys = alike.flatMap((search) =>
      missingKeys(search).map(({ index, key: text }) => ({
        ...{ list: search.list, index, teamId: search.teamId, text },
      })),
    );
    const table = sql`${raw(resource.table)} AS found`;
    const visible = visibleSql(session, resource.kind, 'found');
    const place = raw('wanted.list, wanted.index, found.id');
    // A UNION, so that each branch uses its own unique index. No single plan would look up all keys by index.
    const byId = sql`
      SELECT ${place} FROM ${entriesSql(ids, 'uuid')} JOIN ${table} ON found.id = wanted.text WHERE ${visible}`;
    const here = raw('found.team_id = wanted.team_id');
    const byKey = sql`
      SELECT ${place} FROM ${entriesSql(keys, 'text')} CROSS JOIN LATERAL (
        SELECT found.id FROM ${table}
        WHERE natural_key(found.${raw(key)}) = natural_key(wanted.text) AND ${visible}
          AND ${inWorkspace ? here : raw('TRUE')}
        ORDER BY NOT ${here}, found.created, found.id LIMIT 1
      ) AS found`;
    return [
      ...(ids.length > 0 ? [{ table: resource.table, query: byId }] : []),
      ...(keys.length > 0 ? [{ table: resource.table, query: byKey }] : []),
    ];
  });
  if (branches.length === 0) return;
  const [first, ...others] = new Set(branches.map(({ table }) => table));
  const queries = branches.map(({ query }) => query);
  const rows = await tx.run<{ list: number; index: number; id: string }>(
    named([`${first}.resolve`, ...others].join(' + '), join(queries, ' UNION ALL ')),
  );
  for (const { list, index, id } of rows) searches[list]?.found.set(index, id);
}
