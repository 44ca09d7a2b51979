import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Selection } from '../db/sql/tree.js';
import { notFound } from '../domain/errors.js';
import { changeRecord } from '../records/record.js';
import { writableValues } from '../records/resource.js';
import { expirationItems } from './expiration-items.js';
import {
  type Holder,
  type HolderReference,
  resolveHolders,
  seenHolders,
  withAddedHolders,
  withoutHolders,
} from './holders.js';
import type { Item } from './item-rows.js';

/** Changes the holders of an item under a lock, and leaves everything else unchanged. */
async function changeHoldersOf(
  session: Session,
  id: string,
  change: (write: { tx: Transaction; session: Session }, stored: readonly Holder[]) => Promise<Holder[]>,
  selection?: Selection,
): Promise<Item> {
  const written = await changeRecord<Item>(
    session,
    expirationItems,
    id,
    async (current, tx) => ({
      ...writableValues(expirationItems, current),
      holders: await change({ tx, session }, current.holders ?? []),
    }),
    { selection },
  );
  return written.row;
}

/**
 * Replaces the holders of an item.
 * @throws GatewayError like `addHolders`
 */
export const setHolders = (
  session: Session,
  id: string,
  entries: readonly HolderReference[],
  selection?: Selection,
): Promise<Item> =>
  changeHoldersOf(session, id, (write, stored) => resolveHolders(write, entries, stored), selection);

/**
 * Adds holders to an item, after its other ones.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST for an entry that names nothing, or too many; and
 *   NOT_FOUND or CONFLICT for a natural key that does not name exactly one record
 */
export const addHolders = (
  session: Session,
  id: string,
  entries: readonly HolderReference[],
  selection?: Selection,
): Promise<Item> =>
  changeHoldersOf(session, id, (write, stored) => withAddedHolders(write, entries, stored), selection);

/**
 * Removes holders from an item.
 * @throws GatewayError like `addHolders`; BAD_REQUEST for an entry that is no holder of the item
 */
export const removeHolders = (
  session: Session,
  id: string,
  entries: readonly HolderReference[],
  selection?: Selection,
): Promise<Item> =>
  changeHoldersOf(session, id, (write, stored) => withoutHolders(write, entries, stored), selection);

/**
 * Removes one holder from an item, by its id alone.
 * @throws GatewayError NOT_FOUND for the item, and for a record that is no holder of it; PRECONDITION_FAILED
 */
export const removeHolder = (
  session: Session,
  id: string,
  holderId: string,
  selection?: Selection,
): Promise<Item> =>
  changeHoldersOf(
    session,
    id,
    async (write, stored) => {
      const wanted = holderId.toLowerCase();
      const seen = await seenHolders(
        write,
        stored.filter((holder) => holder.id === wanted),
      );
      if (seen.length === 0) throw notFound('holder of this item', holderId);
      return stored.filter((holder) => !seen.includes(holder));
    },
    selection,
  );
