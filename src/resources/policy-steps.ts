import type * as z from 'zod';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/columns.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, insertRows } from '../db/sql/write.js';
import { badField } from '../domain/errors.js';
import type { stepsRule } from '../domain/reminders/policy.js';
import { newId } from '../domain/rules.js';
import { type BatchLoader, groupByKey } from '../records/loaders.js';

/** A step in its policy's values. */
export type Step = z.output<typeof stepsRule>[number];

const keyOf = ({ offsetDays, onlyUnacknowledged }: Partial<Step>) =>
  `${offsetDays} ${onlyUnacknowledged ?? false}`;

/**
 * Gives steps the ids of the stored ones with the same offset. By them it is known what was told. Who does not know of
 * chat channels, such as a client of REST, keeps those of the stored step.
 */
export function withIds(entries: readonly Partial<Step>[], stored: readonly Step[]): Partial<Step>[] {
  const known = new Map(stored.map((step) => [keyOf(step), step]));
  return entries.map((entry, index) => {
    const key = keyOf(entry);
    const isFirst = entries.findIndex((other) => keyOf(other) === key) === index;
    if (!isFirst) throw badField(['steps', index, 'offsetDays'], 'is that of another step');
    const { id = newId(), channelIds = [] } = known.get(key) ?? {};
    return { ...entry, id, channelIds: entry.channelIds ?? channelIds };
  });
}

/** Reads the steps of policies, the earliest first. */
export async function readSteps(
  on: Parameters<typeof readRows>[0],
  policyIds: readonly string[],
): Promise<RowOf<'ReminderStep'>[]> {
  return readRows(on, 'ReminderStep', {
    where: { policyId: { in: policyIds } },
    orderBy: [{ position: 'asc' }],
  });
}

/** Loads the steps of policies, the earliest first. */
export const stepsByPolicy: BatchLoader<RowOf<'ReminderStep'>[]> = async (session, policyIds) =>
  groupByKey(policyIds, await readSteps(session, policyIds), ({ policyId }) => policyId);

/** Stores the steps of a policy, and how early the first one is. */
export async function storeSteps(tx: Transaction, policyId: string, steps: readonly Step[]): Promise<void> {
  await deleteRows(tx, 'ReminderStep', { policyId });
  await insertRows(
    tx,
    'ReminderStep',
    steps.map((step, position) => ({ ...step, policyId, position })),
  );
}
