import { purgeExpired } from '../../db/bin/keep.js';
import { forgetChanges } from '../../db/changes/epoch.js';
import type { Attempt } from '../../db/queue/jobs.js';
import { type Loop, onlyWhen, startLoop } from '../../db/queue/loop.js';
import { type QueueWorkerSettings, startQueueWorker } from '../../db/queue/worker.js';
import { addEventPartitions, NotTheOwner } from '../../db/retention/event-partitions.js';
import { deleteOldDeliveries, deleteOldEvents } from '../../db/retention/old-rows.js';
import { addUpCounts } from '../../db/sql/record-counts.js';
import type { OnTried, Outcome } from '../../domain/uploads/upload.js';
import { forgetSignIns } from '../../sign-in/forget.js';
import { type ClaimedUpload, claimUploads } from '../queue.js';
import { onUploadReceived } from '../receiving.js';
import { forgetResumable } from '../resumable.js';
import { processUpload, type UploadWork } from './process-upload.js';

export interface UploadWorkerOptions extends UploadWork, QueueWorkerSettings {
  /** Milliseconds between two additions of the record counts. */
  readonly addUpMs?: number;
  /** Days for which changes of records are kept. */
  readonly changesDays?: number;
  /** Days for which events are kept; Infinity for forever. */
  readonly eventLogDays?: number;
  /** Days for which settled deliveries are kept; Infinity for forever. */
  readonly deliveryDays?: number;
  /** Milliseconds between two deletions of older changes, sessions, events and deliveries. */
  readonly forgetMs?: number;
  /** Milliseconds between two deletions of expired entries of the bin. */
  readonly purgeMs?: number;
  readonly onTried?: OnTried | undefined;
  /** Wraps each attempt. */
  readonly around?: AroundTry | undefined;
}

/** Runs an attempt to file an upload, and returns its outcome. */
export type AroundTry = (upload: Attempt, run: () => Promise<Outcome>) => Promise<Outcome>;

/** A worker that files uploads, and does chores, until it is stopped. */
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
  const { database, around = (_upload, run) => run() } = options;
  const filing = startQueueWorker<ClaimedUpload, Outcome>({
    ...options,
    ...{ table: 'upload_notifications', jobs: 'uploads', unstored: 'retried' },
    claim: (claim) => claimUploads(database, claim),
    work: (claimed, signal, keep) =>
      around(claimed.upload, () => processUpload(claimed, options, signal, keep)),
  });
  const silence = onUploadReceived(database, filing.wake);
  const chores = startChores(options);
  return {
    stop: async () => {
      silence();
      await filing.stop();
      await Promise.all(chores.map((chore) => chore.stop()));
    },
  };
}

/** Starts adding up counts, making partitions, and deleting what is old. */
function startChores({ database, clock, log, ...options }: UploadWorkerOptions): Loop[] {
  const { addUpMs = 10_000, changesDays = 3, forgetMs = 600_000, purgeMs = 60_000 } = options;
  const { eventLogDays = Number.POSITIVE_INFINITY, deliveryDays = Number.POSITIVE_INFINITY } = options;
  const warn = (what: string) => (error: Error) => log.warn({ reason: error.message }, what);
  const forget = () => forgetChanges(database, new Date(clock().getTime() - changesDays * 86_400_000));
  const purge = async () => {
    const entries = await purgeExpired(database, clock());
    if (entries > 0) log.info({ entries }, 'expired entries were deleted from the bin');
  };
  let isTold = false;
  /** Does work of the tables' owner. A role that may not is told once of the command `maintain`. */
  const ofTheOwner = async (work: () => Promise<number>) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotTheOwner)) throw error;
      if (!isTold) log.warn(error.message);
      isTold = true;
      return 0;
    }
  };
  const retain = async () => {
    await ofTheOwner(() => addEventPartitions(database, clock(), eventLogDays));
    const events = await ofTheOwner(() => deleteOldEvents(database, clock(), eventLogDays));
    const deliveries = await deleteOldDeliveries(database, clock(), deliveryDays);
    if (events + deliveries > 0) log.info({ events, deliveries }, 'old events and deliveries were deleted');
  };
  // A clock that is wrong would delete too much.
  const start = (run: () => Promise<unknown>, ms: number, what: string) =>
    startLoop(onlyWhen(options.isSure, run), ms, warn(what));
  const retaining = start(retain, forgetMs, 'old events and deliveries cannot be deleted');
  // The gateway may have been off for longer than partitions were made ahead.
  retaining.wake();
  return [
    retaining,
    start(() => addUpCounts(database), addUpMs, 'the totals of records cannot be updated'),
    start(forget, forgetMs, 'old changes of records cannot be deleted'),
    start(purge, purgeMs, 'the bin cannot be emptied'),
    start(() => forgetSignIns(database, clock()), forgetMs, 'old sessions cannot be deleted'),
    start(() => forgetResumable(database, clock()), forgetMs, 'expired resumable uploads cannot be deleted'),
  ];
}
