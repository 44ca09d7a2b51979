import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { tempFolder } from '../support/folders.js';
import { compile, isDown, memoryLog, query, serverPid, startOther, until } from './support.js';

/** Milliseconds that a server may outlive its last user. */
const limit = 10_000;

let compiled: string;
let dataDir: string;

beforeAll(async () => {
  compiled = await compile(await tempFolder());
});
beforeEach(async () => {
  dataDir = join(await tempFolder(), 'data');
});

const open = (log = memoryLog()) => openEmbedded({ dataDir, log });

/** The session that stops the server when nobody uses it. */
const guard = `
  SELECT pid, xact_start::text AS at FROM pg_stat_activity
  WHERE pid = (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${0x67756172} AND granted)`;

/** Waits until the guard has looked so many times. */
async function looks(url: string, times: number): Promise<void> {
  const seen = new Set<string>();
  await until('looks of the guard', async () => seen.add((await query(url, guard))[0].at).size > times);
}

/** Returns what the server's log says of its end. */
async function ending(): Promise<string | undefined> {
  const lines = (await readFile(join(dataDir, 'postgres.log'), 'utf8')).split('\n');
  return lines.find((line) => line.includes('no process uses this server any more'));
}

describe('the server', () => {
  test('stops when its only user is killed', async () => {
    const other = await startOther(compiled, dataDir);
    await looks(other.url, 1);
    await other.kill();
    const killed = Date.now();
    await until('stopped', () => isDown(other.url));
    // By the server's own clock, as this process may be kept from looking.
    const [moment = ''] = /^.* UTC/.exec((await ending()) ?? '') ?? [];
    expect(new Date(moment).getTime() - killed).toBeLessThan(limit);
    expect(serverPid(dataDir)).toBe(0);
    const next = await open();
    expect(next.started).toBe(true);
    await next.close();
  });

  test('stops when its last user is killed, and not before', async () => {
    const [one, other] = [await startOther(compiled, dataDir), await startOther(compiled, dataDir)];
    await one.kill();
    await looks(other.url, 6);
    expect(await ending()).toBeUndefined();
    await other.kill();
    await until('stopped', () => isDown(other.url));
  });

  test('stops when its starter is killed as it starts', async () => {
    await (await open()).close();
    const starter = fork(join(compiled, 'process.js'), [dataDir], { cwd: '/', execArgv: [] });
    const exited = once(starter, 'exit');
    await until('starting', () => serverPid(dataDir));
    starter.kill('SIGKILL');
    await exited;
    await until('stopped', () => serverPid(dataDir) === 0);
  });

  test('is guarded on after a process of it crashed', async () => {
    const log = memoryLog();
    const database = await open(log);
    const [before] = await query(database.url, guard);
    process.kill(before.pid, 'SIGKILL');
    await until('attached again', () => log.messages.includes('PostgreSQL is back'));
    const [after] = await query(database.url, guard);
    expect(after.pid).not.toBe(before.pid);
    await database.close();
    expect(await isDown(database.url)).toBe(true);
  });
});

test('a server that was left running is taken over, and the log says so', async () => {
  const left = await startOther(compiled, dataDir);
  // In this order, as nobody makes a new guard then.
  await left.kill();
  await query(left.url, `SELECT pg_terminate_backend(pid) FROM (${guard}) AS guard`);
  const log = memoryLog();
  const next = await open(log);
  expect([next.started, next.url]).toEqual([false, left.url]);
  expect(log.messages).toContain('PostgreSQL was still running; taking it over');
  expect(await query(next.url, guard)).toHaveLength(1);
  await next.close();
  expect(await isDown(next.url)).toBe(true);
});

test('two users have one guard between them', async () => {
  const log = memoryLog();
  const other = await startOther(compiled, dataDir);
  const database = await open(log);
  expect(log.messages).toContain('PostgreSQL found running');
  const sessions = await query(database.url, "SELECT FROM pg_stat_activity WHERE query LIKE '%on guard%'");
  expect(sessions.length).toBeLessThanOrEqual(2); // this query is one
  await other.end('close');
  await database.close();
});
