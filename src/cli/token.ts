import { readFile } from 'node:fs/promises';
import { readConfig } from '../config.js';
import { listTokens } from '../data/access-tokens.js';
import { findOrganization, findOrMakeUser } from '../data/accounts.js';
import { ensureOrganization } from '../data/bootstrap.js';
import { createSecrets } from '../data/secrets.js';
import { createToken, revokeToken } from '../data/tokens.js';
import { notFound } from '../domain/errors.js';
import type { Role } from '../domain/roles.js';
import { withDatabase } from './database.js';
import { type Io, print, quietLog, report } from './io.js';

/** What `token create` is told. */
export interface CreateOptions {
  readonly name: string;
  readonly role: Role;
  /** Id or name. */
  readonly organization?: string;
  /** Id or e-mail address. */
  readonly user?: string;
  readonly expires?: Date;
  /** Whether it is a signed token; a text is the path of the file that holds the sender's own secret. */
  readonly signed?: true | string;
  readonly json?: boolean;
}

/** Makes a token and shows it, once; of an empty database it makes the first organization too. */
export async function createTokenCommand(io: Io, options: CreateOptions): Promise<void> {
  const config = readConfig(io.env);
  await withDatabase(config, quietLog(io), async ({ database }) => {
    const now = new Date();
    await ensureOrganization(database, { demo: config.demoData, now });
    const { id: organizationId } = await findOrganization(database, options.organization);
    const user = await findOrMakeUser(database, organizationId, options.user, now);
    const { name, role, signed, expires: expiresAt = null } = options;
    const secret = typeof signed === 'string' ? (await readFile(signed, 'utf8')).trim() : undefined;
    const signing = signed === undefined ? undefined : { secrets: createSecrets(config), secret };
    const given = { organizationId, userId: user.id, name, role, expiresAt, signing };
    const { id, token, signingSecret } = await createToken(database, given, now);
    await report(io, options, { token, id, ...(signingSecret && { signingSecret }) }, token);
    if (options.json) return;
    await print(io.stderr, `Token ${id} of ${user.name}. It is not shown again.`);
    if (signed === true) await print(io.stderr, `Signing secret, not shown again either: ${signingSecret}`);
  });
}

/** What `token list` can be told. */
export interface ListOptions {
  readonly organization?: string;
  readonly json?: boolean;
}

/** Lists the tokens of one organization or of all. */
export async function listTokensCommand(io: Io, options: ListOptions): Promise<void> {
  await withDatabase(readConfig(io.env), quietLog(io), async ({ database }) => {
    const name = options.organization;
    const only = name === undefined ? undefined : (await findOrganization(database, name)).id;
    const tokens = await listTokens(database, only);
    const now = new Date();
    const text = tokens.map((token) => lineOf(token, now)).join('\n') || 'There are no tokens.';
    await report(io, options, tokens, text);
  });
}

type Listed = Awaited<ReturnType<typeof listTokens>>[number];

function lineOf({ id, name, role, user, organization, ...token }: Listed, now: Date): string {
  const kind = `${token.signed ? 'signed ' : ''}${role.toLowerCase()}`;
  const used = token.lastUsedAt ? `used ${minute(token.lastUsedAt)}` : 'never used';
  return [id, kind, JSON.stringify(name), user.email, organization.name, used, stateOf(token, now)].join(
    '  ',
  );
}

function stateOf({ revokedAt, expiresAt }: Pick<Listed, 'revokedAt' | 'expiresAt'>, now: Date): string {
  if (revokedAt) return `revoked ${minute(revokedAt)}`;
  if (!expiresAt) return 'valid';
  return expiresAt <= now ? `expired ${minute(expiresAt)}` : `valid until ${minute(expiresAt)}`;
}

function minute(date: Date): string {
  return `${date.toISOString().slice(0, 16)}Z`;
}

/**
 * Revokes a token; one that is revoked stays so.
 * @throws GatewayError NOT_FOUND
 */
export async function revokeTokenCommand(
  io: Io,
  id: string,
  options: { readonly json?: boolean },
): Promise<void> {
  await withDatabase(readConfig(io.env), quietLog(io), async ({ database }) => {
    if (!(await revokeToken(database, id, new Date()))) throw notFound('token', id);
    await report(io, options, { id, revoked: true }, `Revoked the token ${id}.`);
  });
}
