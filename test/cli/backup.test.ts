import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { checkBackup } from '../../src/db/backup/format.js';
import { openDatabase } from '../../src/db/connection/database.js';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { loadDemo } from '../../src/setup/demo/demo.js';
import { compileGateway } from '../faults/support.js';
import { execute as sql } from '../support/database.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { emptyDatabase, textFrom } from './organization.support.js';
import { execute, jsonOf, start, startWith } from './support.js';

let gateway: TestGateway;
let folder: string;

beforeAll(async () => {
  gateway = await startGateway();
  await loadDemo(gateway.database, gateway.organizationId, testTime);
  folder = await mkdtemp(join(tmpdir(), 'gateway-backup-'));
  // As root, PostgreSQL runs as another user, who must reach the folder.
  await chmod(folder, 0o711);
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const silent = { info: () => {}, warn: () => {}, error: () => {} };

const numberFrom = async (url: string, query: string) =>
  Number(await textFrom(url, `SELECT count(*)::text AS text FROM ${query}`));

const tablesOf = (url: string) => numberFrom(url, "pg_tables WHERE schemaname = 'public'");
/** Transactions that have written. */
const busyIn = (url: string) =>
  numberFrom(url, 'pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL');

/** Returns what the gateway on a database answers, to the tokens of the one it was copied from. */
async function answersOf(url: string): Promise<(readonly [status: number, body: unknown])[]> {
  const database = openDatabase({ url, poolSize: 2, onError: () => {} });
  const config = readConfig({ DATABASE_URL: url });
  const log = pino({ level: 'silent' });
  const app = createApp({ database, config, log, clock: () => testTime });
  const { url: address } = await app.listen('127.0.0.1', 0);
  const get = async (path: string, token: string) => {
    const response = await fetch(address + path, { headers: { Authorization: `Bearer ${token}` } });
    return [response.status, await response.json()] as const;
  };
  const answers = [
    await get('/v1/vehicles', gateway.admin),
    await get('/v1/teams', gateway.member),
    await get('/v1/eventlogs?paging=500', gateway.viewer),
    await get('/graphql?query={expirationSummary{total byMonth{month count}}}', gateway.admin),
    await get('/v1/teams', 'egw_unknown'),
  ];
  await app.close();
  await database.close();
  return answers;
}

it('backs up beside a running gateway, and restores into a new embedded database, which gives the same answers', async () => {
  const file = join(folder, 'gateway.backup');
  const backUp = () => execute({ DATABASE_URL: gateway.databaseUrl }, 'backup', file, '--force');
  // A database of an older version has no place to store the time of its backup.
  await sql(gateway.databaseUrl, 'ALTER TABLE last_backup RENAME TO no_backup');
  expect(await backUp()).toMatchObject({ exitCode: 0, stderr: '' });
  await sql(gateway.databaseUrl, 'ALTER TABLE no_backup RENAME TO last_backup');
  const made = await backUp();
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  const last = `last_backup WHERE bytes = ${(await stat(file)).size} AND finished_at > now() - interval '1 minute'`;
  expect(await numberFrom(gateway.databaseUrl, last)).toBe(1);
  expect(made.stdout).toMatch(
    /^Backed up \d{3,} rows in \d\d tables to .+gateway\.backup, \d+\.\d [KM]iB\.\n$/,
  );

  const env = { DATA_DIR: join(folder, 'data') };
  const restored = await execute(env, 'restore', file, '--json');
  expect(restored).toMatchObject({ exitCode: 0, stderr: '' });
  expect(jsonOf(restored)).toMatchObject({ file, applied: [], rows: { organizations: 1 }, live: false });

  const again = await execute(env, 'restore', file);
  expect(again).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^error: The database is not empty: \w+ has rows\. Use --force to replace everything in it\.\n$/,
    ),
  });
  const { url, close } = await openEmbedded({ dataDir: env.DATA_DIR, log: silent });
  const answers = await answersOf(url).finally(close);
  expect(answers).toEqual(await answersOf(gateway.databaseUrl));
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 401]);
});

