import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Condition } from '../db/sql/query.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { deleteRows, insertRows } from '../db/sql/write.js';
import { badField, GatewayError } from '../domain/errors.js';
import { entityTypes } from '../domain/events.js';
import { leadDays, mostPolicies, standardTime, stepsRule } from '../domain/reminders/policy.js';
import { forbidden, may } from '../domain/roles.js';
import { newId, rules } from '../domain/rules.js';
import { DeliverOn, Prisma, type ReminderPolicy, type ReminderStep } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import { type BatchLoader, findLinked, groupByKey } from '../records/loaders.js';
import { lockRecord } from '../records/locking.js';
import { transact } from '../records/record.js';
import { defineResource, type RecordValues, type RulesFor, type Write } from '../records/resource.js';

const { sql } = Prisma;

const policyRules = {
  name: rules.name,
  timeOfDay: rules.timeOfDay.transform((time) => time ?? standardTime),
  deliverOn: z
    .enum(DeliverOn)
    .nullish()
    .transform((days) => days ?? 'ANY'),
  teamId: rules.uuid,
} satisfies RulesFor<Omit<ReminderPolicy, 'leadDays'>>;

/** A step in its policy's values. */
type Step = z.output<typeof stepsRule>[number];

/** A policy. Its steps are read only when it is written. */
export type Policy = ReminderPolicy & { readonly steps?: readonly Step[] };

const policyFilter = z.object({ term: rules.line, teamId: rules.uuid });

/** Filter of the list of reminder policies. */
export type ReminderPolicyFilter = z.input<typeof policyFilter>;

const keyOf = ({ offsetDays, onlyUnacknowledged }: Partial<Step>) =>
  `${offsetDays} ${onlyUnacknowledged ?? false}`;

/** Gives steps the ids of the stored ones with the same offset. By them it is known what was told. */
function withIds(entries: readonly Partial<Step>[], stored: readonly Step[]): Partial<Step>[] {
  const ids = new Map(stored.map((step) => [keyOf(step), step.id]));
  return entries.map((entry, index) => {
    const key = keyOf(entry);
    const isFirst = entries.findIndex((other) => keyOf(other) === key) === index;
    if (!isFirst) throw badField(['steps', index, 'offsetDays'], 'is that of another step');
    return { ...entry, id: ids.get(key) ?? newId() };
  });
}

/** Reads the steps of policies, the earliest first. */
async function readSteps(
  on: Parameters<typeof readRows>[0],
  policyIds: readonly string[],
): Promise<ReminderStep[]> {
  return readRows(on, 'ReminderStep', {
    where: { policyId: { in: policyIds } },
    orderBy: [{ position: 'asc' }],
  });
}

/** Loads the steps of policies, the earliest first. */
export const stepsByPolicy: BatchLoader<ReminderStep[]> = async (session, policyIds) =>
  groupByKey(policyIds, await readSteps(session, policyIds), ({ policyId }) => policyId);

/** Stores the steps of a policy, and how early the first one is. */
async function storeSteps(tx: Transaction, policyId: string, steps: readonly Step[]): Promise<void> {
  await deleteRows(tx, 'ReminderStep', { policyId });
  await insertRows(
    tx,
    'ReminderStep',
    steps.map((step, position) => ({ ...step, policyId, position })),
  );
}

/**
 * Checks that a workspace may have one more policy. Of several who add one at once, each waits for those before.
 * @throws GatewayError CONFLICT
 */
async function checkRoom(tx: Transaction, teamId: string): Promise<void> {
  const lock = sql`SELECT FROM teams WHERE id = ${teamId}::uuid FOR NO KEY UPDATE`;
  const count = sql`
    SELECT count(*)::int AS count FROM (
      SELECT FROM reminder_policies WHERE team_id = ${teamId}::uuid LIMIT ${mostPolicies}
    ) AS policy`;
  // Sent together, and executed one after the other: the second sees what the writers before have left.
  const [, [found]] = await Promise.all([
    tx.run(named('teams.lock_for_policies', lock)),
    tx.run<{ count: number }>(named('reminder_policies.count', count)),
  ]);
  if ((found?.count ?? 0) < mostPolicies) return;
  throw new GatewayError(
    'CONFLICT',
    `The workspace has ${mostPolicies} reminder policies, which is the most it may have.`,
  );
}

/** Finds the workspace of a policy in the bin. */
async function workspaceInBin(tx: Transaction, id: string): Promise<string | undefined> {
  const statement = sql`
    SELECT team_id AS "teamId" FROM bin_entries
    WHERE record_id = ${id}::uuid AND type_id = ${entityTypes.reminderPolicy} LIMIT 1`;
  const [entry] = await tx.run<{ teamId: string }>(named('bin_entries.workspace', statement));
  return entry?.teamId;
}

