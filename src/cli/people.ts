import type { Command } from 'commander';
import { parseSubject } from './arguments.js';
import { all, asJson, inOrganization, plain, roleOption } from './options.js';
import type { Io } from './terminal/io.js';

// Each command loads its own part when it runs, so that none waits for what it does not use.

/** Adds the commands for organizations. */
export function addOrganization(organization: Command, io: Io): void {
  organization
    .command('create')
    .description("Make an organization with a workspace, and show its administrator's token, once.")
    .requiredOption('--name <text>', 'what the organization is called')
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
    .description('Rename the organization with an id or name.')
    .requiredOption('--name <text>', 'what it is called from now on')
    .option(...asJson)
    .action(async (organization, _, command) =>
      (await import('./commands/organization.js')).renameOrganizationCommand(io, organization, all(command)),
    );
}

/** Adds the commands for users. */
export function addUser(user: Command, io: Io): void {
  user
    .command('invite <email>')
    .description('Invite somebody, and show the link where they make a token, once.')
    .addOption(roleOption('what the user may do at most').makeOptionMandatory())
    .option('--name <text>', 'the name (default: the part of the address before the @)')
    .option(...inOrganization)
    .option(...asJson)
    .action(async (email, _, command) =>
      (await import('./commands/user.js')).inviteUserCommand(io, email, all(command)),
    );
  user
    .command('deactivate <user>')
    .description('Let the user with an id or e-mail address act no more; tokens and sign-in end at once.')
    .option(...inOrganization)
    .option(...asJson)
    .action(async (id, _, command) =>
      (await import('./commands/user.js')).deactivateUserCommand(io, id, all(command)),
    );
  user
    .command('list')
    .description('List users.')
    .option('--organization <id or name>', 'only its users')
    .addOption(plain())
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/user.js')).listUsersCommand(io, all(command)));
  user
    .command('set <user>')
    .description('Change the user with an id or e-mail address; an unknown address becomes one.')
    .addOption(roleOption('what tokens of the user may do at most, and those that tell of no role'))
    .option(
      '--subject <sub>',
      'the name at OIDC_ISSUER (default: of whoever comes first with the address)',
      parseSubject,
    )
    .option('--no-subject', 'forget it: whoever comes next with the address is the user')
    .option(...inOrganization)
    .option(...asJson)
    .action(async (id, _, command) =>
      (await import('./commands/user.js')).setUserCommand(io, id, all(command)),
    );
}
