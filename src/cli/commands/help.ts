import type { Command } from 'commander';
import { settingsReadBy } from '../settings.js';

/** Examples of each command, as arguments of the program. */
const examples: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve', 'serve --quiet'],
  worker: ['worker'],
  config: ['config', 'config --json'],
  doctor: ['doctor'],
  migrate: ['migrate'],
  demo: ['demo', 'demo --remove --yes'],
  'reminders preview': ['reminders preview --days 30', 'reminders preview --json'],
  'reminders run': ['reminders run', 'reminders run --until 2026-11-20T08:00Z'],
  backup: [
    'backup gateway.backup',
    'backup /var/backups/gateway --keep 7d,4w,12m',
    'backup - | ssh vault "cat > gateway.backup"',
  ],
  restore: ['restore gateway.backup', 'restore - --live < gateway.backup'],
  'go-live': ['go-live'],
  grants: ['grants gateway'],
  maintain: ['maintain', 'maintain --months 12'],
  'files move': ['files move'],
  'files check': ['files check', 'files check --json'],
  import: [
    'import items.csv --kind items --dry-run',
    'import items.csv --kind items --mode upsert --date-format dmy --map "Valid to=expiration_date"',
    'import - --kind contacts --result result.csv < contacts.csv',
    'import workspace.zip --kind workspace --workspace Main --dry-run',
  ],
  'token create': [
    'token create --name "CI upload" --role uploader --expires 30d',
    'token create --name "Bo" --role viewer --user bo@example.com',
    'token create --name "Filestack" --role uploader --signed - < secret.txt',
  ],
  'token list': ['token list', 'token list --json'],
  'token revoke': ['token revoke 01a1fbb9-12cc-7677-b0bc-13353b4cb527'],
  'secret-key new': ['secret-key new'],
  'secret-key rotate': ['secret-key rotate', 'secret-key rotate --json'],
  'organization create': ['organization create --name "Globex" --email ada@globex.example'],
  'organization list': ['organization list'],
  'organization rename': ['organization rename Globex --name "Globex Ltd"'],
  'organization export': [
    'organization export Globex globex.organization --freeze',
    'organization export Globex changes --freeze --since globex.organization',
    'organization export Globex --freeze | DATABASE_URL=postgresql://… expiration-gateway organization import -',
  ],
  'organization import': [
    'organization import globex.organization',
    'organization import globex.organization --frozen',
    'organization import globex.organization --key former.key',
  ],
  'organization freeze': ['organization freeze Globex'],
  'organization unfreeze': ['organization unfreeze Globex'],
  'organization delete': ['organization delete Globex', 'organization delete Globex --yes Globex'],
  'user list': ['user list'],
  'user invite': ['user invite bo@example.com --role member'],
  'person export': ['person export bo@example.com bo.zip'],
  'person erase': ['person erase bo@example.com', 'person erase bo@example.com --yes --json'],
  'user deactivate': ['user deactivate bo@example.com'],
  'user set': ['user set bo@example.com --role member', 'user set bo@example.com --subject 00u1a2b3'],
  completion: [
    'completion bash >> ~/.bashrc',
    'completion zsh > /usr/local/share/zsh/site-functions/_expiration-gateway',
    'completion fish > ~/.config/fish/completions/expiration-gateway.fish',
  ],
  help: ['help token create'],
};

/** Returns the words that call a command, after the program's name. */
export function commandPath(command: Command): string {
  const { parent } = command;
  return parent ? `${commandPath(parent)} ${command.name()}`.trim() : '';
}

/** Adds the command `help`, and examples and settings to each command's help. */
export function addHelp(program: Command): void {
  program
    .command('help [command...]')
    .description('Show the help of a command.')
    .action((words: string[]) => findCommand(program, words).outputHelp());
  program.addHelpText('beforeAll', ({ command, error }) => {
    // In `tokn --help`, the misspelt command must be reported rather than the program's help shown.
    const [word = '-'] = command.args;
    if (!error && !word.startsWith('-')) findCommand(command, [word]);
    return '';
  });
  program.addHelpText(
    'after',
    '\nExit status: 0; 2 for wrong usage or settings; 3 if rows of an import have errors; 1 for any other failure.',
  );
  addDetails(program);
}

/**
 * Finds the command that words name.
 * @throws {CommanderError} for an unknown word, with a suggestion
 */
function findCommand(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    if (command.commands.length === 0) break;
    const found = command.commands.find((each) => each.name() === word);
    // Only `parse` suggests a similar command.
    if (!found) return command.parse([word], { from: 'user' });
    command = found;
  }
  return command;
}

function addDetails(parent: Command): void {
  for (const command of parent.commands) {
    addDetails(command);
    command.addHelpText('after', ({ command }) => {
      const width = command.configureOutput().getOutHelpWidth?.() ?? 80;
      return [...exampleLines(commandPath(command)), ...settingLines(command, width)].join('\n');
    });
  }
}

function exampleLines(path: string): string[] {
  const lines = (examples[path] ?? []).map((example) => `  expiration-gateway ${example}`.trimEnd());
  return lines.length > 0 ? ['', lines.length > 1 ? 'Examples:' : 'Example:', ...lines] : [];
}

function settingLines(command: Command, width: number): string[] {
  const settings = settingsReadBy(commandPath(command));
  if (settings.length === 0) return [];
  const indent = Math.max(...settings.map(({ name }) => name.length)) + 4;
  const helper = command.createHelp();
  const wrap = (text: string) => helper.boxWrap(text, width - indent).split('\n');
  const lines = settings.flatMap(({ name, default: standard, description }) => {
    const texts = [...wrap(description), ...wrap(`Default: ${standard}`)];
    return texts.map((text, index) => `  ${index === 0 ? name : ''}`.padEnd(indent) + text);
  });
  return ['', 'Settings, from environment variables or a file .env in the working directory:', ...lines];
}
