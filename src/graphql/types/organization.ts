import type { ObjectRef } from '@pothos/core';
import { createAccessToken, revokeAccessToken, updateAccessToken } from '../../access/access-tokens.js';
import {
  type InvitationState,
  invitationByUser,
  inviteUser,
  resendInvitation,
  type SentInvitation,
  type ShownInvitation,
} from '../../access/invitations.js';
import {
  addTeamMember,
  readOrganization,
  removeTeamMember,
  updateMe,
  updateOrganization,
  updateUser,
} from '../../access/people.js';
import type { IssuedToken, ShownToken } from '../../access/tokens.js';
import type { Session } from '../../db/connection/session.js';
import {
  allRights,
  type Caller,
  hasRight,
  ownTokenId,
  personOf,
  type Right,
  type Role,
} from '../../domain/caller.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import {
  erasePersonById,
  type PersonalData,
  type PersonalWork,
  readPersonalData,
} from '../../personal-data/erase.js';
import type { PersonMention } from '../../personal-data/mentions.js';
import { type Linked, load, loadBatched } from '../../records/loaders.js';
import { teamsByName } from '../../resources/users.js';
import { unloadDemo } from '../../setup/demo/demo.js';
import { builder, typeOf, versionField } from '../builder.js';
import type { Context } from '../context.js';
import { onVersion, versionArgument } from '../define/writes.js';
import { needs } from '../execution/selection.js';

