import type { Database } from '../../db/connection/database.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notFrozen } from '../../db/queue/frozen.js';
import { notSilent } from '../../db/queue/silence.js';
import { takeTurn } from '../../db/queue/turn.js';
import { sql } from '../../db/sql/sql.js';
import { nextSlot, type Shift, slotsBetween } from '../../domain/reminders/slots.js';
import { addDays } from '../../domain/status.js';
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
import { findDue } from './items.js';
import { readWorkspace } from './workspace.js';

/** Items of a slot that are decided in one transaction. */
export const pageSize = 10_000;

/** The most days to look back after the gateway was down. Anything older is long past. */
export const furthestBack = 366;

/** Milliseconds before retrying a workspace in which deciding failed. */
export const againMs = 60_000;

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
  await tx.run(named('reminder_marks.move', statement));
}

/**
 * Decides everything that came due in one workspace since the last time. It takes a page of items at a time.
 * The lock on the workspace's mark excludes all other processes.
 */
export function evaluateWorkspace(
  database: Database,
  now: Date,
  options: EvaluateOptions = {},
): Promise<Evaluated> {
  const claim = sql`
    SELECT id, team_id AS "teamId", through, page_after AS "pageAfter", page_until AS "pageUntil" FROM reminder_marks AS mark
    WHERE next_at <= ${now}::timestamptz AND ${notFrozen('mark')} AND ${notSilent}
    ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
  const again = ({ id }: Mark) => sql`
    UPDATE reminder_marks SET next_at = ${new Date(now.getTime() + againMs)}::timestamptz,
      failing_since = coalesce(failing_since, ${now}::timestamptz)
    WHERE id = ${id}::uuid`;
  return takeTurn<Mark, Evaluated>(database, {
    claim: named('reminder_marks.claim', claim),
    work: async (tx, [mark]) => ({ ...(await decideMark(tx, mark, now, options)), worked: true }),
    putBack: ([mark]) => named('reminder_marks.again', again(mark)),
    ...{ onFault: options.onFault, idle: nothing, failed: { ...none, worked: true } },
  });
}

/** Decides what came due in the workspace of a mark, and advances the mark. */
async function decideMark(
  tx: Transaction,
  mark: Mark,
  now: Date,
  options: EvaluateOptions,
): Promise<DecidedCounts> {
  const { demoMailTo, size = pageSize } = options;
  const workspace = await readWorkspace(tx, mark.teamId);
  if (!workspace) {
    await moveMark(tx, mark.id, { nextAt: addDays(now, 1) });
    return none;
  }
  if (isMute(workspace, options)) {
    await moveMark(tx, mark.id, { nextAt: new Date(now.getTime() + demoAgainMs) });
    return none;
  }
  // If the clock was set back, everything up to the mark has already been decided.
  const until = mark.pageUntil ?? (now > mark.through ? now : mark.through);
  const oldest = addDays(now, -furthestBack);
  const from = mark.through > oldest ? mark.through : oldest;
  const shifts: readonly Shift[] = ['none', 'before', 'after'];
  const slots = slotsBetween(from, until, workspace, workspace.times, shifts);
  const items = slots.length === 0 ? [] : await findDue(tx, workspace, slots, mark.pageAfter, size);
  const decided = await decideItems(tx, workspace, items, spanOf(workspace, from, until), demoMailTo);
  const last = items.at(-1);
  if (last && items.length === size) {
    await moveMark(tx, mark.id, { pageAfter: last.id, pageUntil: until });
  } else {
    const nextAt = nextSlot(until, workspace.timezone, workspace.times);
    await moveMark(tx, mark.id, { through: until, nextAt });
  }
  return decided;
}
