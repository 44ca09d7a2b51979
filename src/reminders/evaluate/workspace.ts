import { named } from '../../db/connection/statement.js';
import type { Runs } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import type { DueStep } from '../../domain/reminders/due.js';

/** A step with its recipients. */
export interface PolicyStep extends DueStep {
  readonly policyId: string;
  readonly recipients: readonly string[];
  readonly addresses: readonly string[];
  readonly channelIds: readonly string[];
}

/** The properties of a workspace that its reminders depend on. */
export interface Workspace {
  readonly teamId: string;
  readonly organizationId: string;
  readonly timezone: string;
  readonly workingDays: readonly number[];
  readonly policyId: string | null;
  readonly fallbackAddress: string | null;
  /** Steps of its policies, by policy. */
  readonly steps: ReadonlyMap<string, readonly PolicyStep[]>;
  /** The local times at which something may be due. */
  readonly times: readonly string[];
}

type Row = Omit<Workspace, 'steps'> & { readonly steps: readonly PolicyStep[] | null };

/**
 * Reads a workspace, its policies, and the times of day in use, with one statement. The items' own times are
 * found by a loose index scan.
 */
export async function readWorkspace(tx: Runs, teamId: string): Promise<Workspace | undefined> {
  const statement = sql`
    WITH RECURSIVE own (time) AS (
      SELECT min(time_of_day) FROM expiration_items WHERE team_id = ${teamId}::uuid AND time_of_day IS NOT NULL
      UNION ALL
      SELECT (
        SELECT min(time_of_day) FROM expiration_items WHERE team_id = ${teamId}::uuid AND time_of_day > own.time
      ) FROM own WHERE own.time IS NOT NULL
    )
    SELECT id AS "teamId", organization_id AS "organizationId", timezone, working_days AS "workingDays",
      reminder_policy_id AS "policyId", reminder_fallback_address AS "fallbackAddress",
      ARRAY(
        SELECT time FROM own WHERE time IS NOT NULL
        UNION SELECT time_of_day FROM reminder_policies WHERE team_id = ${teamId}::uuid
      ) AS times,
      (
        SELECT json_agg(json_build_object('id', step.id, 'policyId', policy.id, 'offsetDays', offset_days,
          'repeatEveryDays', repeat_every_days, 'repeatCount', repeat_count, 'onlyUnacknowledged', only_unacknowledged,
          'timeOfDay', time_of_day, 'workingDaysOnly', deliver_on = 'WORKING_DAYS', 'recipients', recipients,
          'addresses', addresses, 'channelIds', channel_ids) ORDER BY offset_days, only_unacknowledged)
        FROM reminder_policies AS policy JOIN reminder_steps AS step ON step.policy_id = policy.id
        WHERE policy.team_id = ${teamId}::uuid
      ) AS steps
    FROM teams WHERE id = ${teamId}::uuid AND is_active`;
  const [row] = await tx.run<Row>(named('reminders.workspace', statement));
  if (!row) return undefined;
  const steps = new Map<string, PolicyStep[]>();
  for (const step of row.steps ?? []) steps.set(step.policyId, [...(steps.get(step.policyId) ?? []), step]);
  return { ...row, steps };
}
