import type { Logger } from 'pino';
import { purgeExpired } from '../../db/bin/bin.js';
import { forgetChanges } from '../../db/changes/changes.js';
import { unavailableOf } from '../../db/connection/errors.js';
import { type Loop, onlyWhen, startLoop } from '../../db/queue/loop.js';
import {
  type Attempt,
  type Keep,
  type QueueWorkerSettings,
  Stopped,
  startQueueWorker,
} from '../../db/queue/queue.js';
import {
  addEventPartitions,
  deleteOldDeliveries,
  deleteOldEvents,
  NotTheOwner,
} from '../../db/retention/retention.js';
import { addUpCounts } from '../../db/sql/select.js';
import { parseDate } from '../../domain/dates.js';
import { type ErrorCode, GatewayError } from '../../domain/errors.js';
import { FileContent } from '../../domain/files.js';
import { maxAttempts, nextAttemptAt } from '../../domain/load/quota.js';
import { limits } from '../../domain/rules.js';
import {
  type OnTried,
  type Outcome,
  tellsDate,
  type UploadQueue,
  unreadReasons,
  uploadQueues,
  uploadReasonOf,
} from '../../domain/uploads/upload.js';
import { forgetSignIns } from '../../sign-in/sessions.js';
import {
  type FoundFile,
  failUpload,
  failureReason,
  fileUpload,
  isPastFiling,
  readFiledFile,
  settleReading,
  type UploadFailure,
} from '../filed-uploads.js';
import { suggestMentioned } from '../mentions.js';
import { type ClaimedUpload, claimUploads } from '../queue.js';
import {
  type DocumentOptions,
  firstReading,
  type MailFile,
  type PictureReader,
  picturesAtOnce,
  type ReceivedFile,
  readDocument,
} from '../reading/read-document.js';
import { ReaderEnded } from '../reading/reader-process.js';
import { addMailFile, onUploadReceived } from '../received-uploads.js';
import { forgetResumable } from '../resumable.js';
import { type FetchedFile, FetchFailure, type FileFetcher, isListed } from './fetch.js';

/** Fetches an upload's file, if it may. It rejects with a FetchFailure, or the signal's reason. */
export type FetchUpload = (
  upload: ClaimedUpload['upload'],
  signal: AbortSignal,
) => Promise<FetchedFile | undefined>;

/** The findings of a document, and whether there are pictures left. */
export interface ReadFile extends FoundFile {
  readonly hasMore?: boolean;
  /** Files that a mail brings. */
  readonly files?: readonly MailFile[];
}

/**
 * Reads the document of an upload, as far as its queue does. It rejects with the signal's reason.
 * @param locale the one that the document is likeliest in
 */
export type ReadUpload = (
  upload: ClaimedUpload['upload'],
  file: FetchedFile,
  signal: AbortSignal,
  locale: string,
) => Promise<ReadFile>;

interface UploadWork extends Pick<QueueWorkerSettings, 'clock' | 'log'> {
  readonly fetchFile: FetchUpload;
  readonly readFile: ReadUpload;
}

/** Failure of an attempt, and whether retrying is useless. */
interface AttemptFailure extends UploadFailure {
  readonly final: boolean;
}

/** Attempts to file what was fetched, over ten seconds. A file may also take too long each time. */
const maxFilings = 15;

/** Codes of errors that may be temporary. */
const passing: readonly ErrorCode[] = ['CONFLICT', 'PRECONDITION_FAILED', 'UNAVAILABLE'];

function describeFailure(error: unknown, upload: string, log: Logger): AttemptFailure {
  if (error instanceof FetchFailure) return { code: error.reason, reason: error.message, final: error.final };
  const known = error instanceof GatewayError ? error : unavailableOf(error);
  if (known) {
    const final = !passing.includes(known.code);
    return { code: uploadReasonOf(known), reason: failureReason(known), final };
  }
  if (error instanceof ReaderEnded) return { code: 'GATEWAY_FAILED', reason: error.message, final: false };
  log.error({ err: error, upload }, 'filing an upload failed');
  return {
    code: 'GATEWAY_FAILED',
    reason: 'Something went wrong in the service; the details are in its log.',
    final: false,
  };
}

/** Finds what an upload's document suggests or mentions. */
async function readAll(
  { upload, session, locale }: ClaimedUpload,
  { readFile, log }: UploadWork,
  signal: AbortSignal,
  file: FetchedFile,
): Promise<ReadFile> {
  const { text, ...found } = await readFile(upload, file, signal, locale);
  if (found.problem && !found.hasMore)
    log.info({ upload: upload.id, problem: found.problem }, unreadReasons[found.problem]);
  return text ? { ...found, mentioned: await suggestMentioned(session, upload, text) } : found;
}

