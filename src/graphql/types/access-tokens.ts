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
import { RoleEnum } from './users.js';

/** A token of a list, or its whole row, which `node` finds. */
type TokenRow = Omit<ShownToken, 'signed'> & {
  readonly signed?: boolean;
  readonly signingSecret?: Uint8Array | null;
};

/** An access token. */
export const AccessToken = builder.objectRef<TokenRow>('AccessToken');
AccessToken.implement({
  interfaces: [Node],
  description: 'An access token. Its text is shown once, when it is made, and is not kept.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The token's id; it is not secret." }),
    name: t.exposeString('name', { description: "What the token is for, in its maker's words." }),
    role: t.expose('role', { type: RoleEnum, description: 'What the token may do.' }),
    signed: t.boolean({
      ...needs({ fields: ['signingSecret'] }),
      description:
        'Whether it is a signed token: good for `POST /v1/bulkscan/receive` alone, with the headers `FS-Timestamp`, the seconds since 1970 at most 5 minutes off, and `FS-Signature`, the HMAC-SHA256 of `{FS-Timestamp}.{body}` in hexadecimal digits.',
      resolve: ({ signed, signingSecret = null }) => signed ?? signingSecret !== null,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the token stops working; never when null.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the token was last used, to the minute.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When the token was made.' }),
    modified: t.expose('modified', {
      type: 'DateTime',
      description: 'When the token was last changed; its use is no change.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the token was revoked.',
    }),
    user: t.field(linkTo('user', 'userId', 'Whom it acts as.')),
  }),
});

const CreateAccessTokenInput = builder.inputType('CreateAccessTokenInput', {
  description: 'A new access token.',
  fields: (t) => ({
    name: t.string({ required: true }),
    role: t.field({ type: RoleEnum, required: true }),
    expiresAt: t.field({ type: 'DateTime' }),
    userId: t.id({ description: 'Whom it acts as, a user of the organization; the caller when left out.' }),
    signed: t.boolean({
      description: 'Whether it is a signed token; when left out, whether there is a `signingSecret`.',
    }),
    signingSecret: t.string({
      description:
        'The secret that the sender signs with, if it has one already: 16 to 255 visible ASCII characters. A random one is made for a signed token when left out.',
    }),
  }),
});

const CreateAccessTokenPayload = builder.objectRef<IssuedToken>('CreateAccessTokenPayload').implement({
  description: 'An access token that was just made, with what is not shown again.',
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The token: for `Authorization: Bearer`.' }),
    signingSecret: t.exposeString('signingSecret', {
      nullable: true,
      description: 'What its upload notifications are to be signed with; null unless it is a signed token.',
    }),
    accessToken: t.expose('accessToken', { type: AccessToken, description: 'What is kept of it.' }),
  }),
});

builder.mutationFields((t) => ({
  createAccessToken: t.field({
    extensions: { checksInput: true },
    type: CreateAccessTokenPayload,
    nullable: true,
    description: 'Makes an access token, and shows it this once.',
    authScopes: { administer: true },
    args: { input: t.arg({ type: CreateAccessTokenInput, required: true, description: 'Its values.' }) },
    resolve: (_root, { input }, { session }) => createAccessToken(session, input),
  }),
  updateAccessToken: t.field({
    type: AccessToken,
    nullable: true,
    description: 'Renames an access token, or moves its expiry. What is left out is kept.',
    authScopes: { administer: true },
    args: {
      id: t.arg.id({ required: true, description: "The token's id." }),
      name: t.arg.string({ description: 'What the token is for.' }),
      expiresAt: t.arg({ type: 'DateTime', description: 'When it stops working; null for never.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, ifVersion, ...changes }, { session }) =>
      onVersion(session, ifVersion, () => updateAccessToken(session, id, changes)),
  }),
  revokeAccessToken: t.field({
    type: AccessToken,
    nullable: true,
    description: "Revokes an access token, at once and for good. It may be the caller's own.",
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: "The token's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => revokeAccessToken(session, id)),
  }),
}));

const TokenFilterInput = builder.inputRef<TokenFilter>('AccessTokenFilter').implement({
  description: 'What a list of access tokens is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, in any letter case.' }),
    role: t.field({ type: RoleEnum, description: 'Tokens with a role.' }),
    userId: t.id({ description: "A user's tokens." }),
    isRevoked: t.boolean({ description: 'Revoked tokens only, or none of them.' }),
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
