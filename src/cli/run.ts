import { Command } from 'commander';
import { settings } from '../config.js';
import { version } from '../version.js';
import { parseExpiry, parseRole, parseSubject } from './arguments.js';
import { loadEnvFile } from './env-file.js';
import { failureOf } from './errors.js';
import type { Io } from './io.js';

// Each command loads its own part when it runs, so that none waits for what it does not use.

/**
 * Runs a command line.
 * @param argv the arguments after the program's name
 * @returns the exit status: 0; 2 for wrong usage or settings; 1 for any other failure. What went wrong is on stderr.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const fromFile = io.envFile === undefined ? undefined : loadEnvFile(io.env, io.envFile);
    await buildProgram({ ...io, ...(fromFile && { fromFile }) }).parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, message } = failureOf(error);
    if (message !== undefined) io.stderr.write(`${message}\n`);
    return exitCode;
  }
}

function buildProgram(io: Io): Command {
  const program = new Command('expiration-gateway')
    .description('A gateway for tracking things that expire.')
    .version(version)
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`),
    })
    .exitOverride();
  addServe(program, io);
  program
    .command('worker')
    .description('File uploads, without serving, until SIGTERM, SIGINT or SIGHUP.')
    .action(async () => (await import('./worker.js')).workerCommand(io));
  addConfig(program, io);
  addMigrate(program, io);
  addDemo(program, io);
  addBackup(program, io);
  addToken(program.command('token').description('Make, list and revoke access tokens.'), io);
  addUser(program.command('user').description("Say who may come with an issuer's tokens."), io);
  return program;
}

const asJson = ['--json', 'print one line of JSON'] as const;
const inOrganization = ['--organization <id or name>', 'needed when there are several'] as const;

function addServe(program: Command, io: Io): void {
  program
    .command('serve')
    .description('Run the gateway until SIGTERM, SIGINT or SIGHUP.')
    .addHelpText('after', () => `\n${settingsHelp()}`)
    .action(async () => (await import('./serve.js')).serve(io));
}

function settingsHelp(): string {
  const width = Math.max(...settings.map(({ name }) => name.length)) + 2;
  const lines = settings.map(({ name, default: standard, description }) => {
    return `  ${name.padEnd(width)}${description}\n${' '.repeat(width + 2)}Default: ${standard}`;
  });
  return [
    'Settings, from the environment, or else from a file .env in the working directory:',
    ...lines,
  ].join('\n');
}

function addConfig(program: Command, io: Io): void {
  program
    .command('config')
    .description('Print the settings in force and where each is from; secrets are hidden.')
    .option(...asJson)
    .action(async (options) => (await import('./config.js')).configCommand(io, options));
  program
    .command('doctor')
    .description('Check settings, port, database, grants, clock, disk and issuer, and say what to do.')
    .option(...asJson)
    .action(async (options) => (await import('./doctor.js')).doctorCommand(io, options));
}

function addMigrate(program: Command, io: Io): void {
  program
    .command('migrate')
    .description('Bring the database up to date; serve does so too.')
    .option(...asJson)
    .action(async (options) => (await import('./migrate.js')).migrateCommand(io, options));
}

function addDemo(program: Command, io: Io): void {
  program
    .command('demo')
    .description('Load the demo workspace, unless it is there.')
    .option(...inOrganization)
    .option(...asJson)
    .action(async (options) => (await import('./demo.js')).demoCommand(io, options));
}

function addBackup(program: Command, io: Io): void {
  program
    .command('backup <file>')
    .description('Write all that the database holds to a file; beside running gateways, too.')
    .option(...asJson)
    .action(async (file, options) => (await import('./backup.js')).backupCommand(io, file, options));
  program
    .command('restore <file>')
    .description('Make an empty database hold what a backup holds. Stop gateways and workers first.')
    .option('--force', 'give up what the database holds')
    .option(...asJson)
    .action(async (file, options) => (await import('./backup.js')).restoreCommand(io, file, options));
}

function addToken(token: Command, io: Io): void {
  token
    .command('create')
    .description('Make a token and show it, once.')
    .requiredOption('--name <text>', 'what the token is for')
    .requiredOption('--role <role>', 'admin, member, viewer or uploader', parseRole)
    .option(...inOrganization)
    .option(
      '--user <id or e-mail>',
      "whom it acts as; an unknown address becomes a user (default: the organization's first user)",
    )
    .option(
      '--expires <when>',
      'ISO date or date-time, or a time from now like 30d or 12h (default: never)',
      (text) => parseExpiry(text, new Date()),
    )
    .option(
      '--signed [file]',
      "what it sends must be signed: with the sender's secret, read from a file, or with a new one",
    )
    .option(...asJson)
    .action(async (options) => (await import('./token.js')).createTokenCommand(io, options));
  token
    .command('list')
    .description('List tokens, without their text, which is not kept.')
    .option('--organization <id or name>', 'only its tokens')
    .option(...asJson)
    .action(async (options) => (await import('./token.js')).listTokensCommand(io, options));
  token
    .command('revoke <id>')
    .description('Revoke a token, at once and for good.')
    .option(...asJson)
    .action(async (id, options) => (await import('./token.js')).revokeTokenCommand(io, id, options));
}

function addUser(user: Command, io: Io): void {
  user
    .command('set <user>')
    .description('Change the user with an id or e-mail address; an unknown address becomes one.')
    .option('--role <role>', 'what tokens that tell of no role may do', parseRole)
    .option(
      '--subject <sub>',
      'the name at OIDC_ISSUER (default: of whoever comes first with the address)',
      parseSubject,
    )
    .option('--no-subject', 'forget it: whoever comes next with the address is the user')
    .option(...inOrganization)
    .option(...asJson)
    .action(async (id, options) => (await import('./user.js')).setUserCommand(io, id, options));
}
