import { type Invited, inviteUser } from '../../access/invitations.js';
import { addTeamMember, removeTeamMember } from '../../access/memberships.js';
import { updateUser } from '../../access/people.js';
import { builder, typeOf } from '../builder.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { RoleEnum } from './users.js';

const InviteUserPayload = builder
  .objectRef<{ readonly user: Invited['user']; readonly link: string }>('InviteUserPayload')
  .implement({
    description: 'A user who was just invited, with what is not shown again.',
    fields: (t) => ({
      user: t.expose('user', { type: typeOf('user'), description: 'The user.' }),
      link: t.exposeString('link', {
        description:
          'The address of a page where the user makes an access token, once, within 7 days. Whoever has it can do so.',
      }),
    }),
  });

const userId = 'The id of a user of the organization.';
const teamId = 'The id of a workspace.';

builder.mutationFields((t) => ({
  inviteUser: t.field({
    type: InviteUserPayload,
    nullable: true,
    description:
      'Invites somebody into the organization, as a new user. Who was invited and has not come in gets a new link, and the one before ends. Where mail is set up, the link is also sent to the address.',
    authScopes: { administer: true },
    args: {
      email: t.arg.string({ required: true, description: 'The e-mail address.' }),
      name: t.arg.string({
        description: 'The name; the part of the address before the @ when left out.',
      }),
      role: t.arg({ type: RoleEnum, required: true, description: 'What the user may do at most.' }),
      teamIds: t.arg.idList({
        description:
          "The workspaces to be a member of, the default one first; the caller's own when left out.",
      }),
    },
    resolve: (_root, args, { session, origin = '' }) => inviteUser(session, args, origin),
  }),
  updateUser: t.field({
    type: typeOf('user'),
    nullable: true,
    description: 'Changes a user. What is left out is kept, null clears. A lower role holds at once.',
    authScopes: { administer: true },
    args: {
      id: t.arg.id({ required: true, description: userId }),
      name: t.arg.string({ description: 'The name.' }),
      email: t.arg.string({ description: 'The e-mail address, unique in the organization.' }),
      role: t.arg({ type: RoleEnum, description: 'The role, which no token of the user exceeds.' }),
      isActive: t.arg.boolean({ description: 'Whether the user may act.' }),
      language: t.arg.string({ description: 'The language that the user is written to in.' }),
      timezone: t.arg.string({ description: 'An IANA time zone.' }),
      teamId: t.arg.id({ description: 'The default workspace, one that the user is a member of.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, ifVersion, ...changes }, { session }) =>
      onVersion(session, ifVersion, () => updateUser(session, id, changes)),
  }),
  deactivateUser: t.field({
    type: typeOf('user'),
    nullable: true,
    description:
      'Lets a user act no more: every token and sign-in of theirs ends at once. `updateUser` takes it back.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: userId }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => updateUser(session, id, { isActive: false })),
  }),
  addTeamMember: t.field({
    type: typeOf('user'),
    nullable: true,
    description: 'Makes a user a member of a workspace. Who is one already stays so.',
    authScopes: { administer: true },
    args: {
      teamId: t.arg.id({ required: true, description: teamId }),
      userId: t.arg.id({ required: true, description: userId }),
      ...versionArgument('the user'),
    },
    resolve: (_root, { teamId, userId, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => addTeamMember(session, teamId, userId)),
  }),
  removeTeamMember: t.field({
    type: typeOf('user'),
    nullable: true,
    description: 'Takes a user out of a workspace. Who is no member stays so.',
    authScopes: { administer: true },
    args: {
      teamId: t.arg.id({ required: true, description: teamId }),
      userId: t.arg.id({ required: true, description: userId }),
      ...versionArgument('the user'),
    },
    resolve: (_root, { teamId, userId, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => removeTeamMember(session, teamId, userId)),
  }),
}));
