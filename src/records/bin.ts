import * as z from 'zod';
import { type Absent, findAbsent, type Restored, restoreRows } from '../db/bin/bin.js';
import { isUnlinked } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import {
  type Condition,
  columnSql,
  columnsSql,
  type RowOf,
  tableSql,
  visibleRowSql,
} from '../db/sql/conditions.js';
import { modelInfo } from '../db/sql/models.js';
import { join, sql } from '../db/sql/sql.js';
import { deleteRows } from '../db/sql/write.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { entityKinds, entityNames, entityTypes } from '../domain/models.js';
import { isUuid, limits } from '../domain/rules.js';
import { declareList } from './declare/declare.js';
import { computed, exposedInGraphql, link, unexposed } from './declare/fields.js';
import { logEvent, restoredEvent } from './event-logs.js';
import { checkVersion } from './locks.js';
import { transact } from './record.js';
import type { RecordBase, Resource } from './resource.js';

const kindsRule = z
  .array(z.int32().min(1).max(entityKinds.size))
  .max(limits.entries, `must have at most ${limits.entries} entries`)
  .nullish();

/** Unexpired entries of the bin: deleted records. */
export const binEntries = declareList('BinEntry', {
  listName: 'bin',
  fields: {
    id: exposedInGraphql(),
    typeId: unexposed(),
    kind: computed(
      'RecordKind!',
      ['typeId'],
      'The kind of the deleted record.',
      ({ typeId }: RowOf<'BinEntry'>) => typeId,
    ),
    recordId: exposedInGraphql(undefined, { type: 'ID' }),
    name: exposedInGraphql(),
    deletedAt: exposedInGraphql(),
    expiresAt: exposedInGraphql(),
    deletedById: unexposed(),
    deletedBy: link('deletedById', 'The user who deleted it. Null if that user no longer exists.', {
      hasNone: false,
    }),
    teamId: unexposed(undefined, { to: 'team' }),
    team: link('teamId', 'The workspace that it was in. Null if the workspace no longer exists.'),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    kinds: {
      type: '[RecordKind]',
      description: 'Records of these kinds.',
      rule: kindsRule,
      where: (kinds) => ({ typeId: { in: kinds } }),
    },
    recordId: 'The deleted record with this id.',
    teamId: 'Records that were in this workspace.',
    deletedById: 'Records deleted by this user.',
  },
  only: ({ now }) => ({ expiresAt: { gt: now } }),
  sortable: ['id', 'name', 'deletedAt', 'expiresAt'],
  order: { field: 'deletedAt', direction: 'desc' },
  indexed: ['deletedAt'],
  ranges: ['expiresAt'],
});

/** Locks and reads the newest matching entry that has not expired. */
export async function lockEntry(
  tx: Transaction,
  where: Condition,
  now: Date,
): Promise<RowOf<'BinEntry'> | undefined> {
  const statement = sql`
    SELECT ${columnsSql('BinEntry')} FROM bin_entries AS record
    WHERE ${visibleRowSql(tx, 'BinEntry', { ...where, expiresAt: { gt: now } })}
    ORDER BY record.deleted_at DESC, record.id DESC LIMIT 1 FOR UPDATE`;
  const [entry] = await tx.run<RowOf<'BinEntry'>>(prepared('bin_entries.lock', statement));
  return entry;
}

/**
 * Deletes an entry of the bin for good, with everything that is kept for it. The event log records it.
 * @returns the entry as it was
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED
 */
export async function purgeEntry(session: Session, id: string): Promise<RowOf<'BinEntry'>> {
  if (!isUuid(id)) throw notFound(binEntries.noun, id);
  const purged = await session.inTransaction(async (tx) => {
    const entry = await lockEntry(tx, { id: id.toLowerCase() }, session.now);
    const kind = entry && entityKinds.get(entry.typeId);
    if (!entry || !kind) throw notFound(binEntries.noun, id);
    checkVersion(session, entry);
    await deleteRows(tx, 'BinEntry', { id: entry.id });
    // Events continue even for a deleted workspace, because admins read them.
    if (!session.caller.teamIds.includes(entry.teamId)) session.reach(entry.teamId);
    const name = entityNames[kind];
    const subject = `${name[0]?.toUpperCase()}${name.slice(1)}${entry.name === null ? '' : ` "${entry.name}"`}`;
    await logEvent(tx, session, {
      type: 'deleted',
      teamId: entry.teamId,
      description: `${subject} was deleted from the bin`,
      details: null,
      entities: [{ kind, id: entry.recordId }],
    });
    return entry;
  });
  session.forgetLoaded();
  return purged;
}

const conflict = (why: string, cause?: unknown) =>
  new GatewayError('CONFLICT', `The record cannot be restored: ${why}.`, { cause });

