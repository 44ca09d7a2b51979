// What the gateway still does under many times the load that it can take:
// npm run bench -- overload
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chosen } from './lib/failure.mjs';
import { prepare } from './lib/fixture.mjs';
import { startGateway } from './lib/gateway.mjs';
import { cpuOf, peakMemoryOf } from './lib/processes.mjs';
import { keep, table } from './lib/table.mjs';

const generator = new URL('./lib/open-loop.mjs', import.meta.url).pathname;

/** Numbers of connections that the closed loop tries; the best one counts. */
const widths = [16, 32, 64, 128];

/**
 * The most connections of the open loop: as many as a busy proxy keeps, and fewer than one address may have.
 */
const connections = 900;

/**
 * The connections of an open loop: opened in advance, like a proxy's; opened by the load, and kept alive; one
 * per request.
 */
const connectionsOf = {
  kept: 'kept connections',
  burst: 'kept connections, opened in the burst',
  each: 'a connection for each',
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let seeds = Math.floor(Date.now() / 1000) % 1_000_000;

/** Generates a load, and returns the results. */
async function generate(gateway, database, task) {
  seeds += 1;
  const child = fork(generator, { stdio: 'inherit' });
  const { url, token } = gateway;
  const before = [cpuOf(gateway.pid), cpuOf(database.pid)];
  child.send({ url, token, size: database.size, seed: seeds, ...task });
  const [result] = await once(child, 'message');
  const after = [cpuOf(gateway.pid), cpuOf(database.pid)];
  return { ...result, server: after[0] - before[0], postgres: after[1] - before[1] };
}

/** Sends one small request; returns the milliseconds until a good answer, or undefined. */
async function probe({ url, token }) {
  const started = performance.now();
  const answer = await fetch(`${url}/v1/teams`, { headers: { authorization: `Bearer ${token}` } }).catch(
    () => {},
  );
  await answer?.arrayBuffer().catch(() => {});
  return answer?.status === 200 ? performance.now() - started : undefined;
}

/** Returns the latency of small requests on an idle gateway in milliseconds (90th percentile). */
async function quietTime(gateway) {
  const times = [];
  for (let n = 0; n < 50; n += 1) {
    times.push((await probe(gateway)) ?? Number.POSITIVE_INFINITY);
    await pause(20);
  }
  return times.sort((a, b) => a - b)[44];
}

/** Returns the seconds until ten small requests in a row take at most twice their usual time. */
async function recovery(gateway, quiet) {
  const started = performance.now();
  for (let inRow = 0; inRow < 10 && performance.now() - started < 60_000; await pause(20)) {
    inRow = ((await probe(gateway)) ?? Number.POSITIVE_INFINITY) <= 2 * quiet + 5 ? inRow + 1 : 0;
  }
  return (performance.now() - started) / 1000;
}

/** Polls /health/ready twice a second until it is stopped; returns the seconds at which it changed. */
function watchReady({ url }) {
  const started = performance.now();
  const changes = [];
  let over = false;
  const watching = (async () => {
    for (let last = 200; !over; await pause(500)) {
      const status = (await fetch(`${url}/health/ready`).catch(() => ({ status: 'none' }))).status;
      if (status !== last)
        changes.push(`${status} at ${((performance.now() - started) / 1000).toFixed(0)} s`);
      last = status;
    }
  })();
  return async () => {
    over = true;
    await watching;
    return changes.join(', ') || 'always 200';
  };
}

const whole = (number) => number?.toFixed(0) ?? '–';

function rowOf({ name, result, best, recovered, memory, ready }) {
  const { outcomes, dropped, sent, seconds, inTime, p50, p99, uploads, unanswered, lag } = result;
  const { 503: shed = 0, ...others } = outcomes;
  const bad = Object.entries(others).filter(([outcome]) => !/^2/.test(outcome));
  if (unanswered > 0) bad.push(['unanswered', unanswered]);
  const good = inTime / seconds;
  return [
    name,
    whole(sent / seconds),
    whole(dropped / seconds),
    whole(good),
    `${whole((good / best) * 100)} %`,
    whole(p50),
    whole(p99),
    whole(lag),
    shed,
    `${uploads.good} of ${uploads.sent}`,
    bad.length > 0 ? JSON.stringify(Object.fromEntries(bad)) : '–',
    recovered?.toFixed(1) ?? '–',
    whole(memory),
    ready ?? '–',
  ];
}

const head = [
  'load',
  'sent/s',
  'dropped/s',
  'good/s',
  'of best',
  'p50 ms',
  'p99 ms',
  'sent late by, ms',
  '503',
  'uploads taken',
  'errors',
  'normal after s',
  'peak MiB',
  '/health/ready',
];

/** Runs the measurement. */
export async function run({ duration, times, nice, only }) {
  const ways = chosen(only, Object.keys(connectionsOf), 'way to connect');
  const database = await prepare();
  const gateway = await startGateway(database, { WORKER: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'info' });
  const measured = [];
  try {
    console.log(
      `The load generator runs at nice ${nice}, the gateway and PostgreSQL at 0; they share the machine. ` +
        `Open loops have ${connections} connections.\n`,
    );
    await generate(gateway, database, { nice, width: 16, seconds: 8, connections: 16 });
    const closed = [];
    for (const width of widths) {
      const result = await generate(gateway, database, {
        nice,
        width,
        seconds: duration / 2,
        connections: width,
      });
      closed.push({ name: `closed loop, ${width} connections`, result });
    }
    const best = Math.max(...closed.map(({ result }) => result.inTime / result.seconds));
    const quiet = await quietTime(gateway);
    measured.push(...closed.map((one) => ({ ...one, best, memory: peakMemoryOf(gateway.pid) })));
    const most = Math.max(...times);
    const loads = [
      ...times.map((factor) => ({ factor, how: 'kept' })),
      { factor: most, how: 'burst' },
      { factor: most, how: 'each' },
    ].filter(({ how }) => ways.includes(how));
    for (const { factor, how } of loads) {
      const stopReady = watchReady(gateway);
      const result = await generate(gateway, database, {
        nice,
        rate: best * factor,
        seconds: duration,
        connections,
        keep: how !== 'each',
        ahead: how === 'kept',
      });
      const recovered = await recovery(gateway, quiet);
      await pause(8_000);
      const ready = await stopReady();
      const memory = peakMemoryOf(gateway.pid);
      const name = `open loop, ${factor} times the best, ${connectionsOf[how]}`;
      measured.push({ name, result, best, recovered, memory, ready });
    }
    console.log(table(head, measured.map(rowOf)));
    keep('overload', { node: process.version, main: process.env.GATEWAY_MAIN, quiet, measured });
  } finally {
    await gateway.close();
    await database.close();
  }
}
