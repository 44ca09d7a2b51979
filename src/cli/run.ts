import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { type BackupRetention, parseBackupRetention } from '../db/backup/series.js';
import { isSubject, type Role, roles } from '../domain/caller.js';
import { importKindWords } from '../domain/doors/paths.js';
import { type HolderKind, holderKinds } from '../domain/holder-kinds.js';
import type { ImportOptions } from '../imports/options.js';
import { version } from '../version.js';
import { complete, formatCompletion, scriptFor, shells } from './commands/completion.js';
import { addHelp } from './commands/help.js';
import { loadEnvFile } from './env-file.js';
import { toFailure } from './errors.js';
import { type GlobalOptions, type Io, print, terminalWidth } from './terminal/io.js';

const units = { d: 86_400_000, h: 3_600_000 } as const;
const zones = { offset: true, local: true } as const;
/** A date or a date-time of ISO 8601. Without seconds it is not one of RFC 3339, so it has a rule of its own. */
const dateTime = z.union([z.iso.date(), z.iso.datetime(zones), z.iso.datetime({ ...zones, precision: -1 })]);

/**
 * Parses a role, in any case.
 * @throws {InvalidArgumentError} listing the roles
 */
function parseRole(text: string): Role {
  const role = roles.find((known) => known === text.toUpperCase());
  if (!role) throw new InvalidArgumentError(`Use one of ${roles.join(', ').toLowerCase()}.`);
  return role;
}

/**
 * Parses a subject of an issuer.
 * @throws {InvalidArgumentError} if it is invalid
 */
function parseSubject(text: string): string {
  if (!isSubject(text)) throw new InvalidArgumentError('A subject has 1 to 255 visible characters.');
  return text;
}

/**
 * Parses a future time: ISO 8601, or relative like `30d` or `12h`. A date or date-time is in UTC unless it
 * has an offset.
 * @throws {InvalidArgumentError} if it is neither, or past
 */
export function parseExpiry(text: string, now: Date): Date {
  const expiry = readMoment(text, now);
  if (!expiry)
    throw new InvalidArgumentError('Use an ISO date or date-time, or a time from now, such as 30d or 12h.');
  if (expiry <= now) throw new InvalidArgumentError('It must be in the future.');
  return expiry;
}

/**
 * Parses a past time. It is an ISO date or date-time, in UTC unless it has an offset.
 * @throws {InvalidArgumentError} if it is invalid, or in the future
 */
function parsePast(text: string, now: Date): Date {
  const moment = dateTime.safeParse(text).success ? readMoment(text, now) : undefined;
  if (!moment) throw new InvalidArgumentError('Use an ISO date or date-time, such as 2027-03-01T08:00Z.');
  if (moment > now) throw new InvalidArgumentError('It must not be in the future.');
  return moment;
}

/**
 * Parses which backups to keep.
 * @throws {InvalidArgumentError} if it is invalid
 */
function parseRetention(text: string): BackupRetention {
  const keep = parseBackupRetention(text);
  if (!keep)
    throw new InvalidArgumentError(
      'Use numbers of hours, days, weeks, months or years, each once, such as 7d,4w,12m.',
    );
  return keep;
}

/**
 * Parses a number of days.
 * @throws {InvalidArgumentError} unless it is from 1 to `most`
 */
function parseDays(text: string, most: number): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > most) throw new InvalidArgumentError(`Use a number from 1 to ${most}.`);
  return days;
}

/**
 * Parses a number of months.
 * @throws {InvalidArgumentError} unless it is from 2 to 24
 */
function parseMonths(text: string): number {
  const months = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (months < 2 || months > 24) throw new InvalidArgumentError('Use a number from 2 to 24.');
  return months;
}

function readMoment(text: string, now: Date): Date | undefined {
  const [, count, unit] = /^(\d{1,5})([dh])$/i.exec(text) ?? [];
  if (unit) return new Date(now.getTime() + Number(count) * units[unit.toLowerCase() as keyof typeof units]);
  if (!dateTime.safeParse(text).success) return undefined;
  const isLocal = /T[\d:.]+$/.test(text);
  return new Date(isLocal ? `${text}Z` : text);
}

/** Returns the options of a command and those of the program. */
const all = <T extends GlobalOptions>(command: Command): T => command.optsWithGlobals<T>();

/** The option for one line of JSON. */
const asJson = ['--json', 'print one line of JSON'] as const;

/** Creates the option of lists for plain lines. */
const plain = () =>
  new Option('--plain', 'separate the columns with tabs, even at a terminal').conflicts('json');

