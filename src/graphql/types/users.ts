import { type Role, roles } from '../../domain/roles.js';
import { load } from '../../records/loaders.js';
import { type UserFilter, users } from '../../resources/users.js';
import { builder, Node } from '../builder.js';
import { defineReads } from '../define/reads.js';
import { needs } from '../execution/selection.js';
import { Team } from './teams.js';

/** A person or a service that acts in the organization. */
export const User = builder.prismaObject('User', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    teamId: t.exposeID('teamId'),
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

const Me = builder.objectRef<{
  teamIds: readonly string[];
  role: Role;
  id: string;
  name: string;
  email: string;
}>('Me');
Me.implement({
  description: 'Who the access token belongs to, and how far it reaches.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The user's id." }),
    name: t.exposeString('name', { description: "The user's name." }),
    email: t.exposeString('email', { description: "The user's e-mail address." }),
    role: t.field({ type: RoleEnum, description: "The token's role.", resolve: ({ role }) => role }),
    teams: t.field({
      type: [Team],
      description: 'The workspaces the caller sees, by name.',
      resolve: async ({ teamIds }, _args, { session }) => {
        const teams = await Promise.all(teamIds.map((id) => load(session, 'team', id)));
        return teams.filter((team) => team !== null).sort((a, b) => a.name.localeCompare(b.name));
      },
    }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: Me,
    description: 'The caller.',
    // Every token may know who it is.
    skipTypeScopes: true,
    resolve: (_root, _args, { session: { caller } }) => ({
      ...caller.user,
      role: caller.role,
      teamIds: caller.teamIds,
    }),
  }),
);

const UserFilterInput = builder.inputRef<UserFilter>('UserFilter').implement({
  description: 'What a list of users is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name or e-mail address, in any letter case.' }),
  }),
});

defineReads({
  type: User,
  resource: users,
  names: ['user', 'users'],
  filter: UserFilterInput,
  order: { field: 'name', direction: 'asc' },
});
