import type { Database } from '../db/connection/database.js';
import { named } from '../db/connection/statement.js';

/** State of reminders and of their mails. */
export interface RemindersState {
  /** Deliveries that are not settled, at most `mostCounted`. */
  readonly queued: number;
  /** Time of the next decisions of any workspace. It is in the past if nobody makes them, or they fail. */
  readonly next: Date | null;
  /** Time since when the longest waiting delivery could have been sent. Null if there is none. */
  readonly oldest: Date | null;
}

/** The most deliveries that are counted. Counting a long queue must not slow it down further. */
const mostCounted = 10_000;

/** Reads how many deliveries wait, and when reminders are next decided. Each comes from an index. */
export async function remindersState(database: Database): Promise<RemindersState> {
  const [state] = await database.query<RemindersState>(
    named('deliveries.state', {
      // A failed attempt postpones `due_at`, but does not make the delivery younger.
      text: `SELECT least(
        (SELECT min(next_at) FROM reminder_marks),
        (SELECT min(failing_since) FROM reminder_marks WHERE failing_since IS NOT NULL)
      ) AS next, count(*)::int AS queued, min(since) AS oldest
      FROM (
        SELECT coalesce(first_tried_at, due_at) AS since FROM deliveries WHERE due_at IS NOT NULL
        ORDER BY due_at LIMIT $1
      ) AS waiting`,
      values: [mostCounted],
    }),
  );
  return state ?? { queued: 0, next: null, oldest: null };
}