it('says of a restored database that it is silent, until it goes live', async () => {
  const file = join(folder, 'silent.backup');
  await execute({ DATABASE_URL: gateway.databaseUrl }, 'backup', file);
  const { url, drop } = await emptyDatabase();
  const env = { DATABASE_URL: url };
  const restored = await execute(env, 'restore', file);
  expect(restored.stdout).toMatch(/from .+silent\.backup\. This database was restored.+ `go-live`/);
  const warning = /^warn {2}reminders {2}This database was restored.+ `go-live`/m;
  expect((await execute(env, 'doctor')).stdout).toMatch(warning);
  expect(await execute(env, 'reminders', 'run')).toMatchObject({ exitCode: 1 });
  expect((await execute(env, 'go-live')).stdout).toMatch(/^This database is the real one:/);
  expect((await execute(env, 'doctor')).stdout).not.toMatch(warning);
  expect(jsonOf(await execute(env, 'go-live', '--json'))).toEqual({ wasSilent: false });
  // Of a silent database, too, the copy that is said to be the real one is live.
  await execute(env, 'restore', file, '--force');
  await execute(env, 'backup', file, '--force');
  const live = await execute(env, 'restore', file, '--force', '--live');
  expect(live.stdout).toMatch(/silent\.backup\.\n$/);
  expect(await numberFrom(url, 'restored_backup')).toBe(0);
  await drop();
});

it('says in one line why it cannot', async () => {
  const env = { DATABASE_URL: gateway.databaseUrl };
  const file = join(folder, 'none.backup');
  await writeFile(file, 'none');
  for (const [argv, message] of [
    [['restore', join(folder, 'missing')], /^error: ENOENT.+\n$/],
    [['restore', file, '--force'], /^error: The file is not a backup that can be restored: .+\n$/],
    [['backup', join(folder, 'no', 'folder')], /^error: ENOENT.+\n$/],
  ] as const) {
    expect(await execute(env, ...argv)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  }
  expect((await execute(env, 'backup')).exitCode).toBe(2);
});

it('stops at a signal, and leaves no file', async () => {
  const before = await readdir(folder);
  const { signals, outcome } = start(
    { DATABASE_URL: gateway.databaseUrl },
    'backup',
    join(folder, 'stopped'),
  );
  await new Promise((resolve) => signals.once('newListener', resolve));
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await outcome).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'error: Stopped by SIGTERM; no backup was written.\n',
  });
  expect(await readdir(folder)).toEqual(before);
});

it('replaces only files, and only with --force', async () => {
  const env = { DATABASE_URL: gateway.databaseUrl };
  const file = join(folder, 'taken.backup');
  await writeFile(file, 'older');
  expect(await execute(env, 'backup', file)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `error: ${file} already exists: use --force to replace it.\n`,
  });
  expect(await readFile(file, 'utf8')).toBe('older');
  expect(await execute(env, 'backup', file, '--force', '--quiet')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
  expect((await checkBackup(file)).counts).toMatchObject({ organizations: 1 });
  const before = await stat('/dev/null');
  expect(await execute(env, 'backup', '/dev/null', '--force')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'error: /dev/null exists, but is not a file.\n',
  });
  expect((await stat('/dev/null')).ino).toBe(before.ino);
});

it('writes to stdout and reads from stdin for -, with what it says on stderr', async () => {
  const backing = startWith({}, { DATABASE_URL: gateway.databaseUrl }, 'backup', '-');
  expect(await backing.outcome).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^Backed up \d{3,} rows in \d\d tables to stdout, .+\.\n$/),
  });
  const bytes = backing.bytes();
  const target = await emptyDatabase();
  const env = { DATABASE_URL: target.url };
  const restore = (given: Buffer, ...argv: string[]) =>
    startWith({ stdin: Readable.from([given]) }, env, 'restore', '-', ...argv).outcome;

  const cut = await restore(bytes.subarray(0, bytes.length - 100));
  expect(cut).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^error: The file is not a backup .+\n$/),
  });
  expect(await tablesOf(target.url)).toBe(0);

  expect(await restore(bytes, '--json')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await answersOf(target.url)).toEqual(await answersOf(gateway.databaseUrl));
  expect(await restore(bytes)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/--force to replace everything/),
  });
  expect(await restore(bytes, '--force')).toMatchObject({ exitCode: 0 });
  await target.drop();
});

