import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { scriptFor, shells } from '../../src/cli/commands/completion.js';
import { compileGateway } from '../faults/support.js';
import { Lines } from '../support/lines.js';
import { inTerminal } from '../support/skipping.js';
import { execute } from './support.js';

/** Returns the words that a command line can go on with. */
async function words(...before: string[]): Promise<string[]> {
  const { exitCode, stdout, stderr } = await execute({}, '__complete', '--', ...before);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
}

describe('a command line goes on with', () => {
  const roles = ['admin', 'member', 'viewer', 'uploader'];

  it.each<[string[], string[]]>([
    [['tok'], ['token']],
    [
      ['token', ''],
      ['create', 'list', 'revoke', 'help'],
    ],
    [['token', 'l'], ['list']],
    [['--quiet', 'mig'], ['migrate']],
    [['token', 'create', '--role', ''], roles],
    [['token', 'create', '--role=up'], ['--role=uploader']],
    [['token', 'create', '--role', '=', 'up'], ['uploader']],
    [['token', 'create', '--role', '='], roles],
    [['token', 'create', '--name', '--role', '--r'], ['--role']],
    [['token', 'create', '--name', ''], []],
    [['token', 'create', '--signed', '--n'], ['--name']],
    [['token', 'create', '--signed', ''], [':files']],
    [['backup', ''], [':files']],
    [['import', ''], [':files']],
    [
      ['import', 'x', '--mode', ''],
      ['create-only', 'upsert', 'update-only'],
    ],
    [['backup', '--force', 'gate'], [':files']],
    [['backup', '--', '--f'], [':files']],
    [['backup', '--f'], ['--force']],
    [['completion', ''], [...shells]],
    [['help', 'token', 'rev'], ['revoke']],
    [['token', 'revoke', 'x', '--js'], ['--json']],
    [['token', 'list', '--json', '--js'], []],
    [['bogus', 'x'], []],
  ])('%j: %j', async (before, after) => {
    expect(await words(...before)).toEqual(after);
  });

  it('every command, and every option of each', async () => {
    const commands = (await words('')).filter((name) => name !== 'help');
    const { stdout } = await execute({}, '--help');
    const [, list = ''] = stdout.split('Commands:\n');
    expect(commands).toEqual(
      [...list.matchAll(/^ {2}([\w-]+)/gm)].flatMap(([, name]) => (name === 'help' ? [] : name)),
    );
    const help = (await execute({}, 'token', 'create', '--help')).stdout;
    const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);
    expect((await words('token', 'create', '--')).sort()).toEqual(options.sort());
  });
});

/** Runs a command in a terminal of its own: of util-linux, as all Linux distributions have it. */
const terminal = '/usr/bin/script';

describe('in a shell', inTerminal(existsSync(terminal)), () => {
  let root: string;
  let shell: ChildProcess | undefined;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'gateway-completion-'));
    const program = await compileGateway(root);
    await mkdir(join(root, 'bin'));
    const path = join(root, 'bin', 'expiration-gateway');
    // It completes as the gateway does, and shows the words that it was given in place of running them.
    const [complete, show] = [
      `exec '${process.execPath}' '${program}' "$@"`,
      `printf '<%s>' "$@"; echo DONE`,
    ];
    await writeFile(path, `#!/bin/sh\nif [ "$1" = __complete ]; then ${complete}; fi\n${show}\n`);
    await chmod(path, 0o755);
    await writeFile(join(root, 'alpha.backup'), '');
    for (const name of shells) await writeFile(join(root, name), scriptFor(name, 'expiration-gateway'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));
  afterEach(() => void shell?.kill('SIGKILL'));

  const typed: [keys: string, given: string[]][] = [
    ['expiration-gateway tok\tcr\t--ro\tup\t', ['token', 'create', '--role', 'uploader']],
    ['expiration-gateway token create --role=up\t', ['token', 'create', '--role=uploader']],
    ['expiration-gateway backup al\t', ['backup', 'alpha.backup']],
    [
      'expiration-gateway token create --name "CI up" --ro\tme\t',
      ['token', 'create', '--name', 'CI up', '--role', 'member'],
    ],
    ['~/bin/expiration-gateway help tok\tli\t', ['help', 'token', 'list']],
  ];

  test.for([
    ['bash', 'bash --norc --noprofile -i', '. ./bash'],
    ['zsh', 'zsh -f -i', 'autoload -U compinit; compinit -u -D; . ./zsh'],
    ['fish', 'fish --no-config -i', '. ./fish'],
  ] as const)(
    '%s completes commands, options, values and files',
    async ([name, command, setUp], { skip }) => {
      const folders = (process.env.PATH ?? '').split(delimiter);
      const isThere = folders.some((folder) => existsSync(join(folder, name)));
      // Bash is part of every system that this runs on.
      if (name !== 'bash') skip(!isThere, `need ${name}`);
      const env = {
        PATH: [join(root, 'bin'), ...folders].join(delimiter),
        HOME: root,
        TERM: 'xterm',
        LANG: 'C.UTF-8',
      };
      const output = new Lines();
      shell = spawn(terminal, ['-qfec', command, '/dev/null'], { cwd: root, env });
      shell.stdout?.pipe(output);
      const type = async (keys: string, expected: string) => {
        shell?.stdin?.write(`${keys}\r`);
        await expect.poll(() => output.text).toContain(expected);
      };
      // The quotes are not in what it prints.
      await type(`${setUp}; echo RE''ADY`, 'READY');
      for (const [keys, given] of typed) await type(keys, `${given.map((word) => `<${word}>`).join('')}DONE`);
      // One that is killed writes its history, into a folder that is being removed.
      const ended = once(shell, 'close');
      shell.stdin?.write('exit\r');
      await ended;
    },
  );
});
