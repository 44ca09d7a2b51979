import type { Session } from '../../db/connection/session.js';
import type { Statement } from '../../db/connection/statement.js';
import type { Runs } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { groupBy } from '../../domain/load/grouping.js';
import { dayAt } from '../../domain/reminders/slots.js';
import { nextUpcoming } from '../../domain/reminders/upcoming.js';
import { newId } from '../../domain/rules.js';
import type { BatchLoader } from '../../records/loaders.js';
import { readItems, readKnown } from '../evaluate/items.js';
import { type FoundTarget, findTargets } from '../evaluate/targets.js';
import { type PolicyStep, readWorkspace } from '../evaluate/workspace.js';
import { mostTargets } from './reminders.js';

/** Next reminder of an item if nothing changes. */
export interface NextReminder {
  /** The day in the workspace, at midnight UTC. */
  readonly on: Date;
  readonly at: Date;
  readonly step: PolicyStep;
  readonly recipients: readonly FoundTarget[];
}

/** Lets a session run the evaluator's reading statements. Statements of one turn share a connection. */
export const readingOf = (session: Session): Runs => ({
  run: <Row>(statement: Statement) => session.lookUp<Row>(statement),
});

/** Excludes contacts whose workspaces a caller does not see. */
export const seenBy =
  (teamIds: readonly string[]) =>
  ({ home }: FoundTarget): boolean =>
    home === null || teamIds.includes(home);

/** Estimated work of finding an item's next reminder, in bytes read. */
const readBytesOfItem = 1024;

async function readNext(
  session: Session,
  teamId: string,
  itemIds: readonly string[],
): Promise<(readonly [string, NextReminder])[]> {
  const { now, slices } = session;
  const on = readingOf(session);
  const workspace = await readWorkspace(on, teamId);
  if (!workspace) return [];
  const { timezone, workingDays } = workspace;
  const items = await readItems(on, workspace, itemIds);
  const known = await readKnown(on, items);
  slices.addRead(items.length * readBytesOfItem);
  const next: { id: string; itemId: string; at: Date; step: PolicyStep }[] = [];
  for (const item of items) {
    if (slices.isOver) await slices.next();
    const found = nextUpcoming(item, { now, timezone, workingDays }, (stepKey) => known(item, stepKey));
    if (found) next.push({ id: newId(), itemId: item.id, at: found.slot, step: found.step as PolicyStep });
  }
  const told = groupBy(
    await findTargets(on, workspace, next, now, { most: mostTargets }),
    (one) => one.reminderId,
  );
  const targets = new Map(told.map((own) => [own[0]?.reminderId, own]));
  return next.map(({ id, itemId, at, step }) => {
    const recipients = (targets.get(id) ?? []).filter(seenBy(session.caller.teamIds));
    return [itemId, { on: dayAt(at, timezone), at, step, recipients }] as const;
  });
}

/** Loads the next reminders of items, with a few statements per workspace. */
export const nextReminders: BatchLoader<NextReminder | null> = async (session, itemIds) => {
  const items = await readRows(session, 'ExpirationItem', { where: { id: { in: itemIds } } }, [
    'id',
    'teamId',
  ]);
  const found = await Promise.all(
    groupBy(items, ({ teamId }) => teamId).map((own) =>
      readNext(
        session,
        own[0]?.teamId ?? '',
        own.map(({ id }) => id),
      ),
    ),
  );
  const next = new Map(found.flat());
  return itemIds.map((id) => next.get(id) ?? null);
};