/** Creates an option that takes a role. */
const roleOption = (description: string) =>
  new Option('--role <role>', description)
    .choices(roles.map((role) => role.toLowerCase()))
    .argParser(parseRole);

/** The option that names an organization. */
const inOrganization = ['--organization <id or name>', 'required if there are several'] as const;

/** Creates an option with one of some words, which the gateway writes in capitals. */
const choiceOption = (flags: string, description: string, choices: readonly string[]) =>
  new Option(flags, description).choices(choices).argParser((text: string) => {
    if (choices.includes(text.toLowerCase())) return text.toUpperCase().replaceAll('-', '_');
    throw new InvalidArgumentError(`Use one of ${choices.join(', ')}.`);
  });

/** Creates a function that reads entries of two texts. A missing second one is null. */
const entries =
  <Entry>(
    usage: string,
    cut: 'indexOf' | 'lastIndexOf',
    entry: (one: string, other: string | null) => Entry,
  ) =>
  (text: string, before: readonly Entry[] = []): Entry[] => {
    const at = text[cut]('=');
    if (at < 1) throw new InvalidArgumentError(usage);
    return [...before, entry(text.slice(0, at), text.slice(at + 1) || null)];
  };

const parseMapping = entries(
  'Use the header and its column, such as "Valid to=expiration_date".',
  'lastIndexOf',
  (header, column): ImportOptions['mapping'][number] => ({ header, column }),
);

const parsePerson = entries(
  'Use the name and the address, such as "Ada Miller=ada@example.com".',
  'lastIndexOf',
  (value, answer): ImportOptions['people'][number] => {
    const make = holderKinds.find((kind) => kind === answer) ?? null;
    const skipRows = answer === 'skip';
    return { value, email: make || skipRows ? null : answer, make, skipRows };
  },
);

/** Adds a kind of holders to those before it. */
function parseHolderKind(text: string, before: readonly HolderKind[] = []): HolderKind[] {
  const kind = holderKinds.find((known) => known === text.toLowerCase());
  if (!kind) throw new InvalidArgumentError(`Use one of ${holderKinds.join(', ')}.`);
  return [...before, kind];
}

const parseConstant = entries(
  'Use the column and the value, such as "category_name=Inspection".',
  'indexOf',
  (column, value): ImportOptions['constants'][number] => ({ column, value }),
);

/** Reads a cell that is read as another text. A colon ends the header. */
function parseCorrection(
  text: string,
  before: ImportOptions['corrections'] = [],
): ImportOptions['corrections'] {
  const [, header, from, to] = /^([^:]+):([^=]*)=(.*)$/s.exec(text) ?? [];
  if (header === undefined)
    throw new InvalidArgumentError(
      'Use the header, the cell and its text, such as "Valid to:31.02.2027=28.02.2027".',
    );
  return [...before, { header, from: from || null, to: to || null }];
}

/** Adds the command that imports a file. */
function addImport(program: Command, io: Io): void {
  program
    .command('import <file>')
    .description(
      'Import a CSV file, a workbook, the ZIP file of a workspace, or stdin (-). Ctrl-C stops it, and the same command continues.',
    )
    .addOption(choiceOption('--kind <kind>', 'what the rows are', importKindWords).makeOptionMandatory())
    .addOption(
      choiceOption('--mode <mode>', 'what to do with records that exist (default: create-only)', [
        'create-only',
        'upsert',
        'update-only',
      ]),
    )
    .option('--workspace <id or name>', 'the workspace that a ZIP file is for; required if there are several')
    .option('--dry-run', 'show what would be done, and write nothing')
    .addOption(
      choiceOption('--date-format <order>', 'the order in dates that are not YYYY-MM-DD', [
        'ymd',
        'dmy',
        'mdy',
      ]),
    )
    .addOption(
      choiceOption('--encoding <name>', 'the encoding of a text (default: what its bytes say)', [
        'utf-8',
        'utf-16',
        'windows-1252',
      ]),
    )
    .option('--sheet <name>', 'the sheet of a workbook (default: the first with values)')
    .option(
      '--header-line <number>',
      'the line with the headers (default: the first that looks like it)',
      Number,
    )
    .option('--map <header=column>', 'the column of a header, or none; can be repeated', parseMapping)
    .option(
      '--person <name=address>',
      `who a name is, or nobody; ${holderKinds.join(', ')} makes a new holder, skip leaves out the rows; can be repeated`,
      parsePerson,
    )
    .addOption(
      new Option('--make-holders <kind>', 'make a holder of each text that names none; can be repeated')
        .choices(holderKinds)
        .argParser(parseHolderKind),
    )
    .option('--set <column=value>', 'a value that all rows have; can be repeated', parseConstant)
    .option(
      '--correct <header:cell=text>',
      'read all cells with a text as another one; can be repeated',
      parseCorrection,
    )
    .option('--allow-no-date', 'import rows without a date as items without one')
    .option('--skip-repeats', 'leave out rows that look like one before them')
    .option(
      '--accept-damage <column>',
      'import values of a column although a spreadsheet seems to have damaged them; can be repeated',
      (column: string, before: string[] = []) => [...before, column],
    )
    .option('--atomic', 'import all rows or none, at most 5000')
    .option('--remind', 'send reminders for dates that are already due, too')
    .option('--again', 'import a file again that was imported within the last day')
    .option('--result <file>', 'write the rows with their outcomes to a file')
    .option('--user <id or e-mail>', "who imports (default: the organization's first administrator)")
    .option(...inOrganization)
    .option('--json', 'print lines of JSON, even at a terminal')
    .action(async (file, _, command) =>
      (await import('./commands/import.js')).importCommand(io, file, all(command)),
    );
}

