import { named } from '../../db/connection/statement.js';
import type { Runs } from '../../db/connection/transaction.js';
import { type Sql, sql } from '../../db/sql/sql.js';
import { datesDue } from '../../domain/reminders/dates.js';
import { type DueItem, type Known, mutedReasons } from '../../domain/reminders/due.js';
import type { Slot } from '../../domain/reminders/slots.js';
import type { Workspace } from './workspace.js';

/** An item that may be due. */
export interface FoundItem extends DueItem {
  readonly name: string;
}

/** A row of `itemsSql`. */
export interface ItemRow {
  readonly id: string;
  readonly name: string;
  readonly expirationDate: Date;
  readonly timeOfDay: string | null;
  readonly policyId: string | null;
  readonly silence: boolean | null;
  readonly snoozeUntil: Date | null;
}

/** Returns SQL that reads items of a workspace whose reminders are on. `joined` selects them. */
export const itemsSql = ({ teamId, policyId }: Workspace, which: Sql, from = sql`expiration_items`) => sql`
  SELECT item.id, item.name, item.expiration_date AS "expirationDate", item.time_of_day AS "timeOfDay",
    coalesce(item.reminder_policy_id, category.reminder_policy_id, ${policyId}::uuid) AS "policyId",
    ack.silence, ack.snooze_until AS "snoozeUntil"
  FROM ${from} AS item JOIN categories AS category ON category.id = item.category_id
  LEFT JOIN acknowledgements AS ack ON ack.item_id = item.id AND ack.expiration_date = item.expiration_date
  WHERE item.team_id = ${teamId}::uuid AND item.is_active AND NOT item.is_missing AND item.reminder_mode <> 'OFF'
    AND item.expiration_date IS NOT NULL AND ${which}`;

/** Creates an item from its row, with the steps of its policy. */
export const toItem = (
  { steps }: Workspace,
  { policyId, silence, snoozeUntil, ...row }: ItemRow,
): FoundItem => ({
  ...row,
  steps: steps.get(policyId ?? '') ?? [],
  acknowledged: silence === null ? null : { silence, snoozeUntil },
});

/** Reads the current state of items of a workspace. */
export async function readItems(
  tx: Runs,
  workspace: Workspace,
  ids: readonly string[],
): Promise<FoundItem[]> {
  const statement = itemsSql(workspace, sql`item.id = ANY(${[...ids]}::uuid[])`);
  const rows = await tx.run<ItemRow>(named('reminders.items', statement));
  return rows.map((row) => toItem(workspace, row));
}

/**
 * Finds a page of items that are due, in the order of ids. They have a step in one of some slots. It looks up
 * dates in the index of the workspace's items, so its time depends on how much is due.
 */
export async function findDue(
  tx: Runs,
  workspace: Workspace,
  slots: readonly Slot[],
  after: string | null,
  count: number,
): Promise<FoundItem[]> {
  const days = [...new Set(slots.map(({ nominal }) => nominal.getTime()))].map((day) => new Date(day));
  const dates = datesDue(days, [...workspace.steps.values()].flat());
  // Look up each date and each item separately: the planner's estimates would lead to a scan of the whole
  // table.
  const statement = sql`
    SELECT found.* FROM (
      SELECT dated.id FROM unnest(${dates}::int[]) AS day CROSS JOIN LATERAL (
        SELECT id FROM expiration_items
        WHERE team_id = ${workspace.teamId}::uuid AND is_active AND expiration_date = date '1970-01-01' + day OFFSET 0
      ) AS dated
      UNION SELECT item_id FROM acknowledgements
      WHERE team_id = ${workspace.teamId}::uuid AND snooze_until = ANY(${days}::date[])
    ) AS due CROSS JOIN LATERAL (
      ${itemsSql(workspace, sql`true`, sql`(SELECT * FROM expiration_items WHERE id = due.id OFFSET 0)`)}
    ) AS found
    WHERE due.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY found.id LIMIT ${count}`;
  const rows = await tx.run<ItemRow>(named('reminders.due', statement));
  return rows.map((row) => toItem(workspace, row));
}

/** Reads the ledger's state of the steps of repeating items. */
export async function readKnown(
  tx: Runs,
  items: readonly FoundItem[],
): Promise<(item: FoundItem, stepKey: string) => Known> {
  const repeating = items.filter(({ steps }) =>
    steps.some(({ repeatEveryDays }) => repeatEveryDays !== null),
  );
  if (repeating.length === 0) return () => 'none';
  const statement = sql`
    SELECT reminder.item_id AS "itemId", step_key AS "stepKey",
      bool_or(reason IS NOT NULL AND reason = ANY(${[...mutedReasons]})) AS muted
    FROM unnest(${repeating.map(({ id }) => id)}::uuid[], ${repeating.map(({ expirationDate }) => expirationDate)}::date[])
      AS item (id, date)
    JOIN reminders AS reminder ON reminder.item_id = item.id AND reminder.expiration_date = item.date
    GROUP BY reminder.item_id, step_key`;
  const rows = await tx.run<{ itemId: string; stepKey: string; muted: boolean }>(
    named('reminders.known', statement),
  );
  const known = new Map(rows.map(({ itemId, stepKey, muted }) => [`${itemId} ${stepKey}`, muted]));
  return ({ id }, stepKey) => {
    const muted = known.get(`${id} ${stepKey}`);
    return muted === undefined ? 'none' : muted ? 'muted' : 'told';
  };
}
