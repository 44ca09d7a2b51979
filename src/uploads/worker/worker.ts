import type { Database } from '../../db/connection/database.js';
import type { OnTried, Outcome } from '../../domain/uploads/upload.js';
import type { Attempt } from '../filing.js';
import { type ClaimedUpload, claimUploads, extendLeases } from '../queue.js';
import { onUploadReceived } from '../receiving.js';
import { addUpRegularly, forgetRegularly, purgeRegularly } from './chores.js';
import { processUpload, Stopped, type UploadWork } from './process-upload.js';

export interface UploadWorkerOptions extends UploadWork {
  readonly database: Database;
  /** The most uploads that it processes at once. */
  readonly concurrency?: number;
  /** Milliseconds between two polls of the queue, if this process has received nothing. */
  readonly pollMs?: number;
  /** Milliseconds after which an upload is taken from a worker that has died. */
  readonly leaseMs?: number;
  /** Milliseconds between two additions of the record counts. */
  readonly addUpMs?: number;
  /** Days for which changes of records are kept. */
  readonly changesDays?: number;
  /** Milliseconds between two deletions of older changes. */
  readonly forgetMs?: number;
  /** Milliseconds between two deletions of expired entries of the bin. */
  readonly purgeMs?: number;
  readonly onTried?: OnTried | undefined;
  /** Wraps each attempt. */
  readonly around?: AroundTry | undefined;
}

/** Runs an attempt to file an upload, and returns its outcome. */
export type AroundTry = (upload: Attempt, run: () => Promise<Outcome>) => Promise<Outcome>;

/** A worker that files uploads, and does chores (chores.ts), until it is stopped. */
export interface Worker {
  /**
   * Claims no more uploads, and waits for those in progress. Uploads that still wait for their file are
   * returned to the queue.
   */
  stop(): Promise<void>;
}

/**
 * Starts filing uploads. Any number of workers can share a database, in one process or several: each upload
 * has one worker at a time, and is filed once.
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
    // If the outcome could not be stored, it is retried when its lease ends.
    let outcome: Outcome = 'retried';
    try {
      outcome = await around(upload, () => processUpload(claimed, options, stopping.signal));
    } catch (err) {
      log.error({ err, upload: upload.id }, 'the outcome of an upload could not be stored');
    } finally {
      onTried?.(outcome, performance.now() - started);
      underWay.delete(claimed);
      bell.ring();
    }
  }

  /** Claims as many uploads as it can process; returns whether there may be more. */
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
 * Creates a wake-up signal to wait for, with a timeout. A signal while nobody waits ends the next wait at
 * once.
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
