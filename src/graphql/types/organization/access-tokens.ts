import type { ObjectRef } from '@pothos/core';
import { createAccessToken, revokeAccessToken, updateAccessToken } from '../../../access/access-tokens.js';
import type { IssuedToken, ShownToken } from '../../../access/tokens.js';
import { builder, typeOf } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/versions.js';
import { RoleEnum } from './people.js';

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