it('reads the stdin of its process', async () => {
  const program = await compileGateway(folder);
  const target = await emptyDatabase();
  const restoring = promisify(execFile)(process.execPath, [program, 'restore', '-'], {
    env: { PATH: process.env.PATH, DATABASE_URL: target.url },
  });
  restoring.child.stdin?.end('anything');
  const stderr = expect.stringMatching(/^error: The file is not a backup .+\n$/);
  await expect(restoring).rejects.toMatchObject({ code: 1, stderr });
  await target.drop();
});

it('restores nothing of a text with a row less, whether it is a file or a stream', async () => {
  const file = join(folder, 'less.backup');
  const { bytes, outcome } = startWith({}, { DATABASE_URL: gateway.databaseUrl }, 'backup', '-');
  await outcome;
  const less = gunzipSync(bytes())
    .toString('latin1')
    .replace(/(COPY event_logs .+\n).+\n/, '$1');
  await writeFile(file, gzipSync(Buffer.from(less, 'latin1')));
  const target = await emptyDatabase();
  const stdin = createReadStream(file);
  for (const [source, streams] of [
    [file, {}],
    ['-', { stdin }],
  ] as const) {
    expect(await startWith(streams, { DATABASE_URL: target.url }, 'restore', source).outcome).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'error: The file is not a backup that can be restored: event_logs does not have the expected number of rows.\n',
    });
    expect(await tablesOf(target.url)).toBe(0);
  }
  await target.drop();
});

it('neither prints bytes at a terminal nor waits for typed input', async () => {
  const env = { DATABASE_URL: gateway.databaseUrl };
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  for (const command of ['backup', 'restore']) {
    expect(await startWith({ columns: 80, stdin }, env, command, '-').outcome).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: - .+, which is a terminal: .+\n$/),
    });
  }
});

it('breaks a restore off at a signal, and restores nothing', async () => {
  const target = await emptyDatabase();
  const stdin = new PassThrough();
  const { signals, outcome } = startWith({ stdin }, { DATABASE_URL: target.url }, 'restore', '-');
  const { bytes, outcome: backedUp } = startWith({}, { DATABASE_URL: gateway.databaseUrl }, 'backup', '-');
  await backedUp;
  stdin.write(bytes().subarray(0, bytes().length - 100));
  await expect.poll(() => busyIn(target.url)).toBe(1);
  signals.emit('SIGINT', 'SIGINT');
  expect(await outcome).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'error: Stopped by SIGINT; nothing was restored.\n',
  });
  expect(await tablesOf(target.url)).toBe(0);
  await target.drop();
});

