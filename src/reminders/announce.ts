import type { Transaction } from '../db/connection/transaction.js';
import { deliverySettledType } from '../domain/announcements.js';

/** A delivery that was sent, given up or cancelled, with its workspace. */
export interface SettledDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/** Announces to all processes that a delivery was settled, once its transaction commits. */
export function announceSettled(tx: Transaction, { id, organizationId, teamId }: SettledDelivery): void {
  tx.pendingEvents.push({
    ...{ id, organizationId, teamId },
    ...{ typeId: deliverySettledType, entities: [], more: false },
  });
}