// Each command loads its own code when it runs, so that it need not wait for code it does not use.

/** Adds the commands for organizations. */
function addOrganization(organization: Command, io: Io): void {
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
      (await import('./commands/organization.js')).exportOrganizationCommand(
        io,
        name,
        file ?? '-',
        all(command),
      ),
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
      (await import('./commands/organization.js')).importOrganizationCommand(io, file, all(command)),
    );
  organization
    .command('freeze <id>')
    .usage('<id>')
    .description('Let an organization, given by its id or name, be read but not changed.')
    .option(...asJson)
    .action(async (name, _, command) =>
      (await import('./commands/organization.js')).freezeOrganizationCommand(io, name, all(command)),
    );
  organization
    .command('unfreeze <id>')
    .usage('<id>')
    .description('Let a frozen organization be changed again.')
    .option(...asJson)
    .action(async (name, _, command) =>
      (await import('./commands/organization.js')).unfreezeOrganizationCommand(io, name, all(command)),
    );
  organization
    .command('delete <id>')
    .usage('<id>')
    .description('Delete an organization, given by its id or name, with everything in it. Asks for its name.')
    .option('--yes <name>', 'its name, for scripts, which cannot be asked')
    .option(...asJson)
    .action(async (name, _, command) =>
      (await import('./commands/organization.js')).deleteOrganizationCommand(io, name, all(command)),
    );
}

// Each command loads its own code when it runs, so that it need not wait for code it does not use.

/** Adds the commands for users. */
function addUser(user: Command, io: Io): void {
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
function addPerson(person: Command, io: Io): void {
  person
    .command('export <id> <zip>')
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
    .action(async (_, command) => (await import('./commands/database.js')).migrateCommand(io, all(command)));
}

function addDemo(program: Command, io: Io): void {
  program
    .command('demo')
    .description('Load the demo workspace, unless it already exists, or remove it.')
    .option(...inOrganization)
    .option('--remove', 'remove it, with everything in it')
    .option('--yes', 'do it without a question')
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/database.js')).demoCommand(io, all(command)));
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
      (await import('./commands/database.js')).restoreCommand(io, file, all(command)),
    );
}

function addGoLive(program: Command, io: Io): void {
  program
    .command('go-live')
    .description('Say that a restored database is the real one, and no copy, so that it sends again.')
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/database.js')).goLiveCommand(io, all(command)));
}

function addOwnersWork(program: Command, io: Io): void {
  program
    .command('grants <role>')
    .description('Print the statements for the owner of the tables that let a role run the gateway.')
    .option(...asJson)
    .action(async (role, _, command) =>
      (await import('./commands/database.js')).grantsCommand(io, role, all(command)),
    );
  program
    .command('maintain')
    .description('Make partitions of the event log ahead of time and delete what is old, as the owner.')
    .option('--months <number>', 'months ahead, 2 to 24', (text) => parseMonths(text), 3)
    .option(...asJson)
    .action(async (_, command) => (await import('./commands/database.js')).maintainCommand(io, all(command)));
}

function addFiles(files: Command, io: Io): void {
  files
    .command('move')
    .description('Move all files to the place that FILES names. Gateways can keep running.')
    .option(...asJson)
    .action(async (_, command) =>
      (await import('./commands/database.js')).moveFilesCommand(io, all(command)),
    );
  files
    .command('check')
    .description('Count the files in each place, and list those whose bytes are gone.')
    .option(...asJson)
    .action(async (_, command) =>
      (await import('./commands/database.js')).checkFilesCommand(io, all(command)),
    );
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
