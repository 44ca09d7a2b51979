import * as z from 'zod';
import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import { defineRows } from '../db/sql/select.js';
import { updateRows } from '../db/sql/write.js';
import { personOf, type Role } from '../domain/caller.js';
import { nextModified } from '../domain/dates.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { isUuid, rules } from '../domain/rules.js';
import { declareList } from '../records/declare/declare.js';
import { computed, exposedInGraphql, link, unexposed } from '../records/declare/fields.js';
import { changesBetween, logEvent } from '../records/event-logs.js';
import { checkVersion } from '../records/locks.js';
import { checkGiven } from './people.js';
import {
  hidden,
  type IssuedToken,
  insertToken,
  markRevoked,
  type ShownToken,
  type Signing,
  shown,
  withoutSecrets,
} from './tokens.js';

const noun = 'access token';

/** Access tokens of an organization. */
export const accessTokens = declareList('AccessToken', {
  about: 'An access token. Its text is shown only once, when it is created, and is not stored.',
  fields: {
    id: exposedInGraphql(),
    name: exposedInGraphql(),
    role: exposedInGraphql(),
    hash: unexposed(),
    signingSecret: unexposed(),
    signed: computed(
      'Boolean!',
      ['signingSecret'],
      'True for a signed token, which works only for `POST /v1/bulkscan/receive`. Each request needs two headers: `FS-Timestamp`, the time in seconds since 1970, at most 5 minutes off, and `FS-Signature`, the HMAC-SHA256 of `{FS-Timestamp}.{body}` in hexadecimal digits.',
      // `node` finds a whole row; a list has tokens without their secrets.
      ({ signed, signingSecret = null }) => signed ?? signingSecret !== null,
    ),
    expiresAt: exposedInGraphql(),
    lastUsedAt: exposedInGraphql(),
    created: exposedInGraphql(),
    modified: exposedInGraphql(),
    revokedAt: exposedInGraphql(),
    userId: unexposed(),
    user: link('userId', 'The user that the token acts as.'),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    role: 'Tokens with this role.',
    userId: 'Tokens of this user.',
    isRevoked: {
      type: 'Boolean',
      description: 'If true, only revoked tokens. If false, only tokens that are not revoked.',
      where: (revoked) => ({ revokedAt: revoked ? { not: null } : null }),
    },
  },
  right: 'administer',
  sortable: ['id', 'name', 'created', 'expiresAt', 'lastUsedAt', 'revokedAt'],
  order: { field: 'created', direction: 'desc' },
  indexed: [],
  ranges: ['expiresAt', 'lastUsedAt', 'revokedAt'],
  rows: defineRows('AccessToken', shown, Object.keys(hidden)),
});

/** Lists the tokens of one organization or of all, oldest first, for the command line. */
export async function listTokens(database: Database, organizationId?: string) {
  const tokens = await database.prisma.accessToken.findMany({
    where: organizationId === undefined ? {} : { organizationId },
    omit: hidden,
    include: { user: { select: { name: true, email: true } }, organization: { select: { name: true } } },
    orderBy: [{ created: 'asc' }, { id: 'asc' }],
  });
  return tokens.map(shown);
}

/** Values of a new token, as a caller sends them. */
interface NewAccessToken {
  readonly name: string;
  readonly role: Role;
  readonly expiresAt?: Date | null | undefined;
  /** Defaults to the caller's own id. */
  readonly userId?: string | null | undefined;
  /** True if its requests must be signed. Defaults to true if a secret is given. */
  readonly signed?: boolean | null | undefined;
  /** The secret that the sender already has. A random one is created if it is missing. */
  readonly signingSecret?: string | null | undefined;
}

function signingOf({ secrets }: Session, { signed, signingSecret }: NewAccessToken): Signing | undefined {
  const given = signingSecret != null;
  if (!(signed ?? given)) {
    if (given) throw badField(['signingSecret'], 'can be used only with a signed token');
    return undefined;
  }
  if (!secrets) throw new Error('This session cannot keep secrets.');
  return { secrets, secret: signingSecret };
}

/**
 * Creates a token of the caller's organization, with its event.
 * @throws GatewayError BAD_REQUEST, like `createToken`
 */
export function createAccessToken(session: Session, given: NewAccessToken): Promise<IssuedToken> {
  const { caller, now } = session;
  const { name, role, userId, expiresAt } = given;
  const owner = { organizationId: caller.organizationId, userId: userId ?? personOf(caller).id };
  const token = { ...owner, name, role, expiresAt: expiresAt ?? null, signing: signingOf(session, given) };
  return session.inTransaction((tx) => insertToken(tx, token, now));
}

/** Changes of a token. Missing values are kept; without an expiry it never expires. */
interface TokenChanges {
  readonly name?: string | null | undefined;
  readonly expiresAt?: Date | null | undefined;
}

const changeRules = z.object({ name: rules.name, expiresAt: rules.date });

/**
 * Renames a token of the caller's organization, or moves its expiry, with the event. An expired token becomes
 * valid again.
 * @throws GatewayError NOT_FOUND; BAD_REQUEST naming the invalid value; CONFLICT for a revoked token, which
 *   cannot change
 */
export async function updateAccessToken(
  session: Session,
  id: string,
  given: TokenChanges,
): Promise<ShownToken> {
  const { now } = session;
  const values = checkGiven(changeRules, given);
  if (values.expiresAt && values.expiresAt <= now) throw badField(['expiresAt'], 'must be in the future');
  return session.inTransaction(async (tx) => {
    const current = isUuid(id) ? await accessTokens.rows.lock(tx, id.toLowerCase()) : null;
    if (!current) throw notFound(noun, id);
    checkVersion(session, current);
    if (current.revokedAt) throw new GatewayError('CONFLICT', 'The token is revoked, which is permanent.');
    return changeToken(tx, current, values, now);
  });
}

async function changeToken(
  tx: Transaction,
  current: ShownToken,
  values: { readonly name?: string; readonly expiresAt?: Date | null },
  now: Date,
): Promise<ShownToken> {
  const { name, expiresAt } = current;
  const changes = changesBetween({ name, expiresAt }, { name, expiresAt, ...values });
  const names = Object.keys(changes);
  if (names.length === 0) return current;
  const [row] = await updateRows(
    tx,
    'AccessToken',
    { id: current.id },
    {
      ...values,
      modified: nextModified(now, current.modified),
    },
  );
  if (!row) throw new Error('A token that was locked is gone.');
  const { caller } = tx;
  const description = `Token ${JSON.stringify(row.name)} was changed: ${names.join(', ')}`;
  const about = { teamId: caller.user.teamId, details: changes, entities: [] };
  await logEvent(tx, { caller, now }, { type: 'token changed', description, ...about });
  return withoutSecrets(row);
}

/**
 * Revokes a token of the caller's organization, at once and for good. A revoked token stays as it is. It may
 * be the caller's own, because the command line can create others.
 * @throws GatewayError NOT_FOUND
 */
export async function revokeAccessToken(session: Session, id: string): Promise<ShownToken> {
  const token = isUuid(id) ? await session.inTransaction((tx) => markRevoked(tx, id, session)) : null;
  if (!token) throw notFound(noun, id);
  return token;
}
