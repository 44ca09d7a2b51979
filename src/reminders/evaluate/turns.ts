import type { Database } from '../../db/connection/database.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notSilent } from '../../db/queue/loop.js';
import { notFrozen, sweep, takeTurn, takeTurns } from '../../db/queue/queue.js';
import { sql } from '../../db/sql/sql.js';
import { addDays } from '../../domain/dates.js';
import { nextSlot, type Shift, type Slot, slotsBetween } from '../../domain/reminders/slots.js';
import {
  type DecidedCounts,
  type DecisionOptions,
  decideItems,
  type Evaluated,
  emptyCounts,
  isMute,
  noWork,
  spanOf,
  sumOf,
} from './decide-items.js';
import {
  findDue,
  findWorkspacesDue,
  readItems,
  readWorkspace,
  readWorkspaces,
  type Workspace,
} from './ledger.js';

/** Items of a slot that are decided in one transaction. */
const pageSize = 10_000;

/** The most of a workspace that are decided while others wait in the same transaction. */
const sharedPage = 500;

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

/** A change of a mark: what is decided, and when to decide again. What is left out stays. */
interface Move {
  readonly id: string;
  readonly through?: Date;
  readonly nextAt?: Date;
  readonly pageAfter?: string;
  readonly pageUntil?: Date;
}

async function moveMarks(tx: Transaction, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  const of = <T>(value: (move: Move) => T | undefined) => moves.map((move) => value(move) ?? null);
  const statement = sql`
    UPDATE reminder_marks AS mark SET through = coalesce(moved.through, mark.through),
      next_at = coalesce(moved.next_at, mark.next_at), page_after = moved.page_after, page_until = moved.page_until,
      failing_since = NULL
    FROM unnest(${of(({ id }) => id)}::uuid[], ${of(({ through }) => through)}::timestamptz[],
      ${of(({ nextAt }) => nextAt)}::timestamptz[], ${of(({ pageAfter }) => pageAfter)}::uuid[],
      ${of(({ pageUntil }) => pageUntil)}::timestamptz[]) AS moved (id, through, next_at, page_after, page_until)
    WHERE mark.id = moved.id`;
  await tx.run(prepared('reminder_marks.move', statement));
}

/** Workspaces that are looked at in one transaction. Most have nothing to do, which is found out for all together. */
export const workspacesAtOnce = 100;

/**
 * Returns a function that says whether a transaction has taken long. The rest of its workspaces come next time then, because
 * whoever changes one of them waits for it.
 */
export function patience(): () => boolean {
  const until = performance.now() + 200;
  return () => performance.now() > until;
}

/**
 * Decides everything that came due in some workspaces since the last time. It takes a page of items at a time.
 * The locks on the workspaces' marks exclude all other processes.
 */
export async function evaluateWorkspaces(
  database: Database,
  now: Date,
  options: DecisionOptions = {},
): Promise<Evaluated> {
  const claim = (count: number) => sql`
    SELECT id, team_id AS "teamId", through, page_after AS "pageAfter", page_until AS "pageUntil" FROM reminder_marks AS mark
    WHERE next_at <= ${now}::timestamptz AND ${notFrozen('mark')} AND ${notSilent}
    ORDER BY next_at LIMIT ${count} FOR UPDATE SKIP LOCKED`;
  const again = ({ id }: Mark) => sql`
    UPDATE reminder_marks SET next_at = ${new Date(now.getTime() + retryDelayMs)}::timestamptz,
      failing_since = coalesce(failing_since, ${now}::timestamptz)
    WHERE id = ${id}::uuid`;
  const found: Evaluated[] = [];
  const worked = await takeTurns<Mark, Evaluated>(
    database,
    workspacesAtOnce,
    (count) => ({
      claim: prepared('reminder_marks.claim', claim(count)),
      work: async (tx, marks) => ({ ...(await decideMarks(tx, marks, now, options)), worked: true }),
      putBack: ([mark]) => prepared('reminder_marks.again', again(mark)),
      ...{ onFault: options.onFault, idle: noWork, failed: { ...emptyCounts, worked: true } },
    }),
    async (result) => void found.push(result),
  );
  return { ...sumOf(found), worked };
}

