import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { recordsSql } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, updateRows } from '../db/sql/write.js';
import { nextModified } from '../domain/dates.js';
import { badField, notFound } from '../domain/errors.js';
import type { EventName } from '../domain/events.js';
import { isUuid } from '../domain/rules.js';
import { type ExpirationItem, Prisma } from '../generated/prisma/client.js';
import { logEvents } from '../records/event-logs.js';
import { checkVersion, transact } from '../records/record.js';
import { changedEvent, changesIn, deletedEvent } from '../records/record-events.js';
import { type Values, writableValues } from '../records/resource.js';
import { validateValues } from '../records/validation.js';
import { expirationItems } from './expiration-items.js';
import {
  groupBy,
  type Item,
  type ItemLinks,
  moveItemParts,
  noLinks,
  readItemLinks,
  splitLinks,
  storeItemLinks,
} from './storage.js';

/** Items that are changed at once, at most. */
export const largestBulk = 500;

const { sql } = Prisma;

type Stored = ExpirationItem & ItemLinks;

/** The ids, each once, in the order given. */
function eachOnce(ids: readonly string[]): string[] {
  const once = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (once.length > largestBulk) throw badField(['ids'], `must have at most ${largestBulk} entries`);
  const wrong = once.find((id) => !isUuid(id));
  if (wrong !== undefined) throw notFound(expirationItems.noun, wrong);
  return once;
}

function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    if (!row) throw notFound(expirationItems.noun, id);
    return row;
  });
}

/** Makes other writers of the items wait until this transaction ends, in the order of the ids, so that none of two
 * waits for the other; then reads the items. What the caller does not see is neither waited for nor locked. */
async function lockItems(tx: Transaction, session: Session, ids: readonly string[]): Promise<Stored[]> {
  const lock = sql`
    SELECT ${recordsSql(session, 'expirationItem', { id: { in: [...ids] } })}
    ORDER BY record.id FOR NO KEY UPDATE`;
  await tx.run(named('expiration_items.lock', lock));
  const rows = inOrder(ids, await readRows(tx, 'ExpirationItem', { where: { id: { in: [...ids] } } }));
  for (const row of rows) checkVersion(session, row);
  const links = await readItemLinks(tx, { in: ids });
  return rows.map((row) => ({ ...row, ...(links.get(row.id) ?? noLinks) }));
}

/** One of the items that change. */
interface Change {
  readonly current: Stored;
  readonly before: Values;
  readonly after: Values;
  readonly modified: Date;
}

/** An item and what became of it. */
interface Changed extends Change {
  readonly row: ExpirationItem;
}

/** A change that is more than an update. */
interface Special {
  /** What it is called in the event log. */
  readonly event: EventName;
  /** What is written with it, once the items are changed. */
  readonly also: (tx: Transaction, changes: readonly Changed[]) => Promise<unknown>;
}

/** The columns that a change gives new values. */
function newColumns({ before, after, modified }: Change) {
  const columns = splitLinks(after as Values & ItemLinks).columns as Record<string, unknown>;
  const changed = Object.entries(columns).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return { ...Object.fromEntries(changed), modified };
}

/** Stores changes; items that get the same new values share a statement. */
async function store(tx: Transaction, changes: readonly Change[]): Promise<Changed[]> {
  for (const alike of groupBy(changes, (change) => JSON.stringify(newColumns(change)))) {
    const [first] = alike;
    const ids = alike.map(({ current }) => current.id);
    if (!first) continue;
    await updateRows(tx, 'ExpirationItem', { id: { in: ids } }, newColumns(first));
    // The items came from any workspace, but go to one.
    const { teamId } = first.after;
    const moved = alike.filter(({ before }) => before.teamId !== teamId);
    if (moved.length > 0)
      await moveItemParts(
        tx,
        moved.map(({ current }) => current.id),
        teamId,
      );
  }
  const ids = changes.map(({ current }) => current.id);
  const rows = inOrder(ids, await readRows(tx, 'ExpirationItem', { where: { id: { in: ids } } }));
  const changed = changes.map((change, i) => ({ ...change, row: rows[i] ?? change.current }));
  await storeItemLinks(
    tx,
    changed.map(({ row, before, after }) => ({
      item: row,
      before: splitLinks(before as Values & ItemLinks).links,
      after: splitLinks(after as Values & ItemLinks).links,
    })),
  );
  return changed;
}

/**
 * Changes items under locks: all of them, or none.
 * @param change gives an item's new values from its current ones
 * @param special what the change is beyond an update
 * @returns the items in the order of the ids, each once
 * @throws GatewayError BAD_REQUEST for too many ids and for a value against the rules; NOT_FOUND naming the first
 *   id that is no item's or that the caller may not see; PRECONDITION_FAILED; and what `change` throws
 */
export function changeItems(
  session: Session,
  ids: readonly string[],
  change: (current: Stored) => object,
  special?: Special,
): Promise<Item[]> {
  const wanted = eachOnce(ids);
  return transact(session, expirationItems, async (tx) => {
    const items = await lockItems(tx, session, wanted);
    const changes: Change[] = [];
    for (const current of items) {
      const before = writableValues(expirationItems, current);
      const after = await validateValues(tx, session, expirationItems, change(current), before);
      if (Object.keys(changesIn(expirationItems, before, after)).length === 0) continue;
      changes.push({ current, before, after, modified: nextModified(session.now, current.modified) });
    }
    const changed = await store(tx, changes);
    if (changed.length > 0) await special?.also(tx, changed);
    await logEvents(
      tx,
      session,
      changed.map(({ row, before, after }) =>
        changedEvent(
          expirationItems,
          row,
          [before, after],
          changesIn(expirationItems, before, after),
          special?.event,
        ),
      ),
    );
    return inOrder<ExpirationItem>(wanted, [...items, ...changed.map(({ row }) => row)]);
  });
}

/**
 * Changes the values of items that are given and keeps the others: of all items, or of none.
 * @throws GatewayError what `changeItems` throws
 */
export function updateItems(session: Session, ids: readonly string[], input: object): Promise<Item[]> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return changeItems(session, ids, (current) => ({ ...writableValues(expirationItems, current), ...given }));
}

/**
 * Deletes items: all of them, or none.
 * @returns the items as they were, in the order of the ids, each once
 * @throws GatewayError BAD_REQUEST for too many ids; NOT_FOUND naming the first id that is no item's or that the
 *   caller may not see; PRECONDITION_FAILED
 */
export function deleteItems(session: Session, ids: readonly string[]): Promise<Item[]> {
  const wanted = eachOnce(ids);
  return transact(session, expirationItems, async (tx) => {
    const items = await lockItems(tx, session, wanted);
    await logEvents(
      tx,
      session,
      items.map((item) => deletedEvent(expirationItems, item)),
    );
    await deleteRows(tx, 'ExpirationItem', { id: { in: wanted } });
    return items;
  });
}
