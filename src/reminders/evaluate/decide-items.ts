import type { Transaction } from '../../db/connection/transaction.js';
import { decide, type Span } from '../../domain/reminders/due.js';
import { todayIn } from '../../domain/status.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { writeDeliveries } from './deliveries.js';
import { type FoundItem, readKnown } from './items.js';
import { writeLedger } from './ledger.js';
import { findTargets } from './targets.js';
import type { Workspace } from './workspace.js';

/** Numbers of decided reminders, by decision. */
export interface DecidedCounts {
  /** Reminders to send. */
  readonly told: number;
  /** Reminders that are only recorded, for example because a later step has passed as well. */
  readonly skipped: number;
  /** Reminders without anybody to send them to. */
  readonly withoutRecipient: number;
}

/** Result of looking for due reminders. */
export interface Evaluated extends DecidedCounts {
  /** True if there was anything to decide. There may be more then. */
  readonly worked: boolean;
}

/** Settings of decisions. */
export interface EvaluateOptions {
  /** Address for all reminders of the demo. Without it, they are not decided. */
  readonly demoMailTo?: string | undefined;
  /** Items of a slot that are decided in one transaction. */
  readonly size?: number;
  /** Called with a workspace in which deciding failed. Others continue. */
  readonly onFault?: ((fault: Error, teamId: string) => void) | undefined;
}

/**
 * Returns whether reminders of a workspace cannot be sent anywhere. Once they can, missed ones are decided.
 */
export const isMute = ({ teamId, organizationId }: Workspace, { demoMailTo }: EvaluateOptions) =>
  demoMailTo === undefined && isDemoWorkspace(teamId, organizationId);

/** Result of a look that decides nothing. */
export const none: DecidedCounts = { told: 0, skipped: 0, withoutRecipient: 0 };
/** Result of a look that finds nothing to decide. */
export const nothing: Evaluated = { ...none, worked: false };

/** Decides about items of a workspace, and stores the decisions and their deliveries. */
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

/** Returns the time span to decide about, in the time zone of a workspace. */
export function spanOf(
  { timezone, workingDays }: Workspace,
  from: Date | null,
  now: Date,
  quiet = false,
): Span {
  return { timezone, workingDays, from, now, today: todayIn(timezone, now), quiet };
}
