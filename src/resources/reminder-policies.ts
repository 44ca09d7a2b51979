import * as z from 'zod';
import { enums } from '../../prisma/generated/columns.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Condition, RowOf } from '../db/sql/conditions.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { deleteRows, insertRows } from '../db/sql/write.js';
import { forbidden, may } from '../domain/caller.js';
import { badField, GatewayError } from '../domain/errors.js';
import { entityTypes } from '../domain/models.js';
import { itemDates, leadDays, maxPolicies, standardTime, stepsRule } from '../domain/reminders/policy.js';
import { isUuid, newId, rules } from '../domain/rules.js';
import { declareResource } from '../records/declare/declare.js';
import { exposed, link, parts } from '../records/declare/fields.js';
import { type BatchLoader, findLinked, groupByKey } from '../records/loaders.js';
import { lockRecord } from '../records/locks.js';
import { transact } from '../records/record.js';
import type { RecordValues, Write } from '../records/resource.js';

/** A step in its policy's values. */
type Step = z.output<typeof stepsRule>[number];

const keyOf = ({ about, offsetDays, onlyUnacknowledged }: Partial<Step>) =>
  `${about ?? ''} ${offsetDays} ${onlyUnacknowledged ?? false}`;

/**
 * Gives steps the ids of the stored ones with the same offset. By them it is known what was told. Who does not know of
 * dates, chat channels or links, such as an older client, keeps those of the stored step.
 */
function withIds(entries: readonly Partial<Step>[], stored: readonly Step[]): Partial<Step>[] {
  const left = new Map(stored.map((step) => [keyOf(step), step]));
  const keys = new Set<string>();
  return entries.map((entry, index) => {
    const dates = entry.about === undefined ? [null, ...itemDates] : [entry.about];
    const step = dates.flatMap((about) => left.get(keyOf({ ...entry, about })) ?? [])[0];
    const about = step?.about ?? entry.about ?? null;
    const key = keyOf({ ...entry, about });
    if (keys.has(key)) throw badField(['steps', index, 'offsetDays'], 'is that of another step');
    keys.add(key);
    left.delete(key);
    const { id = newId(), channelIds = [], asksForDocument = false } = step ?? {};
    return {
      ...{ ...entry, about, id },
      channelIds: entry.channelIds ?? channelIds,
      asksForDocument: entry.asksForDocument ?? asksForDocument,
    };
  });
}

/** Reads the steps of policies, the earliest first. */
async function readSteps(
  on: Parameters<typeof readRows>[0],
  policyIds: readonly string[],
): Promise<RowOf<'ReminderStep'>[]> {
  return readRows(on, 'ReminderStep', {
    where: { policyId: { in: policyIds } },
    orderBy: [{ position: 'asc' }],
  });
}

/** Loads the steps of policies, the earliest first. */
const stepsByPolicy: BatchLoader<RowOf<'ReminderStep'>[]> = async (session, policyIds) =>
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

const deliverOnRule = z
  .enum(enums.DeliverOn)
  .nullish()
  .transform((days) => days ?? 'ANY');

/** A policy. Its steps are read only when it is written. */
export type Policy = RowOf<'ReminderPolicy'> & { readonly steps?: readonly Step[] };

/**
 * Checks that a workspace may have one more policy. Of several who add one at once, each waits for those before.
 * @throws GatewayError CONFLICT
 */
async function checkRoom(tx: Transaction, teamId: string): Promise<void> {
  const lock = sql`SELECT FROM teams WHERE id = ${teamId}::uuid FOR NO KEY UPDATE`;
  const count = sql`
    SELECT count(*)::int AS count FROM (
      SELECT FROM reminder_policies WHERE team_id = ${teamId}::uuid LIMIT ${maxPolicies}
    ) AS policy`;
  // Sent together, and executed one after the other: the second sees what the writers before have left.
  const [, [found]] = await Promise.all([
    tx.run(prepared('teams.lock_for_policies', lock)),
    tx.run<{ count: number }>(prepared('reminder_policies.count', count)),
  ]);
  if ((found?.count ?? 0) < maxPolicies) return;
  throw new GatewayError(
    'CONFLICT',
    `The workspace has ${maxPolicies} reminder policies, which is the most it may have.`,
  );
}

