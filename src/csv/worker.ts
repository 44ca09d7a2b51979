import type { GraphQLSchema } from 'graphql';
import { type Loop, onlyWhen, startLoop } from '../db/queue/loop.js';
import { type Keep, type QueueWorkerSettings, Stopped, startQueueWorker } from '../db/queue/queue.js';
import {
  type ClaimedExport,
  claimExports,
  failExport,
  forgetExports,
  postponeExport,
} from '../exports/exports.js';
import { wholeWorkspace } from '../imports/options.js';
import {
  type ClaimedImport,
  claimImports,
  forgetImports,
  postpone,
  settleFailure,
} from '../imports/queue.js';
import { CsvExporter } from './export.js';
import { type ImportOutcome, processImport } from './import/process.js';
import { type ExportOutcome, maxExportAttempts, processExport } from './workspace/export-team.js';
import { importTeam } from './workspace/import-team.js';

/** Attempts after which an import that cannot be processed is given up. */
const maxAttempts = 10;

/** Milliseconds until an import is continued after a failure. */
const retryMs = 5_000;

/** Milliseconds between two deletions of old imports. */
const forgetMs = 3_600_000;

interface ImportWorkerOptions extends QueueWorkerSettings {
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
      } else if (claimed.attempts >= maxAttempts) {
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

/** Milliseconds between two deletions of expired exports. */
const forgetWorkspacesMs = 600_000;

interface ExportWorkerOptions extends QueueWorkerSettings {
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
      } else if (claimed.attempts >= maxExportAttempts) {
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
    options.forgetMs ?? forgetWorkspacesMs,
    (error) => log.warn({ reason: error.message }, 'expired exports cannot be deleted'),
  );
  return async () => {
    await processing.stop();
    await forgetting.stop();
  };
}
