// How much memory the gateway takes under all workloads at once, beside streams of events:
// npm run bench -- memory
import { Agent } from 'node:http';
import { prepare } from './lib/fixture.mjs';
import { measured, startGateway } from './lib/gateway.mjs';
import { measure } from './lib/measure.mjs';
import { peakMemoryOf, residentMemoryOf } from './lib/processes.mjs';
import { subscribe } from './lib/streams.mjs';
import { failuresText, keep, median, table } from './lib/table.mjs';
import { workloads } from './lib/workloads.mjs';

/** Milliseconds between two readings of the memory. */
const interval = 500;
/** Streams that receive every event. */
const streams = 10;
/** Parts of the time in the table. */
const parts = 10;

/** Returns the growth of the samples in MiB per minute (least squares). */
function slopeOf(samples) {
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const [times, sizes] = [samples.map(({ minute }) => minute), samples.map(({ size }) => size)];
  const [middle, level] = [mean(times), mean(sizes)];
  const above = samples.reduce((sum, { minute, size }) => sum + (minute - middle) * (size - level), 0);
  return above / times.reduce((sum, minute) => sum + (minute - middle) ** 2, 0);
}

function print(samples, peak, minutes) {
  const size = Math.ceil(samples.length / parts);
  const rows = Array.from({ length: parts }, (_, part) => {
    const sizes = samples.slice(part * size, (part + 1) * size).map((sample) => sample.size);
    return [((part * minutes) / parts).toFixed(2), median(sizes).toFixed(0), Math.max(...sizes).toFixed(0)];
  });
  console.log(`\n${table(['from minute', 'median MiB', 'most MiB'], rows)}`);
  const half = samples.slice(Math.floor(samples.length / 2));
  console.log(
    `\nPeak ${peak.toFixed(0)} MiB; in the second half ${slopeOf(half).toFixed(2)} MiB more each minute.`,
  );
}

/** Runs the measurement. */
export async function run({ minutes }) {
  const database = await prepare();
  const gateway = {
    ...(await startGateway(database, { ...measured(database), WORKER: 'on' })),
    dialect: 'gateway',
  };
  const agent = new Agent({ keepAlive: true, maxSockets: streams });
  let delivered = 0;
  let isOver = false;
  const onEvent = () => {
    delivered += 1;
  };
  const samples = [];
  const started = performance.now();
  const timer = setInterval(() => {
    samples.push({ minute: (performance.now() - started) / 60_000, size: residentMemoryOf(gateway.pid) });
  }, interval);
  try {
    let dropped = 0;
    // On a machine that all of this saturates, events come faster than a stream takes them; clients then
    // reopen it.
    const follow = () =>
      subscribe(agent, gateway.url, gateway.token, onEvent, () => {
        dropped += 1;
        void followAgain();
      });
    // An overloaded gateway refuses new streams (503), so clients try again later.
    const followAgain = () =>
      follow().catch(() => {
        if (!isOver) setTimeout(followAgain, 1_000);
      });
    for (let n = 0; n < streams; n += 1) await follow();
    const cell = { duration: minutes * 60, warmup: 0, connections: 4 };
    const names = Object.keys(workloads);
    const results = await Promise.all(
      names.map((workload) => measure(gateway, database, { ...cell, workload })),
    );
    clearInterval(timer);
    const answered = names.map((name, at) => [
      name,
      results[at].rate.toFixed(0),
      failuresText(results[at].failures),
    ]);
    console.log(table(['workload', 'req/s', 'failed'], answered));
    console.log(`\nStreams were dropped ${dropped} times, and begun again.`);
    console.log(`\n${streams} streams were told of ${delivered} events.`);
    print(samples, peakMemoryOf(gateway.pid), minutes);
    keep('memory', { node: process.version, minutes, samples });
  } finally {
    isOver = true;
    clearInterval(timer);
    agent.destroy();
    await gateway.close();
    await database.close();
  }
}