/** Names a record in a message: `the contact "Anna" (0199…)`. */
const called = (what: string, name: string | null, id: string) =>
  `the ${what} ${name === null ? '' : `"${name}" `}(${id})`;

function absentError(absent: readonly Absent[]): GatewayError {
  const list = absent.map(({ model, name, id }) => called(modelInfo[model].noun ?? model, name, id));
  const [them, are, those] = absent.length === 1 ? ['', 'is', 'it'] : ['', 'are', 'them'];
  const inBin = absent.every(({ isInBin }) => isInBin);
  const advice = inBin ? `; restore ${those} first` : '';
  return conflict(
    `${new Intl.ListFormat('en').format(list)}${them}, which it belongs to, ${are} gone${advice}`,
  );
}

async function restoreIn<Row extends RecordBase>(
  tx: Transaction,
  session: Session,
  resource: Resource<Row>,
  restored: Restored,
): Promise<Row> {
  const absent = await findAbsent(tx, restored);
  if (absent.length > 0) throw absentError(absent);
  const { recordId } = restored;
  await resource.beforeRestore?.(tx, session, recordId);
  try {
    await restoreRows(tx, restored);
  } catch (error) {
    if (!isUnlinked(error)) throw error;
    throw conflict('a record that it belongs to is being deleted', error);
  }
  const row = await resource.rows.find(tx, recordId);
  if (!row) throw new Error('A row that was put back is gone.');
  resource.checkOwner?.(tx, row);
  const parts = await resource.readParts?.(tx, [recordId]);
  const whole = { ...row, ...parts?.get(recordId) };
  await logEvent(tx, session, restoredEvent(resource, whole));
  return whole;
}

/** Finds the record that already has a unique value of a record in the bin. */
async function findHolder(
  session: Session,
  resource: Resource,
  { entryId, recordId, model }: Restored,
  field: string,
): Promise<RecordBase | undefined> {
  const [key, ...within] = resource.uniqueBy ?? [];
  const same =
    field === key
      ? [
          sql`natural_key(${columnSql('record', key)}) = natural_key(${columnSql('was', key)})`,
          ...within.map(
            (other) => sql`${columnSql('record', other)} IS NOT DISTINCT FROM ${columnSql('was', other)}`,
          ),
        ]
      : [sql`record.id = was.id`];
  const table = tableSql(model);
  const statement = sql`
    SELECT ${columnsSql(model)}
    FROM bin_rows AS kept CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, kept.row) AS was
    JOIN ${table} AS record ON ${join(same, ' AND ')}
    WHERE kept.entry_id = ${entryId}::uuid AND kept.table_name = ${resource.table} AND kept.pointer IS NULL
      AND kept.row->>'id' = ${recordId}::text AND ${visibleRowSql(session, model, {})}
    LIMIT 1`;
  const [row] = await session.read<RowOf<typeof model>>(prepared(`${resource.table}.holder`, statement));
  return row && resource.rows.toRecord(row);
}

/** Adds to a refused restore which record is in the way. The record is named if the caller sees it. */
async function withHolder(
  session: Session,
  resource: Resource,
  restored: Restored | undefined,
  error: unknown,
): Promise<unknown> {
  const [field] = error instanceof GatewayError && error.code === 'CONFLICT' ? error.fieldPath : [];
  if (!restored || typeof field !== 'string') return error;
  // The savepoint has been rolled back, so an outer transaction can go on and read.
  const holder = await findHolder(session, resource, restored, field);
  const who = holder
    ? called(entityNames[resource.kind], resource.title(holder), holder.id)
    : `another ${resource.noun}`;
  return conflict(`${who} now has its \`${field}\``, error);
}

/**
 * Restores the newest record with an id, together with what was deleted along with it.
 * @returns the record
 * @throws GatewayError NOT_FOUND if the caller sees no such entry; CONFLICT, naming the record, if a record
 *   that it needs is gone, or if its id or a unique value is taken
 */
export async function restoreRecord<Row extends RecordBase>(
  session: Session,
  resource: Resource<Row>,
  id: string,
): Promise<Row> {
  const missing = () =>
    new GatewayError(
      'NOT_FOUND',
      `The bin has no ${resource.noun} with the id ${JSON.stringify(id.slice(0, 64))}.`,
      { missing: id },
    );
  if (!isUuid(id)) throw missing();
  const recordId = id.toLowerCase();
  let restored: Restored | undefined;
  try {
    return await transact(session, resource, async (tx) => {
      const { now } = session;
      const entry = await lockEntry(tx, { typeId: entityTypes[resource.kind], recordId }, now);
      if (!entry) throw missing();
      checkVersion(session, entry);
      const { alongside } = resource;
      restored = { entryId: entry.id, recordId, model: resource.rows.model, alongside, now };
      return restoreIn(tx, session, resource, restored);
    });
  } catch (error) {
    throw await withHolder(session, resource, restored, error);
  }
}
