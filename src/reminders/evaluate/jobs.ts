import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notFrozen } from '../../db/queue/frozen.js';
import { takeTurn } from '../../db/queue/turn.js';
import { sql } from '../../db/sql/sql.js';
import type { EvaluateOptions } from './decide-items.js';

/** Items that a job processes in one transaction. */
export const jobBatch = 5_000;

interface Job {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  readonly kind: 'RECOUNT' | 'CHECK';
  readonly policyId: string | null;
  readonly after: string | null;
}

const first = '00000000-0000-0000-0000-000000000000';

/** Recomputes the start of the reminder period for a batch of items. Unchanged items are not written. */
const recountSql = ({ teamId, after }: Job) => sql`
  WITH batch AS (
    SELECT id FROM expiration_items WHERE team_id = ${teamId}::uuid AND id > ${after ?? first}::uuid
    ORDER BY id LIMIT ${jobBatch}
  ), counted AS (
    UPDATE expiration_items AS item SET notify_on = notify_on_of(
      expiration_date, reminder_mode, reminder_policy_id, category_id, team_id)
    FROM batch WHERE item.id = batch.id AND notify_on IS DISTINCT FROM notify_on_of(
      expiration_date, reminder_mode, reminder_policy_id, category_id, team_id)
  )
  SELECT max(id::text) AS last, count(*)::int AS count FROM batch`;

/** Requests checks of a batch of items that follow a policy. */
const checkSql = ({ organizationId, teamId, policyId, after }: Job, now: Date) => sql`
  WITH batch AS (
    SELECT item.id, coalesce(item.reminder_policy_id, category.reminder_policy_id, team.reminder_policy_id) AS policy
    FROM expiration_items AS item JOIN categories AS category ON category.id = item.category_id
    JOIN teams AS team ON team.id = item.team_id
    WHERE item.team_id = ${teamId}::uuid AND item.id > ${after ?? first}::uuid
    ORDER BY item.id LIMIT ${jobBatch}
  ), requested AS (
    INSERT INTO reminder_checks (organization_id, team_id, item_id, requested_at)
    SELECT ${organizationId}::uuid, ${teamId}::uuid, id, ${now}::timestamptz
    FROM batch WHERE policy = ${policyId}::uuid
  )
  SELECT max(id::text) AS last, count(*)::int AS count FROM batch`;

const claim = sql`
  SELECT id, organization_id AS "organizationId", team_id AS "teamId", kind::text AS kind, policy_id AS "policyId", after
  FROM reminder_jobs AS job WHERE ${notFrozen('job')} ORDER BY created LIMIT 1 FOR UPDATE SKIP LOCKED`;

/**
 * Processes a batch of the oldest job. A failing job does not hold up those of other workspaces.
 * @returns whether there may be more to do
 */
export function workOnJob(
  database: Database,
  now: Date,
  { onFault }: Pick<EvaluateOptions, 'onFault'> = {},
): Promise<boolean> {
  const last = ({ id }: Job) =>
    sql`UPDATE reminder_jobs SET created = clock_timestamp() WHERE id = ${id}::uuid`;
  return takeTurn<Job, boolean>(database, {
    claim: named('reminder_jobs.claim', claim),
    work: (tx, [job]) => workOnBatch(tx, job, now),
    putBack: ([job]) => named('reminder_jobs.again', last(job)),
    ...{ onFault, idle: false, failed: false },
  });
}

async function workOnBatch(tx: Transaction, job: Job, now: Date): Promise<boolean> {
  const batch = job.kind === 'RECOUNT' ? recountSql(job) : checkSql(job, now);
  const [done] = await tx.run<{ last: string | null; count: number }>(named('reminder_jobs.batch', batch));
  const settle =
    done?.last && done.count === jobBatch
      ? sql`UPDATE reminder_jobs SET after = ${done.last}::uuid WHERE id = ${job.id}::uuid`
      : sql`DELETE FROM reminder_jobs WHERE id = ${job.id}::uuid`;
  await tx.run(named('reminder_jobs.settle', settle));
  return true;
}
