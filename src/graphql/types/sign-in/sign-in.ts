import { lacksFactor } from '../../../domain/caller.js';
import type { SignInWay } from '../../../domain/sign-in.js';
import { readMethods, type SignInMethods } from '../../../sign-in/methods.js';
import { changePassword } from '../../../sign-in/passwords.js';
import {
  endOtherSessions,
  endSession,
  listSessions,
  listUserSessions,
  type ShownSession,
} from '../../../sign-in/sessions.js';
import { builder } from '../../builder.js';
import type { Context } from '../../context.js';
import type { Former } from '../../define/former.js';
import { Me } from '../organization/me.js';

const ways: Readonly<Record<SignInWay, { readonly description: string }>> = {
  PASSWORD: { description: 'A password.' },
  PASSKEY: { description: 'A passkey.' },
  LINK: { description: 'A link that is sent by mail.' },
  OIDC: { description: 'The OpenID Connect issuer.' },
};

/** A way in which people sign in. */
export const SignInWayEnum = builder.enumType('SignInWay', {
  description: 'A way to sign in.',
  values: ways,
});

/** Returns how people sign in, which only GraphQL has. */
export function signInOf({ signIn }: Context) {
  if (!signIn) throw new Error('This API has no sign-in.');
  return signIn;
}

const SessionType = builder.objectRef<ShownSession>('Session').implement({
  description: 'A browser in which a user is signed in.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The session's id. It is not secret." }),
    created: t.expose('created', { type: 'DateTime', description: 'When the user signed in.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      description: 'When the session was last used, to the minute.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the session ends at the latest. It ends earlier if it is not used for 14 days.',
    }),
    address: t.exposeString('address', {
      description: 'The network address from which the user signed in.',
    }),
    agent: t.exposeString('agent', { description: 'The browser, as it described itself (`User-Agent`).' }),
    method: t.expose('method', { type: SignInWayEnum, description: 'How the user signed in.' }),
    isCurrent: t.exposeBoolean('isCurrent', { description: 'True for the session of this request.' }),
  }),
});

const SignInMethodsType = builder.objectRef<SignInMethods>('SignInMethods').implement({
  description: 'How the caller can sign in.',
  fields: (t) => ({
    password: t.boolean({
      description: 'True if there is a password.',
      resolve: ({ passwordChangedAt }) => passwordChangedAt !== null,
    }),
    passwordChangedAt: t.expose('passwordChangedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the password was last changed. Null if there is none.',
    }),
    totp: t.exposeBoolean('totp', { description: 'True if an authenticator app is set up.' }),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft', {
      description: 'Number of recovery codes that have not been used.',
    }),
    issuer: t.exposeString('issuer', {
      nullable: true,
      description: 'The OpenID Connect issuer that knows the user, if any.',
    }),
    ways: t.expose('ways', {
      type: [SignInWayEnum],
      description: 'The ways to sign in that the organization allows.',
    }),
  }),
});

builder.objectFields(Me, (t) => ({
  sessions: t.field({
    type: [SessionType],
    description: 'The browsers in which the caller is signed in, the last used first.',
    resolve: (_me, _args, { session }) => listSessions(session),
  }),
  secondFactorMissing: t.boolean({
    description:
      'True if the organization requires a second factor that this session does not have. Then the caller may only set one up (`beginTotp`, `confirmAuthenticatorApp`, `startPasskey`, `addPasskey`), or prove one at `POST /session/confirm`.',
    resolve: (caller) => lacksFactor(caller),
  }),
  signInMethods: t.field({
    type: SignInMethodsType,
    description: 'How the caller can sign in.',
    resolve: (_me, _args, context) => readMethods(signInOf(context).context, context.session),
  }),
}));

builder.queryField('userSessions', (t) =>
  t.field({
    type: [SessionType],
    nullable: true,
    description: 'The browsers in which a user is signed in, the last used first.',
    authScopes: { administer: true },
    args: { userId: t.arg.id({ required: true, description: 'The id of a user of the organization.' }) },
    resolve: (_root, { userId }, { session }) => listUserSessions(session, userId),
  }),
);

const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  description: 'A new password.',
  fields: (t) => ({
    currentPassword: t.string({
      description: 'The current password. It can be omitted within ten minutes after signing in.',
    }),
    newPassword: t.string({
      required: true,
      description:
        'The new password, of 10 to 200 characters. Passwords that are easy to guess are rejected.',
    }),
    endOtherSessions: t.boolean({
      description: "True to end the caller's other sessions. Default: true.",
    }),
  }),
});

const CloseOtherSessionsInput = builder.inputType('CloseOtherSessionsInput', {
  description: "What ends together with the caller's other sessions.",
  fields: (t) => ({
    endCalendarFeeds: t.boolean({
      description:
        "True to delete the caller's calendars for calendar programs, too. Otherwise they go on. Default: false.",
    }),
  }),
});

const CloseOtherSessionsPayload = builder
  .objectRef<{ readonly sessionCount: number }>('CloseOtherSessionsPayload')
  .implement({
    description: 'Sessions that were ended.',
    fields: (t) => ({
      sessionCount: t.exposeInt('sessionCount', { description: 'The number of sessions.' }),
    }),
  });

builder.mutationFields((t) => ({
  changePassword: t.field({
    type: Me,
    nullable: true,
    description: "Sets or changes the caller's password.",
    skipTypeScopes: true,
    authScopes: { read: true },
    args: { input: t.arg({ type: ChangePasswordInput, required: true, description: 'The passwords.' }) },
    resolve: async (_root, { input }, context) => {
      const { context: signIn, setSecret } = signInOf(context);
      const { session } = context;
      const { secret } = await changePassword(signIn, session, input, setSecret !== undefined);
      if (secret !== undefined) setSecret?.(secret);
      return session.caller;
    },
  }),
  closeSession: t.field({
    type: SessionType,
    nullable: true,
    description:
      "Ends one of the caller's sessions and returns it as it was; administrators also end those of other users. Null if it has ended already.",
    skipTypeScopes: true,
    authScopes: { read: true },
    extensions: {
      formerly: { name: 'endSession', type: 'Boolean', answer: (session: unknown) => session !== null },
    },
    args: { id: t.arg.id({ required: true, description: "The session's id." }) },
    resolve: (_root, { id }, { session }) => endSession(session, id),
  }),
  closeOtherSessions: t.field({
    type: CloseOtherSessionsPayload,
    nullable: true,
    description: "Ends the caller's sessions except the one of this request.",
    skipTypeScopes: true,
    authScopes: { read: true },
    extensions: {
      formerly: {
        ...{ name: 'endOtherSessions', type: 'Int', loose: ['endCalendarFeeds'] },
        answer: ({ sessionCount }: { readonly sessionCount: number }) => sessionCount,
      } satisfies Former,
    },
    args: { input: t.arg({ type: CloseOtherSessionsInput, description: 'What else ends.' }) },
    resolve: async (_root, { input }, { session }) => ({
      sessionCount: await endOtherSessions(session, input?.endCalendarFeeds ?? false),
    }),
  }),
}));
