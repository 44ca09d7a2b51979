import { type Invited, inviteUser } from '../../../access/invitations.js';
import { addTeamMember, removeTeamMember } from '../../../access/memberships.js';
import { updateUser } from '../../../access/people.js';
import type { Role } from '../../../domain/roles.js';
import { builder, typeOf } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/versions.js';

/** Roles of access tokens, as an enum. */
export const RoleEnum = builder.enumType('Role', {
  description: 'What a token may do.',
  values: {
    ADMIN: { description: 'Everything in the organization, including tokens.' },
    MEMBER: { description: 'Read and write in its workspaces.' },
    VIEWER: { description: 'Read in its workspaces.' },
    UPLOADER: { description: 'Only send upload notifications.' },
  } satisfies Record<Role, object>,
});

builder.inputType('UserReference', {
  description: 'A user of the organization.',
  fields: (t) => ({ id: t.id({ description: "The user's id. Null for nobody." }) }),
});

const InviteUserPayload = builder
  .objectRef<{ readonly user: Invited['user']; readonly link: string }>('InviteUserPayload')
  .implement({
    description: 'A newly invited user, with a link that is not shown again.',
    fields: (t) => ({
      user: t.expose('user', { type: typeOf('user'), description: 'The user.' }),
      link: t.exposeString('link', {
        description:
          'The address of a page where the user can create an access token, once and within 7 days. Anyone who has the link can use it.',
      }),
    }),
  });

const userId = 'The id of a user of the organization.';

const InviteUserInput = builder.inputType('InviteUserInput', {
  description: 'A user to invite.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'The e-mail address.' }),
    name: t.string({ description: 'The name. Default: the part of the address before the @.' }),
    role: t.field({
      type: RoleEnum,
      required: true,
      description: 'The highest role that the user may have.',
    }),
    teamIds: t.idList({
      description: 'The workspaces that the user joins, the default one first. Default: those of the caller.',
    }),
  }),
});

const UpdateUserInput = builder.inputType('UpdateUserInput', {
  description: 'Changes to a user. Omitted fields keep their values, and null clears a field.',
  fields: (t) => ({
    // In the order in which events name what was changed.
    email: t.string({ description: 'The e-mail address, unique in the organization.' }),
    isActive: t.boolean({ description: 'True if the user may use the API.' }),
    language: t.string({ description: 'The language of mails to the user.' }),
    name: t.string({ description: 'The name.' }),
    role: t.field({ type: RoleEnum, description: "The user's role. It limits all tokens of the user." }),
    teamId: t.id({ description: 'The default workspace. The user must be a member of it.' }),
    timezone: t.string({ description: 'An IANA time zone.' }),
  }),
});

const TeamMemberInput = builder.inputType('TeamMemberInput', {
  description: 'A user and a workspace.',
  fields: (t) => ({
    teamId: t.id({ required: true, description: 'The id of a workspace.' }),
    userId: t.id({ required: true, description: userId }),
  }),
});

builder.mutationFields((t) => ({
  inviteUser: t.field({
    type: InviteUserPayload,
    nullable: true,
    description:
      'Invites a new user to the organization. Inviting somebody again who has not signed in yet creates a new link and ends the old one. If mail is configured, the link is also sent to the address.',
    authScopes: { administer: true },
    extensions: { loose: ['email', 'name', 'role', 'teamIds'] },
    args: { input: t.arg({ type: InviteUserInput, required: true, description: 'The user.' }) },
    resolve: (_root, { input }, { session, origin = '' }) => inviteUser(session, input, origin),
  }),
  updateUser: t.field({
    type: typeOf('user'),
    nullable: true,
    description:
      'Updates a user. A lower role takes effect immediately. In a session, a new address is accepted only within ten minutes after signing in or `POST /session/confirm`.',
    authScopes: { administer: true },
    extensions: { loose: ['email', 'isActive', 'language', 'name', 'role', 'teamId', 'timezone'] },
    args: {
      id: t.arg.id({ required: true, description: userId }),
      input: t.arg({ type: UpdateUserInput, required: true, description: 'The changes.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, ifVersion, input }, { session }) =>
      onVersion(session, ifVersion, () => updateUser(session, id, input)),
  }),
  deactivateUser: t.field({
    type: typeOf('user'),
    nullable: true,
    description:
      'Deactivates a user. All their tokens and sign-ins end immediately. `updateUser` can reactivate the user.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: userId }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => updateUser(session, id, { isActive: false })),
  }),
  addTeamMember: t.field({
    type: typeOf('user'),
    nullable: true,
    description: 'Makes a user a member of a workspace. Nothing changes if the user already is one.',
    authScopes: { administer: true },
    extensions: { loose: ['teamId', 'userId'] },
    args: {
      input: t.arg({ type: TeamMemberInput, required: true, description: 'The user and the workspace.' }),
      ...versionArgument('the user'),
    },
    resolve: (_root, { input, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => addTeamMember(session, input.teamId, input.userId)),
  }),
  removeTeamMember: t.field({
    type: typeOf('user'),
    nullable: true,
    description: 'Removes a user from a workspace. Nothing changes if the user is not a member.',
    authScopes: { administer: true },
    extensions: { loose: ['teamId', 'userId'] },
    args: {
      input: t.arg({ type: TeamMemberInput, required: true, description: 'The user and the workspace.' }),
      ...versionArgument('the user'),
    },
    resolve: (_root, { input, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => removeTeamMember(session, input.teamId, input.userId)),
  }),
}));
