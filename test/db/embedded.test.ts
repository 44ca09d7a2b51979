import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { tempFolder } from '../support/folders.js';
import { onlyIf } from '../support/skipping.js';
import { compile, isDown, isRoot, memoryLog, query, serverPid, startOther, until } from './support.js';

let compiled: string;
let dataDir: string;

beforeAll(async () => {
  const root = await tempFolder();
  compiled = await compile(root);
  dataDir = join(root, 'some/data');
});

const open = (log = memoryLog()) => openEmbedded({ dataDir, log });

describe('the first start', () => {
  test('two processes at once make one cluster and start one server', async () => {
    const [one, other, third] = await Promise.all([open(), startOther(compiled, dataDir), open()]);
    expect([one.started, other.started, third.started].filter(Boolean)).toHaveLength(1);
    expect(new Set([one.url, other.url, third.url]).size).toBe(1);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log']);
    await query(one.url, 'CREATE TABLE kept AS SELECT 1 AS id');
    await Promise.all([one.close(), other.end('close'), third.close()]);
    expect(await isDown(one.url)).toBe(true);
  });

  test('keeps what it makes private', async () => {
    const mode = async (path: string) => (await stat(join(dataDir, path))).mode & 0o777;
    expect(await mode('.')).toBe(0o700);
    expect(await mode('postgres')).toBe(0o700);
    expect(await mode('postgres/password')).toBe(0o600);
    expect(await mode('postgres.log')).toBe(0o600);
  });

  test('as root, runs the server as another user', onlyIf(isRoot, 'root'), async () => {
    expect((await stat(join(dataDir, 'postgres/data'))).uid).not.toBe(0);
  });

  test('the server is durable, local and asks for the password', async () => {
    const database = await open();
    const rows = await query(database.url, 'SELECT name, setting FROM pg_settings');
    const settings = Object.fromEntries(rows.map((row) => [row.name, row.setting]));
    expect(settings).toMatchObject({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
    });
    const [url, password] = [new URL(database.url), new URL(database.url).password];
    expect(Buffer.from(password, 'base64url')).toHaveLength(32);
    url.password = `${password}x`;
    await expect(query(url.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    await database.close();
  });

  test('text sorts as people expect, and trigrams know every letter', async () => {
    const database = await open();
    const sorted = await query(database.url, `SELECT w FROM unnest('{b,a,É,C,e,Ж}'::text[]) w ORDER BY w`);
    expect(sorted.map((row) => row.w).join('')).toBe('abCeÉЖ');
    await query(database.url, 'CREATE EXTENSION pg_trgm');
    const [trigrams] = await query(database.url, `SELECT cardinality(show_trgm('Жук')) AS count`);
    expect(trigrams.count).toBe(4);
    await database.close();
  });

  test('attempts cut off long ago are removed, a recent one is not', async () => {
    const [dead, live] = [join(dataDir, 'postgres.new-dead'), join(dataDir, 'postgres.new-live')];
    await mkdir(join(dead, 'data'), { recursive: true });
    await mkdir(live);
    const hourAgo = Date.now() / 1000 - 3600;
    await utimes(dead, hourAgo, hourAgo);
    await (await open()).close();
    expect([existsSync(dead), existsSync(live)]).toEqual([false, true]);
    await rm(live, { recursive: true });
  });
});

describe('several users', () => {
  test('only the last one stops the server', async () => {
    const one = await open();
    const other = await startOther(compiled, dataDir);
    expect([one.started, other.started, other.url]).toEqual([true, false, one.url]);
    await one.close();
    await one.close();
    expect(await query(one.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    expect(await other.end('close')).toBe(0);
    expect(await isDown(one.url)).toBe(true);
  });

  test('coming and going all at once, everybody is served', async () => {
    const visit = async () => {
      for (let round = 0; round < 4; round++) {
        const database = await open();
        expect(await query(database.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
        await database.close();
      }
    };
    await Promise.all([visit(), visit(), visit(), visit()]);
    expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
  });

  test('an open database does not keep a process alive, and the server does not outlive it', async () => {
    const other = await startOther(compiled, dataDir);
    expect(await other.end('forget')).toBe(0);
    await until('stopped', () => isDown(other.url));
  });
});

describe('after a crash', () => {
  test('of a gateway, what it committed is there, and the server is stopped in the end', async () => {
    const other = await startOther(compiled, dataDir);
    await query(other.url, 'INSERT INTO kept VALUES (2)');
    await other.kill();
    const found = await open();
    expect(await query(found.url, 'SELECT id FROM kept ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
    await found.close();
    expect(await isDown(found.url)).toBe(true);
  });

  test('of the server alone, it comes back on its port with all committed data', async () => {
    const log = memoryLog();
    const database = await open(log);
    const other = await startOther(compiled, dataDir);
    await query(database.url, 'INSERT INTO kept VALUES (3)');
    const killed = serverPid(dataDir);
    process.kill(killed, 'SIGKILL');
    await until('attached again', () => log.messages.includes('PostgreSQL is back'));
    expect([0, killed]).not.toContain(serverPid(dataDir));
    await database.close();
    expect(await query(other.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 3 }]);
    await other.end('close');
    expect(await isDown(database.url)).toBe(true);
  });

  test('of everything, the next start recovers, even while a process of the server is still busy', async () => {
    const other = await startOther(compiled, dataDir);
    const busy = query(other.url, 'SELECT pg_sleep(60)').catch(() => {});
    await until('busy', async () => (await query(other.url, BUSY))[0].n === 1);
    await other.kill();
    process.kill(serverPid(dataDir), 'SIGKILL');
    const database = await open();
    expect(database.started).toBe(true);
    expect(await query(database.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 3 }]);
    await Promise.all([busy, database.close()]);
  });

  test("and when another program has the dead server's process id", async () => {
    const other = await startOther(compiled, dataDir);
    await other.kill();
    process.kill(serverPid(dataDir), 'SIGKILL');
    const { uid, gid } = await stat(join(dataDir, 'postgres/data'));
    const foreign = spawn('sleep', ['60'], { uid, gid });
    const file = join(dataDir, 'postgres/data/postmaster.pid');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(foreign.pid)));
    const database = await open();
    expect(database.started).toBe(true);
    expect(foreign.exitCode).toBeNull();
    foreign.kill();
    await database.close();
  });
});

const BUSY = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'";
