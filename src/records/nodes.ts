import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { recordsSql } from '../db/sql/conditions.js';
import { modelInfo, modelName, type RecordKind, recordKinds } from '../db/sql/models.js';
import { join, sql } from '../db/sql/sql.js';
import type { Caller } from '../domain/caller.js';
import { may } from '../domain/roles.js';
import { isUuid } from '../domain/rules.js';
import { type BatchLoader, type Linked, load, loadBatched } from './loaders.js';

/** Lists the kinds of records that a caller has the right to read. */
const kindsOf = ({ role }: Caller) =>
  recordKinds.filter((kind) => {
    const { right } = modelInfo[modelName(kind)];
    return right === undefined || may(role, right);
  });

/**
 * Finds the kind of each record by id, with one statement. It is null if the caller does not see the record.
 */
const kindById: BatchLoader<RecordKind | null> = async (session, ids) => {
  const kinds = kindsOf(session.caller);
  const selects = kinds.map(
    (kind, place) =>
      sql`SELECT ${place}::int AS place, record.id ${recordsSql(session, kind, { id: { in: ids } })}`,
  );
  const rows = await session.read<{ place: number; id: string }>(
    named('records.kinds', join(selects, ' UNION ALL ')),
  );
  const places = new Map<string, number>();
  for (const { id, place } of rows) places.set(id, Math.min(place, places.get(id) ?? place));
  return ids.map((id) => kinds[places.get(id) ?? kinds.length] ?? null);
};

/** A record of any kind. */
export interface AnyRecord {
  readonly kind: RecordKind;
  readonly record: Linked<RecordKind>;
}

/** Finds a record of a kind by id. It is null if the caller does not see it, or may not read that kind. */
export async function findOfKind<Kind extends RecordKind>(
  session: Session,
  kind: Kind,
  id: string,
): Promise<Linked<Kind> | null> {
  return isUuid(id) && kindsOf(session.caller).includes(kind) ? load(session, kind, id.toLowerCase()) : null;
}

/** Finds a record of any kind by id. It is null if the caller does not see it. */
export async function findAny(session: Session, id: string): Promise<AnyRecord | null> {
  const kind = isUuid(id) ? await loadBatched(session, kindById, id.toLowerCase()) : null;
  const record = kind && (await load(session, kind, id.toLowerCase()));
  return record && { kind, record };
}
