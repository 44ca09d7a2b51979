import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Rate } from '../../domain/load/quota.js';
import type { Database } from '../connection/database.js';
import { type Attempt, type Claim, extendLeases, type JobTable } from './jobs.js';
import { type Loop, startLoop } from './loop.js';
import { Shares } from './shares.js';

/** Error of an attempt that ends because its worker stops. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Settings of a queue's worker. */
export interface QueueWorkerSettings {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  /** The most jobs at once. */
  readonly concurrency?: number;
  /** Milliseconds between two polls of the queue while nothing wakes the worker. */
  readonly pollMs?: number;
  /** Milliseconds after which a job is taken from a process that has died. */
  readonly leaseMs?: number;
}

/** Jobs of one queue, and how they are done. */
interface Jobs<Job extends Attempt, Outcome> extends QueueWorkerSettings {
  readonly table: JobTable;
  /** Name of the jobs in the log, such as *uploads*. */
  readonly jobs: string;
  /** Claims jobs; see `claimJobs`. */
  readonly claim: (claim: Claim) => Promise<Job[]>;
  /**
   * Does a job, and stores the outcome.
   * @param signal is aborted with `Stopped` when the worker stops
   */
  readonly work: (job: Job, signal: AbortSignal) => Promise<Outcome>;
  /** Outcome of an attempt that could not be stored. It is repeated when its lease ends. */
  readonly unstored: Outcome;
  /** Called after each attempt, with its milliseconds. */
  readonly onTried?: ((outcome: Outcome, ms: number) => void) | undefined;
  /** Limits the jobs per second. */
  readonly rate?: Rate;
}

/**
 * Starts doing the jobs of a queue. Any number of processes may do so: each job belongs to one at a time.
 * @returns the loop that claims jobs; stopping it also waits for the jobs in progress
 */
export function startQueueWorker<Job extends Attempt, Outcome>(options: Jobs<Job, Outcome>): Loop {
  const { database, clock, log, table, jobs, rate } = options;
  const { concurrency = 4, pollMs = 1_000, leaseMs = 15_000 } = options;
  const underWay = new Map<Job, Promise<void>>();
  const shares = new Shares(concurrency);
  const stopping = new AbortController();
  // Each job listens to it; the default of 10 is only a warning against leaks.
  setMaxListeners(concurrency + 1, stopping.signal);

  async function work(job: Job): Promise<void> {
    const started = performance.now();
    let outcome = options.unstored;
    try {
      outcome = await options.work(job, stopping.signal);
    } catch (err) {
      log.error({ err, id: job.id }, `the outcome of one of the ${jobs} could not be stored`);
    }
    options.onTried?.(outcome, performance.now() - started);
    underWay.delete(job);
    claiming.wake();
  }

  const leaseFrom = (now: Date) => new Date(now.getTime() + leaseMs);

  /** Claims as many jobs as may run. If it gets them all, there may be more. */
  async function claim(): Promise<void> {
    const free = concurrency - underWay.size;
    const count = rate ? rate.take(free) : free;
    if (count === 0) return;
    const now = clock();
    shares.retain(underWay.keys());
    const claimed = await options.claim({ count, now, leaseUntil: leaseFrom(now), shares });
    rate?.giveBack(count - claimed.length);
    for (const job of claimed) underWay.set(job, work(job));
    if (claimed.length === count) claiming.wake();
  }

  async function extend(): Promise<void> {
    if (underWay.size > 0) await extendLeases(database, table, [...underWay.keys()], leaseFrom(clock()));
  }

  const warn = (what: string) => (error: Error) => log.warn({ reason: error.message }, what);
  const pause = () => (underWay.size < concurrency ? Math.min(pollMs, rate?.wait() || pollMs) : pollMs);
  const claiming = startLoop(claim, pause, warn(`the queue of ${jobs} cannot be read`));
  const extending = startLoop(extend, leaseMs / 3, warn(`the leases of ${jobs} could not be extended`));
  claiming.wake();
  return {
    wake: claiming.wake,
    async stop() {
      stopping.abort(new Stopped('The worker was stopped.'));
      await claiming.stop();
      await Promise.all(underWay.values());
      await extending.stop();
    },
  };
}
