import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandPath } from '../../src/cli/commands/help.js';
import { buildProgram } from '../../src/cli/run.js';
import { type CommandName, readSettings, settingsReadBy } from '../../src/cli/settings.js';
import { settings } from '../../src/config/config.js';
import { execute, startWith } from './support.js';

/** Returns the commands that do something, not those that only have others below them. */
function leavesOf(command: Command): Command[] {
  const shown = command.commands.filter((each) => !each.name().startsWith('__'));
  return shown.length > 0 ? shown.flatMap(leavesOf) : [command];
}

const io = { env: {}, stdout: new PassThrough(), stderr: new PassThrough() };
const program = buildProgram(io);
const commands = leavesOf(program).map(commandPath);
const words = (text: string) => text.replace(/\s+/g, ' ');
const helpOf = async (command: string) => (await execute({}, ...command.split(' '), '--help')).stdout;

/** Returns the part of a help that tells of the settings. */
const settingsIn = (help: string) => help.split(/^Settings, from environment variables[^:]*:\n/m)[1] ?? '';

it('knows the commands that there are', () => {
  expect(commands).toEqual(
    expect.arrayContaining(['serve', 'backup', 'restore', 'token create', 'user list']),
  );
});

it('has each command in the table of docs/run/cli.md, and no other', () => {
  const page = readFileSync(new URL('../../docs/run/cli.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, example = '']) => example);
  const commandOf = (example: string) =>
    commands.find((command) => example === command || example.startsWith(`${command} `)) ?? example;
  expect([...new Set(examples.map(commandOf))].sort()).toEqual([...commands].sort());
});

describe.each(commands)('%s', (command) => {
  it('has help with a correct example, the same for help, -h and --help', async () => {
    const outcome = await execute({}, ...command.split(' '), '--help');
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout).toMatch(new RegExp(`^Usage: expiration-gateway ${command} `));
    expect(outcome.stdout).toMatch(new RegExp(`\\nExamples?:\\n {2}expiration-gateway ${command}`));
    expect(outcome.stdout).toContain('--quiet');
    expect(outcome.stdout).not.toMatch(/\n\n\n|[^\S\n]\n/);
    expect(await execute({}, 'help', ...command.split(' '))).toEqual(outcome);
    expect(await execute({}, ...command.split(' '), '-h')).toEqual(outcome);
  });

  it('names each setting that it reads, with its meaning and default, and no other', async () => {
    const help = settingsIn(await helpOf(command));
    const named = [...help.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name);
    expect(named).toEqual(settingsReadBy(command).map(({ name }) => name));
    for (const { description, default: standard } of settingsReadBy(command)) {
      expect(words(help)).toContain(`${description} Default: ${standard}`);
    }
  });

  it('fits the terminal', async () => {
    const { outcome } = startWith({ columns: 60 }, {}, ...command.split(' '), '--help');
    const [text = ''] = (await outcome).stdout.split(/Examples?:/);
    const lines = [...text.split('\n'), ...settingsIn((await outcome).stdout).split('\n')];
    // What cannot be broken, as a URL, may be longer.
    expect(lines.filter((line) => line.length > 60 && /\S \S/.test(line.trim()))).toEqual([]);
  });
});

it('gives a command the settings that its help names, and no others', () => {
  const env = { DATABASE_URL: 'postgresql://127.0.0.1/gateway', PORT: '1', DATABASE_POOL: '3' };
  expect(readSettings(env, 'backup')).toEqual({
    databaseUrl: env.DATABASE_URL,
    databasePooling: 'session',
    dataDir: '.data',
  });
  expect(readSettings(env, 'token list')).toEqual({
    databaseUrl: env.DATABASE_URL,
    databasePooling: 'session',
    dataDir: '.data',
    databasePool: 3,
    rowSecurity: false,
    migrate: true,
  });
  expect(settingsReadBy('token list').map(({ name }) => name)).toEqual([
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_POOLING',
    'MIGRATE',
    'DATA_DIR',
    'POSTGRES_PROGRAMS',
    'DATABASE_POOL',
    'ROW_SECURITY',
  ]);
  // Each that a command reads has a name in the table of settings.
  for (const command of commands) {
    const count = settingsReadBy(command).length;
    if (count === 0 || count === settings.length) continue;
    const read = Object.keys(readSettings({}, command as CommandName));
    expect(count).toBeGreaterThanOrEqual(read.length);
  }
});

it('lets a command read all settings only if its help names all', () => {
  const folder = new URL('../../src/cli/', import.meta.url);
  const reading = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && /\breadConfig\(/.test(readFileSync(new URL(file, folder), 'utf8')),
  );
  expect(reading).toEqual(expect.arrayContaining(['commands/serve.ts', 'settings.ts']));
  const all = reading.filter((file) => file !== 'settings.ts').map((file) => basename(file, '.ts'));
  expect(all.map((command) => [command, settingsReadBy(command)])).toEqual(
    all.map((command) => [command, settings]),
  );
});

it('describes the exit status', async () => {
  expect(words((await execute({}, '--help')).stdout)).toContain(
    'Exit status: 0; 2 for wrong usage or settings; 3 if rows of an import have errors; 1 for any other failure.',
  );
});