/** Roles of access tokens, as an enum. */
const RoleEnum = builder.enumType('Role', {
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

const InviteUserPayload = builder.objectRef<SentInvitation>('InviteUserPayload').implement({
  description: 'A newly invited user, with a link that is not shown again.',
  fields: (t) => ({
    user: t.expose('user', { type: typeOf('user'), description: 'The user.' }),
    link: t.exposeString('link', {
      description:
        'The address of a page where the user can create an access token, once and within 7 days. Anyone who has the link can use it.',
    }),
    isMailed: t.exposeBoolean('isMailed', {
      description: 'True if the link is also sent to the address, because mail is set up.',
    }),
  }),
});

const InvitationStateEnum = builder.enumType('InvitationState', {
  description: 'State of an invitation.',
  values: {
    INVITED: { description: 'The link was not used yet, and still works.' },
    EXPIRED: { description: 'The link was not used, and no longer works.' },
    ACCEPTED: { description: 'The link was used.' },
  } satisfies Record<InvitationState, object>,
});

const Invitation = builder.objectRef<ShownInvitation>('Invitation').implement({
  description: 'The last invitation of a user.',
  fields: (t) => ({
    state: t.expose('state', { type: InvitationStateEnum, description: 'Whether it was accepted.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When the user was invited.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the link stops working.' }),
    usedAt: t.expose('usedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the link was used.',
    }),
  }),
});

builder.prismaObjectFields('User', (t) => ({
  invitation: t.field({
    type: Invitation,
    nullable: true,
    description: 'The last invitation, for admins. Null for a user who was never invited.',
    ...needs({ fields: ['id'] }),
    resolve: ({ id }, _args, { session }) =>
      hasRight(session.caller, 'administer') ? loadBatched(session, invitationByUser, id) : null,
  }),
}));

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
    language: t.string({
      description: "The language of mails to the user, also of the invitation. Default: the organization's.",
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
    extensions: { loose: ['email', 'name', 'role', 'teamIds', 'language'] },
    args: { input: t.arg({ type: InviteUserInput, required: true, description: 'The user.' }) },
    resolve: (_root, { input }, { session, origin = '' }) => inviteUser(session, input, origin),
  }),
  resendInvitation: t.field({
    type: InviteUserPayload,
    nullable: true,
    description:
      'Sends an invitation again to a user who has not signed in yet, with a new link. The old one stops working.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: userId }) },
    resolve: (_root, { id }, { session, origin = '' }) => resendInvitation(session, id, origin),
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

/** An access token, as its creator and its list have it. */
const AccessToken = typeOf('accessToken') as object as ObjectRef<
  (typeof builder)['$inferSchemaTypes'],
  ShownToken
>;

const CreateAccessTokenInput = builder.inputType('CreateAccessTokenInput', {
  description: 'A new access token.',
  fields: (t) => ({
    name: t.string({ required: true }),
    role: t.field({ type: RoleEnum, required: true }),
    expiresAt: t.field({ type: 'DateTime' }),
    userId: t.id({
      description: 'The user of the organization that the token acts as. Default: the caller.',
    }),
    signed: t.boolean({
      description: 'True to create a signed token. Default: true if `signingSecret` is given.',
    }),
    signingSecret: t.string({
      description:
        "The sender's existing signing secret, 16 to 255 visible ASCII characters. If omitted, a signed token gets a random one.",
    }),
  }),
});

const CreateAccessTokenPayload = builder.objectRef<IssuedToken>('CreateAccessTokenPayload').implement({
  description: 'A newly created access token, with its secrets. They are not shown again.',
  fields: (t) => ({
    token: t.exposeString('token', { description: "The token's text, for `Authorization: Bearer`." }),
    signingSecret: t.exposeString('signingSecret', {
      nullable: true,
      description: 'The secret for signing its upload notifications. Null unless it is a signed token.',
    }),
    accessToken: t.expose('accessToken', { type: AccessToken, description: 'The stored access token.' }),
  }),
});

const UpdateAccessTokenInput = builder.inputType('UpdateAccessTokenInput', {
  description: 'Changes to an access token. Omitted fields keep their values.',
  fields: (t) => ({
    name: t.string({ description: 'The purpose of the token.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'When the token expires. Null means never.' }),
  }),
});

builder.mutationFields((t) => ({
  createAccessToken: t.field({
    extensions: { checksInput: true },
    type: CreateAccessTokenPayload,
    nullable: true,
    description: 'Creates an access token and shows it only this once.',
    authScopes: { administer: true },
    args: { input: t.arg({ type: CreateAccessTokenInput, required: true, description: 'Its values.' }) },
    resolve: (_root, { input }, { session }) => createAccessToken(session, input),
  }),
  updateAccessToken: t.field({
    type: AccessToken,
    nullable: true,
    description: 'Changes the name or expiry of an access token.',
    authScopes: { administer: true },
    extensions: { loose: ['name', 'expiresAt'] },
    args: {
      id: t.arg.id({ required: true, description: "The token's id." }),
      input: t.arg({ type: UpdateAccessTokenInput, required: true, description: 'The changes.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, ifVersion, input }, { session }) =>
      onVersion(session, ifVersion, () => updateAccessToken(session, id, input)),
  }),
  revokeAccessToken: t.field({
    type: AccessToken,
    nullable: true,
    description:
      'Revokes an access token immediately and permanently. Callers can also revoke their own token.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: "The token's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => revokeAccessToken(session, id)),
  }),
}));

/** The organization of a caller. */
export const Organization = builder.prismaObject('Organization', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    timezone: t.exposeString('timezone'),
    locale: t.exposeString('locale'),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    version: t.string(versionField),
    demoTeamIds: t.idList({
      description: "The ids of the demo's workspaces, of those that the caller may see.",
      resolve: async (_organization, _args, { session }) => {
        const { teamIds, organizationId } = session.caller;
        const own = teamIds.filter((id) => isDemoWorkspace(id, organizationId));
        // They may have gone since the caller was read.
        return (await teamsByName(session, own)).map(({ id }) => id);
      },
    }),
  }),
});

/** Options of a field with the caller's organization. */
const organizationField = {
  description: "The caller's organization.",
  resolve: (_parent: unknown, _args: object, { session }: Context) => readOrganization(session),
};

builder.queryField('organization', (t) => t.field({ type: Organization, ...organizationField }));

const UpdateOrganizationInput = builder.inputType('UpdateOrganizationInput', {
  description: 'Changes to an organization. Omitted fields keep their values, and null restores the default.',
  fields: (t) => ({
    // In the order in which events name what was changed.
    locale: t.string({ description: 'The language of users who have not chosen one.' }),
    name: t.string({ description: "The organization's name." }),
    timezone: t.string({ description: 'The IANA time zone of new workspaces.' }),
  }),
});

builder.mutationField('updateOrganization', (t) =>
  t.field({
    type: Organization,
    nullable: true,
    description: "Updates the caller's organization.",
    authScopes: { administer: true },
    extensions: { loose: ['locale', 'name', 'timezone'] },
    args: {
      input: t.arg({ type: UpdateOrganizationInput, required: true, description: 'The changes.' }),
      ...versionArgument(),
    },
    resolve: (_root, { ifVersion, input }, { session }) =>
      onVersion(session, ifVersion, () => updateOrganization(session, input)),
  }),
);

builder.mutationField('removeDemo', (t) =>
  t.field({
    type: Organization,
    nullable: true,
    description:
      'Removes the workspaces of the demo for good, with everything in them. Nothing changes if there are none. Conflicts if other records use those of the demo.',
    authScopes: { administer: true },
    resolve: async (_root, _args, { session }) => {
      const { database, caller, now } = session;
      await unloadDemo(database, caller.organizationId, now, caller.user);
      session.forgetLoaded();
      return readOrganization(session);
    },
  }),
);

const Permission = builder.enumType('Permission', {
  description: 'A permission of the caller.',
  values: {
    READ: { value: 'read' as const, description: 'Read.' },
    UPLOAD: { value: 'upload' as const, description: 'Send upload notifications.' },
    WRITE: { value: 'write' as const, description: 'Create, change and delete records.' },
    ADMINISTER: {
      value: 'administer' as const,
      description: 'Manage users, workspaces, tokens and the organization.',
    },
  } satisfies Record<Uppercase<Right>, object>,
});

/** Reads the caller's user. Who has just been let in is there. */
async function ownUser(session: Session): Promise<Linked<'user'>> {
  const user = await load(session, 'user', session.caller.user.id);
  if (!user) throw new Error("The caller's user is gone.");
  return user;
}

/** The caller. */
export const Me = builder.objectRef<Caller>('Me');
Me.implement({
  description: 'The user that the access token belongs to, and what it gives access to.',
  fields: (t) => ({
    id: t.id({ description: "The user's id.", resolve: (me) => personOf(me).id }),
    name: t.string({ description: "The user's name.", resolve: (me) => personOf(me).name }),
    email: t.string({ description: "The user's e-mail address.", resolve: (me) => personOf(me).email }),
    role: t.field({
      type: RoleEnum,
      description: "The caller's role: the lower of the token's and the user's own.",
      resolve: ({ role }) => role,
    }),
    permissions: t.field({
      type: [Permission],
      description: 'What the role allows. Nothing while a second factor is missing.',
      resolve: (caller) => allRights.filter((right) => hasRight(caller, right)),
    }),
    language: t.string({
      nullable: true,
      description: "The language of mails to the user. If null, the organization's language.",
      resolve: async (_me, _args, { session }) => (await ownUser(session)).language,
    }),
    timezone: t.string({
      nullable: true,
      description: "The user's time zone. If null, each workspace's own time zone applies.",
      resolve: async (_me, _args, { session }) => (await ownUser(session)).timezone,
    }),
    user: t.field({
      type: typeOf('user'),
      description: 'The user.',
      resolve: (_me, _args, { session }) => ownUser(session),
    }),
    organization: t.field({ type: Organization, ...organizationField }),
    token: t.field({
      type: typeOf('accessToken'),
      nullable: true,
      description:
        'The access token of this request. Null for a token from an OpenID Connect issuer, and for a session.',
      resolve: (caller, _args, { session }) => load(session, 'accessToken', ownTokenId(caller)),
    }),
    team: t.field({
      type: typeOf('team'),
      nullable: true,
      description:
        'The default workspace, for new records that do not name one. Null if there is no workspace.',
      resolve: ({ user }, _args, { session }) => load(session, 'team', user.teamId || null),
    }),
    teams: t.field({
      type: [typeOf('team')],
      description: 'The workspaces that the caller may see, sorted by name.',
      resolve: ({ teamIds }, _args, { session }) => teamsByName(session, teamIds),
    }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: Me,
    description: 'Returns the caller.',
    // Every token may know who it is.
    skipTypeScopes: true,
    resolve: (_root, _args, { session: { caller } }) => caller,
  }),
);

const UpdateMeInput = builder.inputType('UpdateMeInput', {
  description:
    "Changes to the caller's own settings. Omitted fields keep their values, and null clears a field.",
  fields: (t) => ({
    // In the order in which events name what was changed.
    language: t.string({ description: 'The language of mails to the caller.' }),
    name: t.string({ description: "The user's name." }),
    teamId: t.id({ description: 'The default workspace. The caller must be able to see it.' }),
    timezone: t.string({ description: 'An IANA time zone.' }),
  }),
});

builder.mutationField('updateMe', (t) =>
  t.field({
    type: Me,
    nullable: true,
    description: "Updates the caller's own settings.",
    // Who may only read has a name and a language, too.
    skipTypeScopes: true,
    authScopes: { read: true },
    extensions: { loose: ['language', 'name', 'teamId', 'timezone'] },
    args: {
      input: t.arg({ type: UpdateMeInput, required: true, description: 'The changes.' }),
      ...versionArgument('the user'),
    },
    resolve: async (_root, { ifVersion, input }, { session }) => {
      const change = () => updateMe(session, input);
      const { id, name, email, teamId } = await onVersion(session, ifVersion, change);
      const { caller } = session;
      const reached = caller.teamIds.includes(teamId) ? teamId : caller.user.teamId;
      return { ...caller, user: { id, name, email, teamId: reached } };
    },
  }),
);

const Mention = builder.objectRef<PersonMention>('PersonMention').implement({
  description: 'A place where people or documents mention a person.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'The kind of record, such as `note`.' }),
    recordId: t.exposeString('id', { description: 'The id of the record.' }),
    field: t.exposeString('field', { description: 'The field, in the names of REST.' }),
    excerpt: t.exposeString('excerpt', {
      nullable: true,
      description: 'The words around it. Null for a document, which has to be opened.',
    }),
  }),
});

const PersonalDataType = builder.objectRef<PersonalData>('PersonalData').implement({
  description: 'What the organization has of a person.',
  fields: (t) => ({
    contactId: t.exposeID('contactId', {
      nullable: true,
      description: 'The id of the contact. Null if the person is none.',
    }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'The id of the user with the same e-mail address. Null if there is none.',
    }),
    erased: t.exposeInt('erased', {
      description: 'The number of stored rows in which values were replaced. 0 before an erasure.',
    }),
    mentions: t.field({
      type: [Mention],
      description:
        'Texts and documents about the person, at most 1,000. They are never changed: somebody has to decide about them.',
      resolve: ({ mentions }) => mentions,
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'True if there are more mentions.' }),
  }),
});

const workOf = ({ session }: Pick<Context, 'session'>): PersonalWork => session;
const id = 'The id of a contact or a user. A contact in the bin has its id as well.';

builder.queryField('personalData', (t) =>
  t.field({
    type: PersonalDataType,
    nullable: true,
    description:
      'Tells who a contact or user is, and lists where the person is mentioned. The command `person export` writes all of it.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: id }) },
    resolve: (_root, args, context) => readPersonalData(workOf(context), args.id),
  }),
);

builder.mutationField('erasePerson', (t) =>
  t.field({
    type: PersonalDataType,
    nullable: true,
    description:
      'Erases a person for good: a contact, the user with the same e-mail address, or both. Name, addresses and numbers are replaced in everything that the gateway writes, what is still to be sent is cancelled, and a user can no longer sign in. Erasing again what is erased changes nothing.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: id }) },
    resolve: async (_root, args, context) => {
      const erased = await erasePersonById(workOf(context), args.id);
      context.session.forgetLoaded();
      return erased;
    },
  }),
);
