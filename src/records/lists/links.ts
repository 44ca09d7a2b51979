import { columnSql, visibleSql } from '../../db/sql/conditions.js';
import { type RecordKind, tables } from '../../db/sql/models.js';
import type { Condition } from '../../db/sql/query.js';
import type { JoinTable } from '../../db/sql/selection.js';
import { type EntityKind, entityTypes } from '../../domain/events.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { NoLink } from './readable.js';

const { sql, raw } = Prisma;

/** Creates the condition that a column has any of some ids. */
export const inColumn =
  (column: string) =>
  (ids: readonly string[]): Condition => ({ [column]: { in: ids } });

/** Matches records whose column is null. */
export const noPointer =
  (column: string): NoLink =>
  () => ({ [column]: null });

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
