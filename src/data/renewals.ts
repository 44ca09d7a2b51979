import * as z from 'zod';
import { formatDate } from '../domain/dates.js';
import { badField } from '../domain/errors.js';
import { newId, rules } from '../domain/rules.js';
import type { Renewal } from '../generated/prisma/client.js';
import { expirationItems } from './expiration-items.js';
import type { Item } from './item-storage.js';
import { type Batch, grouped } from './loaders.js';
import { changeRecord, type Written } from './record.js';
import { valuesOf } from './resource.js';
import type { Session } from './scope.js';

/** The rules of a renewal, which are the item's. */
export const renewalRules = z.object({ expirationDate: z.date(), details: rules.text.optional() });

/** What a renewal says; details become the item's when sent. */
export type RenewalInput = z.input<typeof renewalRules>;

/**
 * Moves an item's expiration date on, and keeps the renewal in the item's history (decisions on writing).
 * @throws GatewayError what `changeRecord` throws; BAD_REQUEST when the date is not later than the current one
 */
export function renewItem(session: Session, id: string, renewal: RenewalInput): Promise<Written<Item>> {
  const { expirationDate, details } = renewal;
  const { caller, now } = session;
  return changeRecord(
    session,
    expirationItems,
    id,
    (current) => {
      const date = current.expirationDate;
      if (date && expirationDate <= date) {
        throw badField(['expirationDate'], `must be later than the current one, ${formatDate(date)}`);
      }
      return {
        ...valuesOf(expirationItems, current),
        expirationDate,
        ...(details !== undefined && { details }),
      };
    },
    {
      event: 'renewed',
      also: (tx, before, after) =>
        tx.renewal.create({
          data: {
            id: newId(),
            organizationId: caller.organizationId,
            teamId: after.teamId,
            itemId: after.id,
            previousDate: before.expirationDate,
            expirationDate,
            details: details ?? null,
            userId: caller.user.id,
            created: now,
          },
        }),
    },
  );
}

/** The renewals of items, the newest first. */
export const renewalsOf: Batch<Renewal[]> = async (db, itemIds) => {
  const rows = await db.renewal.findMany({
    where: { itemId: { in: [...itemIds] } },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
  });
  return grouped(itemIds, rows, ({ itemId }) => itemId);
};
