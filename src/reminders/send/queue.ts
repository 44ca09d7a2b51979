import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';

/** A delivery that this process has taken up. Until its lease ends no other one sends it. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  /** `item`, `digest` for several, or `invitation`. */
  readonly subjectKind: string;
  readonly address: string;
  /** True if it goes to a contact of another workspace. Not everybody here may know them. */
  readonly isElsewhere: boolean;
  /** Number of the try, from 1. A claim of an older try is void. */
  readonly attempts: number;
  readonly firstTriedAt: Date;
  /** The same for each try. */
  readonly messageId: string;
}

const claimSql = `
  WITH next AS MATERIALIZED (
    SELECT id FROM deliveries WHERE due_at <= $1 AND kind = 'MAIL'
    ORDER BY due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE deliveries AS delivery
  SET due_at = $3, attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, $1),
    message_id = coalesce(message_id, '<' || delivery.id || '@' || $4 || '>')
  FROM next WHERE delivery.id = next.id
  RETURNING delivery.id, organization_id AS "organizationId", team_id AS "teamId", subject_kind AS "subjectKind",
    address, home_team_id IS NOT NULL AS "isElsewhere", attempts, first_tried_at AS "firstTriedAt", message_id AS "messageId"`;

/** Number of deliveries to claim, the time, and the lease. */
export interface Claim {
  /** Number of deliveries at most. */
  readonly count: number;
  readonly now: Date;
  readonly leaseUntil: Date;
  /** Host of the ids that messages are given. */
  readonly host: string;
}

/**
 * Claims mails that are due, the longest due first, with a lease. No two processes get the same one (SKIP LOCKED). One
 * whose process died is claimed again when its lease ends, and then has the same message id.
 */
export function claimDeliveries(
  database: Database,
  { count, now, leaseUntil, host }: Claim,
): Promise<ClaimedDelivery[]> {
  const values = [now, count, leaseUntil, host];
  return database.query(named('deliveries.claim', { text: claimSql, values }));
}
