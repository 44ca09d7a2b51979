import type { GraphQLSchema } from 'graphql';
import { type Loop, onlyWhen, startLoop } from '../../db/queue/loop.js';
import { type Keep, type QueueWorkerSettings, Stopped, startQueueWorker } from '../../db/queue/worker.js';
import { wholeWorkspace } from '../../imports/options.js';
import {
  type ClaimedImport,
  claimImports,
  forgetImports,
  postpone,
  settleFailure,
} from '../../imports/queue.js';
import { importTeam } from '../workspace/import-team.js';
import { type ImportOutcome, processImport } from './process-import.js';

/** Attempts after which an import that cannot be processed is given up. */
const mostAttempts = 10;

/** Milliseconds until an import is continued after a failure. */
const retryMs = 5_000;

/** Milliseconds between two deletions of old imports. */
const forgetMs = 3_600_000;

export interface ImportWorkerOptions extends QueueWorkerSettings {
  /** Loads the schema, which only the first import needs. */
  readonly loadSchema: () => Promise<GraphQLSchema>;
}

/**
 * Starts processing imports. Any number of workers can do so: each import has one at a time, and continues
 * with the next batch if it dies.
 * @returns a function that stops it
 */
export function startImports(options: ImportWorkerOptions): () => Promise<void> {
  const { database, clock, log, loadSchema } = options;
  const work = async (claimed: ClaimedImport, signal: AbortSignal, keep: Keep): Promise<ImportOutcome> => {
    try {
      const processing = { database, clock, schema: await loadSchema() };
      if (claimed.kind === wholeWorkspace) return await importTeam(processing, claimed, signal);
      return await processImport(processing, claimed, signal);
    } catch (error) {
      if (error instanceof Stopped) {
        await keep(() => postpone(database, claimed, clock()));
      } else if (claimed.attempts >= mostAttempts) {
        log.error({ err: error, id: claimed.id }, 'an import was given up');
        const why = 'Something went wrong in the service; the details are in its log.';
        await keep(() => settleFailure(database, claimed, why));
        return 'failed';
      } else {
        log.warn({ err: error, id: claimed.id }, 'an import is continued later');
        await keep(() => postpone(database, claimed, new Date(clock().getTime() + retryMs)));
      }
      return 'retried';
    }
  };
  const processing = startQueueWorker<ClaimedImport, ImportOutcome>({
    concurrency: 2,
    ...options,
    ...{ table: 'imports', jobs: 'imports', unstored: 'retried', work },
    claim: (claim) => claimImports(database, claim),
  });
  const forgetting: Loop = startLoop(
    onlyWhen(options.isSure, () => forgetImports(database, clock())),
    forgetMs,
    (error) => log.warn({ reason: error.message }, 'old imports cannot be deleted'),
  );
  return async () => {
    await processing.stop();
    await forgetting.stop();
  };
}
