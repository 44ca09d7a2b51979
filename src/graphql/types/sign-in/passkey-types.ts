import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { builder } from '../../builder.js';

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
export const PasskeyOptions = builder.objectRef<Options>('PasskeyOptions').implement({
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
export const PasskeyCredentialInput = builder.inputType('PasskeyCredentialInput', {
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
