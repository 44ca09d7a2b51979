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
import { Me } from '../organization/me.js';
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
    response: t.field({
      type: 'JSON',
      required: true,
      description: "The browser's answer to `beginPasskey` (`RegistrationResponseJSON` of WebAuthn).",
    }),
  }),
});

/** Options of mutations that all people may use for themselves. */
const forOneself = { skipTypeScopes: true, authScopes: { read: true } } as const;
/** Options of mutations for people who lack a second factor, too. */
const toEnroll = { skipTypeScopes: true, authScopes: { enroll: true } } as const;
const recent = 'Only within ten minutes after signing in or `POST /session/confirm`.';

builder.mutationFields((t) => ({
  beginPasskey: t.field({
    type: 'JSON',
    nullable: true,
    description: `Returns what a browser needs to create a passkey. ${recent}`,
    ...toEnroll,
    resolve: async (_root, _args, context) => ({
      ...(await beginPasskey(context.session, signInOf(context).party)),
    }),
  }),
  addPasskey: t.field({
    type: PasskeyType,
    nullable: true,
    description: `Adds a passkey of the caller, and ends the other sessions. ${recent}`,
    ...toEnroll,
    args: { input: t.arg({ type: AddPasskeyInput, required: true, description: 'The passkey.' }) },
    resolve: async (_root, { input }, context) => {
      const { session } = context;
      const { party } = signInOf(context);
      const id = await renewing(context, (renews) => addPasskey(session, party, input, renews));
      return (await listPasskeys(session)).find((passkey) => passkey.id === id) ?? null;
    },
  }),
  renamePasskey: t.boolean({
    nullable: true,
    description: 'Renames a passkey of the caller. False if there is no such passkey.',
    ...forOneself,
    args: {
      id: t.arg.id({ required: true, description: "The passkey's id." }),
      name: t.arg.string({ required: true, description: 'The new name.' }),
    },
    resolve: (_root, { id, name }, { session }) => renamePasskey(session, id, name),
  }),
  deletePasskey: t.boolean({
    nullable: true,
    description: `Removes a passkey of the caller, and ends the other sessions. False if there is no such passkey. ${recent}`,
    ...forOneself,
    args: { id: t.arg.id({ required: true, description: "The passkey's id." }) },
    resolve: (_root, { id }, context) =>
      renewing(context, (renews) => deletePasskey(context.session, id, renews)),
  }),
  beginTotp: t.field({
    type: NewTotpType,
    nullable: true,
    description: `Creates the secret of an authenticator app. It counts once \`confirmTotp\` has a code of it. ${recent}`,
    ...toEnroll,
    resolve: (_root, _args, context) => beginTotp(signInOf(context).context, context.session),
  }),
  confirmTotp: t.stringList({
    nullable: true,
    description: `Sets up the authenticator app as second factor, and ends the other sessions. Returns the recovery codes, which are shown only once. ${recent}`,
    ...toEnroll,
    args: { code: t.arg.string({ required: true, description: 'The code that the app shows.' }) },
    resolve: (_root, { code }, context) =>
      renewing(context, (renews) => confirmTotp(signInOf(context).context, context.session, code, renews)),
  }),
  removeTotp: t.boolean({
    nullable: true,
    description: `Removes the authenticator app and the recovery codes, and ends the other sessions. False if there is none. ${recent}`,
    ...forOneself,
    resolve: (_root, _args, context) => renewing(context, (renews) => removeTotp(context.session, renews)),
  }),
  createRecoveryCodes: t.stringList({
    nullable: true,
    description: `Replaces the recovery codes, and ends the other sessions. The codes are shown only once. ${recent}`,
    ...forOneself,
    resolve: (_root, _args, context) =>
      renewing(context, (renews) => createRecoveryCodes(context.session, renews)),
  }),
}));
