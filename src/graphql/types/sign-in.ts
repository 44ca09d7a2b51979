import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { lacksFactor, type SignInWay } from '../../domain/caller.js';
import { badField, GatewayError, notFound } from '../../domain/errors.js';
import { readMethods, type SignInMethods } from '../../sign-in/accounts.js';
import {
  addPasskey,
  beginPasskey,
  deletePasskey,
  listPasskeys,
  renamePasskey,
  type ShownPasskey,
} from '../../sign-in/factors/passkeys.js';
import {
  beginTotp,
  confirmTotp,
  createRecoveryCodes,
  type NewTotp,
  removeTotp,
} from '../../sign-in/factors/totp.js';
import { changePassword } from '../../sign-in/passwords.js';
import { changePolicy, possibleWays, readPolicy, type SignInPolicy } from '../../sign-in/policy.js';
import {
  endOtherSessions,
  endSession,
  listSessions,
  listUserSessions,
  type ShownSession,
} from '../../sign-in/sessions.js';
import { resetSecondFactor } from '../../sign-in/sign-in.js';
import { createSignInLink } from '../../sign-in/sign-in-links.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import type { Former } from '../define/former.js';
import { linkTo } from '../define/records.js';
import { Me, Organization } from './organization.js';

type Options = PublicKeyCredentialCreationOptionsJSON;
type Descriptor = NonNullable<Options['excludeCredentials']>[number];

const RelyingPartyType = builder.objectRef<Options['rp']>('PasskeyRelyingParty').implement({
  description: 'The gateway, as authenticators know it.',
  fields: (t) => ({
    id: t.id({ description: 'Its host name.', resolve: ({ id }) => id ?? '' }),
    name: t.exposeString('name', { description: 'Its name.' }),
  }),
});

const PasskeyUser = builder.objectRef<Options['user']>('PasskeyUser').implement({
  description: 'The caller, as authenticators show them.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id that the authenticator keeps, in base64url.' }),
    name: t.exposeString('name', { description: 'The e-mail address.' }),
    displayName: t.exposeString('displayName', { description: 'The name.' }),
  }),
});

const PasskeyParameter = builder
  .objectRef<Options['pubKeyCredParams'][number]>('PasskeyParameter')
  .implement({
    description: 'A kind of key that is accepted.',
    fields: (t) => ({
      type: t.exposeString('type', { description: '`public-key`.' }),
      alg: t.exposeInt('alg', { description: 'The algorithm, by its number in COSE.' }),
    }),
  });

const PasskeyDescriptor = builder.objectRef<Descriptor>('PasskeyDescriptor').implement({
  description: 'A passkey that the caller has already.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id in base64url, as authenticators know it.' }),
    type: t.exposeString('type', { description: '`public-key`.' }),
  }),
});

const PasskeySelection = builder
  .objectRef<NonNullable<Options['authenticatorSelection']>>('PasskeySelection')
  .implement({
    description: 'What an authenticator must be able to do.',
    fields: (t) => ({
      residentKey: t.string({
        description: 'Whether it keeps the passkey itself.',
        resolve: ({ residentKey }) => residentKey ?? 'required',
      }),
      requireResidentKey: t.boolean({
        description: 'The same for browsers of WebAuthn level 1.',
        resolve: ({ requireResidentKey }) => requireResidentKey ?? false,
      }),
      userVerification: t.string({
        description: 'Whether it checks who uses it.',
        resolve: ({ userVerification }) => userVerification ?? 'preferred',
      }),
    }),
  });

