import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Registry } from 'prom-client';
import type { Log } from '../../db/embedded/log.js';
import { exposition, type Measured } from '../../http/metrics/exposition.js';
import { createKeyQueue } from '../../sign-in/key-queue.js';
import { ServingProcessFailure } from '../errors.js';
import { createQuestions } from '../terminal/questions.js';
import { processNumberVariable, type ToPrimary, type ToServingProcess } from './process-messages.js';

/** Group of serving processes that share a port (`node:cluster`). */
export interface ServingProcesses {
  /**
   * Starts the processes; returns their address once all of them listen.
   * @throws {ServingProcessFailure} if one does not
   */
  start(): Promise<string>;
  /** Lists the ids of running processes. */
  pids(): number[];
  /** Shuts the processes down and waits for them; returns whether all ended in order. */
  stop(): Promise<boolean>;
}

export interface ServingProcessesOptions {
  readonly workers: number;
  /** Environment variables of the processes, in addition to this process's. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** Milliseconds until a lost process is replaced. They double unless it has lived long enough. */
const restart = { first: 100, longest: 30_000, longEnough: 60_000 };

/** Timeout in milliseconds for the metrics of a serving process. */
const measureTimeout = 2_500;

/** A serving process's slot, which its replacements take over. */
interface Slot {
  readonly name: string;
  worker: Worker | undefined;
  /** Number of processes in a row that did not live long. */
  failures: number;
}

const sendTo = (worker: Worker | undefined, message: ToServingProcess) => {
  if (worker?.isConnected()) worker.send(message, () => {});
};

/** End of a process: its exit status, or the signal that ended it. */
interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Creates the group without starting it. There is one per process. */
export function createServingProcesses({ workers, env, log }: ServingProcessesOptions): ServingProcesses {
  const slots = Array.from({ length: workers }, (_, at): Slot => {
    return { name: String(at + 1), worker: undefined, failures: 0 };
  });
  const running = new Set<Promise<Ending>>();
  const stopping = new AbortController();
  const measured = createQuestions<Measured>();
  const deriveKey = createKeyQueue();
  const registry = new Registry();
  const restarts = new Counter({
    name: 'gateway_worker_restarts_total',
    help: 'Worker processes that replaced a lost one.',
    labelNames: ['worker'],
    registers: [registry],
  });
  for (const { name } of slots) restarts.inc({ worker: name }, 0);

  async function readMetrics(): Promise<string> {
    const all = slots.map(({ worker }) => {
      const answer = measured.ask((id) => sendTo(worker, { kind: 'measure', id }));
      // A process that is being replaced, or is too busy, is left out.
      return Promise.race([answer, sleep(measureTimeout, undefined, { ref: false })]);
    });
    const told = (await Promise.all(all)).filter((one) => one !== undefined);
    return exposition([...told, { own: [], shared: await registry.getMetricsAsJSON() }]);
  }

  async function answerKey(worker: Worker, { id, request }: Extract<ToPrimary, { kind: 'key' }>) {
    // A key that cannot be derived, such as for lack of memory, must not end this process.
    const key = await deriveKey(request).catch(({ message }: Error) => {
      log.error({ reason: message }, 'a key could not be derived from a password');
      return 'queue' as const;
    });
    sendTo(worker, { kind: 'key', id, key });
  }

  function onMessage(worker: Worker, message: ToPrimary): void {
    if (message.kind === 'measured') measured.answer(message.id, message.measured);
    if (message.kind === 'key') void answerKey(worker, message);
    if (message.kind !== 'metrics') return;
    const { id } = message;
    void readMetrics().then((text) => sendTo(worker, { kind: 'metrics', id, text }));
  }

  /** Starts a serving process; resolves when it listens, and rejects if it ends before. */
  function launch(slot: Slot): Promise<string> {
    const worker = cluster.fork({ ...env, [processNumberVariable]: slot.name });
    slot.worker = worker;
    const born = performance.now();
    const ended = new Promise<Ending>((resolve) => {
      worker.once('exit', (code, signal) => resolve({ code, signal }));
    });
    running.add(ended);
    return new Promise((resolve, reject) => {
      let isReady = false;
      worker.on('error', ({ message }) =>
        log.warn({ worker: slot.name, reason: message }, 'a worker process failed'),
      );
      worker.on('message', (message: ToPrimary) => {
        onMessage(worker, message);
        if (message.kind !== 'ready') return;
        isReady = true;
        resolve(message.url);
      });
      void ended.then((ending) => {
        slot.worker = undefined;
        if (!isReady) reject(new ServingProcessFailure(ending.code, ending.signal));
        if (stopping.signal.aborted) return;
        running.delete(ended);
        if (isReady || slot.failures > 0) void replace(slot, ending, performance.now() - born);
      });
    });
  }

  async function replace(slot: Slot, ending: Ending, lived: number): Promise<void> {
    slot.failures = lived >= restart.longEnough ? 1 : slot.failures + 1;
    const wait = Math.min(restart.longest, restart.first * 2 ** (slot.failures - 1));
    log.error({ worker: slot.name, ...ending, wait }, 'a worker process was lost and will be replaced');
    await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {});
    if (stopping.signal.aborted) return;
    restarts.inc({ worker: slot.name });
    await launch(slot).then(
      () =>
        log.info(
          { worker: slot.name, pid: slot.worker?.process.pid },
          'a worker process replaced a lost one',
        ),
      () => {},
    );
  }

  return {
    async start() {
      // Samples can be NaN, which JSON cannot represent.
      cluster.setupPrimary({ serialization: 'advanced' });
      const [first, ...others] = slots;
      if (!first) throw new Error('A cluster has a worker at least.');
      // Start the first one alone, so that a common problem is reported only once.
      const url = await launch(first);
      await Promise.all(others.map(launch));
      return url;
    },
    pids: () => slots.flatMap(({ worker }) => worker?.process.pid ?? []),
    async stop() {
      stopping.abort();
      for (const { worker } of slots) sendTo(worker, { kind: 'stop' });
      const endings = await Promise.all(running);
      return endings.every(({ code }) => code === 0);
    },
  };
}