/** A span of time to decide about in a workspace. */
interface Window {
  readonly mark: Mark;
  readonly workspace: Workspace;
  readonly from: Date;
  readonly until: Date;
  readonly slots: readonly Slot[];
}

/** Returns what came due in a workspace since the last time. */
function windowOf(mark: Mark, workspace: Workspace, now: Date): Window {
  // If the clock was set back, everything up to the mark has already been decided.
  const until = mark.pageUntil ?? (now > mark.through ? now : mark.through);
  const oldest = addDays(now, -furthestBack);
  const from = mark.through > oldest ? mark.through : oldest;
  const shifts: readonly Shift[] = ['none', 'before', 'after'];
  return {
    mark,
    workspace,
    from,
    until,
    slots: slotsBetween(from, until, workspace, workspace.times, shifts),
  };
}

/** Returns that a workspace's window is decided. */
const decidedMove = ({ mark, workspace, until }: Window): Move => ({
  ...{ id: mark.id, through: until },
  nextAt: nextSlot(until, workspace.timezone, workspace.times),
});

/** Decides what came due in the workspaces of marks, and advances the marks. */
async function decideMarks(
  tx: Transaction,
  marks: readonly Mark[],
  now: Date,
  options: DecisionOptions,
): Promise<DecidedCounts> {
  const isLong = patience();
  const found = await readWorkspaces(
    tx,
    marks.map(({ teamId }) => teamId),
  );
  const workspaces = new Map(found.map((workspace) => [workspace.teamId, workspace]));
  const [moves, windows]: [Move[], Window[]] = [[], []];
  for (const mark of marks) {
    const workspace = workspaces.get(mark.teamId);
    if (!workspace) moves.push({ id: mark.id, nextAt: addDays(now, 1) });
    else if (isMute(workspace, options))
      moves.push({ id: mark.id, nextAt: new Date(now.getTime() + demoAgainMs) });
    else windows.push(windowOf(mark, workspace, now));
  }
  const due = await findWorkspacesDue(tx, windows);
  const [quiet, busy] = [false, true].map((is) =>
    windows.filter(({ workspace }) => due.has(workspace.teamId) === is),
  ) as [Window[], Window[]];
  await moveMarks(tx, [...moves, ...quiet.map(decidedMove)]);
  const decided: DecidedCounts[] = [];
  for (const window of busy) {
    decided.push(
      await decideWindow(tx, window, marks.length > 1 ? { size: sharedPage, ...options } : options),
    );
    if (isLong()) break;
  }
  return sumOf(decided);
}

/** Decides what came due in a workspace, at most a page, and advances its mark. */
async function decideWindow(
  tx: Transaction,
  window: Window,
  { demoMailTo, size = pageSize }: DecisionOptions,
): Promise<DecidedCounts> {
  const { mark, workspace, from, until, slots } = window;
  const { items, next } = await findDue(tx, workspace, slots, mark.pageAfter, size);
  const decided = await decideItems(tx, workspace, items, spanOf(workspace, from, until), demoMailTo);
  await moveMarks(tx, [
    next === null ? decidedMove(window) : { id: mark.id, pageAfter: next, pageUntil: until },
  ]);
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
  // Planned anew: a kept plan would find and sort all items of a large workspace for each batch.
  const [done] = await tx.run<{ last: string | null; count: number }>(
    prepared('reminder_jobs.batch', batch, true),
  );
  const settle =
    done?.last && done.count === jobBatch
      ? sql`UPDATE reminder_jobs SET after = ${done.last}::uuid WHERE id = ${job.id}::uuid`
      : sql`DELETE FROM reminder_jobs WHERE id = ${job.id}::uuid`;
  await tx.run(prepared('reminder_jobs.settle', settle));
  return true;
}
