// Sends one workload to one server from a process of its own. measure.mjs forks it to warm the server up, and
// then, on a message, to measure.
import { Agent, request as open } from 'node:http';
import { dialects } from './peers.mjs';
import { randomOf } from './random.mjs';
import { workloads } from './workloads.mjs';

/**
 * Sends a request and reads its answer to the end; returns the status, or `errors` if GraphQL has them with
 * 200.
 */
function ask(agent, { hostname, port }, { method, path, headers, body }) {
  const length = body && { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    open({ agent, hostname, port, method, path, headers: { ...headers, ...length } }, (response) => {
      let hasErrors = false;
      response.on('data', (chunk) => {
        // Some peers send them behind the data.
        hasErrors ||= chunk.includes('"errors":');
      });
      response.once('error', reject).once('end', () => {
        resolve(hasErrors && response.statusCode === 200 ? 'errors' : response.statusCode);
      });
    })
      .once('error', reject)
      .end(body);
  });
}

/** Creates the requests of a cell, each a different one. */
function requestsOf({ token, dialect, workload, size, owner, seed, parameters }) {
  const { request } = dialects[dialect][workload];
  const given = (random) => parameters[random(parameters.length)];
  const parametersOf = parameters ? given : workloads[workload].parameters;
  const random = randomOf(seed);
  let next = seed * 1_000_000;
  const unique = () => next++;
  const authorization = token && { authorization: `Bearer ${token}` };
  return () => {
    const { headers, ...rest } = request(parametersOf(random, size, unique), unique, owner);
    return { ...rest, headers: { ...headers, ...authorization } };
  };
}

const pauseUntil = (time) => new Promise((resolve) => setTimeout(resolve, time - performance.now()));

/**
 * Sends for a number of seconds, and at least a number of requests. Each connection sends its next request as
 * soon as it has its answer. With a rate, a request is sent when it is due, and its time counts from then. At
 * the end, it waits for all answers.
 */
async function shoot(cell, seconds, least) {
  const agent = new Agent({ keepAlive: true, maxSockets: cell.connections });
  const url = new URL(cell.url);
  const make = requestsOf(cell);
  const [times, failures] = [[], {}];
  const started = performance.now();
  let sent = 0;
  const send = async () => {
    while (sent < least || performance.now() - started < seconds * 1000) {
      const due = cell.rate && started + (sent / cell.rate) * 1000;
      sent += 1;
      const request = make();
      if (due > performance.now()) await pauseUntil(due);
      const from = due ?? performance.now();
      const outcome = await ask(agent, url, request).catch(({ code }) => code);
      if (outcome >= 200 && outcome < 300) times.push(performance.now() - from);
      else failures[outcome] = (failures[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: cell.connections }, send));
  const elapsed = (performance.now() - started) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  return { sent, answered: times.length, seconds: elapsed, p50: at(0.5), p99: at(0.99), failures };
}

process.once('message', async (cell) => {
  await shoot(cell, cell.warmup, cell.warmup > 0 ? (cell.settle ?? cell.least) : 0);
  process.once('message', async () => {
    process.send(await shoot({ ...cell, seed: cell.seed + 1 }, cell.duration, cell.least));
    process.disconnect();
  });
  process.send('warm');
});

// Without its parent there is nothing to measure.
process.once('disconnect', () => process.exit());
