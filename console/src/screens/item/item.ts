import type { DataOf } from '../../data/operation';
import type { Item } from '../../generated/operations/items';
import { today } from '../../i18n/dates';

/** An item with everything that its screen shows. */
export type ItemDetail = NonNullable<DataOf<typeof Item>['expirationItem']>;

/** Properties of a part of the screen that may change the item. */
export interface PartProps {
  readonly item: ItemDetail;
  readonly onChanged: () => Promise<void>;
}

/** Returns whether the item's current date is acknowledged, and the acknowledgement still applies. */
export function isAcknowledged({ acknowledgement, expirationDate, team }: ItemDetail): boolean {
  if (!acknowledgement || acknowledgement.expirationDate !== expirationDate) return false;
  return !acknowledgement.snoozeUntil || acknowledgement.snoozeUntil > today(team?.timezone);
}
