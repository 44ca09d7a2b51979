import {
  accessTokens,
  createAccessToken,
  revokeAccessToken,
  type TokenFilter,
  updateAccessToken,
} from '../../access/access-tokens.js';
import type { IssuedToken, ShownToken } from '../../access/tokens.js';
import { builder, Node } from '../builder.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { needs } from '../execution/selection.js';
import { RoleEnum } from './people.js';

/** A token of a list, or its whole row, which `node` finds. */
type TokenRow = Omit<ShownToken, 'signed'> & {
  readonly signed?: boolean;
  readonly signingSecret?: Uint8Array | null;
};

/** An access token. */
export const AccessToken = builder.objectRef<TokenRow>('AccessToken');
AccessToken.implement({
  interfaces: [Node],
  description: 'An access token. Its text is shown only once, when it is created, and is not stored.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The token's id. It is not secret." }),
    name: t.exposeString('name', { description: 'The purpose of the token, as its creator described it.' }),
    role: t.expose('role', { type: RoleEnum, description: 'What the token may do.' }),
    signed: t.boolean({
      ...needs({ fields: ['signingSecret'] }),
      description:
        'True for a signed token, which works only for `POST /v1/bulkscan/receive`. Each request needs two headers: `FS-Timestamp`, the time in seconds since 1970, at most 5 minutes off, and `FS-Signature`, the HMAC-SHA256 of `{FS-Timestamp}.{body}` in hexadecimal digits.',
      resolve: ({ signed, signingSecret = null }) => signed ?? signingSecret !== null,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the token expires. Null means never.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the token was last used, to the minute.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When the token was created.' }),
    modified: t.expose('modified', {
      type: 'DateTime',
      description: 'When the token was last changed. Using it does not count as a change.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the token was revoked.',
    }),
    user: t.field(linkTo('user', 'userId', 'The user that the token acts as.')),
  }),
});

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
    description: 'Changes the name or expiry of an access token. Omitted arguments leave it unchanged.',
    authScopes: { administer: true },
    args: {
      id: t.arg.id({ required: true, description: "The token's id." }),
      name: t.arg.string({ description: 'The purpose of the token.' }),
      expiresAt: t.arg({ type: 'DateTime', description: 'When the token expires. Null means never.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, ifVersion, ...changes }, { session }) =>
      onVersion(session, ifVersion, () => updateAccessToken(session, id, changes)),
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

const TokenFilterInput = builder.inputRef<TokenFilter>('AccessTokenFilter').implement({
  description: 'Filters a list of access tokens.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, ignoring case.' }),
    role: t.field({ type: RoleEnum, description: 'Tokens with this role.' }),
    userId: t.id({ description: 'Tokens of this user.' }),
    isRevoked: t.boolean({
      description: 'If true, only revoked tokens. If false, only tokens that are not revoked.',
    }),
  }),
});

defineReads({
  type: AccessToken,
  resource: accessTokens,
  names: ['accessToken', 'accessTokens'],
  filter: TokenFilterInput,
  order: { field: 'created', direction: 'desc' },
  right: 'administer',
});
