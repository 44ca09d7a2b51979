import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, insertReturning } from '../db/sql/write.js';
import { badField } from '../domain/errors.js';
import { check, newId, rules } from '../domain/rules.js';
import type { Acknowledgement } from '../generated/prisma/client.js';
import { logEvent } from '../records/event-logs.js';
import { type BatchLoader, groupByKey } from '../records/loaders.js';
import { lockRecord } from '../records/locking.js';
import { transact } from '../records/record.js';
import { expirationItems } from './expiration-items.js';
import type { Item } from './storage.js';

export type { Acknowledgement };

/** Rules of an acknowledgement. */
export const acknowledgementRules = z.object({
  note: rules.text,
  silence: rules.flag(false),
  snoozeUntil: rules.date,
});

/**
 * Acknowledges the present date of an item. It takes the place of what was said of the date before.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST for an item without a date
 */
export function acknowledgeItem(
  session: Session,
  id: string,
  input: z.input<typeof acknowledgementRules>,
): Promise<Item> {
  const values = check(acknowledgementRules, input);
  return transact(session, expirationItems, async (tx) => {
    const item = await lockRecord(tx, session, expirationItems, id);
    const { expirationDate, organizationId, teamId } = item;
    if (!expirationDate) throw badField(['id'], 'names an item without a date');
    await deleteRows(tx, 'Acknowledgement', { itemId: item.id, expirationDate });
    await insertReturning(tx, 'Acknowledgement', {
      ...{ ...values, id: newId(), organizationId, teamId, itemId: item.id, expirationDate },
      ...{ userId: session.caller.user.id, via: 'API' as const, created: session.now },
    });
    await logEvent(tx, session, {
      type: 'acknowledged',
      teamId,
      description: `Expiration item "${item.name}" was acknowledged`,
      details: null,
      entities: [{ kind: 'expirationItem', id: item.id }],
    });
    return item;
  });
}

/** Loads the acknowledgements of items, one for each date that they had. */
export const acknowledgementsByItem: BatchLoader<Acknowledgement[]> = async (session, itemIds) => {
  const rows = await readRows(session, 'Acknowledgement', { where: { itemId: { in: itemIds } } });
  return groupByKey(itemIds, rows, ({ itemId }) => itemId);
};
