import { type ChildProcess, fork } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Registry } from 'prom-client';
import type { Log } from '../../domain/log.js';
import { type Acceptor, startListening, stopListening } from '../../http/connections/connections.js';
import { exposition, type Measured } from '../../http/metrics/exposition.js';
import { createKeyQueue } from '../../sign-in/password-hasher.js';
import { ServingProcessFailure } from '../errors.js';
import { createQuestions } from '../terminal/questions.js';
import type { ListeningAddress } from './listening.js';
import { explainListening } from './listening.js';
import { processNumberVariable, type ToPrimary, type ToServingProcess } from './process-messages.js';
import { lookInterval, Watchdog } from './watchdog.js';

/** The most connections that wait for a serving process. Further ones are closed. */
const maxWaiting = 4_096;

/** The most milliseconds for which connections wait for a serving process when the port closes. */
const closeTimeoutMs = 5_000;

/**
 * Accepts the connections of a port, and gives them to processes in turn (round robin). A process gets its
 * next connection only once it has taken the last one, so a process that is busy or hangs gets no more than
 * one. Until then the connection stays open here as well. It is thus given to another process if the first
 * one ends; `node:cluster` forgets it.
 */
class SharedPort {
  readonly #server = createServer({ pauseOnConnect: true }, (socket) => {
    // Nobody else listens while it waits; an error would end the process.
    socket.on('error', () => {});
    this.#waiting.push(socket);
    this.#give();
  });
  readonly #waiting: Socket[] = [];
  readonly #members = new Set<ChildProcess>();
  /** Members that can take a connection, the one that waits for longest first. */
  readonly #free = new Set<ChildProcess>();
  readonly #given = new Map<ChildProcess, Socket>();
  #isClosed = false;
  #onIdle = () => {};

  /**
   * Starts to listen; returns the URL.
   * @throws {Error} if it cannot listen
   */
  listen(acceptor: Acceptor): Promise<string> {
    this.#server.maxConnections = maxWaiting;
    return startListening(this.#server, acceptor);
  }

  /** Begins to give connections to a process. */
  add(process: ChildProcess): void {
    this.#members.add(process);
    this.#free.add(process);
    this.#give();
  }

  /** Gives no more connections to a process. It may still take the last one. */
  remove(process: ChildProcess): void {
    this.#members.delete(process);
    this.#free.delete(process);
  }

  /** Notes that a process has taken the connection that it was given. */
  taken(process: ChildProcess): void {
    // This closes only the copy of this process.
    this.#given.get(process)?.destroy();
    this.#given.delete(process);
    if (this.#members.has(process)) this.#free.add(process);
    this.#give();
  }

  /** Gives the connection that an ended process has not taken to another one. */
  lost(process: ChildProcess): void {
    this.remove(process);
    const socket = this.#given.get(process);
    this.#given.delete(process);
    if (!socket) return;
    if (this.#isClosed) return void socket.destroy();
    this.#waiting.unshift(socket);
    this.#give();
  }

  /**
   * Stops listening. Resolves when all connections that were accepted have been sent to a process. Those that
   * no process takes for seconds are closed.
   */
  async close(): Promise<void> {
    await stopListening(this.#server);
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    const timer = setTimeout(() => this.#abandon(), closeTimeoutMs);
    this.#give();
    await idle;
    clearTimeout(timer);
    this.#isClosed = true;
  }

  #abandon(): void {
    for (const socket of this.#waiting.splice(0)) socket.destroy();
    this.#onIdle();
  }

  #give(): void {
    for (const process of this.#free) {
      const socket = this.#waiting.shift();
      if (!socket) break;
      this.#free.delete(process);
      this.#given.set(process, socket);
      const message: ToServingProcess = { kind: 'connection' };
      process.send(message, socket, { keepOpen: true }, (error) => {
        // The connection of a process that has ended goes to another one as soon as its end is known.
        if (error && process.connected) this.taken(process);
      });
    }
    if (this.#waiting.length === 0) this.#onIdle();
  }
}

/** Group of serving processes that share a port. */
interface ServingProcesses {
  /**
   * Starts the processes, and listens once all of them can serve; returns the URL.
   * @throws {ServingProcessFailure} if one cannot
   * @throws {Error} if the port cannot be used
   */
  start(): Promise<string>;
  /** Lists the ids of running processes. */
  pids(): number[];
  /** Makes the processes report that they are not ready. */
  retire(): void;
  /** Shuts the processes down and waits for them; returns whether all ended in order. */
  stop(): Promise<boolean>;
}

interface ServingProcessesOptions {
  readonly workers: number;
  readonly place: ListeningAddress;
  /** Environment variables of the processes, in addition to this process's. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** Milliseconds until a lost process is replaced. They double unless it has lived long enough. */
const restart = { first: 100, longest: 30_000, longEnough: 60_000 };

/** Seconds without an answer after which a process is taken to hang, and killed. */
const patience = { starting: 60, serving: 15 };

/** Timeout in milliseconds for the metrics of a serving process. */
const measureTimeout = 2_500;

/** A serving process's slot, which its replacements take over. */
interface Slot {
  readonly name: string;
  child: ChildProcess | undefined;
  /** Number of processes in a row that did not live long. */
  failures: number;
}

const sendTo = (child: ChildProcess | undefined, message: ToServingProcess) => {
  if (child?.connected) child.send(message, () => {});
};

/** End of a process: its exit status, or the signal that ended it. */
interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Creates the group without starting it. There is one per process. */
export function createServingProcesses({
  workers,
  place,
  env,
  log,
}: ServingProcessesOptions): ServingProcesses {
  const slots = Array.from({ length: workers }, (_, at): Slot => {
    return { name: String(at + 1), child: undefined, failures: 0 };
  });
  const port = new SharedPort();
  const watchdog = new Watchdog<ChildProcess>(() => performance.now());
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
    const all = slots.map(({ child }) => {
      const answer = measured.ask((id) => sendTo(child, { kind: 'measure', id }));
      // A process that is being replaced, or is too busy, is left out.
      return Promise.race([answer, sleep(measureTimeout, undefined, { ref: false })]);
    });
    const told = (await Promise.all(all)).filter((one) => one !== undefined);
    return exposition([...told, { own: [], shared: await registry.getMetricsAsJSON() }]);
  }

  async function answerKey(child: ChildProcess, { id, request }: Extract<ToPrimary, { kind: 'key' }>) {
    // A key that cannot be derived, such as for lack of memory, must not end this process.
    const key = await deriveKey(request).catch(({ message }: Error) => {
      log.error({ reason: message }, 'a key could not be derived from a password');
      return 'queue' as const;
    });
    sendTo(child, { kind: 'key', id, key });
  }

  function onMessage(child: ChildProcess, message: ToPrimary): void {
    if (message.kind === 'taken') port.taken(child);
    if (message.kind === 'pong') watchdog.answered(child);
    if (message.kind === 'measured') measured.answer(message.id, message.measured);
    if (message.kind === 'key') void answerKey(child, message);
    if (message.kind === 'leaving') {
      port.remove(child);
      sendTo(child, { kind: 'stop' });
    }
    if (message.kind !== 'metrics') return;
    const { id } = message;
    void readMetrics().then((text) => sendTo(child, { kind: 'metrics', id, text }));
  }

  /** Watches a process, which is killed if it hangs. Its replacement follows from its end. */
  function watch(slot: Slot, child: ChildProcess, seconds: number): void {
    watchdog.watch(child, {
      patience: (seconds * 1_000) / lookInterval,
      ping: () => sendTo(child, { kind: 'ping' }),
      onHung: () => {
        log.error({ worker: slot.name, pid: child.pid, seconds }, 'a worker process hangs and is killed');
        child.kill('SIGKILL');
      },
    });
  }

  function forkInto(slot: Slot): ChildProcess {
    const [program = '', ...args] = process.argv.slice(1);
    try {
      return fork(program, args, {
        env: { ...process.env, ...env, [processNumberVariable]: slot.name },
        // Samples can be NaN, which JSON cannot represent.
        serialization: 'advanced',
      });
    } catch (error) {
      // The system may have no memory for another process now.
      if (slot.failures > 0) void replace(slot, { code: null, signal: null }, 0);
      throw error;
    }
  }

  /** Starts a serving process; resolves when it can serve, and rejects if it ends before. */
  async function launch(slot: Slot): Promise<void> {
    stopping.signal.throwIfAborted();
    const born = performance.now();
    const child = forkInto(slot);
    slot.child = child;
    watch(slot, child, patience.starting);
    const ended = new Promise<Ending>((resolve) => {
      // By then all its messages have been read, so it is known which connection it has taken.
      child.once('close', (code, signal) => resolve({ code, signal }));
      child.on('error', ({ message }) => {
        log.warn({ worker: slot.name, reason: message }, 'a worker process failed');
        if (child.pid === undefined) resolve({ code: null, signal: null });
      });
    });
    running.add(ended);
    await new Promise<void>((resolve, reject) => {
      let isReady = false;
      child.on('message', (message: ToPrimary) => {
        onMessage(child, message);
        if (message.kind !== 'ready') return;
        isReady = true;
        watch(slot, child, patience.serving);
        port.add(child);
        resolve();
      });
      void ended.then((ending) => {
        slot.child = undefined;
        watchdog.forget(child);
        port.lost(child);
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
      () => log.info({ worker: slot.name, pid: slot.child?.pid }, 'a worker process replaced a lost one'),
      () => {},
    );
  }

  const sendToAll = (message: ToServingProcess) => {
    for (const { child } of slots) sendTo(child, message);
  };

  return {
    async start() {
      setInterval(() => watchdog.look(), lookInterval).unref();
      const [first, ...others] = slots;
      if (!first) throw new Error('A group has a process at least.');
      // Start the first one alone, so that a common problem is reported only once.
      await launch(first);
      await Promise.all(others.map(launch));
      stopping.signal.throwIfAborted();
      return port.listen({ ...place, log }).catch((error) => {
        throw explainListening(error, place);
      });
    },
    pids: () => slots.flatMap(({ child }) => child?.pid ?? []),
    retire: () => sendToAll({ kind: 'retire' }),
    async stop() {
      stopping.abort();
      await port.close();
      sendToAll({ kind: 'stop' });
      const endings = await Promise.all(running);
      return endings.every(({ code }) => code === 0);
    },
  };
}
