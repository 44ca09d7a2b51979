import type { Database } from '../../db/connection/database.js';
import { unavailableOf } from '../../db/connection/errors.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notFrozen } from '../../db/queue/frozen.js';
import { takeTurn } from '../../db/queue/turn.js';
import { sql } from '../../db/sql/sql.js';
import { instantOf } from '../../domain/reminders/instants.js';
import { addDays, todayIn } from '../../domain/status.js';
import type { EvaluateOptions } from '../evaluate/decide-items.js';
import { againMs, furthestBack } from '../evaluate/evaluate.js';
import { type Day, findRenewable, type Renewable, renewByItself } from './auto-renew.js';
import { noteStatuses } from './statuses.js';

/** The most items that are renewed or recorded before other workspaces get their turn. */
export const atOnce = { renewed: 100, noted: 1_000 } as const;

interface Mark {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  readonly timezone: string;
  readonly isActive: boolean;
  readonly dayThrough: Date | null;
}

/** Returns SQL that claims the mark of a workspace whose next day has come. */
const claimSql = (now: Date) => sql`
  SELECT mark.id, mark.organization_id AS "organizationId", mark.team_id AS "teamId", team.timezone,
    team.is_active AS "isActive", mark.day_through AS "dayThrough"
  FROM reminder_marks AS mark JOIN teams AS team ON team.id = mark.team_id
  WHERE mark.day_next_at <= ${now}::timestamptz AND ${notFrozen('mark')}
  ORDER BY mark.day_next_at LIMIT 1 FOR UPDATE OF mark SKIP LOCKED`;

function dayOf({ organizationId, teamId, timezone, dayThrough }: Mark, now: Date): Day | undefined {
  const today = todayIn(timezone, now);
  if (dayThrough === null || dayThrough >= today) return undefined;
  const oldest = addDays(today, -furthestBack);
  const through = dayThrough > oldest ? dayThrough : oldest;
  return { organizationId, teamId, through, today, begin: instantOf(today, '00:00', timezone) };
}

/**
 * Records that a workspace has finished the current day. The mark never moves back, even if the time zone was
 * changed.
 */
async function moveMark(tx: Transaction, { id, timezone }: Mark, now: Date): Promise<void> {
  const today = todayIn(timezone, now);
  const next = instantOf(addDays(today, 1), '00:00', timezone);
  const statement = sql`
    UPDATE reminder_marks SET day_through = greatest(day_through, ${today}::date), day_next_at = ${next}::timestamptz
    WHERE id = ${id}::uuid`;
  await tx.run(named('reminder_marks.day_done', statement));
}

/** Items to renew before a day can go on. */
interface Renewals {
  readonly mark: Mark;
  readonly day: Day;
  readonly items: readonly Renewable[];
}

/**
 * Does the work of a new day in one workspace. Items whose date has passed are renewed if their document type
 * says so; the others are recorded as expired, and those whose first reminder has come as due. This does not
 * need mail. The ledger keeps each of these unique, even if processes are killed.
 * @returns whether there was anything to do; there may be more then
 */
export async function beginDay(
  database: Database,
  now: Date,
  { onFault }: Pick<EvaluateOptions, 'onFault'> = {},
): Promise<boolean> {
  const again = ({ id }: Mark) => {
    const at = new Date(now.getTime() + againMs);
    const statement = sql`UPDATE reminder_marks SET day_next_at = ${at}::timestamptz WHERE id = ${id}::uuid`;
    return named('reminder_marks.day_again', statement);
  };
  const found = await takeTurn<Mark, Renewals | boolean>(database, {
    claim: named('reminder_marks.day', claimSql(now)),
    work: (tx, [mark]) => workOnDay(tx, mark, now),
    putBack: ([mark]) => again(mark),
    ...{ onFault, idle: false, failed: true },
  });
  if (typeof found === 'boolean') return found;
  // Each renewal is a transaction of its own, like a person's, so the turn has ended before.
  const { mark, day, items } = found;
  try {
    for (const item of items) await renewByItself(database, day, item, now);
  } catch (error) {
    if (unavailableOf(error)) throw error;
    await database.query(again(mark));
    onFault?.(error as Error, mark.teamId);
  }
  return true;
}

/** Finds items to renew. If there are none, it records what is due or expired, and ends the day. */
async function workOnDay(tx: Transaction, mark: Mark, now: Date): Promise<Renewals | true> {
  const day = mark.isActive ? dayOf(mark, now) : undefined;
  const items = day ? await findRenewable(tx, day, atOnce.renewed) : [];
  if (day && items.length > 0) return { mark, day, items };
  if (!day || !(await noteStatuses(tx, day, atOnce.noted, now))) await moveMark(tx, mark, now);
  return true;
}
