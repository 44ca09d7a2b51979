import type { Transaction } from '../../db/connection/transaction.js';
import { decide, type Span } from '../../domain/reminders/due.js';
import { todayIn } from '../../domain/status.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { writeDeliveries } from './deliveries.js';
import { type FoundItem, readKnown } from './items.js';
import { writeLedger } from './ledger.js';
import { findTargets } from './targets.js';
import type { Workspace } from './workspace.js';

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

/** Tells whether reminders of a workspace have nowhere to go. When they have, what was missed is decided. */
export const isMute = ({ teamId, organizationId }: Workspace, { demoMailTo }: EvaluateOptions) =>
  demoMailTo === undefined && isDemoWorkspace(teamId, organizationId);

/** Result of a look that decides nothing. */
export const none: DecidedCounts = { told: 0, skipped: 0, withoutRecipient: 0 };
/** Result of a look that finds nothing to decide. */
export const nothing: Evaluated = { ...none, worked: false };

/** Decides about items of a workspace, writes it down, and what tells it. */
export async function decideItems(
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

/** Returns the time that is decided about, in the time zone of a workspace. */
export function spanOf(
  { timezone, workingDays }: Workspace,
  from: Date | null,
  now: Date,
  quiet = false,
): Span {
  return { timezone, workingDays, from, now, today: todayIn(timezone, now), quiet };
}
