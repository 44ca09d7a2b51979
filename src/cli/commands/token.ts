import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { listTokens } from '../../access/access-tokens.js';
import { createToken, revokeToken } from '../../access/tokens.js';
import { createSecrets } from '../../db/secrets/secrets.js';
import type { Role } from '../../domain/caller.js';
import { notFound } from '../../domain/errors.js';
import { findOrganization, findOrMakeUser } from '../../setup/accounts.js';
import { ensureOrganization } from '../../setup/bootstrap.js';
import { withDatabase } from '../database.js';
import { readSettings } from '../settings.js';
import {
  formatDuration,
  type Io,
  input,
  print,
  quietLog,
  type ReportOptions,
  report,
} from '../terminal/io.js';
import { type Column, type ListOptions, printTable } from '../terminal/table.js';

interface CreateOptions extends ReportOptions {
  readonly name: string;
  readonly role: Role;
  /** Id or name. */
  readonly organization?: string;
  /** Id or e-mail address. */
  readonly user?: string;
  readonly expires?: Date;
  /** Creates a signed token. A text is the path of the file with the sender's own secret; - is stdin. */
  readonly signed?: true | string;
}

/** Creates a token and shows it once. In an empty database, it also creates the first organization. */
export async function createTokenCommand(io: Io, options: CreateOptions): Promise<void> {
  const config = readSettings(io.env, 'token create');
  const secret = typeof options.signed === 'string' ? await readSecret(io, options.signed) : undefined;
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const now = new Date();
    await ensureOrganization(database, { demo: config.demoData, now });
    const { id: organizationId } = await findOrganization(database, options.organization);
    const user = await findOrMakeUser(database, organizationId, options.user, now);
    const { name, role, signed, expires: expiresAt = null } = options;
    const signing = signed === undefined ? undefined : { secrets: createSecrets(config), secret };
    const given = { organizationId, userId: user.id, name, role, expiresAt, signing };
    const { id, token, signingSecret } = await createToken(database, given, now);
    const result = { token, id, ...(signingSecret && { signingSecret }) };
    await print(io.stdout, options.json ? JSON.stringify(result) : token);
    if (options.json) return;
    if (!options.quiet)
      await print(io.stderr, `Created the token ${id} for ${user.name}. It is not shown again.`);
    if (signed === true) await print(io.stderr, `Signing secret (not shown again either): ${signingSecret}`);
  });
}

/** Reads a secret from a file or stdin. Other users of the machine can read command lines. */
async function readSecret(io: Io, file: string): Promise<string> {
  return (file === '-' ? await text(input(io)) : await readFile(file, 'utf8')).trim();
}

interface ListTokensOptions extends ListOptions {
  readonly organization?: string;
}

/** Lists the tokens of one organization or of all. */
export async function listTokensCommand(io: Io, options: ListTokensOptions): Promise<void> {
  await withDatabase(readSettings(io.env, 'token list'), quietLog(io, options), async ({ database }) => {
    const name = options.organization;
    const only = name === undefined ? undefined : (await findOrganization(database, name)).id;
    const rows = await listTokens(database, only);
    await printTable(io, options, { rows, columns: columnsAt(new Date()), empty: 'There are no tokens.' });
  });
}

type Listed = Awaited<ReturnType<typeof listTokens>>[number];

function columnsAt(now: Date): Column<Listed>[] {
  const kind = ({ signed, role }: Listed) => `${signed ? 'signed ' : ''}${role.toLowerCase()}`;
  return [
    { title: 'ID', cell: ({ id }) => id, isKey: true },
    { title: 'ROLE', cell: kind },
    { title: 'NAME', cell: ({ name }) => name },
    { title: 'USER', cell: ({ user }) => user.email },
    { title: 'ORGANIZATION', cell: ({ organization }) => organization.name, onlyIfVaried: true },
    {
      title: 'USED',
      cell: ({ lastUsedAt }) => (lastUsedAt ? minute(lastUsedAt) : 'never'),
      short: ({ lastUsedAt }) => (lastUsedAt ? `${formatDuration(lastUsedAt, now)} ago` : 'never'),
    },
    {
      title: 'STATE',
      cell: (token) => tokenState(token, now),
      short: (token) => shortTokenState(token, now),
    },
  ];
}

function tokenState({ revokedAt, expiresAt }: Listed, now: Date): string {
  if (revokedAt) return `revoked ${minute(revokedAt)}`;
  if (!expiresAt) return 'valid';
  return `${expiresAt <= now ? 'expired' : 'valid until'} ${minute(expiresAt)}`;
}

function shortTokenState({ revokedAt, expiresAt }: Listed, now: Date): string {
  if (revokedAt) return 'revoked';
  if (!expiresAt) return 'valid';
  return expiresAt <= now ? 'expired' : `${formatDuration(now, expiresAt)} left`;
}

const minute = (date: Date) => `${date.toISOString().slice(0, 16)}Z`;

/**
 * Revokes a token; a revoked one stays revoked.
 * @throws GatewayError NOT_FOUND
 */
export async function revokeTokenCommand(io: Io, id: string, options: ReportOptions): Promise<void> {
  await withDatabase(readSettings(io.env, 'token revoke'), quietLog(io, options), async ({ database }) => {
    if (!(await revokeToken(database, id, new Date()))) throw notFound('token', id);
    await report(io, options, { id, revoked: true }, `Revoked the token ${id}.`);
  });
}
