import { named } from '../../db/connection/statement.js';
import { columnSql, recordsSql, visibleSql } from '../../db/sql/conditions.js';
import { modelInfo, modelName, type OfCaller, type RecordKind, tables } from '../../db/sql/models.js';
import type { JoinTable } from '../../db/sql/selection.js';
import { join, raw, type Sql, sql } from '../../db/sql/sql.js';
import { seesAllTeams } from '../../domain/caller.js';
import { type EntityKind, entityKinds, entityTypes } from '../../domain/events.js';
import type { Parents } from '../links.js';
import type { BatchLoader } from '../loaders.js';
import type { NoLink } from './readable.js';

/** Scopes of records that everybody sees whose own records link to them. A workspace is that of the record. */
const alwaysSeen: readonly unknown[] = ['organization', 'own organization', 'own workspaces'];

/** Returns whether records of a kind can be hidden from who sees links to them. */
export const canBeHidden = (kind: RecordKind): boolean =>
  !alwaysSeen.includes(modelInfo[modelName(kind)].scope);

/** Returns whether a caller sees all records of a kind. */
const seesAll = ({ caller }: OfCaller, kind: RecordKind): boolean =>
  seesAllTeams(caller) || !canBeHidden(kind);

/**
 * Returns those ids that name records which the caller sees. A filter must not tell that a record is linked to one
 * that is hidden. One id becomes a scalar subquery, which an index serves like the id. Of several, the ids stay beside
 * the subquery, because the planner knows their number.
 * @param sent an id, or several of which any will do
 */
export function seenIds(session: OfCaller, kind: RecordKind, sent: string | readonly string[]): Parents {
  const ids = typeof sent === 'string' ? sent : { in: sent };
  if (seesAll(session, kind)) return ids;
  const seen = sql`SELECT record.id ${recordsSql(session, kind, { id: ids })}`;
  return typeof sent === 'string' ? sql`(${seen})` : [ids, { in: seen }];
}

/**
 * Returns the numbers of the kinds for which a filter may use an id. Those are the kinds of which the caller sees
 * the record, or of which there is none: one that was deleted, or an id from elsewhere. Undefined stands for all.
 * @param wanted number of the only kind that is asked for
 */
export function seenKinds(
  session: OfCaller,
  id: string,
  wanted: number | undefined,
): { readonly in: Sql } | number | undefined {
  if (seesAllTeams(session.caller)) return wanted;
  const kinds = [...entityKinds].filter(([number]) => wanted === undefined || number === wanted);
  const numbers = kinds.map(([number]) => number);
  const nobodys = sql`
    SELECT kind.number FROM unnest(${numbers}::int[]) AS kind (number) WHERE NOT record_exists(kind.number, ${id}::uuid)`;
  const seen = kinds.map(
    ([number, kind]) => sql`SELECT ${raw(String(number))} ${recordsSql(session, kind, { id })}`,
  );
  return { in: join([nobodys, ...seen], ' UNION ALL ') };
}

/** Looks up the kinds of which ids may be used in a filter; see `seenKinds`. */
export const kindsSeen: BatchLoader<readonly number[]> = (session, ids) =>
  Promise.all(
    ids.map(async (id) => {
      const kinds = seenKinds(session, id, undefined);
      if (typeof kinds !== 'object') return [...entityKinds.keys()];
      const rows = await session.lookUp<{ number: number }>(named('records.seen_kinds', kinds.in));
      return rows.map(({ number }) => number);
    }),
  );

/** Matches records whose column names no record that the caller sees. */
export const noPointer =
  (column: string, kind: RecordKind): NoLink =>
  (session) =>
    seesAll(session, kind)
      ? { [column]: null }
      : {
          none: (row: string) =>
            sql`SELECT FROM ${raw(tables[kind])} AS linked
              WHERE linked.id = ${columnSql(row, column)} AND ${visibleSql(session, kind, 'linked')}`,
        };

/** Matches records that no record of a kind refers to by its column. */
export const noneBy =
  (kind: RecordKind, column: string): NoLink =>
  (session) => ({
    none: (row: string) =>
      sql`SELECT FROM ${raw(tables[kind])} AS linked
        WHERE ${columnSql('linked', column)} = ${raw(`${row}.id`)} AND ${visibleSql(session, kind, 'linked')}`,
  });

/** Matches records that a join table links to no record. */
export const noneJoined =
  ({ kind, table, own, their }: Pick<JoinTable, 'kind' | 'table' | 'own' | 'their'>): NoLink =>
  (session) => ({
    none: (row: string) =>
      sql`SELECT FROM ${raw(table)} AS pair
        JOIN ${raw(tables[kind])} AS linked ON linked.id = ${raw(`pair."${their}"`)}
        WHERE ${raw(`pair."${own}"`)} = ${raw(`${row}.id`)} AND ${visibleSql(session, kind, 'linked')}`,
  });

/** Matches records of a kind that no note is about. */
export const noNotes =
  (kind: EntityKind): NoLink =>
  (session) => ({
    none: (row: string) =>
      sql`SELECT FROM note_relations AS pair JOIN notes AS linked ON linked.id = pair.note_id
        WHERE pair.entity_id = ${raw(`${row}.id`)} AND pair.entity_type = ${raw(String(entityTypes[kind]))}
          AND ${visibleSql(session, 'note', 'linked')}`,
  });
