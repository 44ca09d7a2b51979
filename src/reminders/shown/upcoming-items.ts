import { named } from '../../db/connection/statement.js';
import type { Runs } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { mostRepeatsOf, mutedReasons } from '../../domain/reminders/due.js';
import type { Ahead } from '../../domain/reminders/upcoming.js';
import { type FoundItem, type ItemRow, itemsSql, toItem } from '../evaluate/items.js';
import type { Workspace } from '../evaluate/workspace.js';

const dayMilliseconds = 86_400_000;

/** Days by which a slot may differ from the day that its step counts. */
const margin = 9;

/** Returns the days of a span, with a margin. */
function daysOf({ from, until }: Ahead): number[] {
  const first = Math.floor(from.getTime() / dayMilliseconds) - margin;
  const last = Math.floor(until.getTime() / dayMilliseconds) + margin;
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * dayMilliseconds);
}

const datesOf = (days: readonly number[], offsets: ReadonlySet<number>) => [
  ...new Set(days.flatMap((day) => [...offsets].map((offset) => day - offset * dayMilliseconds))),
];

const asDates = (moments: readonly number[]) => moments.map((moment) => new Date(moment));

/**
 * Finds a page of items that may have a reminder in a span. They are in the order of their ids. Items that
 * would only have a repetition are included only if the ledger knows them, so that items which expired years
 * ago are skipped.
 */
export async function findUpcoming(
  on: Runs,
  workspace: Workspace,
  ahead: Ahead,
  after: string | null,
  count: number,
): Promise<FoundItem[]> {
  const steps = [...workspace.steps.values()].flat();
  const repeating = steps.filter(({ repeatEveryDays }) => repeatEveryDays !== null);
  const days = daysOf(ahead);
  const plain = datesOf(days, new Set(steps.map(({ offsetDays }) => offsetDays)));
  const later = new Set(
    repeating.flatMap((step) =>
      Array.from(
        { length: mostRepeatsOf(step) },
        (_, place) => step.offsetDays + (place + 1) * (step.repeatEveryDays ?? 0),
      ),
    ),
  );
  // The reminder that a repetition repeats may itself be still to come, for dates from this one on.
  const latest = Math.max(0, ...repeating.map(({ offsetDays }) => offsetDays));
  const recent = new Date(ahead.now.getTime() - (latest + margin) * dayMilliseconds);
  const statement = sql`
    ${itemsSql(
      workspace,
      sql`item.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') AND item.id IN (
        SELECT id FROM expiration_items
        WHERE team_id = ${workspace.teamId}::uuid AND is_active AND expiration_date = ANY(${asDates(plain)}::date[])
        UNION SELECT own.id FROM expiration_items AS own
        WHERE own.team_id = ${workspace.teamId}::uuid AND own.is_active
          AND own.expiration_date = ANY(${asDates(datesOf(days, later))}::date[])
          AND (own.expiration_date >= ${recent}::date OR EXISTS (
            SELECT FROM reminders AS told
            WHERE told.item_id = own.id AND told.expiration_date = own.expiration_date
              AND told.step_key = ANY(${repeating.map(({ id }) => id)}::uuid[])
              AND (told.reason IS NULL OR told.reason <> ALL(${[...mutedReasons]}))))
        UNION SELECT item_id FROM acknowledgements
        WHERE team_id = ${workspace.teamId}::uuid AND snooze_until = ANY(${asDates(days)}::date[])
      )`,
    )}
    ORDER BY item.id LIMIT ${count}`;
  const rows = await on.run<ItemRow>(named('reminders.upcoming', statement));
  return rows.map((row) => toItem(workspace, row));
}