/** Finds the workspace of a policy in the bin. */
async function workspaceInBin(tx: Transaction, id: string): Promise<string | undefined> {
  const statement = sql`
    SELECT team_id AS "teamId" FROM bin_entries
    WHERE record_id = ${id}::uuid AND type_id = ${entityTypes.reminderPolicy} LIMIT 1`;
  const [entry] = await tx.run<{ teamId: string }>(prepared('bin_entries.workspace', statement));
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

/** Checks that the channels of steps are those of the workspace. Those that a step has already may be gone. */
async function checkChannels(
  tx: Transaction,
  teamId: string,
  steps: readonly Partial<Step>[],
  stored: readonly Step[],
  problems: Write['problems'],
): Promise<void> {
  const before = new Set(stored.flatMap(({ channelIds }) => channelIds));
  const named = steps.flatMap(({ channelIds }, at) =>
    (channelIds ?? []).map((id, place) => ({
      id: String(id).toLowerCase(),
      path: ['steps', at, 'channelIds', place],
    })),
  );
  const ids = named.map(({ id }) => id).filter((id) => isUuid(id) && !before.has(id));
  if (ids.length === 0) return;
  const found = await readRows(tx, 'Channel', { where: { teamId, id: { in: ids } } }, ['id']);
  const known = new Set(found.map(({ id }) => id));
  for (const { id, path } of named)
    if (ids.includes(id) && !known.has(id))
      problems.add(path, 'names no channel of the workspace', 'reference');
}

/** Reminder policies: when people are told of what expires, and who. */
export const reminderPolicies = declareResource('ReminderPolicy', {
  fields: {
    id: exposed(),
    name: exposed(rules.name),
    timeOfDay: exposed(rules.timeOfDay.transform((time) => time ?? standardTime)),
    deliverOn: exposed(deliverOnRule, {
      enum: {
        about: 'The days on which reminders are sent.',
        values: {
          ANY: 'Every day.',
          WORKING_DAYS:
            'Only the working days of the workspace. A reminder for another day is sent on the working day before it, or, if it is after the expiration date, on the working day after it.',
        },
      },
    }),
    leadDays: exposed(),
    contactsMayRenew: exposed(rules.flag(false)),
    steps: parts(stepsRule, {
      type: 'ReminderStep',
      description: 'The steps of the policy, the earliest first.',
      load: stepsByPolicy,
    }),
    teamId: exposed(rules.uuid, { to: 'team' }),
    team: link('teamId', 'The workspace the policy belongs to.', {
      ordered: false,
      list: 'The reminder policies of the workspace.',
    }),
    created: exposed(),
    modified: exposed(),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    teamId: 'Reminder policies in this workspace.',
  },
  uniqueBy: ['name', 'teamId'],
  indexed: ['name'],
  title: (policy) => policy.name,
  resolve: async ({ tx, teamId, problems }, input, current) => {
    if (current && current.teamId !== teamId) throw badField(['teamId'], 'is where the policy stays');
    const steps = input.steps as Partial<Step>[] | null | undefined;
    const stored = (current?.steps ?? []) as Step[];
    if (!Array.isArray(steps)) return input;
    await checkChannels(tx, teamId, steps, stored, problems);
    const ordered = [...steps].sort((a, b) => (a.offsetDays ?? 0) - (b.offsetDays ?? 0));
    return { ...input, steps: withIds(ordered, stored) };
  },
  readParts: async (tx, ids) => {
    const steps = groupByKey(ids, await readSteps(tx, ids), ({ policyId }) => policyId);
    return new Map(
      ids.map((id, place) => [
        id,
        {
          steps: (steps[place] ?? []).map(({ policyId: _p, position: _o, ...step }) => step),
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
      await tx.run(prepared('reminder_policies.lead', lead));
    }
  },
  rest: {
    tag: 'Reminder policies',
    about:
      'Who is reminded of what expires, and when. A policy belongs to a workspace, a document type or an item.',
    model: 'ReminderPolicyModel',
    models: {
      ReminderStepModel: {
        type: 'ReminderStep',
        members: [
          'id',
          'about',
          'offsetDays',
          'repeatEveryDays',
          'repeatCount',
          'onlyUnacknowledged',
          'asksForDocument',
          'recipients',
          'addresses',
        ],
      },
    },
    records: { '/v1/reminderpolicies': { kind: 'policy', name: 'Driver licences', deleted: 'Leases' } },
    term: 'licences',
    routes: {
      'GET /v1/reminderpolicies': {
        origin: 'addition',
        summary: 'Lists reminder policies with their steps.',
      },
      'POST /v1/reminderpolicies': {
        origin: 'addition',
        example: {
          name: 'Permits',
          time_of_day: '07:30',
          deliver_on: 'working_days',
          steps: [
            { offset_days: -30 },
            { offset_days: -14, asks_for_document: true },
            { offset_days: -7, only_unacknowledged: true, recipients: ['assignee', 'admins'] },
            { offset_days: 1, repeat_every_days: 7, addresses: ['office@example.com'] },
          ],
        },
      },
      'GET /v1/reminderpolicies/{id}': {
        origin: 'addition',
        summary: 'Reads a reminder policy with its steps.',
      },
      'PUT /v1/reminderpolicies/{id}': {
        origin: 'addition',
        field: 'updateReminderPolicy',
        summary:
          'Updates a reminder policy. Omitted fields are kept, null clears a field, and steps replace the old ones.',
        example: { deliver_on: 'working_days', steps: [{ offset_days: -60 }, { offset_days: -14 }] },
      },
      'PATCH /v1/reminderpolicies/{id}': {
        origin: 'addition',
        example: [{ op: 'replace', path: '/time_of_day', value: '09:00' }],
      },
      'DELETE /v1/reminderpolicies/{id}': {
        origin: 'addition',
        errors: ['NOT_FOUND', 'CONFLICT'],
        summary: 'Deletes a reminder policy that nothing uses and returns it as it was.',
      },
    },
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
  const policy = (await findLinked(tx, 'reminderPolicy', id)) as RowOf<'ReminderPolicy'> | null;
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
    const { id: policyId, organizationId, teamId } = policy;
    const job = { id: newId(), organizationId, teamId, kind: 'CHECK' as const, policyId };
    if (now) await insertRows(tx, 'ReminderJob', [{ ...job, created: session.now }]);
    return policy;
  });
}
