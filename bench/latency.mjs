// Time, not only CPU: npm run bench -- latency
import { fork } from 'node:child_process';
import { chosen } from './lib/failure.mjs';
import { prepare } from './lib/fixture.mjs';
import { measured, startGateway } from './lib/gateway.mjs';
import { answerOf, measure } from './lib/measure.mjs';
import { peers } from './lib/peers.mjs';
import { keep, median, table } from './lib/table.mjs';
import { workloads } from './lib/workloads.mjs';

/** Connections of an open loop, enough that a due request hardly ever waits for one. */
const connections = 64;

const start = async (database, env = {}) => ({
  dialect: 'gateway',
  ...(await startGateway(database, { ...measured(database), ...env })),
});
const middle = (cells, name) => median(cells.map((cell) => cell[name]));
const shown = (number) => number.toFixed(number < 10 ? 2 : 0);

/**
 * Sends half of the highest rate that a server answers; returns that rate, and the latencies of each round.
 */
async function atHalf(server, database, cell, rounds) {
  const cells = [];
  for (let round = 0; round < rounds; round += 1) {
    const { rate } = await measure(server, database, cell);
    cells.push({
      ...(await measure(server, database, { ...cell, warmup: 0, connections, rate: rate / 2 })),
      rate,
    });
  }
  return cells;
}

/** Compares latencies with those of the hand-written server, each at half of its own highest rate. */
async function compare(database, { rounds, workload, ...cell }) {
  const gateway = await start(database);
  const limit = { dialect: 'gateway', ...(await peers.limit.start(database)) };
  const rows = [];
  for (const name of workload) {
    const [own, other] = [
      await atHalf(gateway, database, { ...cell, workload: name }, rounds),
      await atHalf(limit, database, { ...cell, workload: name }, rounds),
    ];
    const ratio = median(own.map(({ p99 }, at) => p99 / other[at].p99));
    rows.push([
      name,
      ...[own, other].flatMap((cells) => ['rate', 'p50', 'p99'].map((one) => shown(middle(cells, one)))),
      ratio.toFixed(2),
    ]);
    console.error(rows.at(-1).join(' '));
  }
  await gateway.close();
  await limit.close();
  console.log('At half of the highest rate: milliseconds from when a request was due; medians of rounds.\n');
  console.log(
    table(['', 'gateway: most/s', 'p50', 'p99', 'by hand: most/s', 'p50', 'p99', 'p99 ÷ by hand'], rows),
  );
  return rows;
}

/** Reads pages of 500 items with all members of the contract, one after the other, until it is stopped. */
function readPages({ url, token }) {
  const child = fork(new URL('lib/read-pages.mjs', import.meta.url).pathname, { stdio: 'inherit' });
  child.send({ url, token });
  const pages = answerOf(child);
  return async () => {
    child.send('stop');
    return pages;
  };
}

/** Measures one item with and without somebody reading large pages. */
async function besidePages(database, { rounds, duration, warmup }) {
  const gateway = await start(database);
  const cell = { workload: 'W2', duration, warmup };
  const { rate } = await measure(gateway, database, cell);
  const quarter = { ...cell, warmup: 0, connections, rate: rate / 4 };
  const [alone, beside] = [[], []];
  let pages = 0;
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await measure(gateway, database, quarter));
    const stop = readPages(gateway);
    beside.push(await measure(gateway, database, quarter));
    pages = await stop();
  }
  await gateway.close();
  const [without, within] = [middle(alone, 'p99'), middle(beside, 'p99')];
  console.log(
    `\nW2 at a quarter of its highest rate (${shown(rate)}/s): 99th ${shown(without)} ms alone, ${shown(within)} ms ` +
      `(${(within / without).toFixed(2)}x) while one client reads pages of 500 items ` +
      `(${pages} pages in the last round).`,
  );
  return { rate, without, within };
}

/** Compares the CPU of a request in one and two processes. */
async function byWorkers(database, { rounds, duration, warmup }) {
  const [one, two] = [await start(database), await start(database, { WORKERS: '2' })];
  const costs = new Map([one, two].map((server) => [server, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const server of [one, two]) {
      const cell = { workload: 'W1', duration, warmup: round === 0 ? 2 * warmup : 0 };
      costs.get(server).push((await measure(server, database, cell)).both);
    }
  }
  await one.close();
  await two.close();
  const [single, double] = [median(costs.get(one)), median(costs.get(two))];
  console.log(
    `\nW1 takes ${single.toFixed(3)} ms of CPU in one process, ${double.toFixed(3)} in two (${(double / single).toFixed(2)}x).`,
  );
  return { single, double };
}

/** Runs the measurement; `only` picks parts of it. */
export async function run({ only, ...options }) {
  const parts = { peers: compare, pages: besidePages, workers: byWorkers };
  const names = chosen(only, Object.keys(parts), 'part');
  chosen(options.workload, Object.keys(workloads), 'workload');
  const database = await prepare();
  const results = {};
  try {
    for (const part of names) results[part] = await parts[part](database, options);
    keep('latency', { node: process.version, ...options, ...results });
  } finally {
    await database.close();
  }
}
