import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { insertRows } from '../db/sql/write.js';
import { formatDate } from '../domain/dates.js';
import { badField } from '../domain/errors.js';
import { newId, rules } from '../domain/rules.js';
import { changeRecords } from '../records/bulk.js';
import type { ChangeOptions } from '../records/change.js';
import { declareList } from '../records/declare/declare.js';
import { inBoth, inNeither } from '../records/declare/fields.js';
import { link } from '../records/declare/linked-fields.js';
import { changeRecord, type Written } from '../records/record.js';
import { writableValues } from '../records/resource.js';
import { expirationItems } from './expiration-items.js';
import type { Item } from './storage.js';

/** Rules of a renewal, the same as the item's. */
export const renewalRules = z.object({ expirationDate: z.date(), details: rules.text.optional() });

/** Input of a renewal. Details, if sent, replace the item's. */
export type RenewalInput = z.input<typeof renewalRules>;

/** Computes an item's values after a renewal. `which` adds the item to the error if there are several. */
function renewedValues(current: Item, { expirationDate, details }: RenewalInput, which = ''): object {
  const date = current.expirationDate;
  if (date && expirationDate <= date) {
    const expected = `must be later than the current one, ${formatDate(date)}`;
    throw badField(['expirationDate'], `${expected}${which}`, 'range');
  }
  return {
    ...writableValues(expirationItems, current),
    expirationDate,
    ...(details !== undefined && { details }),
  };
}

/** Creates the history entry of a renewal. */
function renewalRow({ caller, now }: Session, before: Item, after: Item, { details }: RenewalInput) {
  return {
    id: newId(),
    organizationId: caller.organizationId,
    teamId: after.teamId,
    itemId: after.id,
    previousDate: before.expirationDate,
    // A renewal always sets a date.
    expirationDate: after.expirationDate as Date,
    details: details ?? null,
    userId: caller.user.id,
    created: now,
  };
}

/** Returns the options of a renewal: its own event, and entries in the items' histories. */
function renewing(
  session: Session,
  renewal: RenewalInput,
  event: 'renewed' | 'auto renewed' = 'renewed',
): ChangeOptions<Item> {
  return {
    event,
    also: (tx, changed) =>
      insertRows(
        tx,
        'Renewal',
        changed.map(({ current, row }) => renewalRow(session, current, row, renewal)),
      ),
  };
}

/**
 * Renews an item: sets a later expiration date, and keeps the old one.
 * @throws GatewayError like `changeRecord`; BAD_REQUEST unless the date is later than the current one
 */
export function renewItem(session: Session, id: string, renewal: RenewalInput): Promise<Written<Item>> {
  const change = (current: Item) => renewedValues(current, renewal);
  return changeRecord(session, expirationItems, id, change, renewing(session, renewal));
}

/**
 * Renews an item automatically, as its document type specifies.
 * @param session of the gateway itself
 * @throws GatewayError like `renewItem`
 */
export function autoRenewItem(session: Session, id: string, expirationDate: Date): Promise<Written<Item>> {
  const renewal = { expirationDate };
  const change = (current: Item) => renewedValues(current, renewal);
  return changeRecord(session, expirationItems, id, change, renewing(session, renewal, 'auto renewed'));
}

/**
 * Renews items: all of them or none.
 * @throws GatewayError like `changeRecords`; BAD_REQUEST unless the date is later than each item's
 */
export function renewItems(session: Session, ids: readonly string[], renewal: RenewalInput): Promise<Item[]> {
  const change = (current: Item) => renewedValues(current, renewal, `, of the item ${current.id}`);
  return changeRecords(session, expirationItems, ids, change, renewing(session, renewal));
}

/** Renewals of expiration items. */
export const renewals = declareList('Renewal', {
  fields: {
    id: inBoth(),
    previousDate: inBoth(),
    expirationDate: inBoth(),
    details: inBoth(undefined, { long: true }),
    created: inBoth(),
    userId: inNeither(),
    user: link('userId', 'The user who renewed the item.', { door: 'both', hasNone: false }),
    itemId: inNeither(),
    expirationItem: link('itemId', 'The item it belongs to.'),
    teamId: inNeither(),
    team: link('teamId', 'The workspace of its item.', { door: 'hidden' }),
  },
  bounds: renewalRules,
  filter: {
    term: { in: ['details'], description: 'Part of the details, ignoring case.' },
    teamId: 'Renewals of items in this workspace.',
    expirationItemId: { column: 'itemId', description: 'Renewals of this item.' },
  },
  sortable: ['id', 'previousDate', 'expirationDate', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: [],
  ranges: ['previousDate', 'expirationDate'],
  rest: {
    tag: 'Expiration items',
    model: 'RenewalModel',
    term: 'year',
    routes: {
      'GET /v1/expirationitems/{id}/renewals': {
        kind: 'list',
        origin: 'addition',
        field: 'renewals',
        of: 'expirationItem',
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary: 'Lists the renewals of an item, the newest first.',
      },
    },
  },
});