/** An attempt at an upload. */
interface UploadAttempt {
  /** Does the work, and stores its result. */
  readonly run: () => Promise<Outcome>;
  /**
   * Stores a failure.
   * @param dueAt time of the next attempt; null if there is none
   */
  readonly fail: (failure: UploadFailure, dueAt: Date | null) => Promise<void>;
  /** Sentence for the log about a failure. */
  readonly failed: string;
  /** Outcome of the last failure. */
  readonly end: Outcome;
}

/**
 * Makes an attempt at an upload, or records the failure and the next attempt. It rejects
 * if not even that can be stored before the worker stops: then the lease ends, and another attempt follows.
 */
async function attempt(
  { upload }: ClaimedUpload,
  { clock, log }: UploadWork,
  keep: Keep,
  { run, fail, failed, end }: UploadAttempt,
): Promise<Outcome> {
  const { id, attempts } = upload;
  try {
    return await run();
  } catch (error) {
    // Returned for the next worker to claim at once.
    if (error instanceof Stopped) {
      await keep(() => fail({ code: 'GATEWAY_STOPPED', reason: error.message }, clock()));
      return 'released';
    }
    const failure = describeFailure(error, id, log);
    const again = failure.final ? null : nextAttemptAt({ attempts: maxAttempts }, upload, clock());
    await keep(() => fail(failure, again));
    log.warn({ upload: id, attempts, reason: failure.reason, last: again === null }, failed);
    return again ? 'retried' : end;
  }
}

/** Reads the file of a filed upload, or fetches that of a failed one. */
const readUploaded = ({ upload, session }: ClaimedUpload, work: UploadWork, signal: AbortSignal) =>
  upload.state === 'FILED' ? readFiledFile(session, upload) : work.fetchFile(upload, signal);

/**
 * Makes the files of a mail uploads of their own. One that its item cannot take, because it has the most files already,
 * stays in the mail.
 * @returns whether all were taken
 */
async function addMailFiles(
  { upload, session }: ClaimedUpload,
  files: readonly MailFile[],
  keep: Keep,
): Promise<boolean> {
  let isWhole = true;
  if (upload.state !== 'FILED') return isWhole;
  for (const [index, file] of files.entries()) {
    try {
      await keep(() => addMailFile(session, upload, file, index), maxFilings);
    } catch (error) {
      if (!(error instanceof GatewayError) || passing.includes(error.code)) throw error;
      isWhole = false;
    }
  }
  return isWhole;
}

/**
 * Reads the document of an upload that was filed unread, or has failed. It stores what the document suggests. An upload
 * that cannot be read stays as it is.
 */
function readFiled(
  claimed: ClaimedUpload,
  work: UploadWork,
  signal: AbortSignal,
  keep: Keep,
): Promise<Outcome> {
  const { upload, session } = claimed;
  return attempt(claimed, work, keep, {
    async run() {
      const isOver = upload.attempts > maxAttempts;
      const file = isOver ? undefined : await readUploaded(claimed, work, signal);
      const found = file && (await readAll(claimed, work, signal, file));
      const isWhole = await addMailFiles(claimed, found?.files ?? [], keep);
      const outcome = found?.hasMore
        ? { unread: null, next: { queue: 'PICTURES' as const } }
        : {
            unread: found
              ? (found.problem ?? (isWhole ? null : ('TOO_LARGE' as const)))
              : isOver
                ? ('NEVER_FINISHED' as const)
                : ('NO_FILE' as const),
          };
      await keep(() => settleReading(session, upload, found ?? {}, outcome), maxFilings);
      return found ? 'read' : 'unread';
    },
    fail: (_failure, dueAt) =>
      settleReading(
        session,
        upload,
        {},
        dueAt ? { unread: 'INTERRUPTED', next: { dueAt } } : { unread: 'NEVER_FINISHED' },
      ),
    failed: 'upload not read',
    end: 'unread',
  });
}

/** Files an upload, or reads one that was filed unread. */
async function processUpload(
  claimed: ClaimedUpload,
  work: UploadWork,
  signal: AbortSignal,
  keep: Keep,
): Promise<Outcome> {
  const { upload, session } = claimed;
  const { id, attempts } = upload;
  if (isPastFiling(upload)) return readFiled(claimed, work, signal, keep);
  // Attempts are counted before they begin, so that a file that kills its worker does so only a limited
  // number of times.
  if (attempts > maxAttempts) {
    const failure = { code: 'NEVER_FINISHED', reason: 'No attempt to file it was completed.' } as const;
    await keep(() => failUpload(session, upload, failure, null));
    return 'failed';
  }
  let next: UploadQueue | null = null;
  return attempt(claimed, work, keep, {
    async run() {
      const file = await work.fetchFile(upload, signal);
      if (file && !tellsDate(upload)) next = firstReading(file.bytes);
      if (!(await keep(() => fileUpload(session, upload, toFound(file), next), maxFilings)))
        return 'released';
      work.log.info({ upload: id, attempts }, 'upload filed');
      return 'filed';
    },
    fail: (failure, dueAt) => failUpload(session, upload, failure, dueAt, next),
    failed: 'upload not filed',
    end: 'failed',
  });
}

