import { Argument, Command, Option } from 'commander';
import { version } from '../version.js';
import { parseDays, parseExpiry, parseMonths, parsePast, parseRetention } from './arguments.js';
import { complete, formatCompletion, scriptFor, shells } from './commands/completion.js';
import { addHelp } from './commands/help.js';
import { loadEnvFile } from './env-file.js';
import { toFailure } from './errors.js';
import { addImport } from './import/options.js';
import { all, asJson, inOrganization, plain, roleOption } from './options.js';
import { addOrganization } from './organizations.js';
import { addPerson, addUser } from './people.js';
import { type Io, print, terminalWidth } from './terminal/io.js';

// Each command loads its own code when it runs, so that it need not wait for code it does not use.

/**
 * Runs a command line.
 * @param argv the arguments after the program's name
 * @returns the exit status: 0; 2 for invalid usage or settings; 1 for any other failure. Errors are on
 *   stderr.
 */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  // The writer gets these errors as well; without a listener they would end the process.
  for (const stream of [io.stdout, io.stderr]) stream.on('error', () => {});
  try {
    await buildProgram(io).parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, message } = toFailure(error);
    if (message !== undefined) io.stderr.write(`${message}\n`);
    return exitCode;
  }
}

/** Creates the tree of all commands. */
export function buildProgram(given: Io): Command {
  const io: { -readonly [Name in keyof Io]: Io[Name] } = { ...given };
  const program = new Command('expiration-gateway')
    .description('A gateway for tracking things that expire.')
    .version(version)
    .option('-q, --quiet', 'print only results, warnings and errors')
    .addOption(new Option('--verbose', 'print each step').conflicts('quiet'))
    .option('--env-file <file>', 'read settings from this file, not from .env; variables take precedence')
    .hook('preAction', (_, command) => {
      const { envFile } = command.optsWithGlobals<{ envFile?: string }>();
      if (envFile !== undefined) io.fromFile = loadEnvFile(io.env, envFile, { mustExist: true });
      else if (io.envFile !== undefined) io.fromFile = loadEnvFile(io.env, io.envFile);
    })
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    .configureOutput({
      getOutHelpWidth: () => terminalWidth(io.stdout),
      getErrHelpWidth: () => terminalWidth(io.stderr),
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`),
    })
    .exitOverride();
  addServe(program, io);
  program
    .command('worker')
    .description('Run only the background work, such as filing uploads, until SIGTERM, SIGINT or SIGHUP.')
    .action(async (_, command) =>
      (await import('./commands/worker.js')).workerCommand(withLogLevel(io, command)),
    );
  addConfig(program, io);
  addMigrate(program, io);
  addDemo(program, io);
  addReminders(program.command('reminders').description('Preview reminders, or catch up manually.'), io);
  addBackup(program, io);
  addGoLive(program, io);
  addOwnersWork(program, io);
  addFiles(program.command('files').description('Move files to another place, or look for lost ones.'), io);
  addImport(program, io);
  addToken(program.command('token').description('Create, list and revoke access tokens.'), io);
  addSecretKey(
    program.command('secret-key').description('Replace the key that encrypts secrets in the database.'),
    io,
  );
  addOrganization(
    program.command('organization').description('Create, list, move and delete organizations.'),
    io,
  );
  addUser(program.command('user').description('List, invite, change and deactivate users.'), io);
  addPerson(program.command('person').description('Export or erase what is kept of a person.'), io);
  addCompletion(program, io);
  addHelp(program);
  return program;
}

/** Sets the log level of a server by `--quiet` and `--verbose`. */
function withLogLevel(io: Io, command: Command): Io {
  const { quiet, verbose } = all(command);
  const level = quiet ? 'warn' : verbose ? 'debug' : undefined;
  if (level === undefined) return io;
  const { stdout, stderr, signals = process } = io;
  return { stdout, stderr, signals, env: { ...io.env, LOG_LEVEL: level } };
}

function addServe(program: Command, io: Io): void {
  program
    .command('serve')
    .description('Run the gateway until SIGTERM, SIGINT or SIGHUP.')
    .action(async (_, command) => (await import('./commands/serve.js')).serve(withLogLevel(io, command)));
}

function addConfig(program: Command, io: Io): void {
  program
    .command('config')
    .description('Print the current settings and where each comes from; secrets are hidden.')
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/doctor.js')).configCommand(io, all(command)));
  program
    .command('doctor')
    .description('Check settings, port, database, grants, clock, disk and issuer, and suggest fixes.')
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/doctor.js')).doctorCommand(io, all(command)));
}

function addMigrate(program: Command, io: Io): void {
  program
    .command('migrate')
    .description('Apply pending database migrations, as serve does at startup.')
    .option('--retry', 'try failed migrations again, once their cause is fixed')
    .option(...asJson)
    .action(async (_, command) => (await import('./upkeep/migrate.js')).migrateCommand(io, all(command)));
}

function addDemo(program: Command, io: Io): void {
  program
    .command('demo')
    .description('Load the demo workspace, unless it already exists, or remove it.')
    .option(...inOrganization)
    .option('--remove', 'remove it, with everything in it')
    .option('--yes', 'do it without a question')
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/demo.js')).demoCommand(io, all(command)));
}

function addReminders(reminders: Command, io: Io): void {
  reminders
    .command('preview')
    .description('List the reminders of the next days with their recipients. Nothing is sent.')
    .option('--days <number>', 'days from now on, 1 to 90', (text) => parseDays(text, 90), 30)
    .option('--organization <id or name>', 'only its reminders')
    .addOption(plain())
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/reminders.js')).previewCommand(io, all(command)));
  reminders
    .command('run')
    .description('Decide overdue reminders now. serve and worker do this automatically, and send them.')
    .option('--until <time>', 'ISO date or date-time in the past (default: now)', (text) =>
      parsePast(text, new Date()),
    )
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/reminders.js')).runCommand(io, all(command)));
}

function addBackup(program: Command, io: Io): void {
  program
    .command('backup <file>')
    .description('Write the whole database to a file, a folder, or stdout (-). Gateways can keep running.')
    .option('--force', 'replace an existing file')
    .option(
      '--keep <numbers>',
      'of the backups in the folder, keep those of the last days, weeks and months, as 7d,4w,12m',
      parseRetention,
    )
    .option('--with-files', 'include files that are in a folder or a bucket')
    .option(...asJson)
    .action(async (file, _, command) =>
      (await import('./commands/backup.js')).backupCommand(io, file, all(command)),
    );
  program
    .command('restore <file>')
    .description(
      'Restore a backup, from a file or stdin (-), into an empty database. Stop gateways and workers first.',
    )
    .option('--force', 'replace what is in the database')
    .option('--live', 'say that it is the real database, and no copy: send what waits')
    .option(...asJson)
    .action(async (file, _, command) =>
      (await import('./upkeep/restore.js')).restoreCommand(io, file, all(command)),
    );
}

function addGoLive(program: Command, io: Io): void {
  program
    .command('go-live')
    .description('Say that a restored database is the real one, and no copy, so that it sends again.')
    .option(...asJson)
    .action(async (_, command) => (await import('./upkeep/go-live.js')).goLiveCommand(io, all(command)));
}

function addOwnersWork(program: Command, io: Io): void {
  program
    .command('grants <role>')
    .description('Print the statements for the owner of the tables that let a role run the gateway.')
    .option(...asJson)
    .action(async (role, _, command) =>
      (await import('./upkeep/grants.js')).grantsCommand(io, role, all(command)),
    );
  program
    .command('maintain')
    .description('Make partitions of the event log ahead of time and delete what is old, as the owner.')
    .option('--months <number>', 'months ahead, 2 to 24', (text) => parseMonths(text), 3)
    .option(...asJson)
    .action(async (_, command) => (await import('./upkeep/maintain.js')).maintainCommand(io, all(command)));
}

function addFiles(files: Command, io: Io): void {
  files
    .command('move')
    .description('Move all files to the place that FILES names. Gateways can keep running.')
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/files.js')).moveFilesCommand(io, all(command)));
  files
    .command('check')
    .description('Count the files in each place, and list those whose bytes are gone.')
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/files.js')).checkFilesCommand(io, all(command)));
}

function addToken(token: Command, io: Io): void {
  token
    .command('create')
    .description('Create a token and show it once.')
    .requiredOption('--name <text>', 'what the token is for')
    .addOption(roleOption('what the token may do').makeOptionMandatory())
    .option(...inOrganization)
    .option(
      '--user <id or e-mail>',
      "user of the token; created if the address is unknown (default: the organization's first user)",
    )
    .option(
      '--expires <when>',
      'ISO date or date-time, or a time from now like 30d or 12h (default: never)',
      (text) => parseExpiry(text, new Date()),
    )
    .option(
      '--signed [file]',
      'require signed requests; the secret comes from a file or stdin (-), or is generated',
    )
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/token.js')).createTokenCommand(io, all(command)));
  token
    .command('list')
    .description('List tokens. Their secret values are not stored, and not shown.')
    .option('--organization <id or name>', 'only its tokens')
    .addOption(plain())
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/token.js')).listTokensCommand(io, all(command)));
  token
    .command('revoke <id>')
    .description('Revoke a token permanently.')
    .option(...asJson)
    .action(async (id, _, command) =>
      (await import('./commands/token.js')).revokeTokenCommand(io, id, all(command)),
    );
}

function addSecretKey(secretKey: Command, io: Io): void {
  secretKey
    .command('new')
    .description('Create another key in DATA_DIR, and keep the old one until everything is encrypted again.')
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/secret-key.js')).newKeyCommand(io, all(command)));
  secretKey
    .command('rotate')
    .description('Encrypt everything with the present key. Gateways can keep running; run it again to go on.')
    .option(...asJson)
    .action(async (_, command) =>
      (await import('./commands/secret-key.js')).rotateKeyCommand(io, all(command)),
    );
}

function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .description('Print a shell script that completes commands and options.')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: (typeof shells)[number]) => print(io.stdout, scriptFor(shell, program.name())));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => void io.stdout.write(formatCompletion(complete(program, words))));
}
