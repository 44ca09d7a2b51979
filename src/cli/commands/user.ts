import { invitationLink } from '../../access/invitations.js';
import type { Config } from '../../config/config.js';
import type { Role } from '../../domain/caller.js';
import { GatewayError } from '../../domain/errors.js';
import {
  deactivateUser,
  findOrganization,
  invite,
  type ListedUser,
  listUsers,
  setUser,
} from '../../setup/accounts.js';
import { ensureOrganization } from '../../setup/bootstrap.js';
import { withDatabase } from '../database.js';
import { readSettings } from '../settings.js';
import { type Io, print, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { type Column, type ListOptions, printTable } from '../terminal/table.js';

interface UserOptions extends ReportOptions {
  /** Id or name. */
  readonly organization?: string;
  readonly role?: Role;
  /** At `OIDC_ISSUER`; false removes it. */
  readonly subject?: string | false;
}

function readSubject({ oidc }: Pick<Config, 'oidc'>, subject: string | false | undefined) {
  if (subject === undefined) return undefined;
  if (subject === false) return null;
  if (!oidc) throw new GatewayError('BAD_REQUEST', '--subject needs OIDC_ISSUER, which is not set.');
  return { issuer: oidc.issuer, subject };
}

/**
 * Creates or changes a user, for an issuer's tokens. In an empty database, it also creates the first
 * organization.
 */
export async function setUserCommand(io: Io, idOrEmail: string, options: UserOptions): Promise<void> {
  const config = readSettings(io.env, 'user set');
  const settings = { role: options.role, subject: readSubject(config, options.subject) };
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const now = new Date();
    await ensureOrganization(database, { demo: config.demoData, now });
    const { id: organizationId } = await findOrganization(database, options.organization);
    const user = await setUser(database, organizationId, idOrEmail, settings, now);
    const { id, name, email, role, issuer, subject } = user;
    const result = { id, name, email, role, issuer, subject };
    if (options.json) await print(io.stdout, JSON.stringify(result));
    else if (!options.quiet) await printTable(io, options, { rows: [result], columns, empty: '' });
  });
}

interface InviteOptions extends ReportOptions {
  readonly role: Role;
  readonly name?: string;
  readonly organization?: string;
}

/** Invites somebody, and shows the link once. */
export async function inviteUserCommand(io: Io, email: string, options: InviteOptions): Promise<void> {
  const config = readSettings(io.env, 'user invite');
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const { id: organizationId } = await findOrganization(database, options.organization);
    const { role, name } = options;
    const { user, secret } = await invite(database, organizationId, { email, role, name }, new Date());
    const link = invitationLink(config.publicUrl ?? `http://${config.host}:${config.port}`, secret);
    await print(io.stdout, options.json ? JSON.stringify({ link, id: user.id }) : link);
    if (options.json || options.quiet) return;
    await print(
      io.stderr,
      `The link creates a token for ${user.email}. It works once, within 7 days, and is not shown again.`,
    );
  });
}

/** Deactivates a user: all their tokens and sign-ins end. */
export async function deactivateUserCommand(
  io: Io,
  idOrEmail: string,
  options: ReportOptions & { readonly organization?: string },
): Promise<void> {
  await withDatabase(readSettings(io.env, 'user deactivate'), quietLog(io, options), async ({ database }) => {
    const { id: organizationId } = await findOrganization(database, options.organization);
    const { id, email } = await deactivateUser(database, organizationId, idOrEmail, new Date());
    await report(io, options, { id, deactivated: true }, `Deactivated the user ${email}.`);
  });
}

interface ListUsersOptions extends ListOptions {
  readonly organization?: string;
}

/** Lists the users of one organization or of all. */
export async function listUsersCommand(io: Io, options: ListUsersOptions): Promise<void> {
  await withDatabase(readSettings(io.env, 'user list'), quietLog(io, options), async ({ database }) => {
    const name = options.organization;
    const only = name === undefined ? undefined : (await findOrganization(database, name)).id;
    const rows = await listUsers(database, only);
    await printTable(io, options, {
      rows,
      columns: [...columns, organization, state],
      empty: 'There are no users.',
    });
  });
}

const columns: Column<Pick<ListedUser, 'id' | 'email' | 'role' | 'subject'>>[] = [
  { title: 'ID', cell: ({ id }) => id, isKey: true },
  { title: 'E-MAIL', cell: ({ email }) => email },
  { title: 'ROLE', cell: ({ role }) => role?.toLowerCase() ?? 'no role' },
  { title: 'SUBJECT', cell: ({ subject }) => subject ?? 'no subject' },
];

const state: Column<ListedUser> = {
  title: 'STATE',
  cell: ({ isActive }) => (isActive ? 'active' : 'deactivated'),
  onlyIfVaried: true,
};

const organization: Column<ListedUser> = {
  title: 'ORGANIZATION',
  cell: ({ organization: { name } }) => name,
  onlyIfVaried: true,
};
