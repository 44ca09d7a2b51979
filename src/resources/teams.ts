import * as z from 'zod';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { insertRows } from '../db/sql/write.js';
import { GatewayError } from '../domain/errors.js';
import { rules } from '../domain/rules.js';
import { Prisma, type Team, UploadState } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import { lookUpOnce } from '../records/loaders.js';
import { defineResource, type RulesFor } from '../records/resource.js';

const { sql } = Prisma;

const teamRules = {
  name: rules.requiredLine,
  isActive: rules.flag(true),
  timezone: rules.timezone.transform((zone) => zone ?? 'UTC'),
  reminderDays: rules.between(0, 3_650).transform((days) => days ?? 30),
} satisfies RulesFor<Team>;

const teamFilter = z.object({ term: rules.line, isActive: rules.choice });

export type TeamFilter = z.input<typeof teamFilter>;

/** Returns the time zone of new workspaces: the organization's. */
const standardZone = (tx: Transaction) =>
  lookUpOnce(tx, 'time zone of the organization', async () => {
    const [organization] = await readRows(tx, 'Organization', {}, ['timezone']);
    return organization?.timezone;
  });

/** States of uploads that somebody, or a worker, has to see to. */
const open = [UploadState.RECEIVED, UploadState.FAILED];

/** Adds a workspace's id as its `teamId`. So its events belong to the workspace itself. */
const withOwnTeamId = (team: Team) => ({ ...team, teamId: team.id });

/**
 * Refuses the id of a workspace that was deleted. Its events stay for admins, and would be the new members' as well.
 * @throws GatewayError CONFLICT
 */
async function checkUnused(tx: Transaction, { id, organizationId }: Pick<Team, 'id' | 'organizationId'>) {
  const statement = sql`
    SELECT EXISTS (
      SELECT FROM event_logs WHERE team_id = ${id}::uuid AND organization_id = ${organizationId}::uuid
    ) AS used`;
  const [found] = await tx.run<{ used: boolean }>(named('teams.used', statement));
  if (found?.used) throw new GatewayError('CONFLICT', 'is already in use', { path: ['id'] });
}

/** Workspaces: their rules, and how they are read and written. */
export const teams = defineResource(z.object(teamRules), {
  kind: 'team',
  references: [],
  retired: { field: 'isActive', when: false },
  indexed: ['name'],
  ranges: { reminderDays: 'Int' },
  where: (filter) => filterCondition(teamFilter, filter, ['name']),
  title: (team: Team & { teamId: string }) => team.name,
  resolve: async ({ tx }, input) =>
    input.timezone == null ? { ...input, timezone: await standardZone(tx) } : input,
  rows: defineRows('Team', withOwnTeamId),
  insert: async (tx, { teamId: _, ...team }, session) => {
    await checkUnused(tx, team);
    await insertRows(tx, 'Team', [team]);
    session.reach(team.id);
    // Whoever makes a workspace belongs to it, with tokens of lower roles, too.
    const membership = { userId: session.caller.user.id, teamId: team.id, created: session.now };
    await insertRows(tx, 'Membership', [membership]);
    return withOwnTeamId(team);
  },
  parts: ['teamId'],
  // Its events are not: they outlive it, for admins to read.
  holders: (teamId) => ({
    expirationItem: { teamId },
    vehicle: { teamId },
    company: { teamId },
    contact: { teamId },
    contactType: { teamId },
    location: { teamId },
    note: { teamId },
    tag: { teamId },
    category: { teamId },
    user: { teamId },
    uploadNotification: { teamId, state: { in: open } },
  }),
  alongside: [{ model: 'UploadNotification', field: 'teamId', where: { state: { notIn: open } } }],
  beforeRestore: async (_tx, session, id) => session.reach(id),
});
