import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notFrozen } from '../../db/queue/frozen.js';
import { notSilent } from '../../db/queue/silence.js';
import { sweep } from '../../db/queue/sweep.js';
import { takeTurn } from '../../db/queue/turn.js';
import { sql } from '../../db/sql/sql.js';
import { nextSlot } from '../../domain/reminders/slots.js';
import {
  type DecidedCounts,
  decideItems,
  type Evaluated,
  type EvaluateOptions,
  isMute,
  none,
  nothing,
  spanOf,
} from './decide-items.js';
import { readItems } from './items.js';
import { readWorkspace } from './workspace.js';

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
  options: EvaluateOptions = {},
): Promise<Evaluated> {
  const among = (checks: readonly Check[]) => sql`id = ANY(${checks.map(({ id }) => id)}::uuid[])`;
  return takeTurn<Check, Evaluated>(database, {
    claim: named('reminder_checks.claim', claim),
    async work(tx, checks) {
      await tx.run(named('reminder_checks.done', sql`DELETE FROM reminder_checks WHERE ${among(checks)}`));
      return { ...(await decideChecks(tx, checks, now, options)), worked: true };
    },
    putBack: (checks) => named('reminder_checks.again', sql`${later} WHERE ${among(checks)}`),
    ...{ onFault: options.onFault, idle: nothing, failed: nothing },
  });
}

/** Decides about the checked items of one workspace. */
async function decideChecks(
  tx: Transaction,
  checks: readonly [Check, ...Check[]],
  now: Date,
  options: EvaluateOptions,
): Promise<DecidedCounts> {
  const [{ teamId }] = checks;
  const workspace = await readWorkspace(tx, teamId);
  if (!workspace || isMute(workspace, options)) return none;
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
  await tx.run(named('reminder_marks.sooner', sooner));
  return { ...decided, skipped: decided.skipped + noted.skipped };
}

/** Drops requested checks while nothing can be sent. Due reminders are decided once mail works. */
export async function dropChecks(database: Database): Promise<void> {
  await sweep(database, { table: 'reminder_checks', where: sql`TRUE`, order: 'requested_at', page: 10_000 });
}
