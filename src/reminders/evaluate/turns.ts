import type { Database } from '../../db/connection/database.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notSilent } from '../../db/queue/loop.js';
import { notFrozen, sweep, takeTurn } from '../../db/queue/queue.js';
import { sql } from '../../db/sql/sql.js';
import { addDays } from '../../domain/dates.js';
import { nextSlot, type Shift, slotsBetween } from '../../domain/reminders/slots.js';
import {
  type DecidedCounts,
  type DecisionOptions,
  decideItems,
  type Evaluated,
  emptyCounts,
  isMute,
  noWork,
  spanOf,
} from './decide-items.js';
import { findDue, readItems, readWorkspace } from './ledger.js';

/** Items of a slot that are decided in one transaction. */
const pageSize = 10_000;

/** The most days to look back after the gateway was down. Anything older is long past. */
export const furthestBack = 366;

/** Milliseconds before retrying a workspace in which deciding failed. */
export const retryDelayMs = 60_000;

/** Milliseconds between checks whether the demo's reminders have an address. */
const demoAgainMs = 60_000;

interface Mark {
  readonly id: string;
  readonly teamId: string;
  readonly through: Date;
  readonly pageAfter: string | null;
  readonly pageUntil: Date | null;
}

async function moveMark(
  tx: Transaction,
  id: string,
  values: Partial<Mark> & { nextAt?: Date },
): Promise<void> {
  const { through = null, nextAt = null, pageAfter = null, pageUntil = null } = values;
  const statement = sql`
    UPDATE reminder_marks SET through = coalesce(${through}::timestamptz, through),
      next_at = coalesce(${nextAt}::timestamptz, next_at), page_after = ${pageAfter}::uuid,
      page_until = ${pageUntil}::timestamptz, failing_since = NULL
    WHERE id = ${id}::uuid`;
  await tx.run(prepared('reminder_marks.move', statement));
}

/**
 * Decides everything that came due in one workspace since the last time. It takes a page of items at a time.
 * The lock on the workspace's mark excludes all other processes.
 */
