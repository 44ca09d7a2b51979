import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { farAhead, notFrozen } from '../db/queue/queue.js';
import { type Sql, sql } from '../db/sql/sql.js';
import { addDays } from '../domain/dates.js';
import { logEvent } from '../records/event-logs.js';

/** The most days by which a mark is ever ahead. It names the next slot, or day of any time zone. */
const maxDays = 3;

interface Mark {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  readonly through: Date;
}

const late = (now: Date) => new Date(now.getTime() + farAhead);

/** Returns SQL that locks a mark that a wrong clock has moved into the future. */
function claimSql(now: Date): Sql {
  const furthest = addDays(now, maxDays);
  return sql`
    SELECT id, organization_id AS "organizationId", team_id AS "teamId", through FROM reminder_marks AS mark
    WHERE (through > ${late(now)}::timestamptz OR next_at > ${furthest}::timestamptz
      OR day_next_at > ${furthest}::timestamptz OR day_through > ${furthest}::date) AND ${notFrozen('mark')}
    LIMIT 1 FOR UPDATE SKIP LOCKED`;
}

/**
 * Deletes a wrong clock's decisions that nobody was told of, with their deliveries. What was
 * told stays in the ledger, so nobody is told twice.
 * @returns the first of their slots; null if there are none
 */
async function forgetDecisions(tx: Transaction, { teamId }: Mark, now: Date): Promise<Date | null> {
  const decided = sql`
    SELECT id FROM reminders WHERE team_id = ${teamId}::uuid AND decided_at > ${late(now)}::timestamptz
      AND state <> 'TOLD'`;
  const deliveries = sql`
    DELETE FROM deliveries WHERE state = 'QUEUED' AND id IN (
      SELECT delivery_id FROM reminder_targets WHERE reminder_id IN (${decided}))
      AND NOT EXISTS (
        SELECT FROM reminder_targets AS other
        WHERE other.delivery_id = deliveries.id AND other.reminder_id NOT IN (${decided}))`;
  await tx.run(prepared('deliveries.undecided', deliveries));
  const reminders = sql`DELETE FROM reminders WHERE id IN (${decided}) RETURNING slot`;
  const gone = await tx.run<{ readonly slot: Date }>(prepared('reminders.undecided', reminders));
  return gone.reduce<Date | null>((first, { slot }) => (first && first < slot ? first : slot), null);
}

async function setBack(tx: Transaction, mark: Mark, now: Date): Promise<void> {
  const { organizationId, teamId, through } = mark;
  const first = await forgetDecisions(tx, mark, now);
  // Slots that passed while the clock was wrong are decided again.
  const from = first && first < now ? new Date(first.getTime() - 1) : now;
  const statement = sql`
    UPDATE reminder_marks AS mark SET through = least(through, ${from}::timestamptz), next_at = ${now}::timestamptz,
      page_after = NULL, page_until = NULL, day_next_at = ${now}::timestamptz,
      day_through = least(day_through, (${now}::timestamptz AT TIME ZONE team.timezone)::date)
    FROM teams AS team WHERE mark.id = ${mark.id}::uuid AND team.id = mark.team_id`;
  await tx.run(prepared('reminder_marks.set_back', statement));
  const author = { organizationId, teamIds: [teamId], user: { id: null, name: null } };
  await logEvent(
    tx,
    { caller: author, now },
    {
      ...{ type: 'organization changed', teamId, entities: [] },
      description: `The gateway's clock was wrong: reminders after ${now.toISOString()} are decided again`,
      details: { reminders_decided_until: { before: through.toISOString(), after: from.toISOString() } },
    },
  );
}

/**
 * Sets back workspaces' marks that are far in the future, with an event for each.
 * @returns the number of workspaces
 */
export async function setBackMarks(database: Database, now: Date): Promise<number> {
  for (let count = 0; ; count++) {
    const isMore = await database.inTransaction(async (tx) => {
      const [mark] = await tx.run<Mark>(prepared('reminder_marks.ahead', claimSql(now)));
      if (mark) await setBack(tx, mark, now);
      return mark !== undefined;
    });
    if (!isMore) return count;
  }
}
