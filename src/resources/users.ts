import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { roles } from '../domain/caller.js';
import { declareList } from '../records/declare/declare.js';
import { computed, exposed, exposedInGraphql, link, unexposed } from '../records/declare/fields.js';
import { type BatchLoader, groupByKey, loadAll, loadBatched } from '../records/loaders.js';

const membersSql = (teamId: string) => sql`SELECT user_id FROM memberships WHERE team_id = ${teamId}::uuid`;

/** Loads the ids of each user's workspaces, of those that the caller sees. */
const teamIdsByUser: BatchLoader<readonly string[]> = async (session, userIds) => {
  const rows = await readRows(session, 'Membership', { where: { userId: { in: userIds } } });
  return groupByKey(userIds, rows, ({ userId }) => userId).map((members) =>
    members.map(({ teamId }) => teamId),
  );
};

/** Loads workspaces, ordered by their names. */
export async function teamsByName(session: Session, ids: readonly string[]) {
  const teams = await loadAll(session, 'team', ids);
  return teams.sort((a, b) => a.name.localeCompare(b.name));
}

/** Users of an organization. Records can be assigned to any of them. */
export const users = declareList('User', {
  fields: {
    name: exposed(),
    email: exposed(),
    id: exposed(),
    teamId: exposed(),
    team: link('teamId', "The user's default workspace.", { ordered: false }),
    teams: computed(
      '[Team]!',
      [],
      'The workspaces of the user that the caller may see, sorted by name.',
      async ({ id }, session) => teamsByName(session, await loadBatched(session, teamIdsByUser, id)),
    ),
    role: exposedInGraphql(undefined, {
      description:
        "The user's own role, which limits all their tokens. If null, each token has its own role.",
    }),
    roles: computed(
      'String',
      ['role'],
      "The user's own role: admin, member, viewer or uploader. If null, each token has its own role.",
      ({ role }) => role?.toLowerCase(),
    ),
    roleTypeId: computed(
      'Int',
      ['role'],
      'The role as a number: 1 admin, 2 member, 3 viewer, 4 uploader.',
      ({ role }) => role && roles.indexOf(role) + 1,
    ),
    isActive: exposedInGraphql(),
    language: exposedInGraphql(),
    timezone: exposedInGraphql(),
    issuer: unexposed(),
    subject: unexposed(),
    created: exposedInGraphql(),
    modified: exposedInGraphql(),
  },
  filter: {
    term: { in: ['name', 'email'], description: 'Part of the name or e-mail address, ignoring case.' },
    role: { rule: z.enum(roles).nullish(), description: 'Users whose own role is this one.' },
    isActive: 'If true, only active users. If false, only inactive users.',
    teamId: {
      description: 'Members of this workspace.',
      // Who the members of a workspace are, nobody is told who does not see it.
      where: (teamId, _all, { caller }) => ({
        id: { in: caller.teamIds.includes(teamId) ? membersSql(teamId) : [] },
      }),
    },
  },
  sortable: ['id', 'name', 'email', 'created', 'modified'],
  indexed: [],
  rest: {
    tag: 'Users',
    about: 'The people of the organization.',
    model: 'UserModel',
    models: {
      UserRecordModel: { type: 'User', members: ['name', 'email', 'id', 'teamId', 'roles', 'roleTypeId'] },
    },
    records: { '/v1/users': { kind: 'user', name: 'Administrator' } },
    routes: {
      'GET /v1/users/{id}': {
        model: 'UserRecordModel',
        origin: 'listed',
        summary: 'Reads a user of the organization.',
      },
    },
  },
});
