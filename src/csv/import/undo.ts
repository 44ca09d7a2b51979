import { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { GatewayError } from '../../domain/errors.js';
import { type HolderKind, holderKinds } from '../../domain/holder-kinds.js';
import type { ListKind, StayingRecord, Undo } from '../../imports/options.js';
import {
  type ClaimedImport,
  type FormerRecord,
  quietReminders,
  readWholeBatch,
  settleFailure,
  storeUndo,
} from '../../imports/queue.js';
import { neededHolders } from '../../items/holders.js';
import { deleteRecords } from '../../records/delete.js';
import { logEvent } from '../../records/event-logs.js';
import { lockVisible } from '../../records/locks.js';
import { checkChange, type PlannedChange, planChange, storeChanges } from '../../records/record.js';
import { type RecordBase, type Resource, writableValues } from '../../records/resource.js';
import { formerValues, writeInHalves } from './former.js';
import { holderResources } from './new-holders.js';
import { type ImportOutcome, type ImportWork, Undone, verbs } from './process.js';
import { resourceOf, targetOf } from './rows.js';

/** The most records that are named because they stay. */
const namedRecords = 100;

/** Records of a transaction. Each that is refused is tried on its own, which takes time. */
const partRecords = 200;

/** Milliseconds that the transaction of a part may take. */
const longestBatchMs = 120_000;

type Counts = Pick<Undo, 'deleted' | 'restored' | 'gone'> & { readonly records: readonly StayingRecord[] };

/** Moves the records that an import made into the bin, the last ones first. */
async function deleteMade(
  tx: Transaction,
  session: Session,
  resource: Resource,
  ids: readonly string[],
): Promise<Counts> {
  const found = await lockVisible(tx, session, resource, ids, { forDeletion: true });
  const there = ids.flatMap((id) => found.get(id) ?? []);
  const refused = await writeInHalves(tx, session, resource, there, async (_part, some) => {
    await deleteRecords(
      session,
      resource,
      some.map(({ id }) => id),
    );
  });
  return {
    ...{ deleted: there.length - refused.size, restored: 0, gone: ids.length - there.length },
    records: [...refused].map(([row, { message }]) => ({ id: row.id, name: resource.title(row), message })),
  };
}

/** Moves the holders that an import made into the bin, unless other items need them. */
async function deleteHolders(
  tx: Transaction,
  session: Session,
  kind: HolderKind,
  ids: readonly string[],
): Promise<Counts> {
  const resource = holderResources[kind];
  const needed = await neededHolders(tx, kind, ids);
  const kept = await lockVisible(tx, session, resource, [...needed]);
  const counts = await deleteMade(
    tx,
    session,
    resource,
    ids.filter((id) => !needed.has(id)),
  );
  const staying = [...kept.values()].map((row): StayingRecord => {
    return { id: row.id, name: resource.title(row), message: 'Items are still papers of it.' };
  });
  return {
    ...{ ...counts, gone: counts.gone + needed.size - kept.size },
    records: [...counts.records, ...staying].map((record) => ({ ...record, kind })),
  };
}

/** Gives the records that an import changed their values again, unless they were changed since. */
async function restoreChanged(
  tx: Transaction,
  session: Session,
  resource: Resource,
  all: readonly FormerRecord[],
): Promise<Counts> {
  const found = await lockVisible(
    tx,
    session,
    resource,
    all.map(({ id }) => id),
  );
  const records: StayingRecord[] = [];
  const planned: PlannedChange<RecordBase>[] = [];
  let [gone, alike] = [0, 0];
  for (const { id, modified, values } of all) {
    const current = found.get(id);
    if (!current) {
      gone++;
      continue;
    }
    const keep = (message: string) => records.push({ id, name: resource.title(current), message });
    if (!values) keep('Its former values were not kept.');
    else if (current.modified.toISOString() !== modified) keep('It was changed since.');
    else {
      const change = () => ({ ...writableValues(resource, current), ...formerValues(values) });
      try {
        const checked = await checkChange(tx, session, resource, current, change);
        const one = planChange(session, resource, checked);
        if (one) planned.push(one);
        else alike++;
      } catch (error) {
        if (!(error instanceof GatewayError) || error.status >= 500) throw error;
        keep(error.violations[0]?.message ?? error.message);
      }
    }
  }
  const refused = await writeInHalves(tx, session, resource, planned, async (part, some) => {
    await storeChanges(part, session, resource, some);
  });
  for (const [{ id, current }, { message }] of refused)
    records.push({ id, name: resource.title(current), message });
  return { deleted: 0, restored: planned.length - refused.size + alike, gone, records };
}

/** Splits records into the parts of a batch. */
const inGroups = <One>(all: readonly One[]): One[][] =>
  Array.from({ length: Math.ceil(all.length / partRecords) }, (_, at) =>
    all.slice(at * partRecords, (at + 1) * partRecords),
  );

/** Adds what became of some records. */
function withCounts(undo: Undo, counts: Counts): Undo {
  return {
    ...undo,
    deleted: undo.deleted + counts.deleted,
    restored: undo.restored + counts.restored,
    gone: undo.gone + counts.gone,
    kept: undo.kept + counts.records.length,
    records: [...undo.records, ...counts.records].slice(0, namedRecords),
  };
}

/** Takes an import back, some records in each transaction, the last batch first. */
async function undoBatches(
  { database, clock, schema }: ImportWork,
  claimed: ClaimedImport & { readonly kind: ListKind },
  signal: AbortSignal,
): Promise<void> {
  const { kind, options, session: opened } = claimed;
  if (!opened) throw new GatewayError('FORBIDDEN', 'The person who created the import may no longer write.');
  const resource = resourceOf(targetOf(schema, kind));
  let undo = claimed.undo;
  while (undo && undo.next >= 0) {
    signal.throwIfAborted();
    const begun: Undo = undo;
    const batch = await readWholeBatch(database, claimed, begun.next);
    const idsOf = (wanted: string) =>
      (batch?.results ?? []).flatMap(([action, id]) => (action === wanted && id !== null ? [id] : []));
    const made = idsOf('created');
    // A gateway of an older version writes no former values. What it changed stays, and is told.
    const kept = batch?.former?.filter((one) => !one.made) ?? [];
    const holders = batch?.former?.flatMap(({ id, made: kind }) => (kind ? [{ id, kind }] : [])) ?? [];
    const known = new Set(kept.map(({ id }) => id));
    const unknown = idsOf('updated').filter((id) => !known.has(id));
    const former = [...kept, ...unknown.map((id) => ({ id, modified: '', values: null }))];
    // A batch may have thousands of records. Each part is a transaction, however many of them are refused.
    const parts = [
      ...inGroups(former).map((some) => async (tx: Transaction, session: Session) => {
        const counts = await restoreChanged(tx, session, resource, some);
        const ids = some.map(({ id }) => id);
        if (options.quiet && kind === 'ITEMS') await quietReminders(tx, ids, session.now);
        return counts;
      }),
      // Locations lie in those of rows before them.
      ...inGroups(made.reverse()).map(
        (some) => (tx: Transaction, session: Session) => deleteMade(tx, session, resource, some),
      ),
      // Items of all later batches are gone by now.
      ...holderKinds.flatMap((of) => {
        const ids = holders.flatMap(({ id, kind: own }) => (own === of ? id : []));
        return inGroups(ids).map(
          (some) => (tx: Transaction, session: Session) => deleteHolders(tx, session, of, some),
        );
      }),
    ];
    const { part = 0 } = begun;
    undo = await database.inTransaction(
      async (tx) => {
        const session = new Session(database, {
          ...{ caller: opened.caller, now: clock(), binDays: begun.binDays },
        });
        const counts = await session.within(tx, async () => parts[part]?.(tx, session));
        const isLast = part + 1 >= parts.length;
        const place = isLast ? { next: begun.next - 1, part: 0 } : { part: part + 1 };
        const next: Undo = { ...(counts ? withCounts(begun, counts) : begun), ...place };
        if (next.next < 0) await logUndone(tx, session, claimed, next);
        if (!(await storeUndo(tx, claimed, next))) throw new Undone();
        return next;
      },
      opened.caller,
      [],
      longestBatchMs,
    );
  }
}

/** Writes the event of an import that was taken back. */
async function logUndone(
  tx: Transaction,
  session: Session,
  { id, kind }: ClaimedImport & { readonly kind: ListKind },
  { deleted, restored }: Undo,
): Promise<void> {
  await logEvent(tx, session, {
    type: 'imported',
    teamId: session.caller.user.teamId,
    description: `The import of ${verbs[kind]} was taken back`,
    details: {
      import_id: { before: id, after: null },
      deleted: { before: null, after: deleted },
      restored: { before: null, after: restored },
    },
    entities: [],
  });
}

/**
 * Takes an import back.
 * @throws what may be temporary; it is continued later
 */
export async function undoList(
  work: ImportWork,
  claimed: ClaimedImport & { readonly kind: ListKind },
  signal: AbortSignal,
): Promise<ImportOutcome> {
  try {
    await undoBatches(work, claimed, signal);
    return 'done';
  } catch (error) {
    if (error instanceof Undone) return 'done';
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    await settleFailure(work.database, claimed, error.message);
    return 'failed';
  }
}
