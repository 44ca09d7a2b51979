import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { readRows } from '../db/sql/select.js';
import { insertRows } from '../db/sql/write.js';
import { formatDate } from '../domain/dates.js';
import { badField } from '../domain/errors.js';
import { newId, rules } from '../domain/rules.js';
import type { Renewal } from '../generated/prisma/client.js';
import { changeRecords } from '../records/bulk.js';
import type { ChangeOptions } from '../records/change.js';
import { type Batch, grouped } from '../records/loaders.js';
import { changeRecord, type Written } from '../records/record.js';
import { valuesOf } from '../records/resource.js';
import { expirationItems } from './expiration-items.js';
import type { Item } from './storage.js';

/** The rules of a renewal, which are the item's. */
export const renewalRules = z.object({ expirationDate: z.date(), details: rules.text.optional() });

/** What a renewal says; details become the item's when sent. */
export type RenewalInput = z.input<typeof renewalRules>;

/** The item's values after a renewal; a refusal says which item it is about where there are several. */
function renewed(current: Item, { expirationDate, details }: RenewalInput, which = ''): object {
  const date = current.expirationDate;
  if (date && expirationDate <= date) {
    const expected = `must be later than the current one, ${formatDate(date)}`;
    throw badField(['expirationDate'], `${expected}${which}`);
  }
  return {
    ...valuesOf(expirationItems, current),
    expirationDate,
    ...(details !== undefined && { details }),
  };
}

/** A renewal in the item's history. */
function renewalRow({ caller, now }: Session, before: Item, after: Item, { details }: RenewalInput) {
  return {
    id: newId(),
    organizationId: caller.organizationId,
    teamId: after.teamId,
    itemId: after.id,
    previousDate: before.expirationDate,
    // A renewal is a date.
    expirationDate: after.expirationDate as Date,
    details: details ?? null,
    userId: caller.user.id,
    created: now,
  };
}

/** What a renewal is beyond an update: an event of its own, and an entry in the items' histories. */
function renewing(session: Session, renewal: RenewalInput): ChangeOptions<Item> {
  return {
    event: 'renewed',
    also: (tx, changed) =>
      insertRows(
        tx,
        'Renewal',
        changed.map(({ current, row }) => renewalRow(session, current, row, renewal)),
      ),
  };
}

/**
 * Moves an item's expiration date on, and keeps the renewal in the item's history (decisions on writing).
 * @throws GatewayError what `changeRecord` throws; BAD_REQUEST when the date is not later than the current one
 */
export function renewItem(session: Session, id: string, renewal: RenewalInput): Promise<Written<Item>> {
  const change = (current: Item) => renewed(current, renewal);
  return changeRecord(session, expirationItems, id, change, renewing(session, renewal));
}

/**
 * Renews items: all of them, or none.
 * @throws GatewayError what `changeRecords` throws; BAD_REQUEST when the date is not later than that of each
 */
export function renewItems(session: Session, ids: readonly string[], renewal: RenewalInput): Promise<Item[]> {
  const change = (current: Item) => renewed(current, renewal, `, of the item ${current.id}`);
  return changeRecords(session, expirationItems, ids, change, renewing(session, renewal));
}

/** The renewals of items, the newest first. */
export const renewalsOf: Batch<Renewal[]> = async (session, itemIds) => {
  const rows = await readRows(session, 'Renewal', {
    where: { itemId: { in: itemIds } },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
  });
  return grouped(itemIds, rows, ({ itemId }) => itemId);
};
