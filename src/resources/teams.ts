import * as z from 'zod';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Condition, RowOf } from '../db/sql/conditions.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { insertReturning, insertRows } from '../db/sql/write.js';
import { forbidden, may, personOf } from '../domain/caller.js';
import { badField, GatewayError } from '../domain/errors.js';
import { rules } from '../domain/rules.js';
import { declareResource } from '../records/declare/declare.js';
import { exposed, exposedInGraphql, link, takenByRest } from '../records/declare/fields.js';
import { findLinked, lookUpOnce } from '../records/loaders.js';
import type { RecordValues, Write } from '../records/resource.js';
import { resolvePolicy } from './reminder-policies.js';

/** The days people work, each once: Monday to Friday when none is named. */
const workingDaysRule = z
  .array(z.int32().min(1, 'must be from 1 to 7').max(7, 'must be from 1 to 7'))
  .max(7, 'must have at most 7 entries')
  .nullish()
  .transform((days) => (days?.length ? [...new Set(days)].sort() : [1, 2, 3, 4, 5]));

/** Returns the time zone of new workspaces: the organization's. */
const standardZone = (tx: Transaction) =>
  lookUpOnce(tx, 'time zone of the organization', async () => {
    const [organization] = await readRows(tx, 'Organization', {}, ['timezone']);
    return organization?.timezone;
  });

/** States of uploads that somebody, or a worker, has to see to. */
const open = ['RECEIVED', 'FAILED'];
const openRequests = ['OPEN', 'SENT', 'OPENED', 'RECEIVED'];

/** Adds a workspace's id as its `teamId`. So its events belong to the workspace itself. */
const withOwnTeamId = (team: RowOf<'Team'>) => ({ ...team, teamId: team.id });

/**
 * Refuses the id of a workspace that was deleted. Its events stay for admins, and would be the new members' as well.
 * @throws GatewayError CONFLICT
 */
async function checkUnused(
  tx: Transaction,
  { id, organizationId }: Pick<RowOf<'Team'>, 'id' | 'organizationId'>,
) {
  const statement = sql`
    SELECT EXISTS (
      SELECT FROM event_logs WHERE team_id = ${id}::uuid AND organization_id = ${organizationId}::uuid
    ) AS used`;
  const [found] = await tx.run<{ used: boolean }>(prepared('teams.used', statement));
  if (found?.used) throw new GatewayError('CONFLICT', 'is already in use', { path: ['id'] });
}

/**
 * Keeps the reminder policy of a workspace when none is named. A workspace has one from its beginning. Its time zone is the
 * organization's then.
 * @throws GatewayError FORBIDDEN for another policy by who is no admin; BAD_REQUEST for one of another workspace
 */
async function resolve(
  write: Write,
  input: Condition,
  current: RecordValues | undefined,
): Promise<Condition> {
  const { reminderPolicyId: named = null } = input;
  if (!current && named !== null) {
    throw badField(['reminderPolicyId'], 'must be left out: a new workspace gets a policy of its own');
  }
  const reminderPolicyId = named ?? current?.reminderPolicyId ?? null;
  const { role } = write.session.caller;
  const isOther = typeof reminderPolicyId === 'string' && reminderPolicyId !== current?.reminderPolicyId;
  if (
    isOther &&
    !may(role, 'administer') &&
    (await findLinked(write.tx, 'reminderPolicy', reminderPolicyId))
  ) {
    throw forbidden(role);
  }
  const timezone = input.timezone ?? (await standardZone(write.tx));
  return resolvePolicy(write, { ...input, timezone, reminderPolicyId }, current);
}

/** Workspaces: each record belongs to one. */
export const teams = declareResource('Team', {
  fields: {
    name: exposed(rules.name),
    id: exposed(),
    isActive: exposed(rules.flag(true)),
    modified: exposed(),
    created: exposedInGraphql(),
    timezone: takenByRest(rules.timezone.transform((zone) => zone ?? 'UTC')),
    reminderDays: takenByRest(rules.between(0, 3_650).transform((days) => days ?? 30)),
    reminderPolicyId: exposedInGraphql(rules.uuid, {
      sent: "The workspace's reminder policy. If null, it stays unchanged.",
    }),
    reminderPolicy: link('reminderPolicyId', 'The reminder policy of the workspace.', {
      ordered: false,
      hasNone: false,
    }),
    workingDays: exposedInGraphql(workingDaysRule),
    reminderFallbackAddress: exposedInGraphql(rules.email.nullish().transform((address) => address ?? null)),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    isActive: 'If true, only workspaces in use. If false, only those not in use.',
  },
  ranges: ['reminderDays'],
  ownership: 'administer',
  retired: { field: 'isActive', when: false },
  indexed: ['name'],
  searchPlace: 11,
  resolve,
  title: (team) => team.name,
  rows: defineRows('Team', withOwnTeamId),
  insert: async (tx, { teamId: _, ...team }, session) => {
    await checkUnused(tx, team);
    const row = await insertReturning(tx, 'Team', team);
    session.reach(team.id);
    // Whoever makes a workspace belongs to it, with tokens of lower roles, too.
    const membership = { userId: personOf(session.caller).id, teamId: team.id, created: session.now };
    await insertRows(tx, 'Membership', [membership]);
    return withOwnTeamId(row);
  },
  parts: ['teamId'],
  alongside: [
    { model: 'UploadNotification', field: 'teamId', where: { state: { notIn: open } } },
    { model: 'DocumentRequest', field: 'teamId', where: { state: { notIn: openRequests } } },
  ],
  beforeRestore: async (_tx, session, id) => session.reach(id),
  rest: {
    tag: 'Workspaces',
    about: 'Workspaces. Each record belongs to one, and users see those that they are members of.',
    model: 'TeamModel',
    records: { '/v1/teams': { kind: 'team', name: 'Demo', deleted: 'Demo branch' } },
    term: 'demo',
    routes: {
      'GET /v1/teams': {
        origin: 'contract',
        parameters: ['term', 'page'],
        summary: 'Lists workspaces, sorted by name.',
      },
      'POST /v1/teams': {
        origin: 'listed',
        right: 'administer',
        summary: 'Creates a workspace. Requires the role admin.',
        example: { name: 'North' },
      },
      'GET /v1/teams/{id}': { origin: 'listed' },
      'PUT /v1/teams/{id}': {
        origin: 'listed',
        field: 'updateTeam',
        example: { name: 'South' },
      },
      'PATCH /v1/teams/{id}': {
        origin: 'contract',
        example: [{ op: 'replace', path: '/name', value: 'Fleet' }],
      },
      'DELETE /v1/teams/{id}': {
        origin: 'listed',
        right: 'administer',
        errors: ['NOT_FOUND', 'CONFLICT'],
        summary: 'Deletes an empty workspace and returns it as it was. Requires the role admin.',
      },
    },
  },
});
