import { findOrganization } from '../../setup/accounts.js';
import { foundOrganization } from '../../setup/bootstrap.js';
import { type ListedOrganization, listOrganizations, renameOrganization } from '../../setup/provisioning.js';
import { withDatabase } from '../database.js';
import { readSettings } from '../settings.js';
import { type Io, print, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { type Column, type ListOptions, printTable } from '../terminal/table.js';

export interface CreateOrganizationOptions extends ReportOptions {
  readonly name: string;
  /** E-mail address of the administrator. */
  readonly email?: string;
}

/**
 * Creates an organization with a workspace and an administrator, and shows the administrator's token once.
 */
export async function createOrganizationCommand(io: Io, options: CreateOrganizationOptions): Promise<void> {
  const config = readSettings(io.env, 'organization create');
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const { name, email } = options;
    const { token, id, userId } = await foundOrganization(database, { name, email }, new Date());
    await print(io.stdout, options.json ? JSON.stringify({ token, id, userId }) : token);
    if (options.json || options.quiet) return;
    await print(
      io.stderr,
      `Created the organization ${id}. Above is its administrator's token; it is not shown again.`,
    );
  });
}

/** Lists all organizations. */
export async function listOrganizationsCommand(io: Io, options: ListOptions): Promise<void> {
  const config = readSettings(io.env, 'organization list');
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const rows = await listOrganizations(database);
    await printTable(io, options, { rows, columns, empty: 'There are no organizations.' });
  });
}

const columns: Column<ListedOrganization>[] = [
  { title: 'ID', cell: ({ id }) => id, isKey: true },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'WORKSPACES', cell: ({ _count: { teams } }) => String(teams) },
  { title: 'USERS', cell: ({ _count: { users } }) => String(users) },
];

/** Renames an organization. */
export async function renameOrganizationCommand(
  io: Io,
  idOrName: string,
  options: ReportOptions & { readonly name: string },
): Promise<void> {
  const config = readSettings(io.env, 'organization rename');
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const { id } = await findOrganization(database, idOrName);
    const { name } = await renameOrganization(database, id, options.name, new Date());
    await report(io, options, { id, name }, `Renamed the organization ${id} to ${JSON.stringify(name)}.`);
  });
}
