import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';
import { notFrozen } from '../../db/queue/frozen.js';
import { type Attempt, type Claim, claimJobs } from '../../db/queue/jobs.js';
import { notSilent } from '../../db/queue/silence.js';
import { sql } from '../../db/sql/sql.js';
import { mostMailsCounted } from '../shown/health.js';

/** A delivery that this process has claimed. No other process sends it until its lease ends. */
export interface ClaimedDelivery extends Attempt {
  readonly organizationId: string;
  readonly teamId: string;
  /** `item`, `digest` for several, `invitation` or `signInLink`. */
  readonly subjectKind: string;
  readonly address: string;
  /** True if it goes to a contact of another workspace. Not everybody here may know them. */
  readonly isElsewhere: boolean;
  readonly firstTriedAt: Date;
  /** The same for each attempt. */
  readonly messageId: string;
}

/**
 * Claims due mails. An attempt after the end of a lease has the same message id.
 * @param host of the ids of messages
 */
export function claimDeliveries(
  database: Database,
  { host, ...claim }: Claim & { readonly host: string },
): Promise<ClaimedDelivery[]> {
  return claimJobs(database, 'deliveries', claim, {
    where: sql`kind = 'MAIL'`,
    set: sql`
      first_tried_at = coalesce(first_tried_at, ${claim.now}::timestamptz),
      message_id = coalesce(message_id, '<' || job.id || '@' || ${host} || '>')`,
    returning: sql`
      organization_id AS "organizationId", team_id AS "teamId", subject_kind AS "subjectKind", address,
      home_team_id IS NOT NULL AS "isElsewhere", first_tried_at AS "firstTriedAt", message_id AS "messageId"`,
  });
}

const isFree = (row: string) => notFrozen(row).text;
const maySend = notSilent.text;

/** State of reminders and of their mails. */
export interface RemindersState {
  /** Deliveries that are not settled, at most `mostMailsCounted`. */
  readonly queued: number;
  /** Time of the next decisions of any workspace. It is in the past if nobody makes them, or they fail. */
  readonly next: Date | null;
  /** Time since when the longest waiting delivery could have been sent. Null if there is none. */
  readonly oldest: Date | null;
}

/**
 * Reads how many deliveries wait, and when reminders are next decided. Each comes from an index. Nothing is late while
 * the database is silent.
 */
export async function remindersState(database: Database): Promise<RemindersState> {
  const [state] = await database.query<RemindersState>(
    named('deliveries.state', {
      // A failed attempt postpones `due_at`, but does not make the delivery younger.
      text: `SELECT least(
        (SELECT min(next_at) FROM reminder_marks AS mark WHERE ${isFree('mark')} AND ${maySend}),
        (SELECT min(failing_since) FROM reminder_marks AS mark WHERE failing_since IS NOT NULL AND ${isFree('mark')} AND ${maySend})
      ) AS next, count(*)::int AS queued, min(since) FILTER (WHERE ${maySend}) AS oldest
      FROM (
        SELECT coalesce(first_tried_at, due_at) AS since FROM deliveries AS job
        WHERE due_at IS NOT NULL AND ${isFree('job')}
        ORDER BY due_at LIMIT $1
      ) AS waiting`,
      values: [mostMailsCounted],
    }),
  );
  return state ?? { queued: 0, next: null, oldest: null };
}
