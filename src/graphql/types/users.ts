import type { Session } from '../../db/connection/session.js';
import { type Role, roles } from '../../domain/roles.js';
import { loadAll, loadBatched } from '../../records/loaders.js';
import { teamIdsByUser, type UserFilter, users } from '../../resources/users.js';
import { builder, Node } from '../builder.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { needs } from '../execution/selection.js';
import { Team } from './teams.js';

/** Roles of access tokens, as an enum. */
export const RoleEnum = builder.enumType('Role', {
  description: 'What a token may do.',
  values: {
    ADMIN: { description: 'Everything in the organization, tokens included.' },
    MEMBER: { description: 'Read and write in its workspaces.' },
    VIEWER: { description: 'Read in its workspaces.' },
    UPLOADER: { description: 'Send upload notifications, nothing else.' },
  } satisfies Record<Role, object>,
});

/** A person or a service that acts in the organization. */
export const User = builder.prismaObject('User', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    teamId: t.exposeID('teamId'),
    role: t.expose('role', {
      type: RoleEnum,
      nullable: true,
      description:
        "The user's own role, which no token of theirs exceeds; null when each token tells its own.",
    }),
    isActive: t.exposeBoolean('isActive'),
    language: t.exposeString('language', { nullable: true }),
    timezone: t.exposeString('timezone', { nullable: true }),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    team: t.field(linkTo(Team, 'team', 'teamId', "The user's default workspace.")),
    teams: t.field({
      type: [Team],
      description: 'The workspaces that the user is a member of, as far as the caller sees them, by name.',
      ...needs({}),
      resolve: async ({ id }, _args, { session }) =>
        teamsByName(session, await loadBatched(session, teamIdsByUser, id)),
    }),
    roles: t.string({
      nullable: true,
      description:
        "The user's own role: admin, member, viewer or uploader; null when each token of theirs tells its own.",
      ...needs({ fields: ['role'] }),
      resolve: ({ role }) => role?.toLowerCase(),
    }),
    roleTypeId: t.int({
      nullable: true,
      description: 'The role as a number: 1 admin, 2 member, 3 viewer, 4 uploader.',
      ...needs({ fields: ['role'] }),
      resolve: ({ role }) => role && roles.indexOf(role) + 1,
    }),
  }),
});

/** Loads workspaces, ordered by their names. */
export async function teamsByName(session: Session, ids: readonly string[]) {
  const teams = await loadAll(session, 'team', ids);
  return teams.sort((a, b) => a.name.localeCompare(b.name));
}

/** A user as another record's input names it. */
export const UserReference = builder.inputType('UserReference', {
  description: 'A user of the organization.',
  fields: (t) => ({ id: t.id({ description: "The user's id; null for nobody." }) }),
});

interface Assigning {
  readonly assignedTo?: { readonly id?: string | null } | null;
}

/** Replaces an input's `assignedTo` by the user's id; a missing one stays so. */
export function assigneeToId({ assignedTo, ...input }: Assigning): object {
  return { ...input, ...(assignedTo !== undefined && { assignedToId: assignedTo?.id ?? null }) };
}

const UserFilterInput = builder.inputRef<UserFilter>('UserFilter').implement({
  description: 'What a list of users is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name or e-mail address, in any letter case.' }),
    role: t.field({ type: RoleEnum, description: 'Users with a role of their own.' }),
    isActive: t.boolean({ description: 'Active users only, or none of them.' }),
    teamId: t.id({ description: 'Members of a workspace.' }),
  }),
});

defineReads({
  type: User,
  resource: users,
  names: ['user', 'users'],
  filter: UserFilterInput,
  order: { field: 'name', direction: 'asc' },
});
