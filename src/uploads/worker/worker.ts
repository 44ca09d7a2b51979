import type { Database } from '../../db/connection/database.js';
import type { OnTried, Outcome } from '../../domain/upload.js';
import type { Attempt } from '../filing.js';
import { type ClaimedUpload, claimUploads, extendLeases } from '../queue.js';
import { onUploadReceived } from '../receiving.js';
import { addUpRegularly, forgetRegularly, purgeRegularly } from './chores.js';
import { processUpload, Stopped, type UploadWork } from './process-upload.js';

export interface UploadWorkerOptions extends UploadWork {
  readonly database: Database;
  /** Uploads that it works on at once, at most. */
  readonly concurrency?: number;
  /** Milliseconds between two looks into the queue, when nothing was received in this process. */
  readonly pollMs?: number;
  /** Milliseconds after which an upload is taken from a worker that has died. */
  readonly leaseMs?: number;
  /** Milliseconds after which the numbers of records are added up, again and again. */
  readonly addUpMs?: number;
  /** Days for which changes of records are kept. */
  readonly changesDays?: number;
  /** Milliseconds after which older ones are deleted, again and again. */
  readonly forgetMs?: number;
  /** Milliseconds after which the bin is rid of what has expired, again and again. */
  readonly purgeMs?: number;
  readonly onTried?: OnTried | undefined;
  /** Each try passes through it. */
  readonly around?: AroundTry | undefined;
}

/** Runs a try to file an upload, and answers what it came to. */
export type AroundTry = (upload: Attempt, run: () => Promise<Outcome>) => Promise<Outcome>;

/** Job worker that files uploads, and does chores (chores.ts), until it is stopped. */
export interface Worker {
  /**
   * Stops: takes no more uploads, and waits for those under way. What still waits for its file is given back.
   */
  stop(): Promise<void>;
}

/**
 * Starts filing uploads. Any number of workers can share a database, in one process or several: each upload is one
 * worker's at a time, and is filed once.
 */
export function startWorker(options: UploadWorkerOptions): Worker {
  const { database, clock, log, concurrency = 4, pollMs = 1_000, leaseMs = 15_000 } = options;
  const { addUpMs = 10_000, changesDays: days = 3, forgetMs = 600_000, purgeMs = 60_000 } = options;
  const { onTried, around = (_upload, run) => run() } = options;
  const underWay = new Map<ClaimedUpload, Promise<void>>();
  const stopping = new AbortController();
  const bell = createWakeUpSignal();
  let stopped = false;

  const leaseEnd = () => new Date(clock().getTime() + leaseMs);

  async function work(claimed: ClaimedUpload): Promise<void> {
    const { upload } = claimed;
    const started = performance.now();
    // What could not be kept is tried again, when its lease ends.
    let outcome: Outcome = 'retried';
    try {
      outcome = await around(upload, () => processUpload(claimed, options, stopping.signal));
    } catch (err) {
      log.error({ err, upload: upload.id }, 'the outcome of an upload could not be kept');
    } finally {
      onTried?.(outcome, performance.now() - started);
      underWay.delete(claimed);
      bell.ring();
    }
  }

  /** Takes up what it has hands for; answers whether there may be more. */
  async function takeUp(): Promise<boolean> {
    const free = concurrency - underWay.size;
    if (free === 0) return false;
    const claimed = await claimUploads(database, free, clock(), leaseEnd());
    for (const one of claimed) underWay.set(one, work(one));
    return claimed.length === free;
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const more = await takeUp().catch((err: Error) => {
        log.warn({ reason: err.message }, 'the queue of uploads cannot be read');
        return false;
      });
      if (!more) await bell.wait(pollMs);
    }
  }

  const extending = setInterval(() => {
    if (underWay.size === 0) return;
    const tries = [...underWay.keys()].map(({ upload }) => upload);
    extendLeases(database, tries, leaseEnd()).catch((err: Error) => {
      log.warn({ reason: err.message }, 'the leases of uploads could not be extended');
    });
  }, leaseMs / 3);
  const silence = onUploadReceived(database, bell.ring);
  const endAddingUp = addUpRegularly(database, log, addUpMs);
  const endForgetting = forgetRegularly(database, log, forgetMs, { clock, days });
  const endPurging = purgeRegularly(database, clock, log, purgeMs);
  const running = run();
  return {
    stop: async () => {
      stopped = true;
      stopping.abort(new Stopped('The worker was stopped.'));
      silence();
      bell.ring();
      await running;
      await Promise.all(underWay.values());
      clearInterval(extending);
      await Promise.all([endAddingUp(), endForgetting(), endPurging()]);
    },
  };
}

/**
 * Creates a wake-up signal to wait for, with a timeout. A ring while nobody waits is heard by who waits next.
 */
function createWakeUpSignal() {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          rung = false;
          wake = undefined;
          resolve();
        };
        const timer = setTimeout(done, ms);
        wake = done;
        if (rung) done();
      }),
  };
}
