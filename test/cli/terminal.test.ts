import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compileGateway, kill, serversOf } from '../faults/support.js';
import { Lines } from '../support/lines.js';
import { inTerminal } from '../support/skipping.js';

/** What runs a command in a terminal of its own: of util-linux, as all Linux distributions have it. */
const program = '/usr/bin/script';
/** What Ctrl-C sends; the terminal makes the signal of it. */
const ctrlC = '\x03';

let root: string;
let dataDir: string;
let terminal: ChildProcess | undefined;
let output: Lines;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gateway-terminal-'));
  await chmod(root, 0o711); // as root, PostgreSQL runs as another user
  await compileGateway(root);
  // It is built already, and has no sources: there is nothing to build.
  await cp(fileURLToPath(new URL('../../scripts', import.meta.url)), join(root, 'scripts'), {
    recursive: true,
  });
});
afterAll(() => rm(root, { recursive: true, force: true }));

let count = 0;
beforeEach(() => {
  count += 1;
  dataDir = join(root, `data-${count}`);
  output = new Lines();
});
afterEach(() => {
  if (terminal?.exitCode === null) terminal.kill('SIGKILL');
});

/** Starts a command in a terminal; with `exec`, as the shell in between would tell of the signal that it got, too. */
function type(command: string): ChildProcess {
  const npm = { HOME: root, npm_config_update_notifier: 'false' };
  const env = { PATH: process.env.PATH, ...npm, DATA_DIR: dataDir, PORT: '0', DEMO_DATA: 'off' };
  const started = spawn(program, ['-qfec', command, '/dev/null'], { cwd: root, env });
  started.stdout.pipe(output);
  terminal = started;
  return started;
}

/** Waits until the gateway is ready; answers the ids of its database's processes. */
async function ready(): Promise<number[]> {
  const ended = () => terminal?.exitCode !== null;
  await expect
    .poll(() => ended() || output.text.includes('Press Ctrl-C to stop'), { timeout: 60_000 })
    .toBe(true);
  expect(output.text).toContain('Press Ctrl-C to stop');
  const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim();
  const [, , , port = ''] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split(
    '\n',
  );
  const servers = await serversOf(dataDir, `postgresql://gateway:${password}@127.0.0.1:${port}/gateway`);
  expect(servers.length).toBeGreaterThan(3);
  return servers;
}

/** Returns the id of the gateway's own process. */
function gateway(): number {
  const mine = readdirSync('/proc').filter((pid) => {
    try {
      const [environment, command] = ['environ', 'cmdline'].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, 'latin1').split('\0'),
      );
      return environment?.includes(`DATA_DIR=${dataDir}`) && command?.[1] === 'scripts/start.mjs';
    } catch {
      return false;
    }
  });
  expect(mine).toHaveLength(1);
  return Number(mine[0]);
}

/**
 * Returns those of the processes that still run; one that has ended and that nobody has asked about does not.
 */
const running = (pids: readonly number[]) =>
  pids.filter((pid) => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
    } catch {
      return false;
    }
  });

/** Waits until no process of the database is left. That this takes seconds is tried in test/db/guard.test.ts. */
async function gone(servers: readonly number[]): Promise<void> {
  await expect.poll(() => running(servers), { timeout: 60_000, interval: 50 }).toEqual([]);
  expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
}

describe('in a terminal', inTerminal(existsSync(program)), () => {
  it.each([
    ['Ctrl-C after npm start', 'exec npm start', () => void terminal?.stdin?.write(ctrlC)],
    [
      'Ctrl-C after npm start in timeout',
      'timeout --foreground 600 npm start',
      () => void terminal?.stdin?.write(ctrlC),
    ],
    ['SIGTERM', 'exec npm start', (own: number) => void process.kill(own, 'SIGTERM')],
    ['SIGTERM to npm alone', 'exec npm start', (own: number) => void process.kill(npmOf(own), 'SIGTERM')],
    ['a closed terminal', 'exec npm start', () => void terminal?.kill('SIGKILL')],
  ])('%s ends the gateway in good order, and its database with it', async (_, command, end) => {
    type(command);
    const servers = await ready();
    const own = gateway();
    end(own);
    await expect.poll(() => running([own, ...servers]), { timeout: 60_000, interval: 5 }).toEqual([]);
    expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
    // Else its guard has stopped the database, seconds later.
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('received fast shutdown request');
    expect(log).not.toContain('LOG:  no process uses this server');
    expect(output.text).not.toContain('Stopped at once');
  });

  it('a person is greeted: address, a link that sets it up, what to try, how to stop', async () => {
    const started = type('exec npm start');
    const servers = await ready();
    const text = stripVTControlCharacters(output.text);
    const [, url = ''] = /^ {2}Address +(http:\S+)\r?$/m.exec(text) ?? [];
    const [, token = ''] = /Bearer (egw_[\w-]+)"/.exec(text) ?? [];
    expect(text).toMatch(/^\[[\d:.]+\] INFO: ready \{"url":/m);
    expect(text).toMatch(/^ {2}Set up +\S+\/setup#[\w-]{43}\r?$/m);
    expect(text).toContain(`  ${url}/setup#`);
    expect(text).toContain(`curl ${url}/v1/vehicles -H "Authorization: Bearer ${token}"`);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/v1/vehicles`, { headers })).status).toBe(200);
    started.stdin?.write(ctrlC);
    await gone(servers);
  });

  it.each([
    ['the gateway is killed', (own: number) => kill(own)],
    ['its process group is killed', (own: number) => kill(-groupOf(own))],
    ['it is asked to end twice', askTwice],
    ['its terminal is closed', () => void terminal?.kill('SIGKILL')],
  ])('no process of its database is left when %s', async (_, end) => {
    type('exec npm start');
    const servers = await ready();
    end(gateway());
    await gone(servers);
  });
});

/** Two signals of different names: somebody does not want to wait. */
function askTwice(own: number): void {
  process.kill(own, 'SIGTERM');
  process.kill(own, 'SIGINT');
}

/** Returns the fields of a process after its name, which has parentheses around it and may have spaces. */
function fieldsOf(pid: number): string[] {
  const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
  return rest.split(' ');
}

/** Returns the npm that a process runs in, with a shell in between or without. */
function npmOf(pid: number): number {
  const parent = Number(fieldsOf(pid)[1]);
  return readFileSync(`/proc/${parent}/cmdline`, 'latin1').startsWith('npm') ? parent : npmOf(parent);
}

/** Returns the process group of a process. */
function groupOf(pid: number): number {
  return Number(fieldsOf(pid)[2]);
}
