import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compileGateway, kill, serversOf } from '../faults/support.js';
import { Lines } from '../support/lines.js';

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
  // It is built already; all else of `npm start` is as it is.
  const file = join(root, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  manifest.scripts.start = manifest.scripts.start.replace('npm run build --silent && ', '');
  await rm(file);
  await writeFile(file, JSON.stringify(manifest));
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
  await expect.poll(() => ended() || output.text.includes('"ready"'), { timeout: 60_000 }).toBe(true);
  expect(output.text).toContain('"ready"');
  const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim();
  const [, , , port = ''] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split(
    '\n',
  );
  const servers = await serversOf(dataDir, `postgresql://gateway:${password}@127.0.0.1:${port}/gateway`);
  expect(servers.length).toBeGreaterThan(3);
  return servers;
}

/** The id of the gateway's own process. */
function gateway(): number {
  const mine = readdirSync('/proc').filter((pid) => {
    try {
      const [environment, command] = ['environ', 'cmdline'].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, 'latin1').split('\0'),
      );
      return environment?.includes(`DATA_DIR=${dataDir}`) && command?.[1] === 'dist/main.js';
    } catch {
      return false;
    }
  });
  expect(mine).toHaveLength(1);
  return Number(mine[0]);
}

/** Those of the processes that still run; one that has ended and that nobody has asked about does not. */
const running = (pids: readonly number[]) =>
  pids.filter((pid) => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
    } catch {
      return false;
    }
  });

/** Waits until no process of the database is left. That this takes seconds is tried in test/database/guard.test.ts. */
async function gone(servers: readonly number[]): Promise<void> {
  await expect.poll(() => running(servers), { timeout: 60_000, interval: 50 }).toEqual([]);
  expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
}

describe.skipIf(!existsSync(program) || process.platform !== 'linux')('in a terminal', () => {
  it('Ctrl-C after npm start ends the gateway in good order, and its database with it', async () => {
    const started = type('exec npm start');
    const servers = await ready();
    started.stdin?.write(ctrlC);
    const [status] = await once(started, 'exit');
    expect(output.text).toContain('"PostgreSQL stopped"');
    expect(output.text).toContain('"msg":"stopped"');
    expect(output.text).not.toContain('Stopped at once');
    expect(status).toBe(0);
    expect(running(servers)).toEqual([]);
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

/** The process group of a process. */
function groupOf(pid: number): number {
  // Field 5; the name before it, in parentheses, may have spaces.
  const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
  return Number(rest.split(' ')[2]);
}
