import * as z from 'zod';
import { defineRows, readRows } from '../db/sql/select.js';
import { roles } from '../domain/roles.js';
import { rules } from '../domain/rules.js';
import { Prisma, type User } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import type { Readable } from '../records/lists/readable.js';
import { type BatchLoader, groupByKey } from '../records/loaders.js';

const userFilter = z.object({
  term: rules.line,
  role: z.enum(roles).nullish(),
  isActive: rules.choice,
  teamId: rules.uuid,
});

export type UserFilter = z.input<typeof userFilter>;

/** Users of an organization, as a readable resource. Records can be assigned to any of them. */
export const users: Readable<User> = {
  noun: 'user',
  sortable: new Map<string, z.ZodType>([
    ['id', z.guid()],
    ['name', z.string()],
    ['email', z.string()],
    ['created', z.date()],
    ['modified', z.date()],
  ]),
  indexed: [],
  where: (filter, { caller }) =>
    filterCondition(userFilter, filter, ['name', 'email'], {
      // Who the members of a workspace are, nobody is told who does not see it.
      teamId: (teamId) => ({ id: { in: caller.teamIds.includes(teamId) ? membersSql(teamId) : [] } }),
    }),
  rows: defineRows('User'),
};

const membersSql = (teamId: string) =>
  Prisma.sql`SELECT user_id FROM memberships WHERE team_id = ${teamId}::uuid`;

/** Loads the ids of each user's workspaces, of those that the caller sees. */
export const teamIdsByUser: BatchLoader<readonly string[]> = async (session, userIds) => {
  const rows = await readRows(session, 'Membership', { where: { userId: { in: userIds } } });
  return groupByKey(userIds, rows, ({ userId }) => userId).map((members) =>
    members.map(({ teamId }) => teamId),
  );
};
