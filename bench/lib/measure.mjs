// One cell of a table: what a workload costs a server and PostgreSQL.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpuOf, peakMemoryOf } from './processes.mjs';

const loadFile = new URL('load.mjs', import.meta.url).pathname;

/** Numbers of cells: each sends its own requests, and notifications that nobody has sent before. */
let cells = Math.floor(Date.now() / 1000) % 1_000_000;

/**
 * Measures one workload.
 * @param server where to send it: url, token, dialect, pid
 * @param database PostgreSQL's pid, and the data in it
 * @param cell workload, duration and warmup in seconds, `least` requests (`settle` in the warm-up, if given),
 *   connections, parameters instead of random ones
 * @returns CPU milliseconds per request of both, requests per second, percentiles in milliseconds, memory in
 *   MiB
 */
export async function measure(server, database, cell) {
  cells += 2;
  const child = fork(loadFile, { stdio: 'inherit' });
  const { url, token, dialect } = server;
  const { size, owner } = database;
  child.send({
    url,
    token,
    dialect,
    size,
    owner,
    seed: cells,
    connections: 16,
    warmup: 0,
    least: 300,
    ...cell,
  });
  const cpu = () => ({ server: cpuOf(server.pid), postgres: cpuOf(database.pid) });
  await answerOf(child);
  const before = cpu();
  child.send('go');
  const { sent, answered, seconds, p50, p99, failures } = await answerOf(child);
  const after = cpu();
  const each = (name) => ((after[name] - before[name]) * 1000) / sent;
  const cost = { server: each('server'), postgres: each('postgres') };
  const both = cost.server + cost.postgres;
  return { ...cost, both, rate: answered / seconds, p50, p99, memory: peakMemoryOf(server.pid), failures };
}

/** Returns the next message of a process, or rejects with its failure. */
export async function answerOf(child) {
  const abort = new AbortController();
  // Not its exit, which may be emitted before its last output.
  const failed = once(child, 'close', { signal: abort.signal }).then(([code]) => {
    throw new Error(`The load generator ended with ${code}.`);
  });
  failed.catch(() => {});
  try {
    return (await Promise.race([once(child, 'message', { signal: abort.signal }), failed]))[0];
  } finally {
    abort.abort();
  }
}