/** Options with which a browser creates a passkey. */
const PasskeyOptions = builder.objectRef<Options>('PasskeyOptions').implement({
  description:
    'What a browser needs to create a passkey (`PublicKeyCredentialCreationOptionsJSON` of WebAuthn).',
  fields: (t) => ({
    rp: t.field({ type: RelyingPartyType, description: 'The gateway.', resolve: ({ rp }) => rp }),
    user: t.field({ type: PasskeyUser, description: 'The caller.', resolve: ({ user }) => user }),
    challenge: t.exposeString('challenge', { description: 'What the authenticator signs, in base64url.' }),
    pubKeyCredParams: t.field({
      type: [PasskeyParameter],
      description: 'The kinds of keys that are accepted, the best first.',
      resolve: ({ pubKeyCredParams }) => pubKeyCredParams,
    }),
    timeout: t.int({
      description: 'Milliseconds for which the browser waits for the person.',
      resolve: ({ timeout }) => timeout ?? 60_000,
    }),
    excludeCredentials: t.field({
      type: [PasskeyDescriptor],
      description: 'The passkeys that the caller has already.',
      resolve: ({ excludeCredentials }) => excludeCredentials ?? [],
    }),
    authenticatorSelection: t.field({
      type: PasskeySelection,
      description: 'What an authenticator must be able to do.',
      resolve: ({ authenticatorSelection }) => authenticatorSelection ?? {},
    }),
    attestation: t.string({
      description: 'Whether the authenticator says what it is.',
      resolve: ({ attestation }) => attestation ?? 'none',
    }),
  }),
});

const PasskeyResponseInput = builder.inputType('PasskeyResponseInput', {
  description: "An authenticator's answer. All bytes are in base64url.",
  fields: (t) => ({
    clientDataJSON: t.string({ required: true, description: 'What the browser signed.' }),
    attestationObject: t.string({ required: true, description: 'The new key.' }),
    transports: t.stringList({ description: 'How the authenticator can be reached.' }),
    authenticatorData: t.string({
      description: 'The data of the authenticator. It is in `attestationObject`.',
    }),
    publicKey: t.string({ description: 'The public key. It is in `attestationObject`.' }),
    publicKeyAlgorithm: t.int({ description: 'The algorithm. It is in `attestationObject`.' }),
  }),
});

/** A passkey that a browser has created. */
const PasskeyCredentialInput = builder.inputType('PasskeyCredentialInput', {
  description: 'A passkey that a browser has created (`RegistrationResponseJSON` of WebAuthn).',
  fields: (t) => ({
    id: t.string({ required: true, description: 'Its id in base64url, as authenticators know it.' }),
    rawId: t.string({ required: true, description: 'The same.' }),
    type: t.string({ required: true, description: '`public-key`.' }),
    response: t.field({
      type: PasskeyResponseInput,
      required: true,
      description: "The authenticator's answer.",
    }),
    authenticatorAttachment: t.string({ description: 'Whether the authenticator is a part of the device.' }),
    clientExtensionResults: t.field({
      type: 'JSON',
      description: 'Results of extensions, which nothing here uses.',
    }),
  }),
});

const wayDescriptions: Readonly<Record<SignInWay, { readonly description: string }>> = {
  PASSWORD: { description: 'A password.' },
  PASSKEY: { description: 'A passkey.' },
  LINK: { description: 'A link that is sent by mail.' },
  OIDC: { description: 'The OpenID Connect issuer.' },
};

/** A way in which people sign in. */
const SignInWayEnum = builder.enumType('SignInWay', {
  description: 'A way to sign in.',
  values: wayDescriptions,
});

/** Returns how people sign in, which only GraphQL has. */
function signInOf({ signIn }: Context) {
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

const PasskeyType = builder.objectRef<ShownPasskey>('Passkey').implement({
  description: 'A passkey of the caller.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The passkey's id." }),
    name: t.exposeString('name', { description: "The passkey's name." }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was added.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used to sign in.',
    }),
    isBackedUp: t.exposeBoolean('isBackedUp', {
      description: 'True if it is stored in more than one place, so that losing a device does not lose it.',
    }),
  }),
});

const NewTotpType = builder.objectRef<NewTotp>('NewAuthenticatorApp').implement({
  description: 'The secret of an authenticator app. It is shown only once.',
  fields: (t) => ({
    secret: t.exposeString('secret', { description: 'The secret in base32, to be typed.' }),
    uri: t.exposeString('uri', { description: 'The same for apps (`otpauth:`), usually as a QR code.' }),
  }),
});

builder.objectFields(Me, (t) => ({
  passkeys: t.field({
    type: [PasskeyType],
    description: "The caller's passkeys, the newest first.",
    resolve: (_me, _args, { session }) => listPasskeys(session),
  }),
}));

