import type { Database } from '../../db/connection/database.js';
import { unavailableOf } from '../../db/connection/errors.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { decide, type Span } from '../../domain/reminders/due.js';
import { nextSlot, type Shift, slotsBetween } from '../../domain/reminders/slots.js';
import { addDays, todayIn } from '../../domain/status.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { Prisma } from '../../generated/prisma/client.js';
import { writeDeliveries } from './deliveries.js';
import { type FoundItem, findDue, readItems, readKnown } from './items.js';
import { writeLedger } from './ledger.js';
import { findTargets } from './targets.js';
import { readWorkspace, type Workspace } from './workspace.js';

const { sql } = Prisma;

/** Items of a slot that are decided in one transaction. */
export const pageSize = 10_000;

/** Changed items that are checked in one transaction. */
const checksAtOnce = 500;

/** Days that are looked back at most: what is older is long past. */
const furthestBack = 366;

/** Numbers of reminders that were decided, by what was. */
export interface DecidedCounts {
  /** Reminders that are told. */
  readonly told: number;
  /** Reminders that are only noted, as when a later step has passed as well. */
  readonly skipped: number;
  /** Reminders that nobody could be told. */
  readonly withoutRecipient: number;
}

/** Result of a look for due reminders. */
export interface Evaluated extends DecidedCounts {
  /** True if there was anything to decide. There may be more then. */
  readonly worked: boolean;
}

/** Settings of decisions. */
export interface EvaluateOptions {
  /** Address that all reminders of the demo go to; absent: they are not decided. */
  readonly demoMailTo?: string | undefined;
  /** Items of a slot that are decided in one transaction. */
  readonly size?: number;
  /** Told of a workspace that nothing can be decided in. Others go on. */
  readonly onFault?: ((fault: Error, teamId: string) => void) | undefined;
}

/** Milliseconds after which a workspace is tried again in which nothing could be decided. */
export const againMs = 60_000;

/** Milliseconds between looks for an address that the demo's reminders go to. */
const demoAgainMs = 60_000;

/** Tells whether reminders of a workspace have nowhere to go. When they have, what was missed is decided. */
const isMute = ({ teamId, organizationId }: Workspace, { demoMailTo }: EvaluateOptions) =>
  demoMailTo === undefined && isDemoWorkspace(teamId, organizationId);

const none: DecidedCounts = { told: 0, skipped: 0, withoutRecipient: 0 };
const nothing: Evaluated = { ...none, worked: false };

/** Decides about items of a workspace, writes it down, and what tells it. */
async function decideItems(
  tx: Transaction,
  workspace: Workspace,
  items: readonly FoundItem[],
  span: Span,
  demoMailTo: string | undefined,
): Promise<DecidedCounts> {
  const known = await readKnown(tx, items);
  const decided = items.flatMap((item) =>
    decide(item, span, (stepKey) => known(item, stepKey)).map((decision) => ({ item, decision })),
  );
  const { told, skipped } = await writeLedger(tx, workspace, decided, span.now);
  const insteadOfAll = isDemoWorkspace(workspace.teamId, workspace.organizationId) ? demoMailTo : undefined;
  const targets = await findTargets(tx, workspace, told, span.now, { insteadOfAll });
  const withoutRecipient = await writeDeliveries(tx, workspace, told, targets, span.now);
  return { told: told.length - withoutRecipient, skipped, withoutRecipient };
}

interface Mark {
  readonly id: string;
  readonly teamId: string;
  readonly through: Date;
  readonly pageAfter: string | null;
  readonly pageUntil: Date | null;
}

