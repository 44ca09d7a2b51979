// Sends one workload to one server from a process of its own, which is forked by measure.mjs: first to warm the server
// up, then, told to go, to be measured.
import autocannon from 'autocannon';
import { dialects } from './peers.mjs';
import { randomOf } from './random.mjs';
import { workloads } from './workloads.mjs';

/** Sends for so many seconds, each connection its next request as soon as it has the answer to its last. */
async function shoot(cell, seconds) {
  const { url, token, dialect, workload, size, owner, seed, connections, parameters } = cell;
  const { request } = dialects[dialect][workload];
  const choice = (random) => parameters[random(parameters.length)];
  const parametersOf = parameters ? choice : workloads[workload].parameters;
  const random = randomOf(seed);
  let next = seed * 1_000_000;
  const unique = () => next++;
  const authorization = token && { authorization: `Bearer ${token}` };
  const setupRequest = (given) => {
    const { headers, ...rest } = request(parametersOf(random, size, unique), unique, owner);
    return { ...given, ...rest, headers: { ...headers, ...authorization } };
  };
  const times = [];
  const failures = {};
  const started = performance.now();
  const running = autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 30,
    requests: [{ setupRequest }],
  });
  running.on('response', (_client, status, _bytes, milliseconds) => {
    if (status >= 200 && status < 300) times.push(milliseconds);
    else failures[status] = (failures[status] ?? 0) + 1;
  });
  const { errors, timeouts } = await running;
  if (errors + timeouts > 0) failures.lost = errors + timeouts;
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  const elapsed = (performance.now() - started) / 1000;
  return { count: times.length, seconds: elapsed, p50: at(0.5), p99: at(0.99), failures };
}

process.once('message', async (cell) => {
  if (cell.warmup > 0) await shoot(cell, cell.warmup);
  process.once('message', async () => {
    process.send(await shoot({ ...cell, seed: cell.seed + 1 }, cell.duration));
    process.disconnect();
  });
  process.send('warm');
});