/** Changes the caller's factors, and gives the browser of the session its new secret. */
async function renewing<Result>(
  context: Context,
  change: (renews: boolean) => Promise<{ readonly result: Result; readonly secret: string | undefined }>,
): Promise<Result> {
  const { setSecret } = signInOf(context);
  const { result, secret } = await change(setSecret !== undefined);
  if (secret !== undefined) setSecret?.(secret);
  return result;
}

const AddPasskeyInput = builder.inputType('AddPasskeyInput', {
  description: 'A new passkey.',
  fields: (t) => ({
    name: t.string({ required: true, description: "The passkey's name." }),
    credential: t.field({
      type: PasskeyCredentialInput,
      description: "The browser's answer to `startPasskey`. Required.",
    }),
    response: t.field({
      type: 'JSON',
      description: "The browser's answer to `startPasskey`.",
      deprecationReason: 'Send `credential`. It goes in version 1.0.',
    }),
  }),
});

const UpdatePasskeyInput = builder.inputType('UpdatePasskeyInput', {
  description: 'Changes to a passkey.',
  fields: (t) => ({ name: t.string({ required: true, description: 'The new name.' }) }),
});

const ConfirmAuthenticatorAppInput = builder.inputType('ConfirmAuthenticatorAppInput', {
  description: 'The proof that an authenticator app has the secret.',
  fields: (t) => ({ code: t.string({ required: true, description: 'The code that the app shows.' }) }),
});

/** Recovery codes, which are shown only now. */
interface ShownCodes {
  readonly recoveryCodes: readonly string[];
}

const RecoveryCodesPayload = builder.objectRef<ShownCodes>('RecoveryCodesPayload').implement({
  description: "The caller's recovery codes. They are not shown again.",
  fields: (t) => ({
    recoveryCodes: t.stringList({
      description: 'The codes. Each can be used once.',
      resolve: ({ recoveryCodes }) => [...recoveryCodes],
    }),
  }),
});

/** Answers with the list of codes alone, as former mutations did. */
const codesAlone = ({ recoveryCodes }: ShownCodes) => recoveryCodes;

/** Finds one of the caller's passkeys. @throws GatewayError NOT_FOUND */
async function findPasskey({ session }: Context, id: string): Promise<ShownPasskey> {
  const found = (await listPasskeys(session)).find((passkey) => passkey.id === id.toLowerCase());
  if (!found) throw notFound('passkey', id);
  return found;
}

/** Options of mutations that all people may use for themselves. */
const forOneself = { skipTypeScopes: true, authScopes: { read: true } } as const;
/** Options of mutations for people who lack a second factor, too. */
const toEnroll = { skipTypeScopes: true, authScopes: { enroll: true } } as const;
const recent = 'Only within ten minutes after signing in or `POST /session/confirm`.';

