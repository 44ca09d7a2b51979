import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { start } from '../cli/support.js';
import { eventually } from '../support/eventually.js';
import { tempFolder } from '../support/folders.js';
import { onPosix } from '../support/skipping.js';
import { isRoot, memoryLog, query, serverPid } from './support.js';

let seed: string;
let dataDir: string;
/** A program of the server's own user, which is no server. */
let foreign: ReturnType<typeof spawn>;
const limit = 20_000;

const open = (log = memoryLog(), signal?: AbortSignal) => openEmbedded({ dataDir, log, signal });
const inData = (...path: string[]) => join(dataDir, 'postgres/data', ...path);

const pidFile = () => inData('postmaster.pid');

/** Whether the server of the folder runs, or at least the process that was one. */
async function hasServer(): Promise<boolean> {
  const [pid] = (await readFile(pidFile(), 'utf8').catch(() => '')).split('\n');
  return Boolean(pid) && existsSync(`/proc/${pid}`);
}

/** Files that PostgreSQL makes anew whenever it starts. */
const isCache = (name: string) => /pg_internal\.init$|pg_stat\//.test(name);

beforeAll(async () => {
  seed = join(await tempFolder(), 'seed');
  const database = await openEmbedded({ dataDir: seed, log: memoryLog() });
  await query(database.url, 'CREATE TABLE kept AS SELECT 1 AS id');
  await database.close();
  const { uid, gid } = await stat(join(seed, 'postgres/data'));
  foreign = spawn('sleep', ['600'], { uid, gid, cwd: '/' });
});
afterAll(() => foreign?.kill());
beforeEach(async () => {
  dataDir = join(await tempFolder(), 'data');
  await promisify(execFile)('cp', ['-a', seed, dataDir]);
});

/** Puts a folder in a file's place. */
async function makeFolder(path: string): Promise<void> {
  await rm(path, { force: true });
  await mkdir(path);
}
const remove = (path: string) => rm(path, { recursive: true });
async function empty(path: string): Promise<void> {
  for (const name of await readdir(path)) await remove(join(path, name));
}
/** Returns the folder of the gateway's own database, which is the last one. */
async function ownBase(): Promise<string> {
  const ids = (await readdir(inData('base'))).map(Number).sort((a, b) => a - b);
  return inData('base', String(ids.at(-1)));
}

const damaged = /damaged\. Rename the folder "postgres" of DATA_DIR, which keeps it, and restore a backup/;
const rename =
  /(is missing|is empty|is not a folder|is not a file)\. Rename .*postgres, which keeps it, and restore/;
const settings = /Correct that file, or copy it from a new data folder/;
const away = /is not a file\. Move it away, and start again/;
const denied = /Permission denied\. Give the folder with all its files back to the user/;

describe.each<[state: string, sentence: RegExp, damage: () => Promise<unknown>]>([
  [
    'postgres is a file',
    /postgres is not a folder\. Move it away/,
    async () => {
      await remove(join(dataDir, 'postgres'));
      await writeFile(join(dataDir, 'postgres'), '');
    },
  ],
  ['postgres is empty', rename, () => empty(join(dataDir, 'postgres'))],
  ['postgres/data is missing', rename, () => remove(inData())],
  [
    'postgres/data is a file',
    rename,
    async () => {
      await remove(inData());
      await writeFile(inData(), '');
    },
  ],
  ['postgres/data is empty', rename, () => empty(inData())],
  ['postgres/data may be read by all', /invalid permissions.* Run `chmod 700`/, () => chmod(inData(), 0o755)],
  ['postgres/data may be entered by nobody', denied, () => chmod(inData(), 0)],
  [
    'a file belongs to another user',
    denied,
    () => (isRoot ? chown(inData('global/pg_control'), 0, 0) : chmod(inData('global/pg_control'), 0)),
  ],
  [
    'password is a folder',
    /Move it away, and start again: a new password is then set/,
    () => makeFolder(join(dataDir, 'postgres/password')),
  ],
  ['postgres.log is a folder', away, () => makeFolder(join(dataDir, 'postgres.log'))],
  ['postmaster.pid is a folder', away, () => makeFolder(inData('postmaster.pid'))],
  ['PG_VERSION is missing', rename, () => remove(inData('PG_VERSION'))],
  ['PG_VERSION is empty', rename, () => truncate(inData('PG_VERSION'))],
  ['PG_VERSION is a folder', rename, () => makeFolder(inData('PG_VERSION'))],
  ['PG_VERSION is garbled', damaged, () => writeFile(inData('PG_VERSION'), '\0\0\0')],
  [
    'PG_VERSION is of another version',
    /PostgreSQL 17 made .* has PostgreSQL 18. Make a backup with the programs of PostgreSQL 17/,
    () => writeFile(inData('PG_VERSION'), '17\n'),
  ],
  ['base is missing', rename, () => remove(inData('base'))],
  ['the database "postgres" is missing', damaged, () => remove(inData('base/5'))],
  ['the database "gateway" is missing', damaged, async () => remove(await ownBase())],
  ['global is missing', rename, () => remove(inData('global'))],
  ['global/pg_control is missing', rename, () => remove(inData('global/pg_control'))],
  ['global/pg_control is cut', damaged, () => truncate(inData('global/pg_control'), 100)],
  [
    'global/pg_control is garbled',
    damaged,
    () => writeFile(inData('global/pg_control'), Buffer.alloc(8192, 7)),
  ],
  ['global/pg_filenode.map is missing', damaged, () => remove(inData('global/pg_filenode.map'))],
  ['the list of databases is missing', damaged, () => remove(inData('global/1262'))],
  ['pg_wal is missing', rename, () => remove(inData('pg_wal'))],
  ['pg_wal is empty', damaged, () => empty(inData('pg_wal'))],
  ['pg_xact is missing', rename, () => remove(inData('pg_xact'))],
  ['pg_xact is empty', damaged, () => empty(inData('pg_xact'))],
  ['postgresql.conf is missing', settings, () => remove(inData('postgresql.conf'))],
  ['postgresql.conf is garbled', settings, () => writeFile(inData('postgresql.conf'), 'what = = is this\n')],
  ['pg_hba.conf is missing', settings, () => remove(inData('pg_hba.conf'))],
  ['pg_hba.conf is empty', settings, () => truncate(inData('pg_hba.conf'))],
  ['pg_hba.conf lets nobody in', settings, () => writeFile(inData('pg_hba.conf'), '# nobody\n')],
  ['pg_hba.conf is garbled', settings, () => writeFile(inData('pg_hba.conf'), 'what is this\n')],
])('if %s', onPosix, (_state, sentence, damage) => {
  test('a start names it and the next step, and removes nothing', { timeout: limit }, async () => {
    await damage();
    const before = await readdir(dataDir, { recursive: true });
    const { message } = await open().then(
      () => new Error('It started.'),
      (error: Error) => error,
    );
    expect(message).toMatch(sentence);
    expect(message).not.toMatch(/initdb|\n/);
    expect(await hasServer()).toBe(false);
    const after = new Set(await readdir(dataDir, { recursive: true }));
    expect(before.filter((name) => !after.has(name) && !isCache(name))).toEqual([]);
  });
});