/**
 * Checks that a workspace's own policy is changed by an admin.
 * @throws GatewayError FORBIDDEN
 */
async function checkOwnership(tx: Transaction, ids: readonly string[]): Promise<void> {
  const { role } = tx.caller;
  if (may(role, 'administer')) return;
  const teams = await readRows(tx, 'Team', { where: { reminderPolicyId: { in: ids } } }, ['id']);
  if (teams.length > 0) throw forbidden(role);
}

/** Reminder policies: their rules, and how they are read and written. */
export const reminderPolicies = defineResource(z.object({ ...policyRules, steps: stepsRule }), {
  kind: 'reminderPolicy',
  references: [],
  uniqueBy: ['name', 'teamId'],
  indexed: ['name'],
  where: (filter) => filterCondition(policyFilter, filter, ['name']),
  title: (policy: Policy) => policy.name,
  resolve: async ({ teamId }, input, current) => {
    if (current && current.teamId !== teamId) throw badField(['teamId'], 'is where the policy stays');
    const steps = input.steps as Partial<Step>[] | null | undefined;
    const stored = (current?.steps ?? []) as Step[];
    if (!Array.isArray(steps)) return input;
    const ordered = [...steps].sort((a, b) => (a.offsetDays ?? 0) - (b.offsetDays ?? 0));
    return { ...input, steps: withIds(ordered, stored) };
  },
  parts: ['steps'],
  readParts: async (tx, ids) => {
    const steps = groupByKey(ids, await readSteps(tx, ids), ({ policyId }) => policyId);
    return new Map(
      ids.map((id, place) => [
        id,
        {
          steps: (steps[place] ?? []).map(({ policyId: _p, position: _o, channelIds: _c, ...step }) => step),
        },
      ]),
    );
  },
  rows: defineRows('ReminderPolicy', (policy): Policy => policy),
  beforeRestore: async (tx, _session, id) => {
    const teamId = await workspaceInBin(tx, id);
    if (teamId !== undefined) await checkRoom(tx, teamId);
  },
  insert: async (tx, { steps, ...policy }) => {
    await checkRoom(tx, policy.teamId);
    const row = { ...policy, leadDays: leadDays(steps) };
    await insertRows(tx, 'ReminderPolicy', [row]);
    await storeSteps(tx, policy.id, steps);
    return { ...row, steps };
  },
  beforeUpdate: async (tx, changes) => {
    await checkOwnership(
      tx,
      changes.map(({ id }) => id),
    );
    for (const { id, before, after } of changes) {
      if (JSON.stringify(before.steps) === JSON.stringify(after.steps)) continue;
      await storeSteps(tx, id, after.steps);
      const lead = sql`UPDATE reminder_policies SET lead_days = ${leadDays(after.steps)} WHERE id = ${id}::uuid`;
      await tx.run(named('reminder_policies.lead', lead));
    }
  },
});

/**
 * Checks that the reminder policy of a record is one of its workspace. One that a record had before it moved stays
 * behind.
 * @throws GatewayError BAD_REQUEST for a policy of another workspace
 */
export async function resolvePolicy(
  { tx, teamId }: Write,
  input: Condition,
  current: RecordValues | undefined,
): Promise<Condition> {
  const id = input.reminderPolicyId;
  if (typeof id !== 'string' || (id === current?.reminderPolicyId && teamId === current?.teamId))
    return input;
  const policy = (await findLinked(tx, 'reminderPolicy', id)) as ReminderPolicy | null;
  // That it names none that exists is told with the other references.
  if (!policy || policy.teamId === teamId) return input;
  if (id === current?.reminderPolicyId) return { ...input, reminderPolicyId: null };
  throw badField(['reminderPolicyId'], 'names a reminder policy of another workspace');
}

/**
 * Applies a policy to the items that follow it. What comes due is told anyway, and `now` asks for what has passed, too.
 * A job goes through the items.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED
 */
export function applyPolicy(session: Session, id: string, now: boolean): Promise<Policy> {
  return transact(session, reminderPolicies, async (tx) => {
    const policy = await lockRecord(tx, session, reminderPolicies, id);
    const { organizationId, teamId } = policy;
    const job = { id: newId(), organizationId, teamId, kind: 'CHECK' as const, policyId: policy.id };
    if (now) await insertRows(tx, 'ReminderJob', [{ ...job, created: session.now }]);
    return policy;
  });
}
