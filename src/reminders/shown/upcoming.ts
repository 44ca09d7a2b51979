import type { Runs } from '../../db/connection/transaction.js';
import { GatewayError } from '../../domain/errors.js';
import { type Candidate, snoozeKey } from '../../domain/reminders/due.js';
import { type Ahead, upcoming } from '../../domain/reminders/upcoming.js';
import { newId } from '../../domain/rules.js';
import { addDays } from '../../domain/status.js';
import { type FoundItem, readKnown } from '../evaluate/items.js';
import { type FoundTarget, findTargets } from '../evaluate/targets.js';
import { type PolicyStep, readWorkspace, type Workspace } from '../evaluate/workspace.js';
import { mostTargets } from './reminders.js';
import { findUpcoming } from './upcoming-items.js';

/** The most days ahead. */
export const mostDays = 90;

/** The most workspaces in one request. */
export const mostWorkspaces = 50;

/** Items that are read with one statement, and items examined for one page. */
const [pageSize, mostItems] = [2_000, 100_000];

/** Reminder that will be sent if nothing changes. */
export interface UpcomingReminder {
  /** Sort key among those of the same time. */
  readonly key: string;
  readonly at: Date;
  readonly teamId: string;
  readonly itemId: string;
  readonly itemName: string;
  readonly expirationDate: Date;
  readonly occurrence: number;
  readonly isAfterSnooze: boolean;
  readonly step: PolicyStep;
  readonly recipients: readonly FoundTarget[];
}

/** A page of upcoming reminders. It starts after a position, in the order of time. */
export interface UpcomingQuery {
  readonly teamIds: readonly string[];
  readonly now: Date;
  readonly days: number;
  readonly after: { readonly at: Date; readonly key: string } | undefined;
  readonly limit: number;
}

type Planned = Omit<UpcomingReminder, 'recipients'> & { readonly workspace: Workspace };

const byPlace = (a: Pick<Planned, 'at' | 'key'>, b: Pick<Planned, 'at' | 'key'>) =>
  a.at.getTime() - b.at.getTime() || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

const toPlanned = (workspace: Workspace, item: FoundItem, candidate: Candidate): Planned => ({
  key: `${item.id} ${candidate.stepKey} ${candidate.occurrence}`,
  at: candidate.slot,
  teamId: workspace.teamId,
  itemId: item.id,
  itemName: item.name,
  expirationDate: item.expirationDate,
  occurrence: candidate.stepKey === snoozeKey ? 0 : candidate.occurrence,
  isAfterSnooze: candidate.stepKey === snoozeKey,
  // The step belongs to the item, which got it from the workspace's policies.
  step: candidate.step as PolicyStep,
  workspace,
});

/** Finds the first reminders of a span, by pages of items. It keeps only as many as requested. */
async function scan(
  on: Runs,
  workspaces: readonly Workspace[],
  span: Pick<Ahead, 'from' | 'until' | 'now'>,
  { after, limit }: UpcomingQuery,
  budget: { items: number },
): Promise<Planned[]> {
  let kept: Planned[] = [];
  for (const workspace of workspaces) {
    const ahead = { ...span, timezone: workspace.timezone, workingDays: workspace.workingDays };
    let last: string | null = null;
    for (let more = true; more; ) {
      const items: FoundItem[] = await findUpcoming(on, workspace, ahead, last, pageSize);
      const known = await readKnown(on, items);
      const planned = items.flatMap((item) =>
        upcoming(item, ahead, (stepKey) => known(item, stepKey)).map((one) =>
          toPlanned(workspace, item, one),
        ),
      );
      const fresh = planned.filter((one) => !after || byPlace(one, after) > 0);
      kept = [...kept, ...fresh].sort(byPlace).slice(0, limit);
      budget.items -= items.length;
      if (budget.items < 0)
        throw new GatewayError(
          'BAD_REQUEST',
          'Too many items are due: ask for one workspace, or fewer days.',
        );
      last = items.at(-1)?.id ?? null;
      more = items.length === pageSize;
    }
  }
  return kept;
}

/** Adds the recipients of reminders. */
async function withRecipients(on: Runs, planned: readonly Planned[], now: Date): Promise<UpcomingReminder[]> {
  const asked = planned.map((one) => ({ ...one, id: newId() }));
  const recipients = new Map<string, FoundTarget[]>();
  for (const workspace of new Set(asked.map((one) => one.workspace))) {
    const own = asked.filter((one) => one.workspace === workspace);
    for (const target of await findTargets(on, workspace, own, now, { most: mostTargets })) {
      recipients.set(target.reminderId, [...(recipients.get(target.reminderId) ?? []), target]);
    }
  }
  return asked.map(({ workspace: _, id, ...one }) => ({
    ...one,
    recipients: recipients.get(id) ?? [],
  }));
}

/**
 * Lists the reminders of the next days if nothing changes. It examines near days first, and no more than it
 * needs.
 * @returns one more than requested, if there are more
 * @throws GatewayError BAD_REQUEST if there are too many items to examine
 */
export async function listUpcoming(on: Runs, query: UpcomingQuery): Promise<UpcomingReminder[]> {
  const { teamIds, now, days, after, limit } = query;
  const found = await Promise.all(teamIds.map((teamId) => readWorkspace(on, teamId)));
  const workspaces = found.filter((workspace) => workspace !== undefined);
  const end = addDays(now, days);
  // Reminders of the cursor's exact time may come after it.
  let from = after && after.at > now ? new Date(after.at.getTime() - 1) : now;
  const planned: Planned[] = [];
  const budget = { items: mostItems };
  for (let width = 1; from < end && planned.length < limit; width *= 2) {
    const until = new Date(Math.min(addDays(from, width).getTime(), end.getTime()));
    const rest = { ...query, limit: limit - planned.length };
    planned.push(...(await scan(on, workspaces, { from, until, now }, rest, budget)));
    from = until;
  }
  return withRecipients(on, planned, now);
}
