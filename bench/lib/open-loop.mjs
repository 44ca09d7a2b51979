// Sends a mix of requests from a process of its own, at a lower priority than the server's: as fast as they
// are answered (closed loop), or at a fixed rate whether or not they are (open loop). overload.mjs forks it.
import { setPriority } from 'node:os';
import { Connections } from './connections.mjs';
import { randomOf } from './random.mjs';
import { gateway } from './requests.mjs';
import { workloads } from './workloads.mjs';

/** Of ten requests, six are GraphQL reads, two REST lists, one is a write, one an upload. */
const mix = ['W1', 'W1', 'W1', 'W2', 'W2', 'W2', 'W3', 'W3', 'W4', 'W5'];

/** Requests that are created in advance; uploads are created as they are sent, each a different one. */
const prepared = 2_000;

/** Milliseconds between two checks for due requests. */
const step = 2;

function bytesOf({ method, path, headers, body = '' }, token) {
  const all = { Host: 'gateway', Authorization: `Bearer ${token}`, ...headers };
  if (body) all['Content-Length'] = Buffer.byteLength(body);
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n'));
}

/** Creates a function that returns one request after the other: its workload and its bytes. */
function requestsOf({ token, size, seed }) {
  const random = randomOf(seed);
  let next = seed * 1_000_000;
  const unique = () => next++;
  const make = (workload) => {
    const parameters = workloads[workload].parameters(random, size, unique);
    return { workload, bytes: bytesOf(gateway[workload].request(parameters, unique), token) };
  };
  const made = Array.from({ length: prepared }, () => make(mix[random(mix.length)]));
  let at = 0;
  return () => {
    const request = made[at++ % prepared];
    return request.workload === 'W5' ? make('W5') : request;
  };
}

/** Counts how requests end, but only those in the measured time. */
function counter() {
  const seen = {
    sent: 0,
    good: 0,
    uploads: { sent: 0, good: 0 },
    outcomes: {},
    times: [],
    dropped: 0,
    late: 0,
  };
  return {
    seen,
    sent: (workload) => {
      seen.sent += 1;
      if (workload === 'W5') seen.uploads.sent += 1;
    },
    ended: (workload, from, outcome) => {
      seen.outcomes[outcome] = (seen.outcomes[outcome] ?? 0) + 1;
      if (!(outcome >= 200 && outcome < 300)) return;
      seen.good += 1;
      if (workload === 'W5') seen.uploads.good += 1;
      seen.times.push(performance.now() - from);
    },
  };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a closed loop: each connection sends its next request when it has its answer. */
async function closedLoop(connections, make, { seconds, width }, count) {
  const until = performance.now() + seconds * 1000;
  const one = async () => {
    while (performance.now() < until) {
      const { workload, bytes } = make();
      const from = performance.now();
      count.sent(workload);
      await new Promise((resolve) => {
        connections.send(bytes, (outcome) => {
          count.ended(workload, from, outcome);
          resolve();
        });
      });
    }
  };
  await Promise.all(Array.from({ length: width }, one));
}

/** Runs an open loop at a fixed rate. A request for which no connection is free is dropped, and counted. */
async function openLoop(connections, make, { seconds, rate }, count) {
  const started = performance.now();
  let due = 0;
  /** How much later than due each request was sent. This is the generator's fault, not latency. */
  const lags = [];
  let underWay = 0;
  for (let now = 0; now < seconds * 1000; now = performance.now() - started) {
    for (; due < (now / 1000) * rate; due += 1) {
      if (!connections.hasRoom) {
        count.seen.dropped += 1;
        continue;
      }
      const from = performance.now();
      lags.push(from - started - (due / rate) * 1000);
      const { workload, bytes } = make();
      count.sent(workload);
      underWay += 1;
      connections.send(bytes, (outcome) => {
        underWay -= 1;
        count.ended(workload, from, outcome);
      });
    }
    await pause(step);
  }
  const over = performance.now() - started;
  const inTime = count.seen.good;
  // Waits for requests in progress, which count for latencies but not for the goodput.
  for (const until = performance.now() + 30_000; underWay > 0 && performance.now() < until; ) await pause(10);
  lags.sort((a, b) => a - b);
  const lag = lags[Math.floor(lags.length / 2)];
  return { seconds: over / 1000, inTime, unanswered: underWay, lag };
}

async function run(task) {
  const connections = new Connections(task.url, task.connections, task.keep);
  const count = counter();
  if (task.rate && task.ahead) {
    await connections.openAll();
    // Wait until the gateway has accepted them: libuv accepts one per turn of the event loop.
    await pause(1_000);
  }
  const started = performance.now();
  const extra = await (task.rate ? openLoop : closedLoop)(connections, requestsOf(task), task, count);
  connections.close();
  const seconds = (performance.now() - started) / 1000;
  const { times, ...seen } = count.seen;
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return {
    seconds,
    inTime: seen.good,
    unanswered: 0,
    ...seen,
    ...extra,
    p50: at(0.5),
    p99: at(0.99),
    most: times.at(-1),
  };
}

process.once('message', async ({ nice, ...task }) => {
  setPriority(nice);
  process.send(await run(task));
  process.disconnect();
});
process.once('disconnect', () => process.exit());
