import { updateMe } from '../../../access/people.js';
import type { Session } from '../../../db/connection/session.js';
import { type Caller, hasRight, ownTokenId, personOf } from '../../../domain/caller.js';
import { allRights, type Right } from '../../../domain/roles.js';
import { type Linked, load } from '../../../records/loaders.js';
import { teamsByName } from '../../../resources/users.js';
import { builder, typeOf } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/versions.js';
import { Organization, organizationField } from './organization.js';
import { RoleEnum } from './people.js';

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
