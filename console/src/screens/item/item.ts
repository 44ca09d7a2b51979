import type { DataOf } from '../../data/operation';
import type { ExpirationItemRecord } from '../../generated/operations/expirationItem';
import type { ItemDate } from '../../generated/types';
import { today } from '../../i18n/dates';

/** An item with everything that its screen shows. */
export type ItemDetail = NonNullable<DataOf<typeof ExpirationItemRecord>['record']>;

/** Properties of a part of the screen that may change the item. */
export interface PartProps {
  readonly item: ItemDetail;
  readonly onChanged: () => Promise<void>;
}

/** Returns the acknowledgement of a current date of an item, if it still applies. */
export function acknowledgementOf(item: ItemDetail, about: ItemDate) {
  const isNotice = about === 'NOTICE';
  const found = isNotice ? item.noticeAcknowledgement : item.acknowledgement;
  if (found?.expirationDate !== (isNotice ? item.noticeDate : item.expirationDate)) return undefined;
  return !found?.snoozeUntil || found.snoozeUntil > today(item.team?.timezone) ? found : undefined;
}