function spanOf({ timezone, workingDays }: Workspace, from: Date | null, now: Date, quiet = false): Span {
  return { timezone, workingDays, from, now, today: todayIn(timezone, now), quiet };
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
      page_until = ${pageUntil}::timestamptz
    WHERE id = ${id}::uuid`;
  await tx.run(named('reminder_marks.move', statement));
}

/**
 * Decides what came due in one workspace since it was last asked. It takes a page of items at a time. The lock of its
 * mark keeps all other processes from it.
 */
export function evaluateWorkspace(
  database: Database,
  now: Date,
  options: EvaluateOptions = {},
): Promise<Evaluated> {
  return database.inTransaction(async (tx) => {
    const claim = sql`
      SELECT id, team_id AS "teamId", through, page_after AS "pageAfter", page_until AS "pageUntil" FROM reminder_marks
      WHERE next_at <= ${now}::timestamptz ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
    const [mark] = await tx.run<Mark>(named('reminder_marks.claim', claim));
    if (!mark) return nothing;
    try {
      const decided = await tx.inTransaction((part) => decideMark(part, mark, now, options));
      return { ...decided, worked: true };
    } catch (error) {
      // What passes by itself is tried again with all.
      if (unavailableOf(error)) throw error;
      const again = sql`
        UPDATE reminder_marks SET next_at = ${new Date(now.getTime() + againMs)}::timestamptz
        WHERE id = ${mark.id}::uuid`;
      await tx.run(named('reminder_marks.again', again));
      options.onFault?.(error as Error, mark.teamId);
      return { ...none, worked: true };
    }
  });
}

/** Decides what came due in the workspace of a mark, and moves the mark on. */
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
  // The clock was put back: what has passed by then is decided already.
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
    const times = workspace.times.length > 0 ? workspace.times : ['00:00'];
    await moveMark(tx, mark.id, { through: until, nextAt: nextSlot(until, workspace.timezone, times) });
  }
  return decided;
}

interface Check {
  readonly id: string;
  readonly teamId: string;
  readonly itemId: string;
  readonly quiet: boolean;
}

/** Takes up to so many requested checks, those of one workspace. */
async function takeChecks(tx: Transaction): Promise<Check[]> {
  const statement = sql`
    DELETE FROM reminder_checks WHERE id IN (
      SELECT id FROM reminder_checks
      WHERE team_id = (SELECT team_id FROM reminder_checks ORDER BY requested_at LIMIT 1)
      ORDER BY requested_at LIMIT ${checksAtOnce} FOR UPDATE SKIP LOCKED
    )
    RETURNING id, team_id AS "teamId", item_id AS "itemId", quiet`;
  return tx.run<Check>(named('reminder_checks.take', statement));
}

/** Decides about items that changed. Of what has passed for their date, the last is told, if anything is. */
export function evaluateChecks(
  database: Database,
  now: Date,
  options: EvaluateOptions = {},
): Promise<Evaluated> {
  return database.inTransaction(async (tx) => {
    let checks: Check[] = [];
    try {
      return await tx.inTransaction(async (part) => {
        checks = await takeChecks(part);
        return checks.length === 0
          ? nothing
          : { ...(await decideChecks(part, checks, now, options)), worked: true };
      });
    } catch (error) {
      const [first] = checks;
      if (!first || unavailableOf(error)) throw error;
      // Behind those of all other workspaces, which have their turn next.
      const ids = checks.map(({ id }) => id);
      const last = sql`
        UPDATE reminder_checks SET requested_at = clock_timestamp() WHERE id = ANY(${ids}::uuid[])`;
      await tx.run(named('reminder_checks.again', last));
      options.onFault?.(error as Error, first.teamId);
      return nothing;
    }
  });
}

/** Decides about the items of checks of one workspace. */
async function decideChecks(
  tx: Transaction,
  checks: readonly Check[],
  now: Date,
  options: EvaluateOptions,
): Promise<DecidedCounts> {
  const teamId = checks[0]?.teamId ?? '';
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
  // An item may have brought a time of day of its own.
  const next = nextSlot(now, workspace.timezone, workspace.times.length > 0 ? workspace.times : ['00:00']);
  const sooner = sql`
    UPDATE reminder_marks SET next_at = ${next}::timestamptz
    WHERE team_id = ${teamId}::uuid AND next_at > ${next}::timestamptz`;
  await tx.run(named('reminder_marks.sooner', sooner));
  return { ...decided, skipped: decided.skipped + noted.skipped };
}

/**
 * Gives up requested checks while nothing can be told. What is due is decided when it can.
 */
export async function dropChecks(database: Database): Promise<void> {
  const statement = sql`
    DELETE FROM reminder_checks WHERE id IN (
      SELECT id FROM reminder_checks ORDER BY requested_at LIMIT 10000 FOR UPDATE SKIP LOCKED
    )`;
  await database.query(named('reminder_checks.drop', statement));
}