/** Returns a fetched file as it is filed. */
function toFound(file: FetchedFile | undefined): FoundFile {
  if (!file) return {};
  const { bytes, contentType } = file;
  const told = contentType !== null && contentType.length <= limits.line ? contentType : null;
  return { fetched: { content: new FileContent(bytes), contentType: told } };
}

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

/** Runs an attempt at an upload, and returns its outcome. */
type AroundTry = (upload: Attempt, run: () => Promise<Outcome>) => Promise<Outcome>;

/** A worker that files uploads, reads them, and does chores, until it is stopped. */
export interface Worker {
  /**
   * Claims no more uploads, and waits for those in progress. Uploads that still wait for their file are
   * returned to the queue.
   */
  stop(): Promise<void>;
}

/**
 * Starts filing uploads, and reading their documents. Any number of workers can share a database, in one process or
 * several: each upload has one worker at a time, and is filed once. Each queue has its own places, so that neither
 * filing waits for reading, nor text for pictures.
 */
export function startWorker(options: UploadWorkerOptions): Worker {
  const { database, around = (_upload, run) => run() } = options;
  const places: Partial<Record<UploadQueue, number>> = { PICTURES: picturesAtOnce };
  const wake = () => {
    for (const loop of queues) loop.wake();
  };
  const queues: readonly Loop[] = uploadQueues.map((queue) =>
    startQueueWorker<ClaimedUpload, Outcome>({
      ...options,
      concurrency: places[queue] ?? options.concurrency ?? 4,
      ...{ table: 'upload_notifications', jobs: 'uploads', unstored: 'retried' },
      claim: (claim) => claimUploads(database, queue, claim),
      async work(claimed, signal, keep) {
        const outcome = await around(claimed.upload, () => processUpload(claimed, options, signal, keep));
        // It may be a job of another queue now.
        wake();
        return outcome;
      },
    }),
  );
  const silence = onUploadReceived(database, wake);
  const chores = startChores(options);
  return {
    stop: async () => {
      silence();
      await Promise.all([...queues, ...chores].map((loop) => loop.stop()));
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

interface FileFinderOptions extends PictureReader {
  /** The hosts that files are fetched from; see `createFileFetcher`. */
  readonly hosts: readonly string[];
  readonly fetchFile: FileFetcher;
  readonly clock: () => Date;
}

/** Finds the details of a document, and the expiry date if there is only one. */
export async function findSuggestion(file: ReceivedFile, options: DocumentOptions): Promise<ReadFile> {
  const { pages, findings, problem, hasMore, files } = await readDocument(file, options);
  const [first, other] = findings.filter(({ field }) => field === 'expiration_date');
  const date = first && !other ? parseDate(first.value) : null;
  const text = { pages, findings, filename: file.filename ?? null };
  return {
    ...{ findings, text, problem, hasMore, files },
    ...(first && date && { suggestion: { date, from: first.words } }),
  };
}

/**
 * The most attempts at an upload whose reader somebody else ends. A kernel without memory ends it each time, and the
 * document is too costly for this machine.
 */
const maxEnded = 4;

/** Describes a document whose reader was ended too often. Before, the error lets another attempt follow. */
function givenUp(error: unknown, attempts: number): ReadFile {
  if (!(error instanceof ReaderEnded) || attempts < maxEnded) throw error;
  return { problem: 'TOO_COSTLY' };
}

/**
 * Creates the functions that fetch the files of uploads and read them. A file without a URL, or from an unlisted host, is
 * not fetched: it is filed by what its sender states.
 */
export function createFileFinder({
  hosts,
  fetchFile,
  clock,
  ...reader
}: FileFinderOptions): Pick<UploadWork, 'fetchFile' | 'readFile'> {
  return {
    fetchFile: async ({ url }, signal) =>
      url !== null && isListed(url, hosts) ? fetchFile(url, signal) : undefined,
    readFile({ filename, type, queue, attempts }, { bytes, contentType }, signal, locale) {
      const file = { bytes, contentType: type ?? contentType, filename };
      return findSuggestion(file, { ...reader, today: clock(), locale, signal, queue }).catch((error) =>
        givenUp(error, attempts),
      );
    },
  };
}
