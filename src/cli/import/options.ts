import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ImportOptions } from '../../imports/options.js';
import { importKindWords } from '../../rest/imports.js';
import { all, inOrganization } from '../options.js';
import type { Io } from '../terminal/io.js';

/** Creates an option with one of some words, which the gateway writes in capitals. */
const words = (flags: string, description: string, choices: readonly string[]) =>
  new Option(flags, description).choices(choices).argParser((text: string) => {
    if (choices.includes(text.toLowerCase())) return text.toUpperCase().replaceAll('-', '_');
    throw new InvalidArgumentError(`Use one of ${choices.join(', ')}.`);
  });

/** Parses an entry of the mapping: a header and its column. */
function parseMapping(text: string, before: ImportOptions['mapping'] = []): ImportOptions['mapping'] {
  const at = text.lastIndexOf('=');
  if (at < 1)
    throw new InvalidArgumentError('Use the header and its column, such as "Valid to=expiration_date".');
  return [...before, { header: text.slice(0, at), column: text.slice(at + 1) || null }];
}

/** Adds the command that imports a file. */
export function addImport(program: Command, io: Io): void {
  program
    .command('import <file>')
    .description(
      'Import a CSV file, the ZIP file of a workspace, or stdin (-). Ctrl-C stops it, and the same command continues.',
    )
    .addOption(words('--kind <kind>', 'what the rows are', importKindWords).makeOptionMandatory())
    .addOption(
      words('--mode <mode>', 'what to do with records that exist (default: create-only)', [
        'create-only',
        'upsert',
        'update-only',
      ]),
    )
    .option('--workspace <id or name>', 'the workspace that a ZIP file is for; required if there are several')
    .option('--dry-run', 'show what would be done, and write nothing')
    .addOption(
      words('--date-format <order>', 'the order in dates that are not YYYY-MM-DD', ['ymd', 'dmy', 'mdy']),
    )
    .addOption(
      words('--encoding <name>', 'the encoding of a file without a byte order mark', [
        'utf-8',
        'windows-1252',
      ]),
    )
    .option('--map <header=column>', 'the column of a header, or none; can be repeated', parseMapping)
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
    .action(async (file, _, command) => (await import('./command.js')).importCommand(io, file, all(command)));
}
