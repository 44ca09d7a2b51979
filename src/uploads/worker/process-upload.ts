import type { Logger } from 'pino';
import { unavailableOf } from '../../db/connection/errors.js';
import { type Keep, type QueueWorkerSettings, Stopped } from '../../db/queue/worker.js';
import type { ReadingProblem } from '../../domain/documents/finding.js';
import { type ErrorCode, GatewayError } from '../../domain/errors.js';
import { maxAttempts, nextAttemptAt } from '../../domain/load/backoff.js';
import { uploadReasonOf } from '../../domain/uploads/reasons.js';
import type { Outcome } from '../../domain/uploads/upload.js';
import { type FoundFile, failUpload, failureReason, fileUpload, type UploadFailure } from '../filing.js';
import { suggestMentioned } from '../mentions.js';
import type { ClaimedUpload } from '../queue.js';
import { readFiledFile, settleReading } from '../read-filed.js';
import { ReaderEnded } from '../reading/reader-process.js';
import { type FetchedFile, FetchFailure } from './fetch-file.js';

/**
 * Finds an upload's file and what it suggests. It rejects with a FetchFailure, or the signal's reason.
 * @param locale the one that the document is likeliest in
 * @param stored the file, if it is stored already and need not be fetched
 */
export type FindFile = (
  upload: ClaimedUpload['upload'],
  signal: AbortSignal,
  locale: string,
  stored?: FetchedFile,
) => Promise<FoundFile>;

export interface UploadWork extends Pick<QueueWorkerSettings, 'clock' | 'log'> {
  readonly findFile: FindFile;
}

/** Failure of an attempt, and whether retrying is useless. */
interface AttemptFailure extends UploadFailure {
  readonly final: boolean;
}

/** Attempts to file what was fetched, over ten seconds. A file may also take too long each time. */
const mostFilings = 15;

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

/** Sentences for the log about documents of which not everything was read. */
const problemTexts: Readonly<Record<ReadingProblem, string>> = {
  DAMAGED: 'The document could not be read: it is damaged',
  PROTECTED: 'The document could not be read: it needs a password',
  TOO_LARGE: 'The document could not be read completely: it has too many pages or pixels',
  TOO_COSTLY: 'The document could not be read completely: that takes too much time or memory',
  UNSUPPORTED: 'The document was not read: its kind is not read here',
};

/** Finds an upload's file, and what it suggests or mentions. */
async function findAll(
  { upload, session, locale }: ClaimedUpload,
  { findFile, log }: UploadWork,
  signal: AbortSignal,
  stored?: FetchedFile,
): Promise<FoundFile> {
  const { text, ...found } = await findFile(upload, signal, locale, stored);
  if (found.problem) log.info({ upload: upload.id, problem: found.problem }, problemTexts[found.problem]);
  return text ? { ...found, mentioned: await suggestMentioned(session, upload, text) } : found;
}

/**
 * Reads the document of an upload that was filed unread, and stores what it suggests. An upload that cannot
 * be read stays as it is.
 */
async function readFiled(
  claimed: ClaimedUpload,
  work: UploadWork,
  signal: AbortSignal,
  keep: Keep,
): Promise<Outcome> {
  const { upload, session } = claimed;
  const { clock, log } = work;
  const { id, attempts } = upload;
  try {
    const stored = attempts > maxAttempts ? undefined : await readFiledFile(session, upload);
    const found = stored && (await findAll(claimed, work, signal, stored));
    await keep(() => settleReading(session, { id, attempts }, found ?? {}), mostFilings);
    return found ? 'filed' : 'released';
  } catch (error) {
    if (error instanceof Stopped) {
      await keep(() => settleReading(session, { id, attempts }, {}, clock()));
      return 'released';
    }
    const { reason, final } = describeFailure(error, id, log);
    const again = final ? null : nextAttemptAt({ attempts: maxAttempts }, upload, clock());
    await keep(() => settleReading(session, { id, attempts }, {}, again));
    log.warn({ upload: id, attempts, reason, last: again === null }, 'upload not read');
    return again ? 'retried' : 'failed';
  }
}

/**
 * Files an upload, or records the failure and the next attempt; returns the outcome. It rejects if not even
 * that can be stored before the worker stops: then the lease ends, and another attempt follows.
 */
export async function processUpload(
  claimed: ClaimedUpload,
  work: UploadWork,
  signal: AbortSignal,
  keep: Keep,
): Promise<Outcome> {
  const { upload, session } = claimed;
  const { clock, log } = work;
  const { id, attempts } = upload;
  if (upload.state === 'FILED') return readFiled(claimed, work, signal, keep);
  // Attempts are counted before they begin, so that a file that kills its worker does so only a limited
  // number of times.
  if (attempts > maxAttempts) {
    const failure = { code: 'NEVER_FINISHED', reason: 'No attempt to file it was completed.' } as const;
    await keep(() => failUpload(session, { id, attempts }, failure, null));
    return 'failed';
  }
  let found: FoundFile = {};
  try {
    found = await findAll(claimed, work, signal);
    if (!(await keep(() => fileUpload(session, { id, attempts }, found), mostFilings))) return 'released';
    log.info({ upload: id, attempts }, 'upload filed');
    return 'filed';
  } catch (error) {
    // Returned for the next worker to claim at once.
    if (error instanceof Stopped) {
      const failure = { code: 'GATEWAY_STOPPED', reason: error.message } as const;
      await keep(() => failUpload(session, { id, attempts }, failure, clock()));
      return 'released';
    }
    const failure = describeFailure(error, id, log);
    const { reason, final } = failure;
    const again = final ? null : nextAttemptAt({ attempts: maxAttempts }, upload, clock());
    const last = again === null;
    await keep(() => failUpload(session, { id, attempts }, failure, again, found));
    log.warn({ upload: id, attempts, reason, last }, 'upload not filed');
    return last ? 'failed' : 'retried';
  }
}