builder.mutationFields((t) => ({
  startPasskey: t.field({
    type: PasskeyOptions,
    nullable: true,
    description: `Returns what a browser needs to create a passkey. ${recent}`,
    ...toEnroll,
    extensions: { formerly: { name: 'beginPasskey', type: 'JSON', answer: (options: object) => options } },
    resolve: (_root, _args, context) => beginPasskey(context.session, signInOf(context).party),
  }),
  addPasskey: t.field({
    type: PasskeyType,
    nullable: true,
    description: `Adds a passkey of the caller, and ends the other sessions. ${recent}`,
    ...toEnroll,
    args: { input: t.arg({ type: AddPasskeyInput, required: true, description: 'The passkey.' }) },
    resolve: async (_root, { input: { name, credential, response } }, context) => {
      const { session } = context;
      const { party } = signInOf(context);
      if ((credential == null) === (response == null))
        throw badField(
          ['credential'],
          credential ? 'cannot be sent together with `response`' : 'is required',
        );
      const given = credential
        ? { name, sent: credential, field: 'credential' }
        : { name, sent: response, field: 'response' };
      return findPasskey(
        context,
        await renewing(context, (renews) => addPasskey(session, party, given, renews)),
      );
    },
  }),
  updatePasskey: t.field({
    type: PasskeyType,
    nullable: true,
    description: 'Renames a passkey of the caller.',
    ...forOneself,
    extensions: {
      formerly: {
        ...{ name: 'renamePasskey', type: 'Boolean', loose: ['name'] },
        ...{ answer: () => true, ifNotFound: false },
      } satisfies Former,
    },
    args: {
      id: t.arg.id({ required: true, description: "The passkey's id." }),
      input: t.arg({ type: UpdatePasskeyInput, required: true, description: 'The changes.' }),
    },
    resolve: async (_root, { id, input }, context) => {
      if (!(await renamePasskey(context.session, id, input.name))) throw notFound('passkey', id);
      return findPasskey(context, id);
    },
  }),
  removePasskey: t.field({
    type: PasskeyType,
    nullable: true,
    description: `Removes a passkey of the caller and returns it as it was, and ends the other sessions. ${recent}`,
    ...forOneself,
    extensions: {
      formerly: { name: 'deletePasskey', type: 'Boolean', answer: () => true, ifNotFound: false },
    },
    args: { id: t.arg.id({ required: true, description: "The passkey's id." }) },
    resolve: async (_root, { id }, context) => {
      const { session } = context;
      const known = (await listPasskeys(session)).find((passkey) => passkey.id === id.toLowerCase());
      const isRemoved = await renewing(context, (renews) => deletePasskey(session, id, renews));
      if (!known || !isRemoved) throw notFound('passkey', id);
      return known;
    },
  }),
  beginTotp: t.field({
    type: NewTotpType,
    nullable: true,
    description: `Creates the secret of an authenticator app. It counts once \`confirmAuthenticatorApp\` has a code of it. ${recent}`,
    ...toEnroll,
    resolve: (_root, _args, context) => beginTotp(signInOf(context).context, context.session),
  }),
  confirmAuthenticatorApp: t.field({
    type: RecoveryCodesPayload,
    nullable: true,
    description: `Sets up the authenticator app as second factor, and ends the other sessions. Returns the recovery codes, which are shown only once. ${recent}`,
    ...toEnroll,
    extensions: {
      formerly: {
        name: 'confirmTotp',
        type: '[String!]',
        loose: ['code'],
        answer: codesAlone,
      } satisfies Former,
    },
    args: { input: t.arg({ type: ConfirmAuthenticatorAppInput, required: true, description: 'The proof.' }) },
    resolve: async (_root, { input: { code } }, context) => ({
      recoveryCodes: await renewing(context, (renews) =>
        confirmTotp(signInOf(context).context, context.session, code, renews),
      ),
    }),
  }),
  removeAuthenticatorApp: t.field({
    type: Me,
    nullable: true,
    description: `Removes the authenticator app and the recovery codes, and ends the other sessions. \`NOT_FOUND\` if there is none. ${recent}`,
    ...forOneself,
    extensions: { formerly: { name: 'removeTotp', type: 'Boolean', answer: () => true, ifNotFound: false } },
    resolve: async (_root, _args, context) => {
      const isRemoved = await renewing(context, (renews) => removeTotp(context.session, renews));
      if (!isRemoved) throw new GatewayError('NOT_FOUND', 'There is no authenticator app.');
      return context.session.caller;
    },
  }),
  renewRecoveryCodes: t.field({
    type: RecoveryCodesPayload,
    nullable: true,
    description: `Replaces the recovery codes, and ends the other sessions. The codes are shown only once. ${recent}`,
    ...forOneself,
    extensions: {
      formerly: { name: 'createRecoveryCodes', type: '[String!]', answer: codesAlone } satisfies Former,
    },
    resolve: async (_root, _args, context) => ({
      recoveryCodes: await renewing(context, (renews) => createRecoveryCodes(context.session, renews)),
    }),
  }),
}));

const ways = 'The ways in which people may sign in.';
const secondFactorRequired = 'True if everybody needs a second factor.';
const issuerAlone = 'True if people who are bound to a subject at an issuer sign in only there.';

const SignInPolicyType = builder.objectRef<SignInPolicy>('SignInPolicy').implement({
  description: "An organization's decisions on how its people sign in.",
  fields: (t) => ({
    ways: t.expose('ways', { type: [SignInWayEnum], description: ways }),
    possibleWays: t.field({
      type: [SignInWayEnum],
      description: 'The ways that the settings of the gateway allow (`SIGN_IN`, `OIDC_ISSUER`).',
      resolve: (_policy, _args, context) => possibleWays(signInOf(context).context),
    }),
    secondFactorRequired: t.exposeBoolean('secondFactorRequired', { description: secondFactorRequired }),
    issuerAlone: t.exposeBoolean('issuerAlone', { description: issuerAlone }),
  }),
});

