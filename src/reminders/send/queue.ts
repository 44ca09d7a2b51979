import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';

/** A delivery that this process has claimed. No other process sends it until its lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  /** `item`, `digest` for several, or `invitation`. */
  readonly subjectKind: string;
  readonly address: string;
  /** True if it goes to a contact of another workspace. Not everybody here may know them. */
  readonly isElsewhere: boolean;
  /** Number of the attempt, from 1. It invalidates claims of earlier attempts. */
  readonly attempts: number;
  readonly firstTriedAt: Date;
  /** The same for each attempt. */
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

/** Parameters of a claim: number of deliveries, time, and lease. */
export interface Claim {
  /** Maximum number of deliveries. */
  readonly count: number;
  readonly now: Date;
  readonly leaseUntil: Date;
  /** Host in the ids of messages. */
  readonly host: string;
}

/**
 * Claims due mails with a lease, the longest due first. No two processes get the same one (SKIP LOCKED). If a
 * process dies, its mails are claimed again when the lease ends, with the same message id.
 */
export function claimDeliveries(
  database: Database,
  { count, now, leaseUntil, host }: Claim,
): Promise<ClaimedDelivery[]> {
  const values = [now, count, leaseUntil, host];
  return database.query(named('deliveries.claim', { text: claimSql, values }));
}
