import type { GraphQLSchema } from 'graphql';
import { type Loop, onlyWhen, startLoop } from '../../db/queue/loop.js';
import { type Keep, type QueueWorkerSettings, Stopped, startQueueWorker } from '../../db/queue/worker.js';
import {
  type ClaimedExport,
  claimExports,
  failExport,
  forgetExports,
  postponeExport,
} from '../../exports/queue.js';
import { CsvExporter } from '../export.js';
import { type ExportOutcome, mostExportAttempts, processExport } from './export-team.js';

/** Milliseconds until an export is made anew after a failure. */
const retryMs = 5_000;

/** Milliseconds between two deletions of expired exports. */
const forgetMs = 600_000;

export interface ExportWorkerOptions extends QueueWorkerSettings {
  /** Loads the schema, which only the first export needs. */
  readonly loadSchema: () => Promise<GraphQLSchema>;
  /** Milliseconds between two deletions of expired exports, if not the usual ones. */
  readonly forgetMs?: number;
}

/**
 * Starts exporting workspaces. Any number of workers can do so: each export has one at a time, and another
 * one begins it anew if that one dies.
 * @returns a function that stops it
 */
export function startTeamExports(options: ExportWorkerOptions): () => Promise<void> {
  const { database, clock, log, loadSchema } = options;
  let exporter: CsvExporter | undefined;
  const work = async (claimed: ClaimedExport, signal: AbortSignal, keep: Keep): Promise<ExportOutcome> => {
    try {
      exporter ??= new CsvExporter(await loadSchema());
      return await processExport({ database, clock, exporter }, claimed, signal);
    } catch (error) {
      if (error instanceof Stopped) {
        await keep(() => postponeExport(database, claimed, clock()));
      } else if (claimed.attempts >= mostExportAttempts) {
        log.error({ err: error, id: claimed.id }, 'an export was given up');
        const why = 'Something went wrong in the service; the details are in its log.';
        await keep(() => failExport(database, claimed, why, clock()));
        return 'failed';
      } else {
        log.warn({ err: error, id: claimed.id }, 'an export is made anew later');
        await keep(() => postponeExport(database, claimed, new Date(clock().getTime() + retryMs)));
      }
      return 'retried';
    }
  };
  const processing = startQueueWorker<ClaimedExport, ExportOutcome>({
    concurrency: 2,
    ...options,
    ...{ table: 'team_exports', jobs: 'exports', unstored: 'retried', work },
    claim: (claim) => claimExports(database, claim),
  });
  const forgetting: Loop = startLoop(
    onlyWhen(options.isSure, () => forgetExports(database, clock())),
    options.forgetMs ?? forgetMs,
    (error) => log.warn({ reason: error.message }, 'expired exports cannot be deleted'),
  );
  return async () => {
    await processing.stop();
    await forgetting.stop();
  };
}
