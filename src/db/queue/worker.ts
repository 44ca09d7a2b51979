import { once, setMaxListeners } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Rate } from '../../domain/load/quota.js';
import type { Database } from '../connection/database.js';
import { isTemporary } from '../connection/errors.js';
import { type Attempt, type Claim, extendLeases, giveBack, type JobTable } from './jobs.js';
import { type Loop, onlyWhen, startLoop, type TimeGate } from './loop.js';
import { Shares } from './shares.js';

/** Error of an attempt that ends because its worker stops. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Stores an outcome, again and again while the database is away. It must be fenced by the attempt's number, so that it
 * changes nothing once another has taken the job.
 * @param most the most attempts, for what may also fail each time because it takes too long
 * @throws other errors, and the last one if the worker has to stop
 */
export type Keep = <T>(store: () => Promise<T>, most?: number) => Promise<T>;

/** Milliseconds between two attempts to store an outcome: the first ones, and the longest. */
const storeAgainMs = { first: 50, longest: 1_000 };

/** Milliseconds for which a worker that stops still tries to store outcomes. */
const storeLastMs = 5_000;

/** Milliseconds after an outage in which workers only store. So nobody takes what another has done. */
const storeFirstMs = 2 * storeAgainMs.longest;

/** Settings of a queue's worker. */
export interface QueueWorkerSettings {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  /** Returns whether the time is sure. While it is not, nothing is claimed, decided or deleted. */
  readonly isSure?: TimeGate | undefined;
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
   * @param keep stores what must not be forgotten
   */
  readonly work: (job: Job, signal: AbortSignal, keep: Keep) => Promise<Outcome>;
  /** Outcome of an attempt that could not be stored. It is repeated when its lease ends. */
  readonly unstored: Outcome;
  /** Called after each attempt, with its milliseconds. */
  readonly onTried?: ((outcome: Outcome, ms: number) => void) | undefined;
  /** Limits the jobs per second. */
  readonly rate?: Rate;
}

/**
 * Starts doing the jobs of a queue. Any number of processes may do so: each job belongs to one at a time. While the
 * database is away, a process keeps its outcomes and their places.
 * @returns the loop that claims jobs; stopping it also waits for the jobs in progress
 */
export function startQueueWorker<Job extends Attempt, Outcome>(options: Jobs<Job, Outcome>): Loop {
  const { database, clock, log, table, jobs, rate } = options;
  const { concurrency = 4, pollMs = 1_000, leaseMs = 15_000 } = options;
  const underWay = new Map<Job, Promise<void>>();
  const shares = new Shares(concurrency);
  const stopping = new AbortController();
  // Each job listens to it; the default of 10 is only a warning against leaks.
  setMaxListeners(concurrency + 2, stopping.signal);
  const stopped = once(stopping.signal, 'abort');

  let stoppedAt = Number.POSITIVE_INFINITY;
  let isAway = false;

  async function keep<T>(job: Job, store: () => Promise<T>, most = Number.POSITIVE_INFINITY): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await store();
      } catch (error) {
        const isOver = performance.now() > stoppedAt + storeLastMs || tried >= most;
        if (isOver || !isTemporary(error)) throw error;
        const { message: reason } = error as Error;
        if (tried === 2)
          log.warn({ id: job.id, reason }, `the outcome of one of the ${jobs} is stored later`);
        await after(Math.min(storeAgainMs.first * 2 ** (tried - 1), storeAgainMs.longest));
      }
    }
  }

  async function work(job: Job): Promise<void> {
    const started = performance.now();
    let outcome = options.unstored;
    let hasOutcome = false;
    const keepIt: Keep = (store, most) => {
      hasOutcome = true;
      return keep(job, store, most);
    };
    try {
      outcome = await options.work(job, stopping.signal, keepIt).catch(async (error: unknown) => {
        if (hasOutcome || !isTemporary(error)) throw error;
        const { message: reason } = error as Error;
        log.warn({ id: job.id, reason }, `one of the ${jobs} could not be begun`);
        await keep(job, () => giveBack(database, table, job, clock()));
        return options.unstored;
      });
    } catch (err) {
      log.error({ err, id: job.id }, `the outcome of one of the ${jobs} could not be stored`);
    }
    options.onTried?.(outcome, performance.now() - started);
    underWay.delete(job);
    claiming.wake();
  }

  const leaseFrom = (now: Date) => new Date(now.getTime() + leaseMs);

  /** Claims jobs. After an outage, workers store what they have done before anybody claims. */
  async function claim(): Promise<void> {
    if (isAway) {
      await database.ping();
      await Promise.race([after(storeFirstMs), stopped]);
      isAway = false;
    }
    try {
      await claimFree();
    } catch (error) {
      isAway = isTemporary(error);
      throw error;
    }
  }

  /** Claims as many jobs as may run. If it gets them all, there may be more. */
  async function claimFree(): Promise<void> {
    const free = concurrency - underWay.size;
    const count = rate ? rate.take(free) : free;
    if (count === 0) return;
    const now = clock();
    shares.retain(underWay.keys());
    const held = [...underWay.keys()].map(({ id }) => id);
    let claimed: Job[] = [];
    try {
      claimed = await options.claim({ count, now, leaseUntil: leaseFrom(now), shares, held });
    } finally {
      rate?.giveBack(count - claimed.length);
    }
    for (const job of claimed) underWay.set(job, work(job));
    if (claimed.length === count) claiming.wake();
  }

  async function extend(): Promise<void> {
    if (underWay.size > 0) await extendLeases(database, table, [...underWay.keys()], leaseFrom(clock()));
  }

  const warn = (what: string) => (error: Error) => log.warn({ reason: error.message }, what);
  const pause = () => (underWay.size < concurrency ? Math.min(pollMs, rate?.wait() || pollMs) : pollMs);
  const claiming = startLoop(
    onlyWhen(options.isSure, claim),
    pause,
    warn(`the queue of ${jobs} cannot be read`),
  );
  const extending = startLoop(extend, leaseMs / 3, warn(`the leases of ${jobs} could not be extended`));
  claiming.wake();
  return {
    wake: claiming.wake,
    async stop() {
      stoppedAt = performance.now();
      stopping.abort(new Stopped('The worker was stopped.'));
      await claiming.stop();
      await Promise.all(underWay.values());
      await extending.stop();
    },
  };
}
