// How long an organization takes to move to another database, and how much memory: npm run bench -- move
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { addBelongings } from './lib/belongings.mjs';
import { Failure } from './lib/failure.mjs';
import { prepare } from './lib/fixture.mjs';
import { main, newFolder, startDatabase, startGateway } from './lib/gateway.mjs';
import { peakMemoryOf } from './lib/processes.mjs';
import { keep, table } from './lib/table.mjs';

/** Milliseconds between two readings of memory, or two questions to a database. */
const interval = 10;

/**
 * Starts a command of the gateway.
 * @returns the process; and `ended`, which resolves with its seconds and its peak memory in MiB
 */
function start(env, ...argv) {
  const started = performance.now();
  const child = spawn(process.execPath, [main, ...argv, '--quiet'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let mebibytes = 0;
  const timer = setInterval(() => {
    try {
      mebibytes = Math.max(mebibytes, peakMemoryOf(child.pid) || 0);
    } catch {
      // It has just ended.
    }
  }, interval);
  const ended = new Promise((resolve, reject) => {
    child.once('exit', (status) => {
      clearInterval(timer);
      if (status !== 0) reject(new Failure(`${argv.join(' ')} failed.`));
      resolve({ seconds: (performance.now() - started) / 1000, mebibytes });
    });
  });
  return { child, ended };
}

const finish = (...command) => start(...command).ended;

/** Moves the organization from one database to the other, through a file or a pipe. */
const ways = {
  async 'in one step'(from, to, id) {
    const out = start(from, 'organization', 'export', id, '-', '--freeze');
    const into = start(to, 'organization', 'import', '-');
    out.child.stdout.pipe(into.child.stdin);
    const [exported, imported] = await Promise.all([out.ended, into.ended]);
    return { exported, imported };
  },
  async 'by a file'(from, to, id, file) {
    const exported = await finish(from, 'organization', 'export', id, file, '--freeze');
    const imported = await finish(to, 'organization', 'import', file);
    return { exported, imported, size: statSync(file).size / 1024 ** 2 };
  },
  async 'as a copy, then its changes'(from, to, id, file) {
    await finish(from, 'organization', 'export', id, file, '--force');
    await finish(to, 'organization', 'import', file, '--frozen');
    const out = start(from, 'organization', 'export', id, '-', '--freeze', '--since', file);
    const into = start(to, 'organization', 'import', '-');
    out.child.stdout.pipe(into.child.stdin);
    const [exported, imported] = await Promise.all([out.ended, into.ended]);
    return { exported, imported };
  },
};

/** Returns the time at which an organization of a database can be written to, as others see it. */
async function arrival(client, id, { signal }) {
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await client.query(
      'SELECT extract(epoch FROM clock_timestamp()) AS now FROM organizations WHERE id = $1 AND frozen_at IS NULL',
      [id],
    );
    if (rows.length > 0) return Number(rows[0].now);
    await pause(interval);
  }
}

/** Moves the organization in each way, and takes it back. */
async function measure(from, to, clients, id, file) {
  const { rows } = await clients.source.query('SELECT name FROM organizations WHERE id = $1', [id]);
  const results = {};
  for (const [name, move] of Object.entries(ways)) {
    const stop = new AbortController();
    const arrived = arrival(clients.target, id, stop);
    arrived.catch(() => {}); // awaited later, unless the move fails
    const moved = await move(from, to, id, file).catch((error) => {
      stop.abort();
      throw error;
    });
    const { rows: frozen } = await clients.source.query(
      'SELECT extract(epoch FROM frozen_at) AS since FROM organizations WHERE id = $1',
      [id],
    );
    const without = (await arrived) - Number(frozen[0].since);
    const deleted = await finish(to, 'organization', 'delete', id, '--yes', rows[0].name);
    await finish(from, 'organization', 'unfreeze', id);
    results[name] = { ...moved, deleted, without };
  }
  return results;
}

function print(results) {
  const shown = ({ seconds, mebibytes }) => [seconds.toFixed(1), mebibytes.toFixed(0)];
  const head = ['move', 'without writes, s', 'export, s', 'MiB', 'import, s', 'MiB', 'delete, s', 'MiB'];
  const lines = Object.entries(results).map(([name, { without, exported, imported, deleted }]) => [
    name,
    without.toFixed(1),
    ...[exported, imported, deleted].flatMap(shown),
  ]);
  console.log(table(head, lines));
  console.log(`\nThe file has ${results['by a file'].size.toFixed(1)} MiB.`);
}

/** Creates the database that the organization moves to. */
async function prepareTarget() {
  const database = await startDatabase();
  const gateway = await startGateway(database, { WORKER: 'off' });
  await gateway.close();
  return database;
}

/** Runs the measurement. */
export async function run({ items, files, kilobytes, outside = false }) {
  const records = {
    items,
    writable: 0,
    contacts: items / 5,
    vehicles: items / 5,
    events: items * 4,
    months: 12,
  };
  const [source, target] = [await prepare(records), await prepareTarget()];
  const clients = {
    source: new pg.Client({ connectionString: source.url }),
    target: new pg.Client({ connectionString: target.url }),
  };
  const folder = newFolder();
  try {
    for (const client of Object.values(clients)) {
      client.on('error', () => {}); // queries fail as well
      await client.connect();
    }
    await addBelongings(clients.source, source.owner, { count: files, bytes: kilobytes * 1000 });
    const SECRET_KEY = randomBytes(32).toString('hex');
    mkdirSync(folder);
    const place = outside ? { FILES: folder } : {};
    const from = { DATABASE_URL: source.url, SECRET_KEY, ...place };
    const to = { DATABASE_URL: target.url, SECRET_KEY };
    if (outside) await finish(from, 'files', 'move');
    const { organizationId } = source.owner;
    const results = await measure(from, to, clients, organizationId, join(folder, 'organization'));
    print(results);
    keep('move', { node: process.version, items, files, kilobytes, outside, results });
  } finally {
    for (const client of Object.values(clients)) await client.end();
    for (const database of [source, target]) await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
