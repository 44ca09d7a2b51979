import type { Database } from '../db/connection/database.js';
import { named } from '../db/connection/statement.js';

/** State of reminders and of the mails that tell them. */
export interface RemindersState {
  /** Deliveries that are not settled, at most `mostCounted`. */
  readonly queued: number;
  /** When the first workspace is to be looked at: in the past if nobody does. */
  readonly next: Date | null;
}

/** Largest number of deliveries that are counted. Counting a long queue must not slow it down further. */
const mostCounted = 10_000;

/** Reads how many deliveries wait, and when reminders are next to be decided, from an index each. */
export async function remindersState(database: Database): Promise<RemindersState> {
  const [state] = await database.query<RemindersState>(
    named('deliveries.state', {
      text: `SELECT (SELECT min(next_at) FROM reminder_marks) AS next, (
        SELECT count(*)::int FROM (SELECT FROM deliveries WHERE due_at IS NOT NULL LIMIT $1) AS waiting
      ) AS queued`,
      values: [mostCounted],
    }),
  );
  return state ?? { queued: 0, next: null };
}
