import type { Command } from 'commander';
import { all, asJson, plain } from './options.js';
import type { Io } from './terminal/io.js';

// Each command loads its own code when it runs, so that it need not wait for code it does not use.

/** Adds the commands for organizations. */
export function addOrganization(organization: Command, io: Io): void {
  organization
    .command('create')
    .description("Create an organization with a workspace, and show its administrator's token once.")
    .requiredOption('--name <text>', 'name of the organization')
    .option('--email <address>', "the administrator's e-mail address (default: admin@localhost)")
    .option(...asJson)
    .action(async (_, command) =>
      (await import('./commands/organization.js')).createOrganizationCommand(io, all(command)),
    );
  organization
    .command('list')
    .description('List organizations.')
    .addOption(plain())
    .option(...asJson)
    .action(async (_, command) =>
      (await import('./commands/organization.js')).listOrganizationsCommand(io, all(command)),
    );
  organization
    .command('rename <id>')
    .description('Rename an organization, given by its id or name.')
    .requiredOption('--name <text>', 'new name')
    .option(...asJson)
    .action(async (organization, _, command) =>
      (await import('./commands/organization.js')).renameOrganizationCommand(io, organization, all(command)),
    );
  addMoving(organization, io);
}

/**
 * Adds the commands that take an organization from one database to another. Their usage leaves out
 * `[options]`, to fit a narrow terminal.
 */
function addMoving(organization: Command, io: Io): void {
  organization
    .command('export <id> [file]')
    .usage('<id> [file]')
    .description('Write an organization, given by its id or name, to a file or to stdout (-, the default).')
    .option('--freeze', 'freeze it first, so that the file has everything that was ever written')
    .option('--since <file>', 'write only what has changed since that file was written')
    .option('--force', 'replace an existing file')
    .option(...asJson)
    .action(async (name, file, _, command) =>
      (await import('./organization/move.js')).exportOrganizationCommand(io, name, file ?? '-', all(command)),
    );
  organization
    .command('import <file>')
    .usage('<file>')
    .description('Import an organization from a file or stdin (-). Gateways can keep running.')
    .option('--frozen', 'keep it frozen, until its changes are imported')
    .option(
      '--key <file>',
      'file with the SECRET_KEY of the database that it comes from, if that is another one',
    )
    .option(...asJson)
    .action(async (file, _, command) =>
      (await import('./organization/move.js')).importOrganizationCommand(io, file, all(command)),
    );
  organization
    .command('freeze <id>')
    .usage('<id>')
    .description('Let an organization, given by its id or name, be read but not changed.')
    .option(...asJson)
    .action(async (name, _, command) =>
      (await import('./organization/freeze.js')).freezeOrganizationCommand(io, name, all(command)),
    );
  organization
    .command('unfreeze <id>')
    .usage('<id>')
    .description('Let a frozen organization be changed again.')
    .option(...asJson)
    .action(async (name, _, command) =>
      (await import('./organization/freeze.js')).unfreezeOrganizationCommand(io, name, all(command)),
    );
  organization
    .command('delete <id>')
    .usage('<id>')
    .description('Delete an organization, given by its id or name, with everything in it. Asks for its name.')
    .option('--yes <name>', 'its name, for scripts, which cannot be asked')
    .option(...asJson)
    .action(async (name, _, command) =>
      (await import('./organization/delete.js')).deleteOrganizationCommand(io, name, all(command)),
    );
}
