import type { Database } from '../../db/connection/database.js';
import { unavailableOf } from '../../db/connection/errors.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { instantOf } from '../../domain/reminders/instants.js';
import { addDays, todayIn } from '../../domain/status.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { EvaluateOptions } from '../evaluate/decide-items.js';
import { againMs, furthestBack } from '../evaluate/evaluate.js';
import { type Day, findRenewable, renewByItself } from './auto-renew.js';
import { noteStatuses } from './statuses.js';

const { sql } = Prisma;

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

/** Finds the mark of a workspace whose next day has come. */
async function findMark(tx: Transaction, now: Date): Promise<Mark | undefined> {
  const statement = sql`
    SELECT mark.id, mark.organization_id AS "organizationId", mark.team_id AS "teamId", team.timezone,
      team.is_active AS "isActive", mark.day_through AS "dayThrough"
    FROM reminder_marks AS mark JOIN teams AS team ON team.id = mark.team_id
    WHERE mark.day_next_at <= ${now}::timestamptz
    ORDER BY mark.day_next_at LIMIT 1 FOR UPDATE OF mark SKIP LOCKED`;
  const [mark] = await tx.run<Mark>(named('reminder_marks.day', statement));
  return mark;
}

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
  let mark: Mark | undefined;
  try {
    return await beginDayOf(database, now, (found) => {
      mark = found;
    });
  } catch (error) {
    if (!mark || unavailableOf(error)) throw error;
    const again = sql`
      UPDATE reminder_marks SET day_next_at = ${new Date(now.getTime() + againMs)}::timestamptz
      WHERE id = ${mark.id}::uuid`;
    await database.query(named('reminder_marks.day_again', again));
    onFault?.(error as Error, mark.teamId);
    return true;
  }
}

async function beginDayOf(database: Database, now: Date, onMark: (mark: Mark) => void): Promise<boolean> {
  const found = await database.inTransaction(async (tx) => {
    const mark = await findMark(tx, now);
    if (!mark) return undefined;
    onMark(mark);
    const day = mark.isActive ? dayOf(mark, now) : undefined;
    if (!day) {
      await moveMark(tx, mark, now);
      return { day: undefined, items: [] };
    }
    return { day, items: await findRenewable(tx, day, atOnce.renewed) };
  });
  if (!found?.day) return found !== undefined;
  const { day, items } = found;
  for (const item of items) await renewByItself(database, day, item, now);
  if (items.length > 0) return true;
  return database.inTransaction(async (tx) => {
    const mark = await findMark(tx, now);
    // Another process has it, or another workspace is first by now.
    if (!mark || mark.teamId !== day.teamId) return mark !== undefined;
    if ((await findRenewable(tx, day, 1)).length > 0) return true;
    if (await noteStatuses(tx, day, atOnce.noted, now)) return true;
    await moveMark(tx, mark, now);
    return true;
  });
}