builder.objectField(Organization, 'signInPolicy', (t) =>
  t.field({
    type: SignInPolicyType,
    description: 'How people of the organization sign in.',
    resolve: (_organization, _args, { session }) => readPolicy(session),
  }),
);

const UpdateSignInPolicyInput = builder.inputType('UpdateSignInPolicyInput', {
  description: 'Changes of a sign-in policy. Omitted fields keep their values.',
  fields: (t) => ({
    ways: t.field({ type: [SignInWayEnum], description: ways }),
    secondFactorRequired: t.boolean({ description: secondFactorRequired }),
    issuerAlone: t.boolean({ description: issuerAlone }),
  }),
});

const CreateSignInLinkPayload = builder
  .objectRef<{ readonly link: string }>('CreateSignInLinkPayload')
  .implement({
    description: 'A link for signing in, which is not shown again.',
    fields: (t) => ({
      link: t.exposeString('link', {
        description: 'The address of a page where the user signs in, once and within 24 hours.',
      }),
    }),
  });

/** Returns the input type of what an administrator does for one user. */
const aboutUser = (name: string, description: string) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({
      userId: t.id({ required: true, description: 'The id of a user of the organization.' }),
    }),
  });

const CreateSignInLinkInput = aboutUser('CreateSignInLinkInput', 'A user who gets a link.');
const RemoveSecondFactorInput = aboutUser(
  'RemoveSecondFactorInput',
  'A user who has lost the second factor.',
);

const RemoveSecondFactorPayload = builder
  .objectRef<{ readonly userId: string; readonly wasSet: boolean }>('RemoveSecondFactorPayload')
  .implement({
    description: 'A user without a second factor.',
    fields: (t) => ({
      user: t.field(linkTo('user', 'userId', 'The user.')),
      wasSet: t.exposeBoolean('wasSet', { description: 'True if there was a second factor.' }),
    }),
  });

const confirmed = 'In a session, only within ten minutes after signing in or `POST /session/confirm`.';

builder.mutationFields((t) => ({
  updateSignInPolicy: t.field({
    type: SignInPolicyType,
    nullable: true,
    description: `Changes how people of the organization sign in. Sessions of ways that are turned off end, except the one of this request. ${confirmed}`,
    authScopes: { administer: true },
    args: { input: t.arg({ type: UpdateSignInPolicyInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, context) => changePolicy(signInOf(context).context, context.session, input),
  }),
  removeSecondFactor: t.field({
    type: RemoveSecondFactorPayload,
    nullable: true,
    description: `Removes the authenticator app, recovery codes and passkeys of a user who has lost them, and ends the sessions. ${confirmed}`,
    authScopes: { administer: true },
    extensions: {
      formerly: {
        ...{ name: 'resetSecondFactor', type: 'Boolean', loose: ['userId'] },
        answer: ({ wasSet }: { readonly wasSet: boolean }) => wasSet,
      } satisfies Former,
    },
    args: { input: t.arg({ type: RemoveSecondFactorInput, required: true, description: 'The user.' }) },
    resolve: async (_root, { input }, { session }) => ({
      userId: input.userId.toLowerCase(),
      wasSet: await resetSecondFactor(session, input.userId),
    }),
  }),
  createSignInLink: t.field({
    type: CreateSignInLinkPayload,
    nullable: true,
    description: `Creates a link for a user who cannot sign in any more, to be passed on by an administrator. The user chooses a new password with it, or signs in if passwords are turned off. Earlier links stop working. ${confirmed}`,
    authScopes: { administer: true },
    extensions: { loose: ['userId'] },
    args: { input: t.arg({ type: CreateSignInLinkInput, required: true, description: 'The user.' }) },
    resolve: async (_root, { input: { userId } }, context) => {
      const { session, origin = '' } = context;
      return { link: await createSignInLink(signInOf(context).context, session, userId, origin) };
    },
  }),
}));
