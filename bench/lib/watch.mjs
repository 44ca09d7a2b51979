// A second client, on a thread of its own: it keeps requesting /health/live and reads the process's memory.
import { Agent, get } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { peakMemoryOf, residentMemoryOf } from './processes.mjs';

/** Milliseconds between two requests, and between two readings of the memory. */
const interval = { question: 20, memory: 100 };

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a request; returns the status, or the code of the error. */
function ask(agent, url) {
  return new Promise((resolve) => {
    const request = get(`${url}/health/live`, { agent, timeout: 60_000 }, (response) => {
      response.once('end', () => resolve(response.statusCode)).resume();
    });
    request.once('timeout', () => request.destroy(new Error('timeout')));
    request.once('error', ({ code, message }) => resolve(code ?? message));
  });
}

/** Returns the current memory, or undefined if the process has ended. */
function memoryNow(pid) {
  try {
    return { now: residentMemoryOf(pid), peak: peakMemoryOf(pid) };
  } catch {
    return undefined;
  }
}

async function watchHere({ url, pid }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen = { questions: 0, longest: 0, failures: {}, before: memoryNow(pid)?.now, peak: 0, last: 0 };
  let over = false;
  parentPort.once('message', () => {
    over = true;
  });
  const looking = setInterval(() => {
    const memory = memoryNow(pid);
    seen.peak = Math.max(seen.peak, memory?.peak ?? 0);
    seen.last = memory?.now;
  }, interval.memory);
  while (!over) {
    const from = performance.now();
    const outcome = await ask(agent, url);
    const took = performance.now() - from;
    seen.questions += 1;
    seen.longest = Math.max(seen.longest, took);
    if (outcome !== 200) seen.failures[outcome] = (seen.failures[outcome] ?? 0) + 1;
    await pause(Math.max(0, interval.question - took));
  }
  clearInterval(looking);
  agent.destroy();
  parentPort.postMessage(seen);
}

/**
 * Watches a server from now on.
 * @returns a function that stops and returns what was seen: the longest answer in milliseconds, which is how
 *   long the server's event loop was blocked; answers other than 200; MiB in use before, peak (of the
 *   process's whole life) and last
 */
export function watch({ url, pid }) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, pid } });
  return () =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.postMessage('over');
    });
}

if (!isMainThread && workerData?.url) await watchHere(workerData);
