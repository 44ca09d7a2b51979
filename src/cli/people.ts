import type { Command } from 'commander';
import { parseSubject } from './arguments.js';
import { all, asJson, inOrganization, plain, roleOption } from './options.js';
import type { Io } from './terminal/io.js';

// Each command loads its own code when it runs, so that it need not wait for code it does not use.

/** Adds the commands for users. */
export function addUser(user: Command, io: Io): void {
  user
    .command('invite <email>')
    .description('Invite somebody, and show once the link with which they create a token.')
    .addOption(roleOption('role of the user, which none of their tokens can exceed').makeOptionMandatory())
    .option('--name <text>', 'the name (default: the part of the address before the @)')
    .option(...inOrganization)
    .option(...asJson)
    .action(async (email, _, command) =>
      (await import('./commands/user.js')).inviteUserCommand(io, email, all(command)),
    );
  user
    .command('deactivate <user>')
    .description(
      'Deactivate a user, given by id or e-mail address. Tokens and sign-in stop working immediately.',
    )
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
    .description('Change a user, given by id or e-mail address. For an unknown address, create one.')
    .addOption(roleOption('role of the user, which none of their tokens can exceed'))
    .option(
      '--subject <sub>',
      'subject at OIDC_ISSUER (default: the first one that signs in with the address)',
      parseSubject,
    )
    .option('--no-subject', 'forget the subject; the next one that signs in with the address takes its place')
    .option(...inOrganization)
    .option(...asJson)
    .action(async (id, _, command) =>
      (await import('./commands/user.js')).setUserCommand(io, id, all(command)),
    );
}

/** Adds the commands for what is kept of a person. */
export function addPerson(person: Command, io: Io): void {
  person
    .command('export <person> <file>')
    .description(
      'Write everything of a contact or user, given by id or e-mail address, to a ZIP file or stdout (-).',
    )
    .option('--force', 'replace an existing file')
    .option(...inOrganization)
    .option(...asJson)
    .action(async (id, file, _, command) =>
      (await import('./commands/person.js')).exportPersonCommand(io, id, file, all(command)),
    );
  person
    .command('erase <person>')
    .description('Erase a contact or user permanently, and list the texts that mention them.')
    .option('--yes', 'do it without a question')
    .option(...inOrganization)
    .addOption(plain())
    .option(...asJson)
    .action(async (id, _, command) =>
      (await import('./commands/person.js')).erasePersonCommand(io, id, all(command)),
    );
}
