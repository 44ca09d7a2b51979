// Slow heads on all connections: npm run bench -- connections
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { chosen } from './lib/failure.mjs';
import { startDatabase, startGateway } from './lib/gateway.mjs';
import { residentMemoryOf, socketsOf } from './lib/processes.mjs';
import { keep, quantile, table } from './lib/table.mjs';

const generator = new URL('./lib/slow-heads.mjs', import.meta.url);
/** Requests of other callers, and milliseconds between them. */
const honest = { count: 50, pause: 100 };
/** Milliseconds that an honest caller waits. */
const patience = 10_000;
/** Seconds after the first slow head at which connections are counted. */
const looks = [15, 40];

/**
 * Sends a request on a connection and from an address of its own; returns milliseconds, or undefined without
 * an answer.
 */
function ask({ url, token }) {
  return new Promise((resolve) => {
    const started = performance.now();
    const request = get(`${url}/v1/vehicles`, {
      agent: false,
      localAddress: '127.0.0.12',
      timeout: patience,
      headers: { Authorization: `Bearer ${token}` },
    });
    request.once('response', (response) => {
      response.resume();
      response.once('end', () =>
        resolve(response.statusCode === 200 ? performance.now() - started : undefined),
      );
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(undefined));
  });
}

async function askAll(gateway) {
  const asked = [];
  for (let at = 0; at < honest.count; at += 1) {
    asked.push(ask(gateway));
    await sleep(honest.pause);
  }
  return (await Promise.all(asked)).filter((time) => time !== undefined);
}

async function attack(database, mode, count) {
  const gateway = await startGateway(database, { WORKER: 'off' });
  const before = { memory: residentMemoryOf(gateway.pid), sockets: socketsOf(gateway.pid) };
  await askAll(gateway);
  const started = performance.now();
  const child = fork(generator, [gateway.url, count, mode, looks.at(-1) + 5].map(String));
  try {
    await once(child, 'message');
    const begun = performance.now() - started;
    const held = socketsOf(gateway.pid) - before.sockets;
    const times = await askAll(gateway);
    const open = [];
    for (const second of looks) {
      await sleep(Math.max(0, second * 1_000 - (performance.now() - started)));
      child.send('count');
      const [{ open: there }] = await once(child, 'message');
      open.push({ here: socketsOf(gateway.pid) - before.sockets, there });
    }
    return {
      begun,
      held,
      answered: times.length / honest.count,
      p99: quantile(times, 0.99),
      open,
      before: before.memory,
      memory: residentMemoryOf(gateway.pid),
    };
  } finally {
    child.kill();
    await gateway.close();
  }
}

/** Runs the measurement. */
export async function run({ count, only }) {
  const modes = chosen(only, ['slow', 'silent'], 'kind of heads');
  const database = await startDatabase();
  try {
    const results = {};
    for (const mode of modes) results[mode] = await attack(database, mode, count);
    const rows = Object.entries(results).map(
      ([mode, { begun, held, answered, p99, open, before, memory }]) => [
        mode,
        (begun / 1_000).toFixed(1),
        held,
        `${Math.round(answered * 100)} %`,
        p99?.toFixed(0) ?? '-',
        ...open.map(({ here, there }) => `${here} (${there})`),
        before.toFixed(0),
        memory.toFixed(0),
      ],
    );
    const counted = looks.map((second) => `open after ${second} s (callers' side)`);
    const head = ['heads', 'begun after s', 'open then', 'others answered', 'p99 ms', ...counted];
    console.log(table([...head, 'MiB before', 'MiB after'], rows));
    keep('connections', { node: process.version, count, results });
  } finally {
    await database.close();
  }
}
