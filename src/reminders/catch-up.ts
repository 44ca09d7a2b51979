import type { Database } from '../db/connection/database.js';
import { named } from '../db/connection/statement.js';
import { evaluateReminders } from './reminders.js';

/** Returns whether something is still to be decided up to a given time. */
async function isDue(database: Database, until: Date): Promise<boolean> {
  const [row] = await database.query<{ due: boolean }>(
    named('reminders.is_due', {
      text: `SELECT EXISTS (SELECT FROM reminder_marks WHERE next_at <= $1) OR EXISTS (SELECT FROM reminder_checks)
        AS due`,
      values: [until],
    }),
  );
  return row?.due === true;
}

/**
 * Decides everything that came due up to a given time, as a running gateway would. It may run beside others.
 * @param demoMailTo address for all reminders of the demo; without it, they are not decided
 * @returns the number of reminders to send
 */
export async function catchUp(
  database: Database,
  until: Date,
  demoMailTo: string | undefined,
): Promise<number> {
  let told = 0;
  do {
    told += await evaluateReminders({ database, clock: () => until, isMailSetUp: () => true, demoMailTo });
  } while (await isDue(database, until));
  return told;
}