export function evaluateWorkspace(
  database: Database,
  now: Date,
  options: DecisionOptions = {},
): Promise<Evaluated> {
  const claim = sql`
    SELECT id, team_id AS "teamId", through, page_after AS "pageAfter", page_until AS "pageUntil" FROM reminder_marks AS mark
    WHERE next_at <= ${now}::timestamptz AND ${notFrozen('mark')} AND ${notSilent}
    ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
  const again = ({ id }: Mark) => sql`
    UPDATE reminder_marks SET next_at = ${new Date(now.getTime() + retryDelayMs)}::timestamptz,
      failing_since = coalesce(failing_since, ${now}::timestamptz)
    WHERE id = ${id}::uuid`;
  return takeTurn<Mark, Evaluated>(database, {
    claim: prepared('reminder_marks.claim', claim),
    work: async (tx, [mark]) => ({ ...(await decideMark(tx, mark, now, options)), worked: true }),
    putBack: ([mark]) => prepared('reminder_marks.again', again(mark)),
    ...{ onFault: options.onFault, idle: noWork, failed: { ...emptyCounts, worked: true } },
  });
}

/** Decides what came due in the workspace of a mark, and advances the mark. */
async function decideMark(
  tx: Transaction,
  mark: Mark,
  now: Date,
  options: DecisionOptions,
): Promise<DecidedCounts> {
  const { demoMailTo, size = pageSize } = options;
  const workspace = await readWorkspace(tx, mark.teamId);
  if (!workspace) {
    await moveMark(tx, mark.id, { nextAt: addDays(now, 1) });
    return emptyCounts;
  }
  if (isMute(workspace, options)) {
    await moveMark(tx, mark.id, { nextAt: new Date(now.getTime() + demoAgainMs) });
    return emptyCounts;
  }
  // If the clock was set back, everything up to the mark has already been decided.
  const until = mark.pageUntil ?? (now > mark.through ? now : mark.through);
  const oldest = addDays(now, -furthestBack);
  const from = mark.through > oldest ? mark.through : oldest;
  const shifts: readonly Shift[] = ['none', 'before', 'after'];
  const slots = slotsBetween(from, until, workspace, workspace.times, shifts);
  const { items, next } =
    slots.length === 0
      ? { items: [], next: null }
      : await findDue(tx, workspace, slots, mark.pageAfter, size);
  const decided = await decideItems(tx, workspace, items, spanOf(workspace, from, until), demoMailTo);
  if (next !== null) {
    await moveMark(tx, mark.id, { pageAfter: next, pageUntil: until });
  } else {
    const nextAt = nextSlot(until, workspace.timezone, workspace.times);
    await moveMark(tx, mark.id, { through: until, nextAt });
  }
  return decided;
}

/** Changed items that are checked in one transaction. */
const checksAtOnce = 500;

interface Check {
  readonly id: string;
  readonly teamId: string;
  readonly itemId: string;
  readonly quiet: boolean;
}

const claim = sql`
  SELECT id, team_id AS "teamId", item_id AS "itemId", quiet FROM reminder_checks
  WHERE team_id = (SELECT team_id FROM reminder_checks AS first WHERE ${notFrozen('first')} AND ${notSilent}
    ORDER BY requested_at LIMIT 1)
  ORDER BY requested_at LIMIT ${checksAtOnce} FOR UPDATE SKIP LOCKED`;

const later = sql`UPDATE reminder_checks SET requested_at = clock_timestamp()`;

/**
 * Decides about changed items. Of all steps that have passed for their date, only the last may send a
 * reminder.
 */
export function evaluateChecks(
  database: Database,
  now: Date,
  options: DecisionOptions = {},
): Promise<Evaluated> {
  const among = (checks: readonly Check[]) => sql`id = ANY(${checks.map(({ id }) => id)}::uuid[])`;
  return takeTurn<Check, Evaluated>(database, {
    claim: prepared('reminder_checks.claim', claim),
    async work(tx, checks) {
      await tx.run(prepared('reminder_checks.done', sql`DELETE FROM reminder_checks WHERE ${among(checks)}`));
      return { ...(await decideChecks(tx, checks, now, options)), worked: true };
    },
    putBack: (checks) => prepared('reminder_checks.again', sql`${later} WHERE ${among(checks)}`),
    ...{ onFault: options.onFault, idle: noWork, failed: noWork },
  });
}

/** Decides about the checked items of one workspace. */
async function decideChecks(
  tx: Transaction,
  checks: readonly [Check, ...Check[]],
  now: Date,
  options: DecisionOptions,
): Promise<DecidedCounts> {
  const [{ teamId }] = checks;
  const workspace = await readWorkspace(tx, teamId);
  if (!workspace || isMute(workspace, options)) return emptyCounts;
  const { demoMailTo } = options;
  const loud = new Set(checks.filter(({ quiet }) => !quiet).map(({ itemId }) => itemId));
  const quiet = new Set(checks.filter((check) => check.quiet).map(({ itemId }) => itemId));
  const items = await readItems(tx, workspace, [...new Set([...loud, ...quiet])]);
  const imported = items.filter(({ id }) => quiet.has(id));
  const noted = await decideItems(tx, workspace, imported, spanOf(workspace, null, now, true), demoMailTo);
  const others = items.filter(({ id }) => !quiet.has(id));
  const decided = await decideItems(tx, workspace, others, spanOf(workspace, null, now), demoMailTo);
  // An item may have introduced a new time of day.
  const next = nextSlot(now, workspace.timezone, workspace.times);
  const sooner = sql`
    UPDATE reminder_marks SET next_at = ${next}::timestamptz
    WHERE team_id = ${teamId}::uuid AND next_at > ${next}::timestamptz`;
  await tx.run(prepared('reminder_marks.sooner', sooner));
  return { ...decided, skipped: decided.skipped + noted.skipped };
}

/** Drops requested checks while nothing can be sent. Due reminders are decided once mail works. */
export async function dropChecks(database: Database): Promise<void> {
  await sweep(database, { table: 'reminder_checks', where: sql`TRUE`, order: 'requested_at', page: 10_000 });
}

/** Items that a job processes in one transaction. */
const jobBatch = 5_000;

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

const claimJobs = sql`
  SELECT id, organization_id AS "organizationId", team_id AS "teamId", kind::text AS kind, policy_id AS "policyId", after
  FROM reminder_jobs AS job WHERE ${notFrozen('job')} ORDER BY created LIMIT 1 FOR UPDATE SKIP LOCKED`;

/**
 * Processes a batch of the oldest job. A failing job does not hold up those of other workspaces.
 * @returns whether there may be more to do
 */
export function workOnJob(
  database: Database,
  now: Date,
  { onFault }: Pick<DecisionOptions, 'onFault'> = {},
): Promise<boolean> {
  const last = ({ id }: Job) =>
    sql`UPDATE reminder_jobs SET created = clock_timestamp() WHERE id = ${id}::uuid`;
  return takeTurn<Job, boolean>(database, {
    claim: prepared('reminder_jobs.claim', claimJobs),
    work: (tx, [job]) => workOnBatch(tx, job, now),
    putBack: ([job]) => prepared('reminder_jobs.again', last(job)),
    ...{ onFault, idle: false, failed: false },
  });
}

async function workOnBatch(tx: Transaction, job: Job, now: Date): Promise<boolean> {
  const batch = job.kind === 'RECOUNT' ? recountSql(job) : checkSql(job, now);
  const [done] = await tx.run<{ last: string | null; count: number }>(prepared('reminder_jobs.batch', batch));
  const settle =
    done?.last && done.count === jobBatch
      ? sql`UPDATE reminder_jobs SET after = ${done.last}::uuid WHERE id = ${job.id}::uuid`
      : sql`DELETE FROM reminder_jobs WHERE id = ${job.id}::uuid`;
  await tx.run(prepared('reminder_jobs.settle', settle));
  return true;
}
