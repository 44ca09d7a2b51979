import type { RecordKind } from './kinds.js';
import { type Linked, loadAll } from './loaders.js';
import type { Condition, ListQuery } from './resource.js';
import { dbOf, type Session } from './scope.js';
import { orderSql, recordsSql } from './sql.js';

/** Reads the records of a list whose condition takes SQL: their ids, and then the records as links are loaded. */
export async function findBySql<Kind extends RecordKind>(
  session: Session,
  kind: Kind,
  { where, orderBy, skip = 0, take }: ListQuery,
): Promise<Linked<Kind>[]> {
  const rows = await dbOf(session).$queryRaw<{ id: string }[]>`
    SELECT record.id ${recordsSql(session, kind, where)}
    ORDER BY ${orderSql('record', orderBy)} LIMIT ${take} OFFSET ${skip}`;
  return loadAll(
    session,
    kind,
    rows.map(({ id }) => id),
  );
}

/** Counts the records of such a list. */
export async function countBySql(session: Session, kind: RecordKind, where: Condition): Promise<number> {
  const [row] = await dbOf(session).$queryRaw<{ count: bigint }[]>`
    SELECT count(*) ${recordsSql(session, kind, where)}`;
  return Number(row?.count);
}
