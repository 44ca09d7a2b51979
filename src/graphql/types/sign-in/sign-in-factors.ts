import { badField, GatewayError, notFound } from '../../../domain/errors.js';
import {
  addPasskey,
  beginPasskey,
  deletePasskey,
  listPasskeys,
  renamePasskey,
  type ShownPasskey,
} from '../../../sign-in/factors/passkeys.js';
import { createRecoveryCodes } from '../../../sign-in/factors/recovery-codes.js';
import { beginTotp, confirmTotp, type NewTotp, removeTotp } from '../../../sign-in/factors/totp.js';
import { builder } from '../../builder.js';
import type { Context } from '../../context.js';
import type { Former } from '../../define/former.js';
import { Me } from '../organization/me.js';
import { PasskeyCredentialInput, PasskeyOptions } from './passkey-types.js';
import { signInOf } from './sign-in.js';

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