const password = () => join(dataDir, 'postgres/password');

describe.each<[state: string, damage: () => Promise<unknown>]>([
  ['postmaster.pid is empty', () => writeFile(pidFile(), '')],
  ['postmaster.pid is full of zeros', () => writeFile(pidFile(), Buffer.alloc(64))],
  ['postmaster.pid is garbled', () => writeFile(pidFile(), 'what is this\n')],
  ['postmaster.pid is cut after the id of another program', () => writeFile(pidFile(), `${foreign.pid}\n`)],
  [
    'postmaster.pid is cut before the shared memory, with the id of another program',
    () => writeFile(pidFile(), `${foreign.pid}\n${inData()}\n1700000000\n54321\n\n127.0.0.1\n`),
  ],
  ['postmaster.pid is that of a dead process', () => writeFile(pidFile(), '4194300\n')],
  ['password is missing', () => remove(password())],
  ['password is empty', () => truncate(password())],
  ['password is garbled', () => writeFile(password(), Buffer.alloc(43))],
  ['password is another one', () => writeFile(password(), "it's another\n")],
])('if %s', onPosix, (_state, damage) => {
  test('a start goes on with all data, and so does the next', { timeout: limit }, async () => {
    await damage();
    for (let round = 0; round < 2; round++) {
      const log = memoryLog();
      const database = await open(log);
      expect(await query(database.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
      await database.close();
      const isNew = round === 0 && _state.startsWith('password');
      expect(
        log.messages.some((message) => message.includes('password')),
        log.messages.join(),
      ).toBe(isNew);
    }
    expect(await readdir(inData())).not.toContain('postmaster.pid.cut');
    expect((await stat(password())).mode & 0o777).toBe(0o600);
  });
});

describe('while a server runs', onPosix, () => {
  test('a garbled postmaster.pid does not start another, and SIGTERM ends the waiting', async () => {
    const database = await open();
    const found = await readFile(pidFile());
    await writeFile(pidFile(), '');
    const gateway = start({ DATA_DIR: dataDir, PORT: '0' }, 'serve');
    const told = 'Still waiting: another server, or the last processes of one, still use';
    await eventually(() => expect(gateway.stdout()).toContain(told));
    gateway.signals.emit('SIGTERM', 'SIGTERM');
    const said = 'error: Stopped by SIGTERM before PostgreSQL had started.\n';
    expect(await gateway.outcome).toMatchObject({ exitCode: 1, stderr: said });
    expect(await readFile(pidFile(), 'utf8')).toBe('');
    await writeFile(pidFile(), found);
    expect(await query(database.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    await database.close();
  });

  test('a password that was changed in its file is not set', async () => {
    const database = await open();
    const file = await readFile(password());
    await writeFile(password(), 'another');
    await expect(open()).rejects.toThrow('stop all processes that use it, and start again');
    await writeFile(password(), file);
    const second = await open();
    expect(second.started).toBe(false);
    await Promise.all([second.close(), database.close()]);
  });

  test('one that does not answer is waited for until SIGTERM', async () => {
    const database = await open();
    const pid = serverPid(dataDir);
    process.kill(pid, 'SIGSTOP');
    const stopping = new AbortController();
    const opening = open(memoryLog(), stopping.signal).catch((error: Error) => error.message);
    stopping.abort(new Error('Stopped by SIGTERM.'));
    expect(await opening).toBe('Stopped by SIGTERM.');
    process.kill(pid, 'SIGCONT');
    await database.close();
  });
});