it('moves files out and back, and says what a backup has of them', async () => {
  const place = await mkdtemp(join(folder, 'files-'));
  const outside = { DATABASE_URL: gateway.databaseUrl, FILES: place };
  const out = async (env: NodeJS.ProcessEnv, ...argv: string[]) => {
    const { exitCode, stdout, stderr } = await execute(env, ...argv);
    return [exitCode, stdout + stderr];
  };
  const files = await numberFrom(gateway.databaseUrl, 'attachment_contents');
  expect(await out(outside, 'files', 'move')).toEqual([0, `Moved ${files} files to ${place}.\n`]);
  expect(await out({ ...outside, FILES: 'database' }, 'files', 'move')).toEqual([
    1,
    expect.stringMatching(/^error: Files are in a folder that the settings do not name: set FILES/),
  ]);
  const [without, withFiles] = [join(folder, 'without.backup'), join(folder, 'with.backup')];
  const told = new RegExp(`${files} files are outside the database and not in it: use --with-files`);
  expect(await out(outside, 'backup', without)).toEqual([0, expect.stringMatching(told)]);
  expect(await out(outside, 'backup', withFiles, '--with-files')).toEqual([
    0,
    expect.not.stringContaining('outside'),
  ]);
  const target = await emptyDatabase();
  expect(await out({ DATABASE_URL: target.url }, 'restore', withFiles)).toEqual([
    0,
    expect.not.stringContaining('were not in it'),
  ]);
  const bytes = "SELECT string_agg(md5(content), ' ' ORDER BY id) AS text FROM attachment_contents";
  const inside = await textFrom(target.url, bytes);
  expect(inside.split(' ')).toHaveLength(files);
  const restored = { ...outside, DATABASE_URL: target.url };
  expect(await out(restored, 'restore', without, '--force')).toEqual([
    0,
    expect.stringContaining(`The bytes of ${files} files were not in it: name their place in FILES`),
  ]);
  expect(await out(restored, 'files', 'check')).toEqual([
    0,
    expect.stringMatching(new RegExp(`^${files} files \\([\\d.]+ [KM]iB\\) in ${place}\n$`)),
  ]);
  const back = { ...restored, FILES: 'database', FILES_FROM: place };
  expect(await out(back, 'files', 'move')).toEqual([0, `Moved ${files} files to the database.\n`]);
  expect(await textFrom(target.url, bytes)).toBe(inside);
  await target.drop();
});

it('goes into a folder by its time, and those that need not be kept are deleted', async () => {
  const backups = join(folder, 'backups');
  await mkdir(backups);
  const old = ['gateway-20200101T023000Z.backup', 'gateway-20200102T023000Z.backup'];
  for (const name of [...old, 'other.backup']) await writeFile(join(backups, name), 'old');
  const env = { DATABASE_URL: gateway.databaseUrl };
  const kept = await execute(env, 'backup', backups, '--json');
  expect(jsonOf(kept)).toMatchObject({ deleted: [] });
  const made = jsonOf(await execute(env, 'backup', backups, '--keep', '2d', '--force', '--json'));
  expect(made.file).toMatch(/\/backups\/gateway-\d{8}T\d{6}Z\.backup$/);
  expect(made.deleted).toContain(old[0]);
  expect(made.deleted).not.toContain(old[1]);
  const left = await readdir(backups);
  expect(left).toEqual(expect.arrayContaining(['other.backup', old[1], basename(made.file)]));
  expect(left.filter((name) => name.startsWith('gateway-'))).toHaveLength(2);
  await checkBackup(made.file);
});

it('keeps a number of backups only in a folder', async () => {
  const refused = await execute(
    { DATABASE_URL: gateway.databaseUrl },
    'backup',
    join(folder, 'x'),
    '--keep',
    '7d',
  );
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/--keep needs a folder/) });
  expect(await execute({}, 'backup', folder, '--keep', 'all')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/such as 7d,4w,12m/),
  });
});

describe('progress', () => {
  const erase = '\r\u001b[K';
  const backup = (env: NodeJS.ProcessEnv, ...argv: string[]) =>
    startWith(
      { columns: 40 },
      { DATABASE_URL: gateway.databaseUrl, TERM: 'xterm', ...env },
      'backup',
      join(folder, 'progress.backup'),
      '--force',
      ...argv,
    ).outcome;

  it('is a line at a terminal that fits it, and is taken away', async () => {
    const { stdout, stderr } = await backup({});
    expect(stdout).toMatch(/^Backed up .+\n$/);
    const [first, ...lines] = stderr.split(erase);
    expect(first).toBe('');
    expect(lines.at(-1)).toBe('');
    expect(lines[0]).toMatch(/^Backing up: [\d.]+ [KM]iB, table \d+ of/);
    expect(lines.filter((line) => line.length > 39)).toEqual([]);
  });

  it('is not shown elsewhere, or if it is not wanted', async () => {
    expect((await backup({ TERM: 'dumb' })).stderr).toBe('');
    expect((await backup({}, '--quiet')).stderr).toBe('');
  });
});
