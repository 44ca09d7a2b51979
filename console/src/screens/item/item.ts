import type { DataOf } from '../../data/operation';
import type { Item } from '../../generated/operations/items';
import { addDays, addMonths, type Day, daysBetween, today } from '../../i18n/dates';

/** An item with everything that its screen shows. */
export type ItemDetail = NonNullable<DataOf<typeof Item>['expirationItem']>;

/** Properties of a part of the screen that may change the item. */
export interface PartProps {
  readonly item: ItemDetail;
  readonly onChanged: () => Promise<void>;
}

/** Counts the months between two days; undefined unless they are whole months. */
function monthsBetween(from: Day, until: Day): number | undefined {
  const [years = 0, months = 0] = from.split('-').map(Number);
  const [otherYears = 0, otherMonths = 0] = until.split('-').map(Number);
  const count = (otherYears - years) * 12 + otherMonths - months;
  return count > 0 && Math.abs(daysBetween(addMonths(from, count), until)) <= 1 ? count : undefined;
}

/** Returns the day one interval after another. */
function later(
  date: Day,
  { previousDate, expirationDate }: { previousDate: Day | null; expirationDate: Day },
): Day {
  if (!previousDate) return addMonths(date, 12);
  const months = monthsBetween(previousDate, expirationDate);
  return months
    ? addMonths(date, months)
    : addDays(date, Math.max(1, daysBetween(previousDate, expirationDate)));
}

/** Proposes the date of the next renewal. It is in the future, by the last interval or a year. */
export function proposedDate({ expirationDate, renewals, team }: ItemDetail): Day {
  const now = today(team?.timezone);
  const [last] = renewals.nodes;
  const interval = last ?? { previousDate: null, expirationDate: now };
  let date = expirationDate ?? now;
  do date = later(date, interval);
  while (date <= now);
  return date;
}

/** Returns whether the item's current date is acknowledged, and the acknowledgement still applies. */
export function isAcknowledged({ acknowledgement, expirationDate, team }: ItemDetail): boolean {
  if (!acknowledgement || acknowledgement.expirationDate !== expirationDate) return false;
  return !acknowledgement.snoozeUntil || acknowledgement.snoozeUntil > today(team?.timezone);
}
